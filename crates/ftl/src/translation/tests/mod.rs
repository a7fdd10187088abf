//! Each mechanism alone: its gain, its cost and its limit.

mod packing;

use super::*;
use crate::gc::{GcSettings, Separation, VictimRule};
use crate::mapping::NOWHERE;
use crate::wear_leveling::{FreeBlock, WearLeveling};
use flashscope_kernel::random::{Stream, Streams, below};
use flashscope_nand::EnduranceLaw;

const SLOTS_PER_BLOCK: u32 = 64;

/// One pool of `blocks` blocks of 64 pages of one slot, of which a share is spare.
fn shape(blocks: u32, spare_ratio: f64) -> Shape {
    Shape {
        unit_count: (f64::from(blocks * SLOTS_PER_BLOCK) * (1.0 - spare_ratio)) as u32,
        slots_per_page: 1,
        pages_per_block: SLOTS_PER_BLOCK,
        blocks_per_pool: blocks,
        pool_count: 1,
        initial_bad_block_count: 0,
        reserved_block_count: 0,
    }
}

fn layer(shape: &Shape, settings: &FtlSettings) -> Translation {
    Translation::new(shape, settings, &Streams::new(1))
}

fn greedy() -> GcSettings {
    GcSettings::plain(VictimRule::Greedy, 1, 1, 2)
}

/// Place a unit and let its page be programmed at once.
fn write(layer: &mut Translation, unit: u32) -> Result<(), Refusal> {
    if let Some(page) = layer.place(unit, 0, 0)?.complete {
        layer.page_programmed(page);
    }
    Ok(())
}

fn fill(layer: &mut Translation) {
    (0..layer.map.unit_count()).for_each(|unit| write(layer, unit).expect("a first fill fits"));
}

/// Programs per host unit over `drive_fills`, after a sequential fill and as many again to warm up. `draw` names the
/// next unit.
fn write_amplification(layer: &mut Translation, drive_fills: u32, draw: impl Fn(&mut Stream) -> u32) -> f64 {
    fill(layer);
    let mut chance = Streams::new(2).stream("writes");
    let writes = drive_fills * layer.map.unit_count();
    let mut before = layer.tally();
    for write_number in 0..2 * writes {
        if write_number == writes {
            before = layer.tally();
        }
        write(layer, draw(&mut chance)).expect("there is room");
    }
    layer.check();
    let moved = layer.tally().moved_units - before.moved_units;
    1.0 + moved as f64 / f64::from(writes)
}

fn uniform(unit_count: u32) -> impl Fn(&mut Stream) -> u32 {
    move |chance| below(chance, unit_count.into()) as u32
}

/// Nine writes in ten to a tenth of the units, the others to the rest; the tenth is scattered over the drive.
fn ninety_ten(unit_count: u32) -> impl Fn(&mut Stream) -> u32 {
    move |chance| {
        let hot = below(chance, 10) > 0;
        let tenth = 10 * below(chance, u64::from(unit_count / 10)) as u32;
        if hot { tenth } else { tenth + 1 + below(chance, 9) as u32 }
    }
}

#[test]
fn one_log_amplifies_less_than_two_frontiers_by_the_block_it_saves() {
    // The greedy law for blocks of 64 at a spare factor of 0.10, less the blocks that hold no stale slots (as in
    // docs/laws/greedy.md): one that is free, and with two frontiers one more.
    let (law_one_log, law_apart) = (4.857, 4.894);
    let shape = shape(1024, 0.10);
    let measure = |moved_data| {
        let mut layer = layer(&shape, &FtlSettings::only(GcSettings { moved_data, ..greedy() }));
        write_amplification(&mut layer, 10, uniform(shape.unit_count))
    };
    let (one_log, apart) = (measure(MovedData::WithHost), measure(MovedData::Apart));
    println!("one log {one_log:.3}, apart {apart:.3}");
    assert!((one_log / law_one_log - 1.0).abs() < 0.005, "{one_log}, the law says {law_one_log}");
    assert!((apart / law_apart - 1.0).abs() < 0.005, "{apart}, the law says {law_apart}");
    assert!(one_log < apart);
}

#[test]
fn separation_pays_under_skew_and_stays_above_the_law_of_static_separation() {
    let shape = shape(1024, 0.10);
    let measure = |policy, separation| {
        let gc = GcSettings { separation, ..GcSettings::plain(policy, 1, 1, 2) };
        write_amplification(&mut layer(&shape, &FtlSettings::only(gc)), 25, ninety_ten(shape.unit_count))
    };
    let separation = Some(Separation { hot_age_ratio: 0.5 });
    let greedy = measure(VictimRule::Greedy, None);
    let mixed = measure(VictimRule::CostBenefit, None);
    let apart = measure(VictimRule::CostBenefit, separation);
    println!("90/10 at a spare factor of 0.10: greedy {greedy:.3}, cost-benefit {mixed:.3}, separated {apart:.3}");
    assert!(mixed < 0.9 * greedy, "age helps: {greedy} greedy, {mixed} by cost and benefit");
    assert!(apart < 0.95 * mixed, "separation helps: {mixed} mixed, {apart} apart");
    // Greedy in pools with the spare split in the best way, blocks of 64, all of the spare in use.
    assert!(apart > 2.210, "{apart} is below what an oracle with fixed pools reaches");
}

#[test]
fn separation_costs_little_when_all_data_is_alike() {
    let shape = shape(512, 0.10);
    let measure = |separation| {
        let gc = GcSettings { separation, ..GcSettings::plain(VictimRule::CostBenefit, 1, 1, 2) };
        write_amplification(&mut layer(&shape, &FtlSettings::only(gc)), 6, uniform(shape.unit_count))
    };
    let (mixed, apart) = (measure(None), measure(Some(Separation { hot_age_ratio: 0.5 })));
    println!("uniform: cost-benefit {mixed:.3}, separated {apart:.3}");
    assert!(apart < 1.08 * mixed, "{mixed} mixed, {apart} apart");
}

/// Spreads of erase counts after 40, 80 and 120 drive-fills when four fifths of the data are never written again;
/// moves per host write, those for levelling first.
fn static_data(wear_leveling: WearLeveling) -> (Vec<u32>, f64, f64) {
    let shape = shape(128, 0.15);
    let mut layer = layer(&shape, &FtlSettings { wear_leveling, ..FtlSettings::only(greedy()) });
    fill(&mut layer);
    let mut chance = Streams::new(2).stream("writes");
    let mut spreads = vec![];
    for _ in 0..3 {
        for _ in 0..40 * shape.unit_count {
            write(&mut layer, below(&mut chance, u64::from(shape.unit_count / 5)) as u32).expect("there is room");
        }
        layer.check();
        let counts = layer.blocks().erase_counts();
        spreads.push(counts.iter().max().unwrap() - counts.iter().min().unwrap());
    }
    let tally = layer.tally();
    let per_write = |units: u64| units as f64 / tally.placed_units as f64;
    (spreads, per_write(tally.wear_leveling_moved_units), per_write(tally.moved_units))
}

#[test]
fn the_spread_of_erase_counts_is_bounded_only_with_static_levelling() {
    let (without, levelling, _) = static_data(WearLeveling::default());
    assert!(without[0] > 100 && without[2] > 2 * without[0], "grows without end: {without:?}");
    assert_eq!(levelling, 0.0);
    for free_block in [FreeBlock::OldestErased, FreeBlock::LeastWorn] {
        let (with, ..) = static_data(WearLeveling { free_block, static_spread_cycles: Some(20) });
        assert!(with.iter().all(|&spread| spread <= 20 + 2), "{free_block:?} keeps it at the setting: {with:?}");
    }
}

#[test]
fn static_levelling_is_paid_for_with_moves_in_inverse_proportion_to_the_spread_it_allows() {
    let (_, _, moves_without) = static_data(WearLeveling::default());
    let costs = [5, 10, 20, 40].map(|spread_cycles| {
        let wear_leveling = WearLeveling { static_spread_cycles: Some(spread_cycles), ..WearLeveling::default() };
        let (_, levelling, moves) = static_data(wear_leveling);
        println!("spread {spread_cycles}: {levelling:.3} moves per write to level, {moves:.3} in all");
        assert!(moves > moves_without && moves < moves_without + 1.5 * levelling, "{moves}: hardly any others follow");
        levelling
    });
    for pair in costs.windows(2) {
        assert!((0.4..0.6).contains(&(pair[1] / pair[0])), "half for twice the spread: {costs:?}");
    }
}

#[test]
fn worn_blocks_fail_one_by_one_until_the_spares_are_used_up_and_then_writes_are_refused() {
    let shape = shape(128, 0.20);
    let endurance = EnduranceLaw { characteristic_cycles: 150.0, shape: 6.0, program_failure_share: 0.4 };
    let settings = |spare_blocks| FtlSettings {
        endurance: Some(endurance.clone()),
        spare_blocks,
        ..FtlSettings::only(GcSettings::plain(VictimRule::Greedy, 1, 2, 3))
    };
    let worn_out = |settings: &FtlSettings| {
        let mut layer = layer(&shape, settings);
        let mut chance = Streams::new(2).stream("writes");
        let refusal = loop {
            if let Err(refusal) = write(&mut layer, below(&mut chance, shape.unit_count.into()) as u32) {
                break refusal;
            }
        };
        layer.check();
        assert_eq!(refusal, Refusal::SparesExhausted);
        assert_eq!(write(&mut layer, 0), Err(Refusal::SparesExhausted), "and stays so");
        layer
    };
    let few = worn_out(&settings(Some(5)));
    let tally = few.tally();
    assert_eq!(tally.grown_bad_blocks(), 6, "one more than the spare blocks");
    assert_eq!(tally.failed_programs, tally.program_failed_blocks);
    assert_eq!(tally.programmed_pages(), tally.host_pages + tally.gc_pages + tally.failed_programs);
    let all = worn_out(&settings(None));
    // 128 blocks less the 103 for all user data, 3 at the high water mark and 2 being filled: one loss too many.
    assert_eq!(all.tally().grown_bad_blocks(), 128 - 103 - 3 - 2 + 1);
    assert!(all.tally().program_failed_blocks > 0 && all.tally().erase_failed_blocks > 0, "both ends occur");
    let mean_cycles = all.tally().erased_blocks as f64 / 128.0;
    assert!((80.0..150.0).contains(&mean_cycles), "{mean_cycles} cycles, characteristic 150, the weakest sixth gone");
}

#[test]
fn a_block_that_could_not_be_read_gives_up_its_data_and_is_never_used_again() {
    let shape = shape(16, 0.5);
    let mut layer = layer(&shape, &FtlSettings::only(GcSettings::plain(VictimRule::Fifo, 1, 2, 3)));
    fill(&mut layer);
    let block = layer.block_of_slot(layer.slot(3));
    assert!(layer.retire_after_read_failure(block));
    assert_eq!(layer.blocks().state(block), BlockState::Closed, "its data is still there");
    let (pool, work) = layer.refresh_step(block, 7).unwrap().expect("a closed block");
    assert_eq!((pool, work.reads, work.programs, work.erases), (0, 64, 64, 0), "not erased any more");
    assert_eq!(layer.blocks().state(block), BlockState::GrownBadRead);
    assert_ne!(layer.block_of_slot(layer.slot(3)), block);
    let decision = *layer.decisions().last().expect("it was decided");
    assert_eq!((decision.at_ns, decision.block, decision.reason), (7, block, Reason::ReadFailure));
    layer.check();
    for unit in (0..shape.unit_count).cycle().take(4000) {
        write(&mut layer, unit).expect("there is room");
    }
    layer.check();
    assert_eq!(layer.tally().read_failed_blocks, 1);
    assert!(!layer.retire_after_read_failure(block), "out of use already");
    assert_eq!(layer.refresh_step(block, 8), Ok(None));
}

#[test]
fn idle_collection_works_up_to_its_target_and_leaves_blocks_that_are_not_worth_it() {
    let shape = shape(64, 0.4);
    let idle = |worthwhile_stale_ratio| {
        let idle = Some(IdleCollection { delay_ns: 0, target_free_blocks: 12, worthwhile_stale_ratio });
        let mut layer = layer(&shape, &FtlSettings::only(GcSettings { idle, ..greedy() }));
        write_amplification(&mut layer, 3, uniform(shape.unit_count));
        let moved_before = layer.tally().moved_units;
        let mut steps = 0;
        while let Some((pool, work)) = layer.idle_step(steps) {
            assert_eq!((pool, work.erases), (0, 1), "one victim at a time");
            steps += 1;
        }
        layer.check();
        assert_eq!(layer.tally().idle_moved_units, layer.tally().moved_units - moved_before);
        assert_eq!(layer.decisions().filter(|decision| decision.reason == Reason::Idle).count() as u64, steps);
        let stale_in_best = SLOTS_PER_BLOCK
            - layer
                .blocks()
                .load_keys(0..64)
                .iter()
                .copied()
                .min()
                .map_or(SLOTS_PER_BLOCK, u32::from)
                .min(SLOTS_PER_BLOCK);
        (layer.free_blocks()[0], stale_in_best)
    };
    assert_eq!(idle(0.05).0, 12, "the target is reached");
    let (free_blocks, stale_in_best) = idle(0.60);
    assert!(free_blocks < 12, "stopped at {free_blocks} free blocks");
    assert!(f64::from(stale_in_best) < 0.60 * f64::from(SLOTS_PER_BLOCK), "{stale_in_best} stale slots in the best");
    let mut off = layer(&shape, &FtlSettings::only(greedy()));
    fill(&mut off);
    assert_eq!(off.idle_step(0), None);
}

#[test]
fn a_power_cut_takes_what_was_on_its_way_and_nothing_else() {
    let shape = Shape { slots_per_page: 4, pages_per_block: 16, ..shape(16, 0.5) };
    let mut layer = layer(&shape, &FtlSettings::only(greedy()));
    let pages: Vec<OpenPage> = (0..10).filter_map(|unit| layer.place(unit, 0, 0).unwrap().complete).collect();
    assert_eq!(pages.len(), 2, "units 0 to 7; units 8 and 9 are in the page being filled");
    layer.page_programmed(pages[0]);
    assert_eq!(layer.power_cut(), 6);
    layer.check();
    let mapped = |layer: &Translation| (0..10).filter(|&unit| layer.slot(unit) != NOWHERE).collect::<Vec<_>>();
    assert_eq!(mapped(&layer), [0, 1, 2, 3]);
    assert_eq!(layer.blocks().state(pages[0].block), BlockState::Closed);
    assert_eq!(layer.power_cut(), 0, "nothing is lost twice");
    let next = layer.place(0, 0, 0).unwrap();
    assert_ne!(layer.block_of_slot(layer.slot(0)), pages[0].block, "a new block is opened");
    assert_eq!(next.complete, None);
    assert_eq!(layer.power_cut(), 1, "the newest copy counts: the older one does not come back");
    assert_eq!(mapped(&layer), [1, 2, 3]);
    layer.check();
}

#[test]
fn what_is_off_draws_nothing_and_changes_nothing() {
    let shape = shape(64, 0.1);
    let played = |settings: &FtlSettings| {
        let mut layer = layer(&shape, settings);
        write_amplification(&mut layer, 3, uniform(shape.unit_count));
        (layer.tally(), layer.blocks().erase_counts().to_vec())
    };
    let plain = FtlSettings::only(GcSettings::plain(VictimRule::DChoices, 3, 1, 2));
    // Blocks that do not fail during the test, a spread that is never reached, idle collection that is never called.
    let mut armed = plain.clone();
    armed.endurance = Some(EnduranceLaw { characteristic_cycles: 1e9, shape: 9.0, program_failure_share: 0.5 });
    armed.wear_leveling.static_spread_cycles = Some(1_000_000);
    armed.gc.idle = Some(IdleCollection { delay_ns: 1, target_free_blocks: 9, worthwhile_stale_ratio: 0.1 });
    assert_eq!(played(&plain), played(&armed));
}

#[test]
fn runs_of_units_placed_page_by_page_leave_what_units_placed_one_by_one_leave() {
    for (slots_per_page, pool_count) in [(1, 1), (4, 1), (4, 3), (16, 2)] {
        let shape = Shape { slots_per_page, pages_per_block: 8, pool_count, ..shape(30, 0.3) };
        let unit_count = 30 * 8 * slots_per_page * pool_count * 7 / 10;
        let shape = Shape { unit_count, ..shape };
        let settings = FtlSettings::only(greedy());
        let (mut by_page, mut one_by_one) = (layer(&shape, &settings), layer(&shape, &settings));
        let mut chance = Streams::new(3).stream("runs");
        let mut at_once = 0;
        for _ in 0..2_000 {
            let first = below(&mut chance, u64::from(unit_count)) as u32;
            let end = unit_count.min(first + 1 + below(&mut chance, 40) as u32);
            let mut unit = first;
            while unit < end {
                let placed = by_page.fill_page(unit..end);
                at_once += placed;
                unit += placed;
                if placed == 0 {
                    write(&mut by_page, unit).expect("there is room");
                    unit += 1;
                }
            }
            (first..end).for_each(|unit| write(&mut one_by_one, unit).expect("there is room"));
            assert_eq!((by_page.point(), by_page.tally()), (one_by_one.point(), one_by_one.tally()));
        }
        by_page.check();
        let slots = |layer: &Translation| (0..unit_count).map(|unit| layer.slot(unit)).collect::<Vec<_>>();
        assert_eq!(slots(&by_page), slots(&one_by_one), "{slots_per_page} slots, {pool_count} pools");
        assert_eq!(at_once > 0, slots_per_page > 1, "a page of one slot is completed by its only unit");
    }
}
