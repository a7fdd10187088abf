//! Faults that the checkers found once, each in its smallest form, so that they do not come back.

use flashscope_drive::ssd::Life;
use flashscope_drive::ssd::config::{Acknowledge, SubUnitWrites};
use flashscope_drive::{Config, Drive, Member, Request, RequestKind, Ssd, Status};
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{GcSettings, IdleCollection, MovedData, VictimRule, WearLeveling};
use flashscope_nand::{BitErrorLaw, EnduranceLaw, Geometry, Scheduling, SuperblockOf};

/// One bank of 32 blocks with 8 pages of 4 KiB, units of 1 KiB, a buffer of four of them.
fn small() -> Config {
    let mut config = crate::configs::random(1);
    config.geometry = Geometry {
        channels: 1,
        packages_per_channel: 1,
        dies_per_package: 1,
        planes_per_die: 1,
        blocks_per_plane: 32,
        pages_per_block: 8,
        page_bytes: 4096,
        lockstep_packages: 1,
        multiplane: false,
        superblock: false,
        superblock_of: SuperblockOf::Drive,
    };
    config.timing.program_latencies_ns = vec![900_000];
    config.timing.cache_program = false;
    config.scheduling = Scheduling::default();
    config.bit_errors = BitErrorLaw::default();
    (config.ecc, config.endurance, config.throttle, config.log_blocks) = (None, None, None, None);
    config.wear_leveling = WearLeveling::default();
    config.gc = GcSettings { moved_data: MovedData::Apart, ..GcSettings::plain(VictimRule::Greedy, 1, 2, 3) };
    config.capacity.user_bytes = 400 * 1024;
    (config.capacity.initial_bad_block_count, config.capacity.reserved_block_count) = (0, 0);
    (config.capacity.announced_bytes, config.capacity.spare_block_count) = (0, None);
    (config.link.queue_depth, config.link.gather_ns, config.link.gather_requests) = (32, 0, 0);
    config.mapping.unit_bytes = 1024;
    config.buffer.bytes = 4 * 1024;
    config.buffer.acknowledge = Acknowledge::Buffered;
    config.buffer.sub_unit_writes = SubUnitWrites::Buffered;
    config.buffer.flush_order = FlushOrder::Arrival;
    config.buffer.stall = Stall::UntilRoom;
    config.buffer.idle_flush_ns = 1_000_000_000;
    config.buffer.capacitor = false;
    config.trim = Default::default();
    config
}

fn ask(drive: &mut Ssd, kind: RequestKind, offset_bytes: u64, length_bytes: u64) -> (Status, u64) {
    let start_ns = drive.now_ns();
    drive.submit(start_ns, 0, Request { kind, offset_bytes, length_bytes, compressible: 0 });
    let answer = drive.next_completion(u64::MAX).expect("every request is answered");
    (answer.status, answer.at_ns - start_ns)
}

#[test]
fn capacitors_hold_up_the_flash_for_nobody_when_a_read_is_under_way() {
    let mut config = small();
    config.buffer.capacitor = true;
    let mut drive = Ssd::new(config, 1).unwrap();
    ask(&mut drive, RequestKind::Write, 0, 1024);
    ask(&mut drive, RequestKind::Flush, 0, 0);
    let read = Request { kind: RequestKind::Read, offset_bytes: 0, length_bytes: 1024, compressible: 0 };
    drive.submit(drive.now_ns(), 0, read);
    assert_eq!(drive.next_completion(drive.now_ns() + 10_000), None, "the page is being read");
    assert_eq!(drive.power_cut(), 0);
    assert_eq!(drive.next_completion(u64::MAX), None);
    drive.check();
}

#[test]
fn a_write_that_waits_for_units_being_completed_does_not_wait_for_idle_time() {
    for flush_order in [FlushOrder::Arrival, FlushOrder::Sorted] {
        let mut config = small();
        config.buffer.flush_order = flush_order;
        let mut drive = Ssd::new(config, 1).unwrap();
        ask(&mut drive, RequestKind::Write, 0, 64 * 1024);
        ask(&mut drive, RequestKind::Flush, 0, 0);
        for unit in 0..20 {
            let (_, latency_ns) = ask(&mut drive, RequestKind::Write, unit * 1024, 512);
            assert!(latency_ns < 10_000_000, "{flush_order:?}: half of unit {unit} took {latency_ns} ns");
            drive.check();
        }
    }
}

#[test]
fn runs_that_left_a_sorted_buffer_are_counted_across_power_cuts() {
    let mut config = small();
    config.buffer.flush_order = FlushOrder::Sorted;
    let mut drive = Ssd::new(config, 1).unwrap();
    for step in 0..20 {
        ask(&mut drive, RequestKind::Write, step * 7 % 20 * 1024, 1024);
    }
    let runs = drive.counters().buffer_flushed_runs;
    drive.power_cut();
    assert!(runs > 0 && drive.counters().buffer_flushed_runs == runs);
}

#[test]
fn a_drive_that_wears_out_answers_every_flush_and_then_only_reads() {
    for seed in 0..40 {
        let mut config = small();
        config.endurance = Some(EnduranceLaw { characteristic_cycles: 6.0, shape: 4.0, program_failure_share: 0.0 });
        config.buffer.flush_order = if seed % 2 == 0 { FlushOrder::Sorted } else { FlushOrder::Arrival };
        let (delay_ns, target_free_blocks) = (1_000_000, 20);
        config.gc.idle = Some(IdleCollection { delay_ns, target_free_blocks, worthwhile_stale_ratio: 0.0 });
        config.capacity.spare_block_count = Some(3);
        let mut drive = Ssd::new(config, seed).unwrap();
        for step in 0..20_000_u64 {
            let asked = [(RequestKind::Write, step * 37 % 380 * 1024, 1536), (RequestKind::Flush, 0, 0)];
            for (tag, (kind, offset_bytes, length_bytes)) in (0..).zip(asked) {
                drive.submit(drive.now_ns(), tag, Request { kind, offset_bytes, length_bytes, compressible: 0 });
            }
            let answers = [drive.next_completion(u64::MAX), drive.next_completion(u64::MAX)];
            assert!(answers.iter().all(Option::is_some), "seed {seed}, step {step}: {answers:?}");
            if drive.life() != Life::Good {
                break;
            }
        }
        assert_ne!(drive.life(), Life::Good);
        let erased_blocks = drive.counters().erased_blocks;
        drive.idle(60_000_000_000);
        assert_eq!(drive.counters().erased_blocks, erased_blocks, "it collects nothing any more");
        drive.check();
    }
}
