//! One test per mechanism: the drive that has it, used so that it works, and equal to the twin all along.

use crate::configs::{fill, plain};
use crate::pair::{Operation, Pair, request};
use flashscope_drive::ssd::config::{Acknowledge, EndOfLife};
use flashscope_drive::{Config, Counters, RequestKind, Status};
use flashscope_ftl::{FreeBlock, IdleCollection, MovedData, Pacing, Reason, Separation, VictimRule};
use flashscope_kernel::random::{Stream, Streams, below};
use flashscope_nand::{EccSettings, EnduranceLaw};

fn draw(chance: &mut Stream, bound: u64) -> u64 {
    below(chance, bound)
}

/// Every unit once, then as many again at random; nine of ten of those on a tenth of the units.
fn fill_and_overwrite(pair: &mut Pair, overwrites: u64) {
    let units = pair.twin.config.unit_count() - 1;
    let mut chance = Streams::new(5).stream("twin writes");
    let mut skewed = || match draw(&mut chance, 10) {
        0 => draw(&mut chance, units),
        _ => draw(&mut chance, units.div_ceil(10)),
    };
    let places: Vec<u64> = (0..overwrites).map(|_| skewed()).collect();
    pair.write_units((0..units).chain(places));
}

/// The counters of a drive that was filled and overwritten 1200 times.
fn used(config: Config) -> Counters {
    let mut pair = Pair::new(config, 1);
    fill_and_overwrite(&mut pair, 1200);
    pair.drive.counters()
}

fn with(change: impl FnOnce(&mut Config)) -> Config {
    let mut config = plain();
    change(&mut config);
    config
}

#[test]
fn every_policy_chooses_the_victims_of_the_twin() {
    for &policy in VictimRule::ALL {
        assert!(used(with(|config| config.gc.policy = policy)).gc_moved_units > 100, "{policy:?}");
    }
}

#[test]
fn moved_data_in_the_hosts_block_ends_with_its_page() {
    for unit_bytes in [4096, 1024] {
        let counters = used(with(|config| {
            config.gc.moved_data = MovedData::WithHost;
            config.mapping.unit_bytes = unit_bytes;
            config.capacity.user_bytes = 200 * u64::from(unit_bytes) * (4096 / u64::from(unit_bytes));
        }));
        assert!(counters.gc_moved_units > 100);
        assert!(unit_bytes == 4096 || counters.padded_slots > 0);
    }
}

#[test]
fn hot_and_cold_data_go_to_blocks_of_their_own() {
    for moved_data in [MovedData::Apart, MovedData::WithHost] {
        let counters = used(with(|config| {
            config.gc.separation = Some(Separation { hot_age_ratio: 0.5 });
            config.gc.policy = VictimRule::CostBenefit;
            config.gc.moved_data = moved_data;
            fill(config, 90);
        }));
        assert!(counters.gc_moved_units > 100);
    }
}

#[test]
fn the_least_worn_free_block_is_opened_and_blocks_that_lie_still_are_levelled() {
    let counters = used(with(|config| {
        config.wear_leveling.free_block = FreeBlock::LeastWorn;
        config.wear_leveling.static_spread_cycles = Some(2);
    }));
    assert!(counters.wear_leveling_moved_units > 50);
    let counters = used(with(|config| {
        config.wear_leveling.static_spread_cycles = Some(2);
        config.gc.separation = Some(Separation { hot_age_ratio: 0.5 });
        fill(config, 90);
    }));
    assert!(counters.wear_leveling_moved_units > 50);
}

#[test]
fn blocks_come_to_their_end_and_the_drive_with_them() {
    for (spare_block_count, end_of_life) in
        [(None, EndOfLife::ReadOnly), (Some(3), EndOfLife::ReadOnly), (Some(3), EndOfLife::Failed)]
    {
        let config = with(|config| {
            config.endurance =
                Some(EnduranceLaw { characteristic_cycles: 30.0, shape: 4.0, program_failure_share: 0.5 });
            config.capacity.spare_block_count = spare_block_count;
            config.end_of_life = end_of_life;
            config.gc.low_water_blocks = 2;
            config.gc.high_water_blocks = 3;
            fill(config, 70);
        });
        let mut pair = Pair::new(config, 1);
        let mut step = 0;
        let write = |step: u64| Operation::Request(request(RequestKind::Write, step * 37 % 130 * 4096, 4096));
        while pair.operate(write(step)) == Status::Done {
            step += 1;
            assert!(step < 20_000, "it lasts for ever");
        }
        for kind in [RequestKind::Read, RequestKind::Write, RequestKind::Trim, RequestKind::Flush] {
            pair.operate(Operation::Request(request(kind, 0, 8192)));
        }
        let counters = pair.drive.counters();
        assert!(counters.program_failed_blocks > 0 && counters.erase_failed_blocks > 0, "{counters:?}");
        pair.compare_inside(write(step));
    }
}

#[test]
fn superblocks_and_pools_share_out_pages_and_work() {
    for superblock in [false, true] {
        for multiplane in [false, true] {
            for pacing in [Pacing::Blocking, Pacing::Spread] {
                let counters = used(with(|config| {
                    config.geometry.channels = 2;
                    config.geometry.packages_per_channel = 2;
                    config.geometry.planes_per_die = 2;
                    config.geometry.blocks_per_plane = 16;
                    config.geometry.pages_per_block = 4;
                    config.geometry.superblock = superblock;
                    config.geometry.multiplane = multiplane;
                    config.gc.pacing = pacing;
                    fill(config, 90);
                }));
                assert!(counters.gc_moved_units > 50, "{superblock} {multiplane} {pacing:?}");
            }
        }
    }
}

#[test]
fn every_stripe_has_its_parity_wherever_its_pages_come_from() {
    for (stripe_pages, superblock, moved_data) in [
        (2, false, MovedData::Apart),
        (3, true, MovedData::Apart),
        (7, false, MovedData::WithHost),
        (5, true, MovedData::WithHost),
    ] {
        let counters = used(with(|config| {
            config.geometry.channels = 2;
            config.geometry.superblock = superblock;
            config.geometry.blocks_per_plane = 16;
            config.mapping.unit_bytes = 2048;
            config.gc.moved_data = moved_data;
            config.gc.pacing = if superblock { Pacing::Spread } else { Pacing::Blocking };
            config.parity.stripe_pages = stripe_pages;
            fill(config, 80);
        }));
        assert!(counters.parity_pages > 100 && counters.gc_moved_units > 50, "{stripe_pages} {counters:?}");
    }
}

#[test]
fn units_smaller_than_pages_share_them_and_leave_filling() {
    for slots in [2, 4] {
        let counters = used(with(|config| {
            config.geometry.channels = 2;
            config.geometry.blocks_per_plane = 16;
            config.mapping.unit_bytes = 4096 / slots;
            fill(config, 80);
        }));
        assert!(counters.gc_moved_units > 100 && counters.padded_slots > 1000);
    }
}

#[test]
fn bad_and_reserved_blocks_lie_where_they_lie() {
    for seed in 0..20 {
        let config = with(|config| {
            config.geometry.channels = 2;
            config.capacity.initial_bad_block_count = 5;
            config.capacity.reserved_block_count = 3;
        });
        let mut pair = Pair::new(config, seed);
        pair.write_units(0..150);
        pair.compare_inside(Operation::Idle(0));
    }
}

#[test]
fn requests_by_sectors_read_and_write_what_they_must() {
    let config = with(|config| {
        config.geometry.channels = 2;
        config.geometry.blocks_per_plane = 20;
        config.mapping.unit_bytes = 2048;
        fill(config, 80);
    });
    let sectors = config.capacity.user_bytes / 512;
    let mut pair = Pair::new(config, 1);
    let mut chance = Streams::new(1).stream("twin sectors");
    for _ in 0..3000 {
        let kind = [RequestKind::Write, RequestKind::Write, RequestKind::Read, RequestKind::Trim];
        let kind = kind[draw(&mut chance, 4) as usize];
        let first = draw(&mut chance, sectors);
        let count = (1 + draw(&mut chance, 24)).min(sectors - first);
        pair.operate(Operation::Request(request(kind, first * 512, count * 512)));
    }
    let counters = pair.drive.counters();
    assert!(counters.modify_read_pages > 500 && counters.host_read_pages > 500);
    pair.compare_inside(Operation::Idle(0));
}

#[test]
fn blocks_are_collected_in_idle_time_up_to_the_target() {
    let config = with(|config| {
        config.geometry.channels = 2;
        config.geometry.blocks_per_plane = 20;
        let (delay_ns, target_free_blocks) = (1_000_000_000, 6);
        config.gc.idle = Some(IdleCollection { delay_ns, target_free_blocks, worthwhile_stale_ratio: 0.1 });
        fill(config, 80);
    });
    let mut pair = Pair::new(config, 1);
    fill_and_overwrite(&mut pair, 300);
    for burst in 0..30 {
        // The drive is left alone for less than the delay, and for more; the next burst finds collection under way.
        pair.operate(Operation::Idle([500_000_000, 1_003_000_000, 5_000_000_000][burst % 3]));
        pair.write_units((0..40).map(|step| step * 7 % 100));
    }
    assert!(pair.drive.counters().idle_moved_units > 100);
}

#[test]
fn power_cuts_close_blocks_and_secure_erases_empty_them() {
    for unit_bytes in [4096, 1024] {
        let config = with(|config| {
            config.geometry.channels = 2;
            config.geometry.blocks_per_plane = 24;
            config.mapping.unit_bytes = unit_bytes;
            fill(config, 60);
        });
        let mut pair = Pair::new(config, 1);
        fill_and_overwrite(&mut pair, 200);
        for round in 0..40_u64 {
            pair.write_units((0..20).map(|step| (round * 31 + step * 13) % 180));
            let operation = match round % 5 {
                4 => Operation::SecureErase,
                3 => Operation::PowerOff(1_000_000_000),
                _ => Operation::PowerCut,
            };
            pair.play([operation]);
        }
        assert!(pair.drive.counters().power_cuts == 24 && pair.drive.counters().lost_units == 0);
    }
}

#[test]
fn a_buffered_drive_stalls_loses_and_flushes_what_the_twin_does() {
    for capacitor in [false, true] {
        let config = with(|config| {
            config.buffer.acknowledge = Acknowledge::Buffered;
            config.buffer.bytes = 10 * 4096;
            config.buffer.capacitor = capacitor;
            config.geometry.channels = 2;
            config.geometry.planes_per_die = 2;
            config.geometry.multiplane = true;
            config.geometry.blocks_per_plane = 20;
            fill(config, 80);
        });
        let mut pair = Pair::new(config, 1);
        fill_and_overwrite(&mut pair, 600);
        for round in 0..60_u64 {
            pair.write_units((0..20).map(|step| (round * 31 + step * 13) % 200));
            pair.operate(Operation::Request(request(RequestKind::Read, round * 4096, 3 * 4096)));
            pair.play([match round % 4 {
                0 => Operation::PowerCut,
                1 => Operation::Request(request(RequestKind::Flush, 0, 0)),
                2 => Operation::Idle(2_000_000_000),
                _ => Operation::Request(request(RequestKind::Write, round * 512, 5 * 512)),
            }]);
        }
        let counters = pair.drive.counters();
        assert!(counters.buffer_stalls > 100);
        assert_eq!(counters.lost_units == 0, capacitor);
    }
}

#[test]
fn blocks_that_cannot_be_read_are_written_anew_and_taken_out_of_use() {
    let config = with(|config| {
        config.bit_errors.fresh_ratio = 0.3;
        config.ecc = Some(EccSettings::bch(512, 1));
        config.geometry.channels = 2;
        config.geometry.blocks_per_plane = 24;
        fill(config, 50);
    });
    let mut pair = Pair::with_unreadable_flash(config, 1);
    fill_and_overwrite(&mut pair, 100);
    for step in 0..8 {
        // Pages of two dies at a time: both are read before either block is emptied.
        pair.operate(Operation::Request(request(RequestKind::Read, step * 19 * 4096, 2 * 4096)));
        pair.write_units((0..10).map(|unit| unit * 7 + step));
    }
    assert!(pair.drive.counters().read_failed_blocks > 3);
    assert!(pair.twin.decisions.iter().any(|decision| decision.reason == Reason::ReadFailure));
    pair.compare_inside(Operation::Idle(0));
}
