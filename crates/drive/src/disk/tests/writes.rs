//! Writes: parts of large sectors, and the write cache.

use super::*;

#[test]
fn a_write_of_part_of_a_large_sector_costs_one_revolution_more() {
    // From rest at time 0 the write of sector 1 begins at 0.4 ms and takes 0.4 ms.
    let at = |offset, length| {
        latency_ns(&mut Disk::new(large_sectors(bare_config())).unwrap(), request(RequestKind::Write, offset, length))
    };
    assert_eq!(at(4096, 4096), 800_000);
    assert_eq!(at(4096, 512), 800_000 + 10 * MS, "head and tail in part");
    assert_eq!(at(4608, 4096), 1_200_000 + 10 * MS, "two sectors in part: still one revolution");
    assert_eq!(at(4608, 3584 + 8 * 4096), 400_000 * 10 + 10 * MS, "only the first one in part");
}

#[test]
fn part_sector_writes_cost_their_revolution_behind_a_write_cache_too() {
    let mut config = large_sectors(cached_config());
    config.write_cache.run_count = 16;
    config.write_cache.look_ahead_runs = 16;
    let mean_ns = |offset_bytes: u64| {
        let mut disk = Disk::new(config.clone()).unwrap();
        let mut stream = Streams::new(1).stream("places");
        for _ in 0..2000 {
            let offset = below(&mut stream, 5000) * 4096 + offset_bytes;
            latency_ns(&mut disk, request(RequestKind::Write, offset, 4096));
        }
        disk.check();
        (disk.now_ns() / 2000, disk.counters().read_modify_write_revolutions)
    };
    let ((aligned, none), (shifted, revolutions)) = (mean_ns(0), mean_ns(512));
    assert_eq!(none, 0);
    assert!(revolutions > 1900, "nearly each, but for the few that join, {revolutions}");
    let lost = shifted.saturating_sub(aligned);
    assert!(lost.abs_diff(10 * MS) < MS, "{lost} ns: one revolution");
}

#[test]
fn small_writes_in_sequence_are_gathered_into_whole_sectors() {
    let mut disk = Disk::new(large_sectors(cached_config())).unwrap();
    for sector in 0..800 {
        latency_ns(&mut disk, request(RequestKind::Write, sector * 512, 512));
    }
    latency_ns(&mut disk, request(RequestKind::Flush, 0, 0));
    let counters = disk.counters();
    assert_eq!((counters.read_modify_write_revolutions, counters.media_written_bytes), (0, 800 * 512));
    disk.check();
}

#[test]
fn the_write_cache_answers_at_once_until_it_is_full_and_then_drains_by_itself() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for index in 0..64 {
        let latency = latency_ns(&mut disk, request(RequestKind::Write, index * 50_176, 512));
        assert_eq!(latency, 10_000 + 1_000, "write {index} finds a place in the table of 64");
    }
    let mut stalled = 0;
    for index in 64..100 {
        stalled += u64::from(latency_ns(&mut disk, request(RequestKind::Write, index * 50_176, 512)) > 11_000);
    }
    // A run leaves the table when it goes to the platters, so about every second write finds a place at once.
    assert!(stalled > 15 && disk.counters().write_cache_stalls == stalled, "{stalled}");
    assert!(disk.dirty_bytes() > 0);
    disk.idle(3000 * MS);
    assert_eq!(disk.dirty_bytes(), 0);
    assert_eq!(disk.counters().media_written_bytes, 100 * 512);
    disk.check();
}

#[test]
fn a_quiet_cache_is_written_out_after_its_time_and_not_before() {
    let mut disk = Disk::new(cached_config()).unwrap();
    latency_ns(&mut disk, request(RequestKind::Write, 0, 512));
    disk.idle(100 * MS - 1);
    assert_eq!(disk.counters().media_written_bytes, 0);
    assert_eq!(disk.counters().seeks + disk.counters().head_switches, 0);
    disk.idle(11 * MS);
    assert_eq!((disk.dirty_bytes(), disk.counters().media_written_bytes), (0, 512), "it had a revolution's time");
}

#[test]
fn a_flush_is_answered_when_what_came_before_is_on_the_platters() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for index in 0..10 {
        latency_ns(&mut disk, request(RequestKind::Write, index * 1_000_448, 512));
    }
    assert_eq!(disk.counters().media_written_bytes, 0);
    assert!(latency_ns(&mut disk, request(RequestKind::Flush, 0, 0)) > 10 * MS);
    assert_eq!((disk.dirty_bytes(), disk.counters().media_written_bytes), (0, 10 * 512));
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Flush, 0, 0)), 10_000, "nothing is left to do");
}

#[test]
fn overwritten_data_goes_to_the_platters_once() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for _ in 0..50 {
        latency_ns(&mut disk, request(RequestKind::Write, 4096, 4096));
    }
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Read, 4608, 512)), 11_000, "and is read from memory");
    latency_ns(&mut disk, request(RequestKind::Flush, 0, 0));
    let counters = disk.counters();
    assert_eq!((counters.media_written_bytes, counters.write_cache_absorbed_bytes), (4096, 49 * 4096));
}
