//! Where drive and twin once disagreed, or the documents promised more than the drive did: the smallest case of each.

use crate::configs::plain;
use crate::pair::request;
use flashscope_drive::ssd::config::Acknowledge;
use flashscope_drive::{Drive, Member, RequestKind, Ssd, Status};
use flashscope_ftl::{Association, IdleCollection, LogBlockSettings, VictimRule};
use flashscope_nand::EnduranceLaw;

/// Pages read from flash for a read of this unit.
fn pages_read(drive: &mut Ssd, unit: u64) -> u64 {
    let before = drive.counters().host_read_pages;
    drive.submit(drive.now_ns(), 0, request(RequestKind::Read, unit * 4096, 4096));
    assert_eq!(drive.next_completion(u64::MAX).map(|answer| answer.status), Some(Status::Done));
    drive.counters().host_read_pages - before
}

fn write(drive: &mut Ssd, offset_bytes: u64, length_bytes: u64) -> u64 {
    let start_ns = drive.now_ns();
    drive.submit(start_ns, 0, request(RequestKind::Write, offset_bytes, length_bytes));
    let answer = drive.next_completion(u64::MAX).expect("an answer");
    assert_eq!(answer.status, Status::Done);
    answer.at_ns - start_ns
}

/// The doc of `Ssd::settle` says: work under way ends, and the buffer is written out. Idle collection is neither.
#[test]
fn a_drive_that_is_erased_or_switched_off_does_not_collect_in_idle_time_first() {
    let mut config = plain();
    let idle = IdleCollection { delay_ns: 60_000_000_000, target_free_blocks: 20, worthwhile_stale_ratio: 0.0 };
    config.gc.idle = Some(idle);
    let mut drive = Ssd::new(config, 1).unwrap();
    (0..210).for_each(|step| {
        write(&mut drive, step * 3 % 180 * 4096, 4096);
    });
    let before_ns = drive.now_ns();
    drive.power_off(0, 30.0);
    assert_eq!(drive.counters().idle_moved_units, 0, "nobody left it alone");
    assert!(drive.now_ns() - before_ns < 1_000_000_000, "{} ns pass", drive.now_ns() - before_ns);
}

/// A write is answered when it is programmed; then a power cut does not take it. The pages of a superblock lie on
/// different banks and may end in another order than they were sent; the drive only counts how many of a block have
/// ended.
#[test]
fn a_write_that_was_answered_when_programmed_survives_a_power_cut_on_a_superblock() {
    let mut config = plain();
    config.geometry.channels = 2;
    config.geometry.superblock = true;
    config.link.queue_depth = 32;
    let mut drive = Ssd::new(config, 1).unwrap();
    write(&mut drive, 0, 2 * 4096); // unit 0 on bank 0, unit 1 on bank 1
    let start_ns = drive.now_ns();
    for tag in 0..20 {
        drive.submit(start_ns, tag, request(RequestKind::Read, 0, 4096)); // bank 0 is busy
    }
    drive.submit(start_ns, 20, request(RequestKind::Write, 2 * 4096, 4096)); // behind the reads
    drive.submit(start_ns, 21, request(RequestKind::Write, 3 * 4096, 4096)); // on bank 1, at once
    let mut answered = vec![];
    while !answered.contains(&21) {
        answered.push(drive.next_completion(u64::MAX).expect("an answer").tag);
    }
    assert!(!answered.contains(&20), "the first write still waits");
    assert_eq!(drive.power_cut(), 1, "only the first write is lost");
    assert_eq!((pages_read(&mut drive, 2), pages_read(&mut drive, 3)), (0, 1));
}

/// A power cut takes what was not programmed. A block may be collected, erased and filled anew while pages of its
/// former life are on their way; when they end, as many pages of its new life count as programmed.
#[test]
fn a_page_that_ends_after_its_block_was_erased_does_not_make_its_successor_safe() {
    let mut config = plain();
    config.buffer.acknowledge = Acknowledge::Buffered;
    config.buffer.bytes = 190 * 4096; // more than cold data leaves of the flash: blocks come round with pages on their way
    config.gc.policy = VictimRule::Random; // blocks just filled are collected too
    for seed in 0..100 {
        let mut drive = Ssd::new(config.clone(), seed).unwrap();
        (8..200).for_each(|unit| {
            write(&mut drive, unit * 4096, 4096);
        });
        drive.idle(10_000_000_000);
        (0..600 + seed).for_each(|step| {
            write(&mut drive, step % 8 * 4096, 4096);
        });
        // One bank works in order, and the newest copies of all eight units are the last ones of many pages.
        assert_eq!(drive.power_cut(), 8, "seed {seed}");
    }
}

/// A unit cut short by the capacity is covered by a write that reaches the end of the drive (`Piece::whole` says so).
/// Such a write goes past the buffer all the same, because its end does not lie on a whole unit.
#[test]
fn a_write_that_covers_a_unit_cut_short_by_the_capacity_is_buffered_like_any_whole_one() {
    let mut config = plain();
    config.capacity.user_bytes = 200 * 4096 - 512;
    config.buffer.acknowledge = Acknowledge::Buffered;
    config.buffer.bytes = 16 * 4096;
    let mut drive = Ssd::new(config, 1).unwrap();
    let latency_ns = write(&mut drive, 199 * 4096, 4096 - 512);
    assert_eq!(latency_ns, 5_000 + 7 * 1_250, "answered from the buffer");
}

/// The books of a block-mapped drive add up, also at its end. A merge first takes its log block out of the pool. When
/// there is then no free block to merge into, the log block is missing from all books, and its units are in a block
/// that is not in use.
#[test]
fn a_block_mapped_drive_adds_up_when_it_has_lost_its_last_free_block() {
    for seed in 0..100 {
        let mut config = plain();
        config.log_blocks =
            Some(LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Full });
        config.endurance = Some(EnduranceLaw { characteristic_cycles: 8.0, shape: 3.0, program_failure_share: 0.0 });
        let mut drive = Ssd::new(config, seed).unwrap();
        for step in 0..5_000 {
            drive.submit(drive.now_ns(), 0, request(RequestKind::Write, step * 37 % 200 * 4096, 4096));
            if drive.next_completion(u64::MAX).is_none_or(|answer| answer.status != Status::Done) {
                break;
            }
        }
        drive.check();
    }
}

/// Writes are refused for good when blocks have gone bad and too few are left; the drive is then at the end of its
/// life. When the first program of every free block will fail, none of them is ever opened: no block is lost, nothing
/// is collected, and every write is refused by a drive that reports that it is healthy.
#[test]
fn a_drive_that_refuses_writes_for_good_is_at_its_end() {
    for seed in 0..200 {
        let mut config = plain();
        (config.gc.low_water_blocks, config.gc.high_water_blocks) = (2, 3);
        config.mapping.unit_bytes = 1024;
        config.capacity.user_bytes = 400 * 1024;
        config.endurance = Some(EnduranceLaw { characteristic_cycles: 6.0, shape: 4.0, program_failure_share: 1.0 });
        let mut drive = Ssd::new(config, seed).unwrap();
        let refused = (0..20_000).find_map(|step| {
            drive.submit(drive.now_ns(), 0, request(RequestKind::Write, step * 37 % 399 * 1024, 1024));
            drive.next_completion(u64::MAX).map(|answer| answer.status).filter(|&status| status != Status::Done)
        });
        assert_eq!(refused, Some(Status::ReadOnly), "seed {seed}: {:?}", drive.inside().states);
    }
}
