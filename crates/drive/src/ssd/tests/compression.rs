//! Compression and units of zeros, seen from the host and on the flash.

use super::{buffered_config, latency_ns, request, small_config};
use crate::Drive;
use crate::request::{Request, RequestKind};
use crate::snapshot;
use crate::ssd::*;
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{Compression, VictimRule};

const UNITS: u64 = 3 * 256;

fn compression(most_units_per_slot: u32, zero_detection: bool) -> Option<Compression> {
    Some(Compression { most_units_per_slot, zero_detection })
}

fn write(drive: &mut Ssd, offset_bytes: u64, length_bytes: u64, compressible: u8) -> u64 {
    latency_ns(drive, Request { compressible, ..request(RequestKind::Write, offset_bytes, length_bytes) })
}

/// Write the drive in order and then at random; the number of a unit determines how compressible it is.
fn fill_and_overwrite(drive: &mut Ssd, overwrites: u64, compressible: impl Fn(u64) -> u8) {
    for unit in (0..UNITS).chain((0..overwrites).map(|step| step * 331 % UNITS)) {
        write(drive, unit * 4096, 4096, compressible(unit));
    }
}

/// Bytes programmed per byte of a sequential fill.
fn programmed_ratio(compression: Option<Compression>, compressible: impl Fn(u64) -> u8) -> f64 {
    let mut drive = Ssd::new(Config { compression, ..buffered_config() }, 1).unwrap();
    fill_and_overwrite(&mut drive, 0, compressible);
    latency_ns(&mut drive, request(RequestKind::Flush, 0, 0));
    drive.check();
    let counters = drive.counters();
    counters.nand_written_bytes as f64 / counters.host.written_bytes as f64
}

#[test]
fn random_data_is_written_collected_and_timed_as_without_compression() {
    for &policy in VictimRule::ALL {
        let run = |compression| {
            let mut config = Config { compression, ..buffered_config() };
            (config.gc.policy, config.gc.choices) = (policy, 3);
            let mut drive = Ssd::new(config, 1).unwrap();
            // At random, and then in order: most blocks are stale or full, and few choices find only full ones.
            fill_and_overwrite(&mut drive, 3000, |_| 0);
            fill_and_overwrite(&mut drive, 0, |_| 0);
            drive.check();
            (drive.now_ns(), drive.counters(), drive.inside())
        };
        let (without, with) = (run(None), run(compression(4, true)));
        assert_eq!(without, with, "{policy:?}");
        assert!(without.1.gc_moved_units > 0);
    }
}

#[test]
fn data_that_compresses_to_half_programs_half_the_bytes_and_a_mix_its_mean() {
    for (most, bytes, name) in [(2, 128, "half"), (8, 128, "half"), (2, 255, "zeros, not looked for"), (4, 0, "random")]
    {
        let ratio = programmed_ratio(compression(most, false), |_| bytes);
        let expected = (1.0 - f64::from(bytes) / 255.0).max(1.0 / f64::from(most));
        println!("{name}, at most {most}: {ratio:.4} programmed, {expected:.4} expected");
        assert!((ratio / expected - 1.0).abs() < 0.01, "{name}: {ratio}");
    }
    let mix = programmed_ratio(compression(8, false), |unit| if unit % 3 == 0 { 0 } else { 204 });
    assert!((mix / (1.0 / 3.0 + 2.0 / 3.0 * 0.2) - 1.0).abs() < 0.01, "a third random, the rest to a fifth: {mix}");
    assert_eq!(programmed_ratio(None, |_| 200), 1.0);
}

#[test]
fn zeros_cost_no_flash_when_they_are_looked_for() {
    let mut drive = Ssd::new(Config { compression: compression(1, true), ..small_config() }, 1).unwrap();
    assert_eq!(write(&mut drive, 0, 4096, 0), 1_015_000);
    let programmed = drive.counters().nand_written_bytes;
    assert_eq!(write(&mut drive, 0, 3 * 4096, 255), 5_000 + 3 * 10_000, "command and link");
    let counters = drive.counters();
    assert_eq!((counters.nand_written_bytes, counters.zero_units), (programmed, 3));
    assert_eq!(drive.inside().valid_slots.iter().sum::<u32>(), 0, "the data they replace is stale");
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 0, 4096)), 15_000, "nothing is read");
    assert_eq!(write(&mut drive, 512, 512, 0), 5_000 + 1_250 + 1_000_000, "nor to complete a unit");
    assert_eq!(write(&mut drive, 0, 512, 255), 5_000 + 1_250 + 150_000 + 1_000_000, "the rest of it is not zeros");
    latency_ns(&mut drive, request(RequestKind::Trim, 0, 8192));
    drive.check();
    assert_eq!(drive.power_cut(), 0);
    drive.check();
}

#[test]
fn zeros_give_their_room_in_the_buffer_back_at_once_whoever_waits_for_it() {
    for flush_order in [FlushOrder::Arrival, FlushOrder::Sorted] {
        for stall in [Stall::UntilRoom, Stall::UntilDrained] {
            for sub_unit_writes in [SubUnitWrites::Buffered, SubUnitWrites::Through, SubUnitWrites::MergeEnds] {
                let mut config = Config { compression: compression(2, true), ..buffered_config() };
                config.buffer.flush_order = flush_order;
                config.buffer.stall = stall;
                config.buffer.sub_unit_writes = sub_unit_writes;
                let mut drive = Ssd::new(config, 1).unwrap();
                let sizes = [4096, 65_536, 512, 131_072, 6144];
                for step in 0..400_u64 {
                    let length = sizes[(step % 5) as usize];
                    let offset = step * 7919 % (6144 - 256) * 512;
                    let zeros = Request { compressible: 255, ..request(RequestKind::Write, offset, length) };
                    drive.submit(drive.now_ns(), 0, zeros);
                    if step % 4 == 3 {
                        drive.submit(drive.now_ns(), 0, request(RequestKind::Flush, 0, 0));
                    }
                    if step % 8 == 7 {
                        let answers = (0..10).map_while(|_| drive.next_completion(u64::MAX)).count();
                        assert_eq!(answers, 10, "eight writes and two flushes");
                        drive.check();
                    }
                }
                latency_ns(&mut drive, request(RequestKind::Flush, 0, 0));
                assert_eq!(drive.inside().buffered_units, 0);
                assert!(drive.counters().zero_units > 2000);
            }
        }
    }
}

#[test]
fn a_unit_that_is_partly_overwritten_is_as_compressible_as_the_least_of_its_parts() {
    let mut drive = Ssd::new(Config { compression: compression(8, true), ..small_config() }, 1).unwrap();
    write(&mut drive, 0, 4096, 40);
    write(&mut drive, 0, 512, 255);
    assert_eq!(drive.translation.compressible(0), 40);
    write(&mut drive, 0, 512, 10);
    assert_eq!(drive.translation.compressible(0), 10);
    write(&mut drive, 0, 4096, 200);
    assert_eq!(drive.translation.compressible(0), 200, "nothing of the old is left");
}

#[test]
fn a_drive_with_compression_goes_on_from_a_snapshot_as_if_nothing_had_been() {
    let mut drive = Ssd::new(Config { compression: compression(3, true), ..buffered_config() }, 1).unwrap();
    let mix = |unit: u64| (unit * 97 % 256) as u8;
    fill_and_overwrite(&mut drive, 1000, mix);
    let mut restored = snapshot::restore::<Ssd>(&snapshot::take(&drive)).unwrap();
    for drive in [&mut drive, &mut restored] {
        fill_and_overwrite(drive, 1000, mix);
        drive.check();
    }
    assert_eq!(snapshot::take(&drive), snapshot::take(&restored));
}

#[test]
fn the_map_takes_thirteen_bytes_a_unit_where_two_units_fit_a_slot() {
    let mut config = small_config();
    config.geometry.pages_per_block = 256;
    config.geometry.blocks_per_plane = 64;
    let bytes_per_slot = |compression| {
        let drive = Ssd::new(Config { compression, ..config.clone() }, 1).unwrap();
        drive.memory_bytes() as f64 / (2.0 * 64.0 * 256.0)
    };
    let (plain, packed) = (bytes_per_slot(None), bytes_per_slot(compression(2, false)));
    let units_per_slot = f64::from(3 << 20) / 4096.0 / (2.0 * 64.0 * 256.0);
    println!("{plain:.2} B a slot plain, {packed:.2} packed");
    assert!((packed - plain - (4.0 + units_per_slot)).abs() < 0.1, "one more entry a slot, one byte a unit");
}

#[test]
fn a_flush_is_answered_when_what_it_waited_for_turned_out_to_be_zeros() {
    let mut drive = Ssd::new(Config { compression: compression(2, true), ..buffered_config() }, 1).unwrap();
    write(&mut drive, 0, 4096, 0);
    latency_ns(&mut drive, request(RequestKind::Flush, 0, 0));
    write(&mut drive, 0, 512, 255);
    // While the old data of the unit is read for the flush, it is trimmed: only zeros are left.
    drive.submit(drive.now_ns(), 1, request(RequestKind::Flush, 0, 0));
    drive.submit(drive.now_ns(), 2, request(RequestKind::Trim, 0, 4096));
    let mut tags: Vec<u32> = (0..2).map_while(|_| drive.next_completion(u64::MAX)).map(|answer| answer.tag).collect();
    tags.sort_unstable();
    assert_eq!((tags, drive.counters().zero_units), (vec![1, 2], 1));
    drive.check();
}
