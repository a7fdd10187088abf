//! Host queue and link, each setting alone: never early and never late.

use super::{latency_ns, request, small_config};
use crate::Ssd;
use crate::request::{Drive, RequestKind};
use crate::ssd::config::Config;

const READ: RequestKind = RequestKind::Read;
const WRITE: RequestKind = RequestKind::Write;

/// Up to three commands, or 100 us; reads of empty units are answered after command (5 us) and link (10 us).
fn gathering_config() -> Config {
    let mut config = small_config();
    config.link.gather_ns = 100_000;
    config.link.gather_requests = 3;
    config
}

/// The next `count` answers: (tag, time).
fn answers(drive: &mut Ssd, count: usize) -> Vec<(u32, u64)> {
    std::iter::from_fn(|| drive.next_completion(u64::MAX)).map(|done| (done.tag, done.at_ns)).take(count).collect()
}

#[test]
fn a_lone_command_is_held_for_the_whole_gathering_time_and_no_longer() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    drive.submit(1_000, 7, request(READ, 0, 4096));
    drive.check();
    assert_eq!(drive.next_completion(115_999), None);
    assert_eq!(drive.next_completion(116_000).map(|done| (done.tag, done.at_ns)), Some((7, 1_000 + 100_000 + 15_000)));
    drive.check();
}

#[test]
fn held_commands_start_together_when_the_time_is_over() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    drive.submit(0, 0, request(READ, 0, 4096));
    drive.submit(99_999, 1, request(READ, 0, 4096));
    assert_eq!(answers(&mut drive, 2), [(0, 115_000), (1, 125_000)], "the controller takes one after the other");
}

#[test]
fn the_command_that_makes_the_number_full_starts_them_all_at_once() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    for (tag, at_ns) in [0, 20_000, 40_000].into_iter().enumerate() {
        drive.submit(at_ns, tag as u32, request(READ, 0, 4096));
        drive.check();
    }
    assert_eq!(answers(&mut drive, 3), [(0, 55_000), (1, 65_000), (2, 75_000)]);
    // The time at which gathering would have ended is dropped as well.
    assert_eq!(drive.next_completion(u64::MAX), None);
    assert_eq!(drive.now_ns(), 75_000);
}

#[test]
fn a_command_that_finds_others_at_work_is_not_held() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    drive.submit(0, 0, request(WRITE, 0, 4096));
    assert_eq!(drive.next_completion(200_000), None, "released at 100 us, and at work for a millisecond");
    drive.submit(200_000, 1, request(READ, 8192, 4096));
    assert_eq!(answers(&mut drive, 2), [(1, 215_000), (0, 1_115_000)]);
    // The drive is idle again, so the next command is held back.
    assert_eq!(latency_ns(&mut drive, request(READ, 8192, 4096)), 115_000);
}

#[test]
fn gathering_costs_latency_alone_and_buys_nothing_without_a_sorter() {
    let mut plain = Ssd::new(small_config(), 1).unwrap();
    let mut gathering = Ssd::new(gathering_config(), 1).unwrap();
    for unit in 0..20 {
        let write = request(WRITE, unit * 4096, 4096);
        assert_eq!(latency_ns(&mut gathering, write), latency_ns(&mut plain, write) + 100_000);
    }
    assert_eq!(gathering.counters(), plain.counters());
}

#[test]
fn a_command_the_drive_refuses_is_held_and_answered_like_any_other() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    drive.submit(0, 3, request(READ, 100, 512));
    assert_eq!(answers(&mut drive, 1), [(3, 105_000)]);
    drive.check();
}

#[test]
fn a_drive_restored_while_it_gathers_goes_on_gathering() {
    let mut drive = Ssd::new(gathering_config(), 1).unwrap();
    drive.submit(0, 0, request(READ, 0, 4096));
    let mut restored = crate::snapshot::restore::<Ssd>(&crate::snapshot::take(&drive)).unwrap();
    assert_eq!(answers(&mut restored, 1), [(0, 115_000)]);
}

/// 1 MiB to the host takes 2.56 ms on the link, 1 MiB from the host the same time.
#[test]
fn data_of_reads_and_writes_share_a_half_duplex_link_and_pass_each_other_on_a_full_duplex_one() {
    const MIB_NS: u64 = 2_560_000;
    let mut config = small_config();
    config.buffer.bytes = 2 << 20;
    for (full_duplex, write_ns) in [(false, 5_000 + 2 * MIB_NS), (true, 10_000 + MIB_NS)] {
        config.link.full_duplex = full_duplex;
        let mut drive = Ssd::new(config.clone(), 1).unwrap();
        drive.submit(0, 0, request(WRITE, 0, 1 << 20));
        drive.submit(0, 1, request(READ, 2 << 20, 1 << 20));
        // The write's data goes first; the read's data waits for it on one link, and does not on two.
        let read_ns = if full_duplex { 10_000 + MIB_NS } else { 5_000 + 2 * MIB_NS };
        assert_eq!(answers(&mut drive, 2), [(0, 5_000 + MIB_NS), (1, read_ns)], "full duplex: {full_duplex}");
        let start_ns = drive.now_ns();
        drive.submit(start_ns, 0, request(READ, 2 << 20, 1 << 20));
        assert_eq!(drive.next_completion(start_ns + 5_000), None, "the read's data is on its way out");
        drive.submit(start_ns + 5_000, 1, request(WRITE, 0, 1 << 20));
        assert_eq!(answers(&mut drive, 2), [(0, start_ns + 5_000 + MIB_NS), (1, start_ns + write_ns)]);
        drive.check();
    }
}
