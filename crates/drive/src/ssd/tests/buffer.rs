//! The write buffer, each setting alone: which writes it absorbs, what leaves when, and which requests wait.

use super::{buffered_config, latency_ns, request};
use crate::Member;
use crate::Ssd;
use crate::request::{Request, RequestKind};
use crate::ssd::config::{Buffer, Config, SubUnitWrites};
use flashscope_ftl::buffer::{FlushOrder, Stall};

const READ: RequestKind = RequestKind::Read;
const WRITE: RequestKind = RequestKind::Write;
const FLUSH: RequestKind = RequestKind::Flush;
/// Command and link time of a 4 KiB request without flash.
const FROM_MEMORY_NS: u64 = 15_000;
/// Transfer of a page of two units over the bus, and its programming.
const PAGE_NS: u64 = 200_000 + 900_000;

/// Room for 16 units, two to a page, two banks; emptied from the ninth unit on.
fn sorted_config() -> Config {
    let mut config = buffered_config();
    config.buffer.flush_order = FlushOrder::Sorted;
    config
}

fn unit(kind: RequestKind, unit: u64) -> Request {
    request(kind, unit * 4096, 4096)
}

#[test]
fn an_overwrite_of_a_buffered_unit_takes_no_room_and_never_reaches_flash_twice() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    for _ in 0..1000 {
        assert_eq!(latency_ns(&mut drive, unit(WRITE, 5)), FROM_MEMORY_NS);
        assert_eq!(latency_ns(&mut drive, unit(WRITE, 9)), FROM_MEMORY_NS);
    }
    assert_eq!(drive.inside().buffered_units, 2);
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    let counters = drive.counters();
    assert_eq!((counters.buffer_absorbed_units, counters.buffer_flushed_runs), (1998, 2));
    assert_eq!((counters.host_programmed_pages, counters.padded_slots, counters.buffer_stalls), (1, 0, 0));
    drive.check();
}

#[test]
fn nothing_leaves_a_sorted_buffer_up_to_high_water_and_everything_beyond_it() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    for number in 0..8 {
        latency_ns(&mut drive, unit(WRITE, number));
    }
    drive.idle(900_000_000);
    assert_eq!(drive.counters().host_programmed_pages, 0, "eight of sixteen are half");
    latency_ns(&mut drive, unit(WRITE, 8));
    drive.idle(900_000_000);
    assert_eq!(drive.counters().host_programmed_pages, 4, "the ninth is more; it waits for a neighbour in its page");
    assert_eq!(drive.inside().buffered_units, 1);
    drive.check();
}

#[test]
fn a_sweep_ends_at_low_water() {
    let mut config = sorted_config();
    config.buffer.low_water_ratio = 0.25;
    let mut drive = Ssd::new(config, 1).unwrap();
    for number in 0..10 {
        latency_ns(&mut drive, unit(WRITE, number));
    }
    drive.idle(900_000_000);
    // Emptying starts at the ninth unit; the tenth came while these were on their way.
    assert_eq!(drive.inside().buffered_units, 4, "four of sixteen are a quarter");
    drive.check();
}

#[test]
fn units_written_in_any_order_lie_side_by_side_on_flash() {
    // A read of two neighbours takes one page when they were sorted, two when they were not.
    for (flush_order, pages) in [(FlushOrder::Arrival, 8), (FlushOrder::Sorted, 4)] {
        let mut config = sorted_config();
        config.buffer.flush_order = flush_order;
        let mut drive = Ssd::new(config, 1).unwrap();
        for number in [0, 2, 4, 6, 1, 3, 5, 7] {
            latency_ns(&mut drive, unit(WRITE, number));
        }
        latency_ns(&mut drive, request(FLUSH, 0, 0));
        latency_ns(&mut drive, request(READ, 0, 8 * 4096));
        let counters = drive.counters();
        assert_eq!((counters.host_programmed_pages, counters.host_read_pages), (4, pages), "{flush_order:?}");
        assert_eq!(counters.buffer_flushed_runs, u64::from(flush_order == FlushOrder::Sorted));
        drive.check();
    }
}

#[test]
fn reads_of_what_waits_come_from_memory_and_of_the_rest_from_flash() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    latency_ns(&mut drive, unit(WRITE, 3));
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    let from_flash_ns = FROM_MEMORY_NS + 50_000 + 100_000;
    assert_eq!(latency_ns(&mut drive, unit(READ, 3)), from_flash_ns);
    latency_ns(&mut drive, request(WRITE, 3 * 4096, 1024));
    assert_eq!(latency_ns(&mut drive, request(READ, 3 * 4096, 1024)), 5_000 + 2_500);
    assert_eq!(latency_ns(&mut drive, unit(READ, 3)), from_flash_ns, "three quarters are not here");
    latency_ns(&mut drive, unit(WRITE, 3));
    assert_eq!(latency_ns(&mut drive, unit(READ, 3)), FROM_MEMORY_NS);
    assert_eq!(drive.counters().buffer_absorbed_units, 1);
}

#[test]
fn old_data_of_a_partial_unit_is_read_when_it_leaves_and_only_then() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    latency_ns(&mut drive, unit(WRITE, 0));
    latency_ns(&mut drive, unit(WRITE, 1));
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    latency_ns(&mut drive, request(WRITE, 512, 512));
    latency_ns(&mut drive, request(WRITE, 2048, 512));
    assert_eq!(drive.counters().modify_read_pages, 0);
    let flush_ns = latency_ns(&mut drive, request(FLUSH, 0, 0));
    assert_eq!(flush_ns, 5_000 + 50_000 + 100_000 + PAGE_NS);
    assert_eq!(drive.counters().modify_read_pages, 1, "one for both writes");
    for sector in 8..16 {
        latency_ns(&mut drive, request(WRITE, sector * 512, 512));
    }
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    assert_eq!(drive.counters().modify_read_pages, 1, "a unit that was completed needs none");
    drive.check();
}

#[test]
fn a_flush_of_many_partial_units_packs_them_into_pages() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    latency_ns(&mut drive, request(WRITE, 0, 8 * 4096));
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    for number in 0..8 {
        latency_ns(&mut drive, request(WRITE, number * 4096, 512));
    }
    let before = drive.counters();
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    let after = drive.counters();
    assert_eq!(after.host_programmed_pages - before.host_programmed_pages, 4);
    assert_eq!(after.padded_slots, before.padded_slots);
    drive.check();
}

#[test]
fn an_idle_drive_empties_a_sorted_buffer_at_its_time() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    latency_ns(&mut drive, unit(WRITE, 3)); // arrived at 15 us, and answered at that time
    drive.idle(999_999_999);
    assert_eq!(drive.counters().host_programmed_pages, 0);
    drive.idle(1);
    assert_eq!(drive.counters().host_programmed_pages, 1);
    drive.idle(PAGE_NS - 1);
    assert_eq!(drive.inside().buffered_units, 1);
    drive.idle(1);
    assert_eq!(drive.inside().buffered_units, 0);
}

#[test]
fn a_trim_takes_a_waiting_unit_out_of_the_buffer() {
    let mut drive = Ssd::new(sorted_config(), 1).unwrap();
    latency_ns(&mut drive, request(WRITE, 0, 4 * 4096));
    latency_ns(&mut drive, request(RequestKind::Trim, 4096, 2 * 4096));
    assert_eq!(drive.inside().buffered_units, 2);
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    assert_eq!((drive.counters().host_programmed_pages, drive.counters().buffer_flushed_runs), (1, 2));
    drive.check();
}

#[test]
fn a_small_write_past_a_sorted_buffer_takes_what_waited_of_its_unit_along() {
    let mut config = sorted_config();
    config.buffer.sub_unit_writes = SubUnitWrites::Through;
    let mut drive = Ssd::new(config, 1).unwrap();
    latency_ns(&mut drive, unit(WRITE, 0));
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    latency_ns(&mut drive, unit(WRITE, 0));
    assert_eq!(latency_ns(&mut drive, request(WRITE, 512, 512)), 5_000 + 1_250 + PAGE_NS, "no old data is needed");
    assert_eq!(drive.inside().buffered_units, 0);
    assert_eq!(drive.counters().modify_read_pages, 0);
    drive.check();
}

/// Writes at queue depth 1 until one takes longer than memory does; returns their number, and the time of that one.
fn until_slow(drive: &mut Ssd, units: impl Iterator<Item = u64>) -> (u64, u64) {
    for (count, number) in units.enumerate() {
        let latency = latency_ns(drive, unit(WRITE, number));
        if latency > FROM_MEMORY_NS {
            return (count as u64, latency);
        }
    }
    panic!("no write was slow");
}

#[test]
fn a_full_buffer_takes_one_write_for_each_room_given_back_or_none_until_it_is_drained() {
    let mut config = buffered_config();
    let mut at_most_ns = Vec::new();
    for stall in [Stall::UntilRoom, Stall::UntilDrained] {
        config.buffer.stall = stall;
        let mut drive = Ssd::new(config.clone(), 1).unwrap();
        let (count, waited_ns) = until_slow(&mut drive, 0..);
        at_most_ns.push(waited_ns);
        // 16 in the buffer, and those whose page was programmed before the last of them came.
        assert!((16..20).contains(&count), "{count}");
        let left = drive.inside().buffered_units;
        match stall {
            Stall::UntilRoom => assert!(left > 12, "{left}"),
            Stall::UntilDrained => assert_eq!(left, 1, "only the write that waited"),
        }
        drive.check();
    }
    // Eight pages on two banks: the last one is programmed after four program times.
    assert!(at_most_ns[0] < PAGE_NS, "{at_most_ns:?}");
    assert!(at_most_ns[1] > 4 * PAGE_NS - 300_000, "{at_most_ns:?}");
}

#[test]
fn a_stall_ends_at_low_water_exactly() {
    let mut config = buffered_config();
    config.buffer.stall = Stall::UntilDrained;
    config.buffer.low_water_ratio = 0.25;
    let mut drive = Ssd::new(config, 1).unwrap();
    until_slow(&mut drive, 0..);
    assert_eq!(drive.inside().buffered_units, 4 + 1);
    drive.check();
}

#[test]
fn a_stall_ends_though_partial_units_and_a_half_filled_page_are_in_the_way() {
    for flush_order in [FlushOrder::Arrival, FlushOrder::Sorted] {
        for low_water_ratio in [0.0, 0.1, 0.45] {
            let mut config = buffered_config();
            config.buffer =
                Buffer { flush_order, low_water_ratio, stall: Stall::UntilDrained, bytes: 15 * 4096, ..config.buffer };
            let mut drive = Ssd::new(config, 1).unwrap();
            latency_ns(&mut drive, request(WRITE, 0, 3 << 20));
            for number in 0..300 {
                let offset = (number * 37 % 760) * 4096;
                latency_ns(&mut drive, request(WRITE, offset + 512, 512 + 4096 * (number % 3)));
                drive.check();
            }
        }
    }
}

#[test]
fn one_large_write_passes_through_a_smaller_sorted_buffer() {
    for stall in [Stall::UntilRoom, Stall::UntilDrained] {
        let mut config = sorted_config();
        config.buffer.high_water_ratio = 1.0;
        config.buffer.stall = stall;
        let mut drive = Ssd::new(config, 1).unwrap();
        latency_ns(&mut drive, request(WRITE, 0, 3 << 20));
        latency_ns(&mut drive, request(FLUSH, 0, 0));
        assert_eq!(drive.counters().host_programmed_pages, 384, "no page is padded");
        drive.check();
    }
}

/// Eight banks and pages of one unit, so that head and tail lie on different banks; all units written before,
/// unit n on bank n % 8.
fn merging_drive() -> Ssd {
    let mut config = buffered_config();
    config.geometry.multiplane = false;
    config.geometry.planes_per_die = 1;
    config.geometry.channels = 8;
    config.geometry.pages_per_block = 16;
    config.buffer.sub_unit_writes = SubUnitWrites::MergeEnds;
    let mut drive = Ssd::new(config, 1).unwrap();
    latency_ns(&mut drive, request(WRITE, 0, 1 << 20));
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    drive
}

#[test]
fn ends_of_straddling_writes_are_answered_early_and_go_at_one_program_time_each() {
    let mut drive = merging_drive();
    let (read_ns, page_ns) = (50_000 + 100_000, 100_000 + 900_000);
    // Old data is read two banks away from where the data of the write before is being programmed.
    let mut straddle = |number: u64| {
        let latency = latency_ns(&mut drive, request(WRITE, (2 * number + 2) * 4096 + 512, 4096));
        drive.check();
        latency
    };
    assert_eq!(straddle(0), FROM_MEMORY_NS, "both places are free");
    assert_eq!(straddle(1), read_ns, "in the first place until the old data of the one before is read");
    let third = straddle(2);
    assert!(third > page_ns - read_ns, "until the first is on flash, {third} ns");
    for number in 3..20 {
        assert_eq!(straddle(number), page_ns, "write {number}");
    }
    let counters = drive.counters();
    assert_eq!((counters.partial_unit_writes, counters.modify_read_pages), (40, 40));
}

#[test]
fn writes_shorter_than_a_unit_go_past_the_buffer_and_whole_units_do_not_wait_for_ends() {
    let mut drive = merging_drive();
    assert_eq!(latency_ns(&mut drive, request(WRITE, 512, 512)), 5_000 + 1_250 + 150_000 + 1_000_000);
    for number in 10..12 {
        latency_ns(&mut drive, request(WRITE, number * 8192 + 512, 4096));
    }
    assert_eq!(latency_ns(&mut drive, unit(WRITE, 0)), FROM_MEMORY_NS, "though two writes' ends are under way");
    latency_ns(&mut drive, request(FLUSH, 0, 0));
    assert_eq!(drive.inside().buffered_units, 0, "a flush waits for them too");
    drive.check();
}
