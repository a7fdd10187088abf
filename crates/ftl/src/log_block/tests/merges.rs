//! Each kind of merge alone, page by page.

use super::super::MergeTally;
use super::*;
use crate::TranslationLayer;
use crate::gc::Collected;
use crate::translation::Refusal;

const BOTH: [Association; 2] = [Association::Block, Association::Full];

#[test]
fn overwriting_whole_blocks_in_order_needs_switch_merges_only() {
    for association in BOTH {
        let mut layer = full(10, PAGES, association, 2);
        let before = layer.clone();
        for unit in (0..10 * PAGES).cycle().take(50 * PAGES as usize) {
            place(&mut layer, unit);
        }
        assert_eq!(write_amplification(&before, &layer), 1.0);
        let waiting = u64::from(layer.log_blocks()[0]);
        assert_eq!(layer.merges(), MergeTally { switch_merges: 50 - waiting, ..MergeTally::default() });
        assert_eq!(layer.tally().erased_blocks, 50 - waiting, "one erase for each block's worth of data");
        layer.check();
    }
}

#[test]
fn the_last_logical_block_may_be_short_and_is_switched_all_the_same() {
    for association in BOTH {
        let settings = LogBlockSettings { interleaved: false, log_block_count: 1, association };
        let mut layer =
            LogBlockTranslation::new(&shape(PAGES + 3, PAGES, 6, 1), &settings, None, None, &Streams::new(1));
        for unit in (0..PAGES + 3).cycle().take(20 * (PAGES as usize + 3)) {
            place(&mut layer, unit);
        }
        let merges = layer.merges();
        assert_eq!(merges, MergeTally { switch_merges: merges.switch_merges, ..MergeTally::default() });
        layer.check();
    }
}

#[test]
fn a_short_run_from_the_start_of_a_block_is_completed_by_a_partial_merge() {
    for association in BOTH {
        let mut layer = full(10, PAGES, association, 1);
        for unit in 0..3 {
            assert_eq!(place(&mut layer, unit).collected, None);
        }
        // The next run needs the log block.
        let placed = place(&mut layer, 4 * PAGES);
        let rest =
            Collected { reads: PAGES - 3, programs: PAGES - 3, page_index: 3, erases: 1, ..Collected::default() };
        assert_eq!(placed.collected, Some(rest));
        assert_eq!(layer.merges(), MergeTally { partial_merges: 1, ..MergeTally::default() });
        layer.check();
    }
}

#[test]
fn pages_out_of_order_are_collected_by_a_full_merge() {
    let mut layer = full(10, PAGES, Association::Block, 1);
    for unit in [5, 5, 2] {
        assert_eq!(place(&mut layer, unit).collected, None);
    }
    let placed = place(&mut layer, PAGES + 1);
    let all = Collected { reads: PAGES, programs: PAGES, page_index: 0, erases: 2, ..Collected::default() };
    assert_eq!(placed.collected, Some(all));
    assert_eq!(layer.merges(), MergeTally { full_merges: 1, ..MergeTally::default() });
    layer.check();
}

#[test]
fn a_shared_log_block_is_merged_with_every_block_that_has_pages_in_it() {
    let mut layer = full(10, PAGES, Association::Full, 1);
    // Four logical blocks; unit 9 is overwritten within the log block.
    for unit in [9, 17, 9, 25, 18, 33, 26, 34] {
        assert_eq!(place(&mut layer, unit).collected, None);
    }
    let placed = place(&mut layer, 1);
    let all = Collected { reads: 4 * PAGES, programs: 4 * PAGES, page_index: 0, erases: 5, ..Collected::default() };
    assert_eq!(placed.collected, Some(all));
    assert_eq!(layer.merges(), MergeTally { full_merges: 4, ..MergeTally::default() });
    layer.check();
}

#[test]
fn the_victim_is_the_log_block_written_least_recently_or_opened_longest_ago() {
    // Logical blocks 1 and 2 get log blocks, 1 is written again, 3 needs one.
    let writes = [PAGES + 1, 2 * PAGES + 1, PAGES + 2, 3 * PAGES + 1];
    let mut layer = full(10, PAGES, Association::Block, 2);
    let log_of_2 = writes.map(|unit| place(&mut layer, unit).complete.map(|page| page.block))[1];
    assert_eq!(layer.decisions().last().map(|decision| decision.block), log_of_2);

    let mut layer = full(10, PAGES, Association::Full, 2);
    let pages: Vec<_> = (0..2 * PAGES + 1).map(|turn| place(&mut layer, (turn % 7 + 1) * PAGES + 1)).collect();
    let oldest = pages[0].complete.map(|page| page.block);
    assert_eq!(layer.decisions().last().map(|decision| decision.block), oldest);
}

#[test]
fn without_log_blocks_every_overwrite_copies_its_block() {
    let pages = 128;
    let mut layer = full(4, pages, Association::Block, 0);
    let before = layer.clone();
    let copied = Collected { reads: pages - 1, programs: pages - 1, page_index: 0, erases: 1, ..Collected::default() };
    for unit in [77, 77, 300, 5, 511] {
        let page = Collected { page_index: u32::from(unit % pages == 0), ..copied };
        assert_eq!(place(&mut layer, unit).collected, Some(page));
    }
    assert_eq!(write_amplification(&before, &layer), f64::from(pages));
    assert_eq!(layer.merges().rewritten_blocks, 5);
    layer.check();
}

#[test]
fn a_page_may_be_skipped_and_then_only_a_log_block_can_take_it() {
    let mut layer = drive(10, PAGES, Association::Block, 1);
    let data = place(&mut layer, 2).complete.map(|page| (page.block, page.page_index));
    let later = place(&mut layer, 5).complete.map(|page| (page.block, page.page_index));
    let skipped = place(&mut layer, 3).complete.map(|page| (page.block, page.page_index));
    assert_eq!(data.map(|(_, page_index)| page_index), Some(2));
    assert_eq!(later, data.map(|(block, _)| (block, 5)));
    assert_ne!(skipped.map(|(block, _)| block), data.map(|(block, _)| block));
    // The merge copies the valid pages, and the place after the last page can be programmed again.
    let merged = place(&mut layer, PAGES).collected.or(place(&mut layer, PAGES).collected);
    assert_eq!(merged, Some(Collected { reads: 3, programs: 3, page_index: 2, erases: 2, ..Collected::default() }));
    assert_eq!(place(&mut layer, 6).complete.map(|page| page.page_index), Some(6));
    layer.check();
}

#[test]
fn trimmed_pages_are_not_copied_and_a_block_of_them_costs_an_erase() {
    let mut layer = full(10, PAGES, Association::Block, 1);
    place(&mut layer, 5);
    for unit in 0..4 {
        layer.trim(unit);
    }
    let placed = place(&mut layer, PAGES);
    assert_eq!(
        placed.collected,
        Some(Collected { reads: 4, programs: 4, page_index: 4, erases: 2, ..Collected::default() })
    );
    for unit in 2 * PAGES..3 * PAGES {
        layer.trim(unit);
    }
    let placed = place(&mut layer, 2 * PAGES);
    assert_eq!(placed.collected, Some(Collected { erases: 1, ..Collected::default() }), "no log block is needed");
    assert_eq!(layer.merges().emptied_data_blocks, 1);
    for unit in PAGES..2 * PAGES {
        layer.trim(unit);
    }
    let placed = place(&mut layer, 3 * PAGES);
    assert_eq!(placed.collected, Some(Collected { erases: 1, ..Collected::default() }), "its log block held nothing");
    assert_eq!(layer.merges().discarded_log_blocks, 1);
    layer.check();
}

#[test]
fn a_drive_too_small_for_its_log_blocks_works_without_them_and_says_when_nothing_is_left() {
    let settings = LogBlockSettings { interleaved: false, log_block_count: 4, association: Association::Full };
    // Four logical blocks, five blocks: one is left to merge into.
    let mut layer = LogBlockTranslation::new(&shape(4 * PAGES, PAGES, 5, 1), &settings, None, None, &Streams::new(1));
    for unit in (0..4 * PAGES).chain([9, 0, 30]) {
        place(&mut layer, unit);
    }
    assert_eq!(layer.merges().rewritten_blocks, 3);
    layer.check();
    // Four blocks: the last logical block has no place until another one is trimmed.
    let mut layer = LogBlockTranslation::new(&shape(4 * PAGES, PAGES, 4, 1), &settings, None, None, &Streams::new(1));
    for unit in 0..3 * PAGES {
        place(&mut layer, unit);
    }
    assert_eq!(layer.place(3 * PAGES, 0), Err(Refusal::NoFreeBlock));
    for unit in 0..PAGES {
        layer.trim(unit);
    }
    place(&mut layer, 3 * PAGES);
    layer.check();
}

#[test]
fn free_blocks_are_used_longest_erased_first_so_wear_is_even() {
    let mut layer = full(10, PAGES, Association::Block, 1);
    for _ in 0..50 {
        for unit in 0..10 * PAGES {
            place(&mut layer, unit);
        }
    }
    let counts = layer.blocks().erase_counts();
    let fewest = counts.iter().min().copied().unwrap_or(0);
    assert!(counts.iter().all(|&count| count <= fewest + 1), "{counts:?}");
}

#[test]
fn bad_and_reserved_blocks_lie_where_the_page_mapped_layer_has_them_and_hold_nothing() {
    let shape = Shape { initial_bad_block_count: 5, reserved_block_count: 3, ..shape(20 * PAGES, PAGES, 20, 2) };
    let gc = crate::GcSettings::plain(crate::VictimRule::Greedy, 1, 1, 2);
    let settings = LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Block };
    let layers = [None, Some(&settings)].map(|settings| {
        TranslationLayer::new(&shape, &crate::FtlSettings::only(gc.clone()), settings, &Streams::new(7))
    });
    assert_eq!(layers[0].blocks().states(), layers[1].blocks().states());
    let [_, mut layer] = layers;
    for unit in (0..20 * PAGES).chain((0..20 * PAGES).rev()) {
        layer.place(unit, 0, 0).expect("there is a place for it");
    }
    layer.check();
    assert!(layer.merges().is_some_and(|merges| merges.full_merges > 0));
    assert_eq!(layer.pad_page(), None);
}

#[test]
fn settings_are_read_in_kebab_case_and_rounded_to_the_pools() {
    let settings = |log_block_count, association| LogBlockSettings { interleaved: false, log_block_count, association };
    assert_eq!(settings(0, Association::Full).spare_blocks_per_pool(4), 1);
    assert_eq!(settings(2, Association::Block).spare_blocks_per_pool(4), 2, "at least one in every pool");
    assert_eq!(settings(9, Association::Full).spare_blocks_per_pool(4), 4, "two shared, one sequential, one free");
}
