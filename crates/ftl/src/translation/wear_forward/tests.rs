//! Skipped rounds compared with written rounds, on the layer alone.

use crate::gc::{GcSettings, VictimRule};
use crate::translation::{FtlSettings, Shape, Translation};
use crate::wear_leveling::{FreeBlock, WearLeveling};
use flashscope_kernel::random::Streams;

const UNITS: u32 = 3 * 20 * 8;

/// Three pools of 32 blocks of 8 pages, a slot each, of which 20 blocks' worth are the host's.
fn layer(policy: VictimRule, free_block: FreeBlock, parity_stripe_pages: u32) -> Translation {
    let shape = Shape {
        unit_count: UNITS,
        slots_per_page: 1,
        // So many that 8 are left for data.
        pages_per_block: if parity_stripe_pages == 0 { 8 } else { 8 + 8_u32.div_ceil(parity_stripe_pages - 1) },
        blocks_per_pool: 32,
        pool_count: 3,
        initial_bad_block_count: 2,
        reserved_block_count: 0,
    };
    let settings = FtlSettings {
        gc: GcSettings::plain(policy, 1, 2, 3),
        wear_leveling: WearLeveling { free_block, static_spread_cycles: Some(50) },
        endurance: None,
        erase_blocks_per_block: 1,
        spare_blocks: None,
        pslc: None,
        compression: None,
        parity_stripe_pages,
    };
    Translation::new(&shape, &settings, &Streams::new(5))
}

fn write(layer: &mut Translation, next_unit: &mut u32, units: u64) {
    for _ in 0..units {
        if let Some(page) = layer.place(*next_unit, 0, 0).expect("room").complete {
            layer.page_programmed(page);
        }
        *next_unit = (*next_unit + 1) % UNITS;
    }
}

/// Where every unit lies, and how often every block was erased.
fn picture(layer: &Translation) -> (Vec<u32>, Vec<u32>) {
    ((0..UNITS).map(|unit| layer.slot(unit)).collect(), layer.blocks().erase_counts().to_vec())
}

#[test]
fn rounds_of_a_log_that_are_skipped_leave_what_writing_them_would_have_left() {
    for (free_block, stripe_pages) in
        [(FreeBlock::OldestErased, 0), (FreeBlock::LeastWorn, 0), (FreeBlock::LeastWorn, 4)]
    {
        for blocks in [1, 7, 31, 200, 1001] {
            let (mut skipped, mut next_unit) = (layer(VictimRule::Greedy, free_block, stripe_pages), 0);
            write(&mut skipped, &mut next_unit, 5 * u64::from(UNITS) + 24 * 3);
            let mut written = skipped.clone();
            let round = skipped.log_round(next_unit).expect("a log");
            let units = skipped.forward_log(&round, blocks, 0);
            skipped.check();
            let mut unit_of_written = next_unit;
            write(&mut written, &mut unit_of_written, units);
            next_unit = (u64::from(next_unit) + units).rem_euclid(UNITS.into()) as u32;
            assert_eq!(next_unit, unit_of_written);
            assert_eq!(picture(&skipped), picture(&written), "{blocks} blocks, {free_block:?}");
            assert_eq!(skipped.tally(), written.tally());
            assert_eq!(skipped.tally().parity_pages > 0, stripe_pages > 0);
            // And both behave in the same way afterwards.
            write(&mut skipped, &mut next_unit, 3 * u64::from(UNITS) + 5);
            write(&mut written, &mut unit_of_written, 3 * u64::from(UNITS) + 5);
            assert_eq!(picture(&skipped), picture(&written), "{blocks} blocks and on, {free_block:?}");
        }
    }
}

#[test]
fn what_is_not_a_log_is_not_taken_for_one() {
    let (mut other, mut next_unit) = (layer(VictimRule::Fifo, FreeBlock::OldestErased, 0), 0);
    write(&mut other, &mut next_unit, 5 * u64::from(UNITS));
    assert!(other.log_round(next_unit).is_none(), "another policy");
    let (mut log, mut next_unit) = (layer(VictimRule::Greedy, FreeBlock::OldestErased, 0), 0);
    write(&mut log, &mut next_unit, 5 * u64::from(UNITS));
    assert!(log.log_round(next_unit).is_some());
    assert!(log.log_round((next_unit + 1) % UNITS).is_none(), "the host goes on somewhere else");
    log.place(7, 0, 0).expect("room");
    assert!(log.log_round(next_unit).is_none(), "one unit lies out of order");
}
