//! The map with few fine tables, and writes that bypass the buffer: the cost of each, to the nanosecond.

use super::{PSLC_TIMING, buffered_config, latency_ns, request, small_config, small_pslc};
use crate::Member;
use crate::Ssd;
use crate::request::{Drive, Request, RequestKind};
use crate::ssd::config::Config;
use flashscope_ftl::buffer::FlushOrder;
use flashscope_ftl::{AgedState, FineMapSettings, Overwrites, Pslc, WhenFull};

const SECOND_NS: u64 = 1_000_000_000;
/// Command, link, bus transfer and programming of a page.
const WRITE_NS: u64 = 1_015_000;
/// Sensing, two bus transfers and programming.
const MOVE_NS: u64 = 50_000 + 2 * 100_000 + 900_000;
/// Units of a region.
const REGION: u64 = 4;

/// Two banks, pages of one unit; two tables for regions of four units, gathered after a second.
fn two_tables() -> Config {
    let fine =
        FineMapSettings { region_bytes: REGION * 4096, region_count: 2, gather_delay_ns: SECOND_NS, merge_bytes: 0 };
    Config { fine_map: Some(fine), ..small_config() }
}

fn write(unit: u64) -> Request {
    request(RequestKind::Write, unit * 4096, 4096)
}

/// A drive of that kind whose first regions are written in order.
fn filled(config: Config) -> Ssd {
    let mut drive = Ssd::new(config, 1).unwrap();
    (0..8 * REGION).for_each(|unit| assert_eq!(latency_ns(&mut drive, write(unit)), WRITE_NS));
    drive
}

#[test]
fn a_write_out_of_order_beyond_the_tables_waits_until_another_region_is_gathered() {
    let mut drive = filled(two_tables());
    for region in [0, 1, 0, 1] {
        assert_eq!(latency_ns(&mut drive, write(region * REGION + 1)), WRITE_NS, "region {region} has a table");
    }
    let before = drive.counters();
    // Four pages over two banks, and the write after them.
    assert_eq!(latency_ns(&mut drive, write(2 * REGION + 1)), 2 * MOVE_NS + WRITE_NS);
    let after = drive.counters();
    assert_eq!((after.gathered_regions, after.gathered_units), (1, REGION));
    assert_eq!(after.host_programmed_pages - before.host_programmed_pages, REGION + 1);
    assert_eq!(latency_ns(&mut drive, write(REGION + 2)), WRITE_NS, "region 1 kept its table");
    drive.check();
    let mut without = filled(small_config());
    (0..8).for_each(|region| assert_eq!(latency_ns(&mut without, write(region * REGION + 1)), WRITE_NS));
    assert_eq!(without.counters().gathered_regions, 0);
}

#[test]
fn rewriting_regions_in_order_never_costs_a_gathering() {
    let mut drive = filled(two_tables());
    for unit in (0..8 * REGION).chain(0..8 * REGION) {
        assert_eq!(latency_ns(&mut drive, write(unit)), WRITE_NS);
    }
    assert_eq!(drive.counters().gathered_regions, 0);
}

#[test]
fn scattered_regions_are_gathered_once_the_drive_was_idle_long_enough() {
    let mut drive = filled(two_tables());
    latency_ns(&mut drive, write(1));
    latency_ns(&mut drive, write(REGION + 1));
    // The delay counts from the arrival of the last write.
    drive.idle(SECOND_NS - 1_000_001);
    assert_eq!(drive.counters().gathered_regions, 0);
    drive.idle(1_000_001);
    assert_eq!(drive.counters().gathered_regions, 1, "one at a time, the oldest first");
    drive.idle(SECOND_NS);
    assert_eq!(drive.counters().gathered_regions, 2);
    assert_eq!(latency_ns(&mut drive, write(2 * REGION + 1)), WRITE_NS, "its table is free");
    let never = FineMapSettings { gather_delay_ns: 0, ..two_tables().fine_map.unwrap() };
    let mut drive = filled(Config { fine_map: Some(never), ..two_tables() });
    latency_ns(&mut drive, write(1));
    drive.idle(100 * SECOND_NS);
    assert_eq!(drive.counters().gathered_regions, 0);
}

#[test]
fn a_trimmed_region_gives_its_table_back_and_gathered_data_outlives_a_power_cut() {
    let mut drive = filled(two_tables());
    latency_ns(&mut drive, write(1));
    latency_ns(&mut drive, write(REGION + 1));
    latency_ns(&mut drive, request(RequestKind::Trim, 0, REGION * 4096));
    assert_eq!(latency_ns(&mut drive, write(2 * REGION + 1)), WRITE_NS, "the table of region 0");
    drive.submit(drive.now_ns(), 0, write(3 * REGION + 1));
    drive.idle(100_000);
    assert_eq!(drive.counters().gathered_regions, 1, "at work");
    assert_eq!(drive.power_cut(), 1, "only the write under way");
    drive.check();
}

#[test]
fn a_write_past_the_buffer_is_answered_when_link_and_flash_are_both_done() {
    let with = |past_from_bytes: u64, link: u64| {
        let mut config = buffered_config();
        config.buffer.past_from_bytes = past_from_bytes;
        config.buffer.flush_order = FlushOrder::Sorted;
        config.link.bytes_per_second = link;
        Ssd::new(config, 1).unwrap()
    };
    let large = request(RequestKind::Write, 0, 16_384);
    assert_eq!(latency_ns(&mut with(u64::MAX, 409_600_000), large), 45_000, "command and link");
    let mut drive = with(16_384, 409_600_000);
    // The write begins with the first page of its 8 KiB; two pages go to two banks in parallel.
    assert_eq!(latency_ns(&mut drive, large), 5_000 + 20_000 + 200_000 + 900_000);
    assert_eq!(drive.inside().buffered_units, 0);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Write, 0, 12_288)), 35_000, "a shorter one is buffered");
    assert_eq!(drive.inside().buffered_units, 3);
    assert_eq!(latency_ns(&mut drive, large), 5_000 + 20_000 + 200_000 + 900_000);
    assert_eq!(drive.inside().buffered_units, 0, "what it overwrites leaves the buffer");
    drive.check();
    assert_eq!(latency_ns(&mut with(16_384, 4_096_000), large), 5_000 + 4_000_000, "a slow link is waited for");
}

#[test]
fn a_drive_with_a_pslc_cache_and_few_tables_is_aged_to_what_a_long_rest_leaves() {
    let mut config = two_tables();
    config.timing.pslc = Some(PSLC_TIMING);
    config.pslc = Some(small_pslc(WhenFull::Past));
    config.capacity.user_bytes = 1 << 20;
    let state =
        |overwrites| AgedState { fill_ratio: 0.9, overwrites, erase_count_mean: 0, erase_count_spread_ratio: 0.0 };
    let mut drive = Ssd::new(config, 1).unwrap();
    assert!(drive.age(&state(Overwrites::None)).is_err(), "what is only filled may lie in the cache");
    drive.age(&state(Overwrites::Random)).unwrap();
    drive.check();
    assert_eq!((drive.inside().pslc_block_count, drive.counters().gathered_regions), (0, 0));
    (0..200).for_each(|turn| _ = latency_ns(&mut drive, write(turn * 37 % 230)));
    assert!(drive.counters().gathered_regions > 100);
    drive.check();
}

/// Runs of two regions, and pSLC blocks as long as more than 12 blocks of a pool are free.
fn merging(when_full: WhenFull) -> Config {
    let mut config = two_tables();
    config.timing.pslc = Some(PSLC_TIMING);
    config.pslc = Some(Pslc { static_block_count: 0, ..small_pslc(when_full) });
    config.capacity.user_bytes = 1 << 20;
    config.fine_map = config.fine_map.map(|fine| FineMapSettings { merge_bytes: 2 * REGION * 4096, ..fine });
    config
}

/// Such a drive with all addresses of the host written in order, so that no block may be pSLC.
fn merging_and_full() -> Ssd {
    let mut drive = Ssd::new(merging(WhenFull::Past), 1).unwrap();
    let took_ns: Vec<u64> = (0..256).map(|unit| latency_ns(&mut drive, write(unit))).collect();
    assert_eq!((took_ns[0], took_ns[255]), (WRITE_NS - 700_000, WRITE_NS), "pSLC first, then past it");
    drive
}

#[test]
fn without_pslc_a_write_into_the_middle_of_a_run_costs_the_copying_of_the_rest() {
    let mut drive = merging_and_full();
    let copied = |drive: &Ssd| (drive.counters().merged_runs, drive.counters().gathered_units);
    let (runs, units) = copied(&drive);
    let run = 2 * REGION;
    // The two units before it, one on each bank, from pSLC blocks.
    assert_eq!(latency_ns(&mut drive, write(3 * run + 2)), MOVE_NS - 30_000 + WRITE_NS);
    assert_eq!(copied(&drive), (runs + 1, units + 2));
    assert_eq!(latency_ns(&mut drive, write(3 * run + 3)), WRITE_NS, "it goes on in order");
    latency_ns(&mut drive, write(9 * run));
    assert_eq!(copied(&drive), (runs + 2, units + 6), "four are left behind it; the first of a run has none before it");
    (1..run).for_each(|unit| _ = latency_ns(&mut drive, write(9 * run + unit)));
    latency_ns(&mut drive, write(5 * run));
    assert_eq!(copied(&drive), (runs + 3, units + 6), "a run written in order is whole");
    drive.check();
}

#[test]
fn with_room_for_pslc_nothing_is_merged_and_rest_brings_that_back() {
    let mut drive = merging_and_full();
    drive.idle(60 * SECOND_NS);
    // To the end of the native blocks that were opened.
    (0..40).for_each(|unit| _ = latency_ns(&mut drive, write(unit)));
    let merged = drive.counters().merged_runs;
    (0..8).for_each(|turn| _ = latency_ns(&mut drive, write(turn * 24 + 3)));
    assert_eq!(drive.counters().merged_runs, merged);
    drive.check();
}

#[test]
fn a_drive_that_merges_keeps_its_books_through_random_writes_trims_rests_and_power_cuts() {
    for when_full in [WhenFull::Past, WhenFull::Reclaim, WhenFull::Fold] {
        let mut drive = Ssd::new(merging(when_full), 1).unwrap();
        for turn in 0..3000_u64 {
            let unit = turn * turn * 37 % 240;
            latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, (1 + turn % 5) * 4096));
            match turn % 500 {
                100 => _ = latency_ns(&mut drive, request(RequestKind::Trim, 0, 40 * 4096)),
                200 => drive.idle(5 * SECOND_NS),
                300 => _ = drive.power_cut(),
                _ => {}
            }
            if turn % 100 == 0 {
                drive.check();
            }
        }
        assert!(drive.counters().merged_runs > 0, "{when_full:?}");
    }
}
