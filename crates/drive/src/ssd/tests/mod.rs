//! The assembled drive: exact times, exact counts, and every invariant under random use.

mod ageing;
mod buffer;
mod compression;
mod fine_map;
mod life;
mod link;
mod parity;
mod pslc;

use super::*;
use crate::host::Link;
use crate::request::{Request, RequestKind, Status};
use crate::smart::Layout;
use crate::snapshot::{self, SnapshotError};
use crate::ssd::config::{
    Acknowledge, Beyond, Buffer, Capacity, EndOfLife, Mapping, ParitySettings, Smart, Throttle, Trim,
};
use crate::{Drive, Member};
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{
    Compression, GcSettings, MovedData, Pacing, Pslc, Separation, VictimRule, WearLeveling, WhenFull,
};
use flashscope_nand::{Arrhenius, BitErrorLaw, EnduranceLaw, Geometry, PslcTiming, Scheduling, SuperblockOf, Timing};
use proptest::prelude::*;

/// Two channels of one bank each, one pool per bank, 32 blocks of 16 pages of 4 KiB, no buffer.
pub(crate) fn small_config() -> Config {
    Config {
        name: "small".into(),
        model: "SMALL".into(),
        firmware: "1".into(),
        geometry: small_geometry(),
        timing: Timing {
            read_latency_ns: 50_000,
            program_latencies_ns: vec![900_000],
            erase_latency_ns: 2_000_000,
            bus_bytes_per_second: 40_960_000, // a page in 100 us
            rated_pe_cycles: 3000,
            pslc: None,
            cache_program: false,
        },
        bit_errors: BitErrorLaw { fresh_ratio: 1e-6, wear_exponent: 1.0, ..BitErrorLaw::default() },
        capacity: Capacity {
            user_bytes: 3 << 20,
            initial_bad_block_count: 2,
            reserved_block_count: 1,
            announced_bytes: 0,
            beyond: Beyond::Wraps,
            spare_block_count: None,
        },
        link: Link {
            bytes_per_second: 409_600_000, // 4 KiB in 10 us
            command_cost_ns: 5_000,
            queue_depth: 32,
            gather_ns: 0,
            gather_requests: 0,
            full_duplex: false,
        },
        buffer: no_buffer(),
        mapping: Mapping { unit_bytes: 4096 },
        gc: GcSettings::plain(VictimRule::Greedy, 1, 1, 2),
        wear_leveling: WearLeveling::default(),
        endurance: None,
        smart: Smart { layout: Layout::Indilinx },
        log_blocks: None,
        fine_map: None,
        pslc: None,
        compression: None,
        scheduling: Scheduling::default(),
        temperature: Arrhenius::default(),
        ecc: None,
        end_of_life: EndOfLife::ReadOnly,
        trim: Trim::default(),
        throttle: None,
        parity: ParitySettings::default(),
    }
}

/// Two channels of one bank each, one pool per bank, 32 blocks of 16 pages of 4 KiB.
fn small_geometry() -> Geometry {
    Geometry {
        channels: 2,
        packages_per_channel: 1,
        dies_per_package: 1,
        planes_per_die: 1,
        blocks_per_plane: 32,
        pages_per_block: 16,
        page_bytes: 4096,
        lockstep_packages: 1,
        multiplane: false,
        superblock: false,
        superblock_of: SuperblockOf::Drive,
    }
}

/// No buffer memory.
fn no_buffer() -> Buffer {
    Buffer {
        bytes: 0,
        acknowledge: Acknowledge::Buffered,
        sub_unit_writes: SubUnitWrites::Buffered,
        idle_flush_ns: 1_000_000_000,
        flush_order: FlushOrder::Arrival,
        high_water_ratio: 0.5,
        low_water_ratio: 0.0,
        stall: Stall::UntilRoom,
        past_from_bytes: u64::MAX,
        capacitor: false,
        emptied_by_reads: false,
    }
}

/// Times of a pSLC block: 20 us, 200 us, 1 ms.
pub(super) const PSLC_TIMING: PslcTiming =
    PslcTiming { read_latency_ns: 20_000, program_latency_ns: 200_000, erase_latency_ns: 1_000_000 };

/// A cache of two blocks per pool, and more while there are more than 12 free; native blocks have four bits per cell,
/// so pSLC blocks are a quarter as large.
pub(super) fn small_pslc(when_full: WhenFull) -> Pslc {
    Pslc {
        bits_per_cell: 4,
        static_block_count: 2,
        dynamic_keep_free_blocks: 12,
        when_full,
        fold_delay_ns: 1_000_000_000,
    }
}

/// The same with a buffer of 16 units and two units in a page (two planes operated together).
pub(super) fn buffered_config() -> Config {
    let mut config = small_config();
    config.geometry.planes_per_die = 2;
    config.geometry.multiplane = true;
    config.geometry.pages_per_block = 8;
    config.buffer.bytes = 16 * 4096;
    config
}

pub(super) fn request(kind: RequestKind, offset_bytes: u64, length_bytes: u64) -> Request {
    Request { kind, offset_bytes, length_bytes, compressible: 0 }
}

/// One request on an otherwise idle drive; returns its duration.
pub(super) fn latency_ns(drive: &mut Ssd, request: Request) -> u64 {
    let start_ns = drive.now_ns();
    drive.submit(start_ns, 0, request);
    let completion = drive.next_completion(u64::MAX).expect("an answer");
    assert_eq!(completion.status, Status::Done);
    completion.at_ns - start_ns
}

#[test]
fn an_unbuffered_write_takes_command_link_bus_and_programming_to_the_nanosecond() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Write, 0, 4096)), (5 + 10 + 100 + 900) * 1000);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 0, 4096)), (5 + 50 + 100 + 10) * 1000);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 8192, 4096)), (5 + 10) * 1000, "never written");
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Write, 8192, 8192)), (5 + 20 + 100 + 900) * 1000);
}

#[test]
fn expecting_requests_changes_nothing_not_even_when_they_lie_outside() {
    let [told, untold] = [true, false].map(|is_told| {
        let mut drive = Ssd::new(small_config(), 1).unwrap();
        (0..40_u64).for_each(|turn| {
            if is_told {
                drive.expect(&[turn * 7 % 16 * 4096, 512, drive.user_bytes(), u64::MAX - 511]);
            }
            latency_ns(&mut drive, request(RequestKind::Write, turn * 7 % 16 * 4096, 4096));
        });
        drive.check();
        (drive.now_ns(), drive.counters())
    });
    assert_eq!(told, untold);
}

#[test]
fn a_write_smaller_than_a_unit_reads_the_unit_first_if_it_holds_data() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    let small = request(RequestKind::Write, 512, 512);
    let link_ns = 1250;
    assert_eq!(latency_ns(&mut drive, small), 5_000 + link_ns + 1_000_000, "nothing to read on a fresh drive");
    assert_eq!(latency_ns(&mut drive, small), 5_000 + link_ns + 150_000 + 1_000_000);
    let straddling = request(RequestKind::Write, 2048, 4096);
    latency_ns(&mut drive, request(RequestKind::Write, 0, 8192));
    let before = drive.counters();
    latency_ns(&mut drive, straddling);
    let after = drive.counters();
    assert_eq!(after.modify_read_pages - before.modify_read_pages, 2, "both units are read");
    assert_eq!(after.host_programmed_pages - before.host_programmed_pages, 2, "and both are written");
}

#[test]
fn a_buffered_write_is_answered_from_memory_until_the_buffer_is_full() {
    let mut drive = Ssd::new(buffered_config(), 1).unwrap();
    for unit in 0..16 {
        let latency = latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
        assert_eq!(latency, 15_000, "write {unit}");
    }
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 0, 4096)), 15_000, "still in memory");
    let stalled = latency_ns(&mut drive, request(RequestKind::Write, 16 * 4096, 4096));
    assert!(stalled > 500_000, "the 17th waits for a page to be programmed, {stalled} ns");
    assert_eq!(drive.counters().buffer_stalls, 1);
    drive.check();
}

#[test]
fn a_flush_is_answered_when_the_buffer_is_empty_and_idle_time_empties_it_too() {
    let mut drive = Ssd::new(buffered_config(), 1).unwrap();
    latency_ns(&mut drive, request(RequestKind::Write, 0, 4096));
    assert_eq!(drive.inside().buffered_units, 1);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Flush, 0, 0)), 5_000 + 200_000 + 900_000);
    assert_eq!(drive.inside().buffered_units, 0);
    latency_ns(&mut drive, request(RequestKind::Write, 4096, 1024));
    drive.idle(999_000_000);
    assert_eq!(drive.inside().buffered_units, 1, "not before its time");
    drive.idle(10_000_000);
    assert_eq!(drive.inside().buffered_units, 0, "and not after it");
    drive.check();
}

#[test]
fn small_sequential_writes_are_gathered_into_units_without_reading() {
    let mut drive = Ssd::new(buffered_config(), 1).unwrap();
    latency_ns(&mut drive, request(RequestKind::Write, 0, 65_536));
    for sector in 0..128 {
        latency_ns(&mut drive, request(RequestKind::Write, sector * 512, 512));
    }
    let counters = drive.counters();
    assert_eq!((counters.modify_read_pages, counters.host_programmed_pages), (0, 16));
    drive.check();
}

#[test]
fn a_drive_without_queuing_takes_the_next_command_after_the_answer() {
    let mut config = small_config();
    config.link.queue_depth = 1;
    let mut drive = Ssd::new(config, 1).unwrap();
    for tag in 0..3 {
        drive.submit(0, tag, request(RequestKind::Write, u64::from(tag) * 4096, 4096));
    }
    let times: Vec<_> = (0..3).map(|_| drive.next_completion(u64::MAX).unwrap().at_ns).collect();
    assert_eq!(times, [1_015_000, 2_030_000, 3_045_000]);
}

#[test]
fn a_completion_is_not_known_before_the_host_has_waited_for_it() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    drive.submit(0, 7, request(RequestKind::Write, 0, 4096));
    assert_eq!(drive.next_completion(1_014_999), None);
    assert_eq!(drive.next_completion(1_015_000).map(|completion| completion.tag), Some(7));
}

#[test]
fn requests_outside_the_drive_or_off_the_sectors_change_nothing() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    let cases = [(3 << 20, 512), (100, 512), (0, 0), (u64::MAX - 511, 1024), ((3 << 20) - 512, 1024)];
    for (offset, length) in cases {
        drive.submit(drive.now_ns(), 0, request(RequestKind::Write, offset, length));
        assert_eq!(drive.next_completion(u64::MAX).unwrap().status, Status::OutOfRange);
    }
    assert_eq!(drive.counters(), Counters { power_cycles: 1, ..Counters::default() });
}

#[test]
fn trimmed_units_are_never_moved_by_gc() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    latency_ns(&mut drive, request(RequestKind::Write, 0, 3 << 20));
    latency_ns(&mut drive, request(RequestKind::Trim, 0, 3 << 20));
    latency_ns(&mut drive, request(RequestKind::Write, 0, 3 << 20));
    let counters = drive.counters();
    assert!(counters.erased_blocks > 0);
    assert_eq!(counters.gc_moved_units, 0);
}

#[test]
fn secure_erase_brings_the_first_write_back_and_keeps_the_wear() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    latency_ns(&mut drive, request(RequestKind::Write, 0, 3 << 20));
    let duration = drive.secure_erase();
    assert!(duration >= 20 * 2_000_000, "each bank erased two dozen blocks, {duration} ns");
    assert!(drive.inside().erase_counts.iter().sum::<u32>() >= 48);
    assert!(drive.inside().valid_slots.iter().all(|&valid| valid == 0));
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 0, 4096)), 15_000, "nothing to read");
    drive.check();
}

#[test]
fn formatting_forgets_all_data_at_once_and_erases_nothing_yet() {
    let mut drive = Ssd::new(small_config(), 1).unwrap();
    for unit in 0..512 {
        latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    let erased = drive.counters().erased_blocks;
    assert_eq!(drive.format(), 5_000, "a command and no erase");
    assert_eq!(drive.inside().valid_slots.iter().sum::<u32>(), 0);
    assert_eq!(drive.counters().erased_blocks, erased);
    for unit in 0..768 {
        latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    assert_eq!(drive.counters().gc_moved_units, 0, "blocks with nothing valid are erased when their room is needed");
    drive.check();
}

#[test]
fn a_drive_without_stale_data_to_collect_says_so_instead_of_hanging() {
    let mut config = small_config();
    // Random victims on a drive with hardly any spare: allowed, and never a deadlock.
    config.gc.policy = VictimRule::Random;
    config.capacity.user_bytes = (2 * 32 - 3 - 2 * 4 - 1) * 16 * 4096 + 4096;
    let user = config.capacity.user_bytes;
    let mut drive = Ssd::new(config, 1).unwrap();
    for round in 0..3 {
        for offset in (0..user).step_by(4096) {
            drive.submit(drive.now_ns(), 0, request(RequestKind::Write, offset, 4096));
            assert_eq!(drive.next_completion(u64::MAX).unwrap().status, Status::Done, "round {round}, {offset}");
        }
    }
    drive.check();
}

#[test]
fn a_drive_that_puts_trim_off_keeps_the_data_until_it_was_idle_long_enough() {
    let mut config = small_config();
    config.trim.delay_ns = 60_000_000_000;
    let mut drive = Ssd::new(config, 1).unwrap();
    let valid = |drive: &Ssd| drive.inside().valid_slots.iter().sum::<u32>();
    latency_ns(&mut drive, request(RequestKind::Write, 0, 4 * 4096));
    latency_ns(&mut drive, request(RequestKind::Trim, 0, 3 * 4096));
    latency_ns(&mut drive, request(RequestKind::Write, 4096, 4096));
    // The delay counts from the arrival of the last request; after that the request was programmed for 1 ms.
    drive.idle(60_000_000_000 - 1_000_000 - 1);
    assert_eq!(valid(&drive), 4, "one nanosecond earlier it has not looked yet");
    drive.idle(1);
    assert_eq!(valid(&drive), 2, "the unit written again is kept");
    drive.check();
}

#[test]
fn a_drive_from_before_trim_says_so() {
    let mut config = small_config();
    config.trim.supported = false;
    let mut drive = Ssd::new(config, 1).unwrap();
    drive.submit(0, 7, request(RequestKind::Trim, 0, 4096));
    assert_eq!(drive.next_completion(u64::MAX).map(|answer| answer.status), Some(Status::NotSupported));
    drive.check();
}

#[test]
fn a_throttled_drive_writes_as_fast_as_its_life_allows_and_a_secure_erase_does_not_lift_it() {
    let mut config = small_config();
    config.timing.rated_pe_cycles = 10;
    // 4 MiB of flash and ten cycles: 40 MiB in 40 s are 1 MiB/s, after a credit of 2 s.
    config.throttle = Some(Throttle { life_ns: 40_000_000_000, credit_ns: 2_000_000_000 });
    let mut drive = Ssd::new(config, 1).unwrap();
    for unit in 0..512 {
        latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    assert_eq!(drive.counters().throttled_writes, 0, "the credit and the time so far cover 2 MiB");
    drive.secure_erase();
    let start_ns = drive.now_ns();
    for unit in 0..512 {
        latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
    }
    let seconds = (drive.now_ns() - start_ns) as f64 * 1e-9;
    assert!((1.2..2.0).contains(&seconds), "2 MiB at 1 MiB/s, less what time had allowed meanwhile: {seconds} s");
    assert!(drive.counters().throttled_writes > 0);
    drive.check();
}

#[test]
fn a_counterfeit_drive_takes_all_it_announces_and_keeps_what_it_has() {
    let mut config = small_config();
    config.capacity.announced_bytes = 30 << 20;
    let mut drive = Ssd::new(config, 1).unwrap();
    assert_eq!(drive.user_bytes(), 30 << 20);
    latency_ns(&mut drive, request(RequestKind::Write, 0, 4096));
    latency_ns(&mut drive, request(RequestKind::Write, 3 << 20, 4096));
    assert_eq!(drive.inside().valid_slots.iter().sum::<u32>(), 1, "the second write fell on the first");
    drive.check();
}

#[test]
fn a_counterfeit_drive_that_drops_what_lies_beyond_its_end_answers_and_keeps_nothing_of_it() {
    for beyond in [Beyond::Drops, Beyond::Zeros] {
        let mut config = small_config();
        (config.capacity.announced_bytes, config.capacity.beyond) = (30 << 20, beyond);
        let mut drive = Ssd::new(config, 1).unwrap();
        for offset_bytes in [0, (3 << 20) - 4096, 3 << 20, 29 << 20] {
            latency_ns(&mut drive, request(RequestKind::Write, offset_bytes, 8192));
            latency_ns(&mut drive, request(RequestKind::Read, offset_bytes, 8192));
        }
        latency_ns(&mut drive, request(RequestKind::Trim, 10 << 20, 8192));
        assert_eq!(drive.inside().valid_slots.iter().sum::<u32>(), 3, "two units, and one before the end");
        let host = drive.counters().host;
        assert_eq!((host.written_bytes, host.read_bytes, host.trimmed_bytes), (4 * 8192, 4 * 8192, 8192));
        drive.check();
    }
}

#[test]
fn a_superblock_is_collected_by_all_banks_at_once() {
    let mut config = small_config();
    config.geometry.superblock = true;
    config.capacity.user_bytes = 2 << 20;
    config.capacity.initial_bad_block_count = 0;
    config.capacity.reserved_block_count = 0;
    let mut drive = Ssd::new(config, 1).unwrap();
    for round in 0..3 {
        // Every second page is overwritten, so victims keep half of their pages.
        for unit in (round % 2..512).step_by(2) {
            latency_ns(&mut drive, request(RequestKind::Write, unit * 4096, 4096));
        }
    }
    let banks = drive.inside().bank_busy_ns;
    assert_eq!(banks.len(), 2);
    assert!(banks[0].abs_diff(banks[1]) < banks[0] / 50, "{banks:?}");
    drive.check();
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Submit(RequestKind, u64, u64),
    Take,
    Idle(u64),
    Erase,
}

fn actions() -> impl Strategy<Value = Vec<Action>> {
    let kind = prop_oneof![
        6 => Just(RequestKind::Write),
        2 => Just(RequestKind::Read),
        1 => Just(RequestKind::Trim),
        1 => Just(RequestKind::Flush),
    ];
    let action = prop_oneof![
        30 => (kind, 0..6144_u64, 1..64_u64)
            .prop_map(|(kind, sector, count)| Action::Submit(kind, sector * 512, count.min(6144 - sector) * 512)),
        20 => Just(Action::Take),
        2 => (0..3_000_000_000_u64).prop_map(Action::Idle),
        1 => Just(Action::Erase),
    ];
    prop::collection::vec(action, 1..400)
}

fn drain(drive: &mut Ssd, outstanding: &mut u32) {
    while let Some(completion) = drive.next_completion(u64::MAX) {
        let refused = matches!(completion.status, Status::NoFreeBlock | Status::ReadOnly);
        let worn_out = refused && drive.config.endurance.is_some();
        assert!(completion.status == Status::Done || worn_out, "{completion:?}");
        *outstanding -= 1;
    }
    assert_eq!(*outstanding, 0, "every request is answered");
}

fn play(drive: &mut Ssd, actions: &[Action]) {
    let mut outstanding = 0;
    for &action in actions {
        match action {
            Action::Submit(kind, offset, length) => {
                let compressible = [0, 255, 130, 200, 0][(offset / 512 % 5) as usize];
                drive.submit(drive.now_ns(), 0, Request { compressible, ..request(kind, offset, length) });
                outstanding += 1;
            }
            Action::Take => {
                outstanding -= u32::from(drive.next_completion(u64::MAX).is_some());
                drive.check();
            }
            Action::Idle(duration) => {
                drain(drive, &mut outstanding);
                drive.idle(duration);
            }
            Action::Erase => {
                drain(drive, &mut outstanding);
                drive.secure_erase();
            }
        }
    }
    drain(drive, &mut outstanding);
    drive.check();
}

fn any_config() -> impl Strategy<Value = Config> {
    let rule = prop::sample::select(VictimRule::ALL);
    let sub_unit =
        prop_oneof![Just(SubUnitWrites::Buffered), Just(SubUnitWrites::Through), Just(SubUnitWrites::MergeEnds)];
    let buffer = (any::<bool>(), sub_unit, any::<bool>(), any::<bool>(), any::<bool>());
    let link = (any::<bool>(), any::<bool>());
    (buffer, link, rule, any::<bool>(), any::<bool>(), 0..128_u8).prop_map(
        |(
            (buffered, sub_unit_writes, acknowledge, sorted, drains),
            (gathers, full_duplex),
            policy,
            spread,
            superblock,
            optional,
        )| {
            let mut config = if buffered { buffered_config() } else { small_config() };
            config.gc.policy = policy;
            config.gc.choices = 3;
            config.geometry.superblock = superblock;
            config.gc.pacing = if spread { Pacing::Spread } else { Pacing::Blocking };
            config.buffer.sub_unit_writes = sub_unit_writes;
            config.buffer.acknowledge = if acknowledge { Acknowledge::Buffered } else { Acknowledge::Programmed };
            config.buffer.flush_order = if sorted { FlushOrder::Sorted } else { FlushOrder::Arrival };
            config.buffer.stall = if drains { Stall::UntilDrained } else { Stall::UntilRoom };
            config.buffer.low_water_ratio = if superblock { 0.2 } else { 0.0 };
            config.link.gather_ns = if gathers { 40_000 } else { 0 };
            config.link.gather_requests = if gathers { 3 } else { 0 };
            config.link.full_duplex = full_duplex;
            let on = |bit: u8| optional >> bit & 1 == 1;
            config.capacity.user_bytes = 3 << 20;
            config.compression = on(4).then_some(Compression { most_units_per_slot: 2, zero_detection: on(1) });
            config.pslc = on(5).then_some(small_pslc(if on(6) { WhenFull::Fold } else { WhenFull::Past }));
            config.timing.pslc = Some(PSLC_TIMING);
            config.geometry.blocks_per_plane += if on(5) { 4 } else { 0 };
            // More blocks are open when hot and cold data are kept apart or wear is levelled.
            config.geometry.blocks_per_plane += if on(1) || on(2) { 4 } else { 0 };
            config.gc.moved_data = if on(0) && !on(5) { MovedData::WithHost } else { MovedData::Apart };
            config.gc.separation = on(1).then_some(Separation { hot_age_ratio: 0.5 });
            config.wear_leveling.static_spread_cycles = on(2).then_some(2);
            config.endurance =
                on(3).then_some(EnduranceLaw { characteristic_cycles: 8.0, shape: 3.0, program_failure_share: 0.5 });
            config
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn everything_adds_up_under_random_use(config in any_config(), actions in actions()) {
        let mut drive = Ssd::new(config, 1).unwrap();
        play(&mut drive, &actions);
    }

    #[test]
    fn a_restored_drive_goes_on_exactly_like_the_original(
        config in any_config(), before in actions(), after in actions()
    ) {
        let mut drive = Ssd::new(config, 1).unwrap();
        play(&mut drive, &before);
        let mut restored = snapshot::restore::<Ssd>(&snapshot::take(&drive)).unwrap();
        play(&mut drive, &after);
        play(&mut restored, &after);
        prop_assert_eq!(drive.now_ns(), restored.now_ns());
        prop_assert_eq!(snapshot::take(&drive), snapshot::take(&restored));
    }
}

#[test]
fn bytes_that_are_no_snapshot_are_refused_by_kind() {
    let snapshot = snapshot::take(&Ssd::new(small_config(), 1).unwrap());
    assert_eq!(snapshot::restore::<Ssd>(b"something").unwrap_err(), SnapshotError::NotASnapshot("drive"));
    let mut newer = snapshot.clone();
    newer[16] += 1;
    let refused = snapshot::restore::<Ssd>(&newer).unwrap_err();
    assert!(matches!(refused, SnapshotError::OtherFormat { found, accepted } if found == accepted + 1), "{refused}");
    assert!(matches!(snapshot::restore::<Ssd>(&snapshot[..100]).unwrap_err(), SnapshotError::Damaged(_)));
}
