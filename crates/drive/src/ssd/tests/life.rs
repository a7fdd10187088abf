//! Idle work, the end of a drive's life, loss of power, data that ages, and drives mapped by blocks.

use super::{latency_ns, request, small_config};
use crate::request::{Request, RequestKind, Status};
use crate::ssd::config::{Acknowledge, EndOfLife};
use crate::ssd::*;
use crate::{Drive, Member};
use flashscope_ftl::{Association, IdleCollection, LogBlockSettings, Pacing};
use flashscope_kernel::time::SECOND_NS;
use flashscope_nand::{BitErrorLaw, EnduranceLaw};

const UNITS: u64 = 3 * 256;

/// Write every unit once, and then `overwrites` units at random.
fn fill_and_overwrite(drive: &mut Ssd, overwrites: u64) {
    for unit in 0..UNITS {
        latency_ns(drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    for step in 0..overwrites {
        latency_ns(drive, request(RequestKind::Write, step * 331 % UNITS * 4096, 4096));
    }
}

/// The status of a request, which may differ from `Done`.
fn status(drive: &mut Ssd, request: Request) -> Status {
    drive.submit(drive.now_ns(), 0, request);
    drive.next_completion(u64::MAX).expect("an answer").status
}

#[test]
fn blocks_are_collected_ahead_of_need_once_the_drive_was_idle_long_enough() {
    let mut config = small_config();
    config.gc.idle =
        Some(IdleCollection { delay_ns: 2_000_000_000, target_free_blocks: 4, worthwhile_stale_ratio: 0.05 });
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 900);
    let free = |drive: &Ssd| drive.inside().free_blocks.iter().copied().min().unwrap_or(0);
    assert!(free(&drive) < 3, "in use a drive keeps what it must");
    // The delay counts from the arrival of the last request, which took 1.015 ms, including 15 us until it arrived.
    drive.idle(2_000_000_000 - 1_000_000 - 3_000_000);
    let erased = drive.counters().erased_blocks;
    assert!(free(&drive) < 3, "not yet");
    drive.idle(10_000_000_000);
    assert_eq!(free(&drive), 4, "up to the target and no further");
    assert!(drive.counters().erased_blocks > erased);
    let before = drive.counters().gc_read_pages;
    for unit in 0..32 {
        latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    assert_eq!(drive.counters().gc_read_pages, before, "the next writes find room");
    drive.check();
}

fn mortal_config(end_of_life: EndOfLife) -> Config {
    let mut config = small_config();
    config.endurance = Some(EnduranceLaw { characteristic_cycles: 20.0, shape: 6.0, program_failure_share: 0.5 });
    config.end_of_life = end_of_life;
    config
}

/// Write until the drive refuses a write; returns the status of that write.
fn wear_out(drive: &mut Ssd) -> Status {
    for step in 0..200_000_u64 {
        let status = status(drive, request(RequestKind::Write, step * 331 % UNITS * 4096, 4096));
        if status != Status::Done {
            return status;
        }
    }
    panic!("it never ends");
}

#[test]
fn a_drive_without_spare_blocks_takes_no_writes_and_can_be_read() {
    let mut drive = Ssd::new(mortal_config(EndOfLife::ReadOnly), 1).unwrap();
    assert_eq!(wear_out(&mut drive), Status::ReadOnly);
    assert_eq!(drive.life(), Life::ReadOnly);
    let counters = drive.counters();
    assert!(counters.program_failed_blocks > 0 && counters.erase_failed_blocks > 0, "blocks end either way");
    assert_eq!(status(&mut drive, request(RequestKind::Write, 0, 4096)), Status::ReadOnly);
    assert_eq!(status(&mut drive, request(RequestKind::Trim, 0, 4096)), Status::ReadOnly);
    assert_eq!(status(&mut drive, request(RequestKind::Read, 0, 4096)), Status::Done);
    drive.check();
}

#[test]
fn a_drive_that_fails_at_the_end_answers_nothing_any_more() {
    let mut drive = Ssd::new(mortal_config(EndOfLife::Failed), 1).unwrap();
    assert_eq!(wear_out(&mut drive), Status::Dead);
    assert_eq!(status(&mut drive, request(RequestKind::Read, 0, 4096)), Status::Dead);
    drive.check();
}

#[test]
fn a_power_cut_takes_what_was_not_on_flash_unless_capacitors_hold_it_up() {
    for capacitor in [false, true] {
        let mut config = small_config();
        config.buffer.bytes = 16 * 4096;
        config.buffer.capacitor = capacitor;
        let mut drive = Ssd::new(config, 1).unwrap();
        for unit in 0..8 {
            latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
        }
        let lost_units = drive.power_cut();
        let kept_units = u64::from(drive.inside().valid_slots.iter().sum::<u32>());
        assert_eq!(kept_units + lost_units, 8);
        assert_eq!(lost_units == 0, capacitor, "all eight were acknowledged from the buffer");
        assert_eq!((drive.counters().power_cuts, drive.counters().power_cycles), (1, 2));
        drive.check();
        fill_and_overwrite(&mut drive, 300);
        drive.check();
    }
}

#[test]
fn data_kept_in_an_oven_is_as_old_as_can_be_counted_and_not_young_again() {
    let mut config = small_config();
    config.bit_errors = BitErrorLaw { retention_coefficient: 5e-8, ..BitErrorLaw::mlc_3x_nm() };
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 4000);
    for _ in 0..3 {
        drive.power_off(86_400 * SECOND_NS, 900.0);
    }
    let before = drive.counters().error_bits;
    for unit in 0..UNITS {
        latency_ns(&mut drive, request(RequestKind::Read, unit * 4096, 4096));
    }
    let errors = drive.counters().error_bits - before;
    assert!(errors > 100_000, "wrong bits of {}: {errors}", UNITS * 4096 * 8);
    drive.check();
}

#[test]
fn data_kept_off_power_when_warm_shows_more_errors_and_writing_it_anew_helps() {
    let mut config = small_config();
    config.bit_errors = BitErrorLaw { retention_coefficient: 5e-8, ..BitErrorLaw::mlc_3x_nm() };
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 4000);
    let errors = |drive: &mut Ssd| {
        let before = drive.counters().error_bits;
        for _ in 0..20 {
            for unit in 0..UNITS {
                latency_ns(drive, request(RequestKind::Read, unit * 4096, 4096));
            }
        }
        drive.counters().error_bits - before
    };
    let fresh = errors(&mut drive);
    let year_ns = 365 * 86_400 * SECOND_NS;
    drive.power_off(year_ns, 30.0);
    let after_a_year = errors(&mut drive);
    drive.power_off(year_ns / 10, 55.0);
    let after_a_hot_month = errors(&mut drive);
    assert!(after_a_year > 2 * fresh.max(10), "{fresh}, then {after_a_year}");
    assert!(after_a_hot_month > 2 * after_a_year, "{after_a_year}, then {after_a_hot_month}");
    fill_and_overwrite(&mut drive, 0);
    assert!(errors(&mut drive) < after_a_year / 2);
    drive.check();
}

#[test]
fn data_that_cannot_be_corrected_is_said_to_be_unreadable_and_its_block_is_taken_out_of_use() {
    let mut config = small_config();
    config.bit_errors = BitErrorLaw { fresh_ratio: 2e-3, ..BitErrorLaw::default() };
    config.ecc = Some(EccSettings { refresh_threshold_bits: 0, ..EccSettings::bch(512, 12) });
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 0);
    let mut unreadable = 0;
    for unit in 0..UNITS {
        unreadable +=
            u64::from(status(&mut drive, request(RequestKind::Read, unit * 4096, 4096)) == Status::Unreadable);
    }
    let counters = drive.counters();
    assert!(unreadable > 0 && counters.unreadable_reads == unreadable);
    assert!(counters.read_failed_blocks > 0 && counters.refresh_moved_units > 0);
    drive.check();
}

#[test]
fn a_block_near_the_limit_of_its_code_is_written_anew() {
    let mut config = small_config();
    config.bit_errors = BitErrorLaw { fresh_ratio: 5e-4, ..BitErrorLaw::default() };
    config.ecc = Some(EccSettings { refresh_threshold_bits: 8, ..EccSettings::bch(512, 12) });
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 0);
    for unit in 0..UNITS {
        assert_eq!(status(&mut drive, request(RequestKind::Read, unit * 4096, 4096)), Status::Done);
    }
    assert!(drive.counters().refreshed_blocks > 0);
    drive.check();
}

#[test]
fn a_block_mapped_drive_writes_in_order_for_nothing_and_at_random_for_whole_blocks() {
    let mut config = small_config();
    config.log_blocks =
        Some(LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Block });
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 0);
    assert_eq!(drive.counters().gc_programmed_pages, 0);
    let before = drive.counters();
    for step in 0..200_u64 {
        latency_ns(&mut drive, request(RequestKind::Write, step * 331 % UNITS * 4096, 4096));
    }
    let after = drive.counters();
    let copied = after.gc_programmed_pages - before.gc_programmed_pages;
    assert!(copied > 200 * 12, "a block has 16 pages: {copied} pages were copied for 200 writes");
    assert!(after.full_merges > 150);
    drive.check();
    drive.power_cut();
    drive.check();
}

/// Writes of a unit and a half each, one after the other, with or without a read of something else between them.
fn full_merges_of_a_copy(emptied_by_reads: bool, with_reads: bool) -> u64 {
    let mut config = small_config();
    config.log_blocks =
        Some(LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Block });
    config.gc.pacing = Pacing::Blocking;
    config.buffer.acknowledge = Acknowledge::Buffered;
    config.buffer.bytes = 16 * 4096;
    config.buffer.emptied_by_reads = emptied_by_reads;
    let mut drive = Ssd::new(config, 1).unwrap();
    fill_and_overwrite(&mut drive, 0);
    let before = drive.counters();
    for step in 0..UNITS / 2 {
        latency_ns(&mut drive, request(RequestKind::Write, step * 6144, 6144));
        if with_reads {
            latency_ns(&mut drive, request(RequestKind::Read, (UNITS - 1) * 4096, 4096));
        }
    }
    drive.check();
    drive.counters().full_merges - before.full_merges
}

#[test]
fn reads_that_need_the_buffer_turn_switch_merges_into_full_ones() {
    assert_eq!(full_merges_of_a_copy(true, false), 0, "in order nothing is copied");
    assert_eq!(full_merges_of_a_copy(false, true), 0, "half a unit waits for its other half, whatever is read");
    assert!(full_merges_of_a_copy(true, true) > 0, "half a unit is written out, and its other half out of order");
}

#[test]
fn an_interleaved_block_mapped_drive_writes_in_order_with_all_its_banks() {
    let duration_ns = |interleaved| {
        let mut config = small_config();
        config.buffer.acknowledge = Acknowledge::Buffered;
        config.buffer.bytes = 2 * 4096;
        config.log_blocks = Some(LogBlockSettings { interleaved, log_block_count: 2, association: Association::Block });
        let mut drive = Ssd::new(config, 1).unwrap();
        let from_ns = drive.now_ns();
        for unit in 0..UNITS {
            latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
        }
        latency_ns(&mut drive, request(RequestKind::Flush, 0, 0));
        drive.check();
        drive.now_ns() - from_ns
    };
    assert!(duration_ns(true) * 3 < duration_ns(false) * 2, "two pools work where one did");
}

#[test]
fn a_drive_without_any_spare_ends_with_no_free_block_and_keeps_what_it_took() {
    let mut config = small_config();
    config.capacity.user_bytes = config.data_slots() * 4096;
    assert!(config.capacity.user_bytes > config.bytes_with_spare());
    let mut drive = Ssd::new(config, 1).unwrap();
    let units = drive.user_bytes() / 4096;
    let taken = (0..2 * units)
        .take_while(|step| {
            status(&mut drive, request(RequestKind::Write, step * 331 % units * 4096, 4096)) == Status::Done
        })
        .count();
    assert!(taken as u64 > units / 2, "most of it can be filled: {taken}");
    assert_eq!(status(&mut drive, request(RequestKind::Write, 0, 4096)), Status::NoFreeBlock);
    assert_eq!(status(&mut drive, request(RequestKind::Read, 0, 4096)), Status::Done);
    drive.check();
}
