//! Parity: how many pages and how much time it takes, and that nothing else changes.

use super::{buffered_config, latency_ns, request, small_config};
use crate::Drive;
use crate::request::RequestKind;
use crate::ssd::*;
use flashscope_ftl::{AgedState, Overwrites};
use flashscope_kernel::random::below;

const UNIT_BYTES: u64 = 4096;

fn write_in_order(drive: &mut Ssd) {
    for unit in 0..drive.user_bytes() / UNIT_BYTES {
        latency_ns(drive, request(RequestKind::Write, unit * UNIT_BYTES, UNIT_BYTES));
    }
}

#[test]
fn the_last_page_of_every_stripe_is_parity_and_takes_the_time_of_a_page() {
    let mut config = small_config();
    config.geometry.channels = 1;
    config.capacity.user_bytes = 1 << 20;
    config.parity.stripe_pages = 4;
    let mut drive = Ssd::new(config, 1).unwrap();
    let mut write = |unit: u64| latency_ns(&mut drive, request(RequestKind::Write, unit * UNIT_BYTES, UNIT_BYTES));
    let alone_ns = (5 + 10 + 100 + 900) * 1000;
    let (after_data_ns, behind_parity_ns) = (alone_ns, alone_ns + 1_000_000 - 15_000);
    // The write is answered when its own page is programmed; after a stripe the next write waits for the bank, which
    // programs the parity.
    let expected_ns = [alone_ns, after_data_ns, after_data_ns, behind_parity_ns];
    assert_eq!([0, 1, 2, 3].map(&mut write), expected_ns);
    assert_eq!([4, 5, 6].map(&mut write), [after_data_ns, after_data_ns, behind_parity_ns]);
    let counters = drive.counters();
    assert_eq!((counters.host_programmed_pages, counters.parity_pages), (7, 2));
    assert_eq!(counters.nand_written_bytes, 9 * UNIT_BYTES);
    assert_eq!(drive.inside().bank_busy_ns, [9 * 1_000_000]);
    drive.check();
}

#[test]
fn writing_in_order_costs_one_page_more_for_every_stripe() {
    for (stripe_pages, parity_of_each_16) in [(0, 0), (2, 8), (4, 4), (5, 3), (8, 2), (16, 1)] {
        for superblock in [false, true] {
            let mut config = small_config();
            config.geometry.superblock = superblock;
            let whole_bytes = config.slots_per_block() * UNIT_BYTES;
            config.parity.stripe_pages = stripe_pages;
            let data_pages = config.slots_per_block();
            config.capacity.user_bytes = data_pages * 12 * UNIT_BYTES;
            let mut drive = Ssd::new(config, 1).unwrap();
            write_in_order(&mut drive);
            let counters = drive.counters();
            let blocks = if superblock { 2 } else { 1 };
            let of_block = counters.parity_pages / 12;
            assert_eq!((of_block * 12, counters.gc_programmed_pages), (counters.parity_pages, 0));
            let lone = u64::from(stripe_pages == 5); // 16 pages are three stripes of five and a page that stays empty
            if !superblock {
                assert_eq!((of_block, data_pages + of_block), (parity_of_each_16, 16 - lone));
            }
            assert!((data_pages + of_block) * UNIT_BYTES <= whole_bytes && of_block >= parity_of_each_16 * blocks);
            // The data lies where the map says.
            for unit in [0, 3, data_pages - 1, data_pages * 12 - 1] {
                latency_ns(&mut drive, request(RequestKind::Read, unit * UNIT_BYTES, UNIT_BYTES));
            }
            assert_eq!(drive.counters().host_read_pages, 4);
            drive.check();
        }
    }
}

#[test]
fn collection_programs_parity_for_what_it_moves() {
    for stripe_pages in [2, 3, 8] {
        let mut config = buffered_config();
        config.parity.stripe_pages = stripe_pages;
        config.capacity.user_bytes = config.data_slots() * 7 / 10 * UNIT_BYTES;
        let mut drive = Ssd::new(config, 1).unwrap();
        write_in_order(&mut drive);
        let units = drive.user_bytes() / UNIT_BYTES;
        let mut chance = Streams::new(1).stream("writes");
        for _ in 0..8 * units {
            let offset_bytes = below(&mut chance, units) * UNIT_BYTES;
            latency_ns(&mut drive, request(RequestKind::Write, offset_bytes, UNIT_BYTES));
        }
        let counters = drive.counters();
        let data_pages = counters.host_programmed_pages + counters.gc_programmed_pages;
        assert!(counters.gc_programmed_pages > units / 4);
        let of_block = f64::from(8_u32.div_ceil(stripe_pages));
        let expected = data_pages as f64 * of_block / (8.0 - of_block);
        let gap = counters.parity_pages as f64 / expected - 1.0;
        assert!(gap.abs() < 0.01, "stripes of {stripe_pages}: {gap}");
        drive.check();
    }
}

#[test]
fn an_aged_drive_has_programmed_its_parity_too() {
    for (overwrites, erase_count_mean) in [(Overwrites::Random, 0), (Overwrites::Random, 40), (Overwrites::None, 40)] {
        let mut config = buffered_config();
        config.parity.stripe_pages = 4;
        config.geometry.blocks_per_plane = 64;
        config.capacity.user_bytes = config.data_slots() * 7 / 10 * UNIT_BYTES;
        let mut drive = Ssd::new(config, 1).unwrap();
        drive.age(&AgedState { fill_ratio: 1.0, overwrites, erase_count_mean, erase_count_spread_ratio: 0.0 }).unwrap();
        drive.check();
        let counters = drive.counters();
        let data_pages = counters.host_programmed_pages + counters.gc_programmed_pages;
        let ratio = counters.parity_pages as f64 / data_pages as f64;
        assert!((ratio - 1.0 / 3.0).abs() < 0.005, "{overwrites:?}, {erase_count_mean} cycles: {ratio}");
        let units = drive.user_bytes() / UNIT_BYTES;
        for step in 0..units {
            latency_ns(&mut drive, request(RequestKind::Write, step * 7919 % units * UNIT_BYTES, UNIT_BYTES));
        }
        drive.check();
    }
}
