//! The hybrid: the experiment that showed its cache, step by step, and every invariant under random use.

use super::*;
use crate::Member;
use crate::disk::tests::{actions, cached_config, latency_ns, play, random_run_ns, request, sequential_rate};
use flashscope_kernel::time::SECOND_NS;
use proptest::prelude::*;

const MS: u64 = 1_000_000;
const REGION: u64 = 2 << 20;

/// A disk of 6000 rpm with 4 MiB of flash: two channels, pages of 4 KiB in 100 + 100 us, lines of 64 KiB.
fn config() -> Config {
    Config {
        disk: cached_config(),
        flash: Flash {
            bytes: 4 << 20,
            channels: 2,
            page_bytes: 4096,
            read_latency_ns: 100_000,
            program_latency_ns: 300_000,
            bus_bytes_per_second: 40_960_000,
            command_cost_ns: 50_000,
        },
        admission: Admission {
            line_bytes: 65_536,
            admit_after_reads: 2,
            idle_fill_delay_ns: 500 * MS,
            largest_cached_request_bytes: u64::MAX,
            streams_bypass: true,
        },
    }
}

/// A region read twice in sequence by 4 KiB requests, followed by idle time.
fn warmed(idle_ns: u64) -> Hybrid {
    let mut drive = Hybrid::new(config()).unwrap();
    sequential_rate(&mut drive, RequestKind::Read, 0, 4096, REGION / 4096);
    drive.idle(idle_ns);
    drive
}

fn random_read_ns(drive: &mut Hybrid, bytes: u64) -> u64 {
    random_run_ns(drive, RequestKind::Read, bytes, REGION, 1, 100) / 100
}

#[test]
fn a_hit_takes_command_page_and_link_to_the_nanosecond() {
    let mut drive = warmed(60 * SECOND_NS);
    assert_eq!(drive.cached_bytes(), REGION);
    let page_ns = 100_000 + 100_000;
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 65_536, 4096)), 10_000 + 50_000 + page_ns + 8_000);
    let four_pages = latency_ns(&mut drive, request(RequestKind::Read, 65_536, 16_384));
    assert_eq!(four_pages, 10_000 + 50_000 + 2 * page_ns + 2 * 8_000, "two channels, two pages each");
}

#[test]
fn without_idle_time_a_warmed_region_gains_nothing() {
    let (cold, hot) = (random_read_ns(&mut warmed(499 * MS), 4096), random_read_ns(&mut warmed(60 * SECOND_NS), 4096));
    assert!(cold > 10 * hot, "{cold} and {hot} ns");
    let drive = warmed(499 * MS);
    assert_eq!((drive.cached_bytes(), drive.counters().flash_filled_lines), (0, 0), "not before its time");
    assert!(warmed(600 * MS).cached_bytes() > 0, "and soon after it");
}

#[test]
fn cached_reads_win_up_to_a_size_and_are_even_with_the_disk_beyond_it() {
    let gain = |bytes| {
        let disk_ns = random_read_ns(&mut warmed(1), bytes);
        disk_ns as f64 / random_read_ns(&mut warmed(60 * SECOND_NS), bytes) as f64
    };
    let gains: Vec<_> = [4096, 65_536, 262_144, 1 << 20].map(gain).into();
    assert!(gains[0] > 10.0 && gains[1] > 2.0, "{gains:?}");
    assert!(gains.is_sorted_by(|left, right| left > right), "the larger the less: {gains:?}");
}

#[test]
fn sequential_reads_and_writes_gain_nothing() {
    let both = |idle_ns| {
        let mut drive = warmed(idle_ns);
        let read = sequential_rate(&mut drive, RequestKind::Read, 4096, 4096, 400);
        let mut drive = warmed(idle_ns);
        let write_ns = random_run_ns(&mut drive, RequestKind::Write, 4096, REGION, 1, 500);
        (read, write_ns)
    };
    let (cold, hot) = (both(1), both(60 * SECOND_NS));
    assert!((hot.0 / cold.0 - 1.0).abs() < 0.05, "sequential: {cold:?} and {hot:?}");
    assert!(hot.1 >= cold.1 * 95 / 100, "writes: {cold:?} and {hot:?}");
}

#[test]
fn a_written_line_is_read_from_the_disk_again() {
    let mut drive = warmed(60 * SECOND_NS);
    latency_ns(&mut drive, request(RequestKind::Write, 65_536 + 512, 512));
    assert_eq!(drive.counters().flash_invalidated_lines, 1);
    assert_eq!(drive.cached_bytes(), REGION - 65_536);
    let hits = drive.counters().flash_hit_requests;
    latency_ns(&mut drive, request(RequestKind::Read, 65_536 + 8192, 4096));
    assert_eq!(drive.counters().flash_hit_requests, hits);
    drive.check();
}

#[test]
fn a_fill_stops_when_the_host_comes_back() {
    let mut drive = warmed(520 * MS); // in the middle of the fills
    let filled = drive.counters().flash_filled_lines;
    assert!(filled > 0 && filled < REGION / 65_536, "{filled} lines");
    latency_ns(&mut drive, request(RequestKind::Read, 3 << 20, 4096));
    let after = drive.counters();
    assert_eq!(after.flash_interrupted_fills, 1);
    drive.idle(499 * MS);
    assert_eq!(drive.counters().flash_filled_lines, after.flash_filled_lines, "nothing until it is quiet again");
    drive.idle(10 * SECOND_NS);
    assert_eq!(drive.cached_bytes(), REGION);
    drive.check();
}

#[test]
fn reads_beyond_the_largest_cached_request_go_to_the_platters() {
    let mut config = config();
    config.admission.largest_cached_request_bytes = 8192;
    let mut drive = Hybrid::new(config).unwrap();
    sequential_rate(&mut drive, RequestKind::Read, 0, 4096, REGION / 4096);
    drive.idle(60 * SECOND_NS);
    latency_ns(&mut drive, request(RequestKind::Read, 65_536, 8192));
    latency_ns(&mut drive, request(RequestKind::Read, 0, 8704));
    let counters = drive.counters();
    assert_eq!((counters.flash_hit_requests, counters.flash_bypassed_large), (1, 1));
}

#[test]
fn a_region_larger_than_the_flash_fills_it_and_no_more() {
    let mut drive = Hybrid::new(config()).unwrap();
    sequential_rate(&mut drive, RequestKind::Read, 0, 4096, 3 * (4 << 20) / 4096);
    drive.idle(600 * SECOND_NS);
    assert_eq!(drive.cached_bytes(), 4 << 20);
    drive.check();
}

#[test]
fn a_contradiction_is_refused_with_the_key_that_makes_it() {
    type Spoil = fn(&mut Config);
    let cases: [(&str, Spoil); 7] = [
        ("disk.rpm", |config| config.disk.rpm = 0),
        ("hybrid.flash.bytes", |config| config.flash.bytes = 1 << 40),
        ("hybrid.flash.channels", |config| config.flash.channels = 0),
        ("hybrid.flash.page_bytes", |config| config.flash.page_bytes = 3000),
        ("hybrid.flash.read_latency_ns", |config| config.flash.read_latency_ns = 0),
        ("hybrid.admission.line_bytes", |config| config.admission.line_bytes = 5000),
        ("hybrid.admission.admit_after_reads", |config| config.admission.admit_after_reads = 0),
    ];
    assert_eq!(config().check(), Ok(()));
    for (key, spoil) in cases {
        let mut config = config();
        spoil(&mut config);
        assert_eq!(config.check().map_err(|error| error.key), Err(key));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    #[test]
    fn everything_adds_up_and_repeats_under_random_use(
        delay_ms in 1..100_u64, depth in 1..8_u32, lines in 1..20_u64, before in actions(20_000), after in actions(20_000)
    ) {
        let mut config = config();
        config.admission.idle_fill_delay_ns = delay_ms * MS;
        config.admission.admit_after_reads = 1;
        config.flash.bytes = lines * 65_536;
        config.disk.link.queue_depth = depth;
        let mut drive = Hybrid::new(config).unwrap();
        play(&mut drive, &before, Hybrid::check);
        let mut restored: Hybrid = postcard::from_bytes(&postcard::to_allocvec(&drive).unwrap()).unwrap();
        prop_assert_eq!(play(&mut drive, &after, Hybrid::check), play(&mut restored, &after, |_| ()));
        prop_assert_eq!(postcard::to_allocvec(&drive).unwrap(), postcard::to_allocvec(&restored).unwrap());
    }
}
