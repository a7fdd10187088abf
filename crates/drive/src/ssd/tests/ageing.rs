//! An aged drive compared with one that was brought into this state by writing: the same state, the same next gigabyte.

use super::small_config;
use crate::request::{Request, RequestKind, Status};
use crate::snapshot;
use crate::ssd::*;
use crate::{Drive, Member};
use flashscope_ftl::{AgedState, GcSettings, MovedData, Overwrites, Pacing, Separation, VictimRule};
use flashscope_kernel::random::{Stream, below};
use flashscope_kernel::time::SECOND_NS;

const UNIT_BYTES: u64 = 4096;
const QUEUE_DEPTH: u32 = 16;
const STEADY: AgedState =
    AgedState { fill_ratio: 1.0, overwrites: Overwrites::Random, erase_count_mean: 0, erase_count_spread_ratio: 0.0 };

/// Four pools of `blocks` blocks of 64 pages of two units, 10 % of them spare, a buffer of 64 units.
fn config(blocks: u32, gc: GcSettings) -> Config {
    let mut config = small_config();
    config.geometry.channels = 4;
    config.geometry.planes_per_die = 2;
    config.geometry.multiplane = true;
    config.geometry.blocks_per_plane = blocks;
    config.geometry.pages_per_block = 64;
    config.timing.bus_bytes_per_second = 200_000_000;
    config.buffer.bytes = 64 * UNIT_BYTES;
    config.capacity.user_bytes = u64::from(4 * blocks) * 128 * 88 / 100 * UNIT_BYTES;
    config.capacity.initial_bad_block_count = blocks / 40;
    config.gc = gc;
    config
}

/// The duration and counts of `count` writes of one unit at random places.
#[derive(Clone, Copy, Debug)]
struct Taken {
    duration_ns: f64,
    mean_latency_ns: f64,
    write_amplification: f64,
}

fn write_in_order(drive: &mut Ssd) {
    let request_bytes = 32 * UNIT_BYTES;
    let mut offset_bytes = 0;
    let user_bytes = drive.user_bytes();
    while offset_bytes < user_bytes {
        let length_bytes = request_bytes.min(user_bytes - offset_bytes);
        let request = Request { kind: RequestKind::Write, offset_bytes, length_bytes, compressible: 0 };
        drive.submit(drive.now_ns(), 0, request);
        assert_eq!(drive.next_completion(u64::MAX).expect("an answer").status, Status::Done);
        offset_bytes += length_bytes;
    }
}

fn write_at_random(drive: &mut Ssd, count: u64, chance: &mut Stream) -> Taken {
    let units = drive.user_bytes() / UNIT_BYTES;
    let before = drive.counters();
    let start_ns = drive.now_ns();
    let mut submitted_ns = [0_u64; QUEUE_DEPTH as usize];
    let mut latency_ns = 0_u64;
    let mut submit = |drive: &mut Ssd, tag: u32, submitted_ns: &mut [u64]| {
        submitted_ns[tag as usize] = drive.now_ns();
        let offset_bytes = below(chance, units) * UNIT_BYTES;
        let request = Request { kind: RequestKind::Write, offset_bytes, length_bytes: UNIT_BYTES, compressible: 0 };
        drive.submit(drive.now_ns(), tag, request);
    };
    let first = u64::from(QUEUE_DEPTH).min(count) as u32;
    (0..first).for_each(|tag| submit(drive, tag, &mut submitted_ns));
    for done in 1..=count {
        let completion = drive.next_completion(u64::MAX).expect("an answer");
        assert_eq!(completion.status, Status::Done);
        latency_ns += completion.at_ns - submitted_ns[completion.tag as usize];
        if done + u64::from(first) <= count {
            submit(drive, completion.tag, &mut submitted_ns);
        }
    }
    let after = drive.counters();
    let slots = |counters: &Counters| counters.nand_written_bytes / UNIT_BYTES;
    Taken {
        duration_ns: (drive.now_ns() - start_ns) as f64,
        mean_latency_ns: latency_ns as f64 / count as f64,
        write_amplification: (slots(&after) - slots(&before)) as f64 / count as f64,
    }
}

/// Filled in order and then four times at random.
fn brought_there(config: &Config, seed: u64) -> Ssd {
    let mut drive = Ssd::new(config.clone(), seed).unwrap();
    write_in_order(&mut drive);
    let units = drive.user_bytes() / UNIT_BYTES;
    write_at_random(&mut drive, 4 * units, &mut Streams::new(seed).stream("writes"));
    drive.idle(10 * SECOND_NS);
    drive
}

fn aged(config: &Config, seed: u64) -> Ssd {
    let mut drive = Ssd::new(config.clone(), seed).unwrap();
    drive.age(&STEADY).unwrap();
    drive.check();
    drive
}

/// Valid slots of all closed blocks, in order.
fn valid_slots(drive: &Ssd) -> Vec<u32> {
    let blocks = drive.translation.blocks();
    let mut valid: Vec<u32> =
        (0..blocks.count()).filter(|&block| blocks.is_closed(block)).map(|block| blocks.valid_slots(block)).collect();
    valid.sort_unstable();
    valid
}

/// Largest difference of the two distributions (Kolmogorov and Smirnov).
fn distance(one: &[u32], other: &[u32]) -> f64 {
    let share = |values: &[u32], most: u32| values.partition_point(|&value| value <= most) as f64 / values.len() as f64;
    one.iter().chain(other).map(|&value| (share(one, value) - share(other, value)).abs()).fold(0.0, f64::max)
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len() as f64
}

/// How far an aged drive is from a drive that was brought into this state by writing.
#[derive(Clone, Copy, Debug)]
struct Deviation {
    next_part: Taken,
    next_fill: Taken,
    distance: f64,
    distance_of_seeds: f64,
}

/// Compare over `seeds` seeds: the next 1/`part` of a fill, and the next fill.
fn compare(config: &Config, seeds: u64, part: u64) -> Deviation {
    let units = config.capacity.user_bytes / UNIT_BYTES;
    let measured = |drives: &[Ssd]| -> Vec<(Taken, Taken)> {
        (0..)
            .zip(drives)
            .map(|(seed, drive)| {
                let mut drive = drive.clone();
                let mut chance = Streams::new(seed).stream("writes after");
                let next_part = write_at_random(&mut drive, units / part, &mut chance);
                let next_fill = write_at_random(&mut drive, units, &mut chance);
                drive.check();
                (next_part, next_fill)
            })
            .collect()
    };
    let written: Vec<Ssd> = (0..seeds).map(|seed| brought_there(config, seed)).collect();
    let at_once: Vec<Ssd> = (0..seeds).map(|seed| aged(config, seed)).collect();
    let (by_writing, by_ageing) = (measured(&written), measured(&at_once));
    let ratio = |pick: &dyn Fn(&(Taken, Taken)) -> f64| {
        mean(by_ageing.iter().map(pick)) / mean(by_writing.iter().map(pick)) - 1.0
    };
    let all = |drives: &[Ssd]| {
        let mut valid: Vec<u32> = drives.iter().flat_map(valid_slots).collect();
        valid.sort_unstable();
        valid
    };
    let half = written.len() / 2;
    Deviation {
        next_part: Taken {
            duration_ns: ratio(&|taken| taken.0.duration_ns),
            mean_latency_ns: ratio(&|taken| taken.0.mean_latency_ns),
            write_amplification: ratio(&|taken| taken.0.write_amplification),
        },
        next_fill: Taken {
            duration_ns: ratio(&|taken| taken.1.duration_ns),
            mean_latency_ns: ratio(&|taken| taken.1.mean_latency_ns),
            write_amplification: ratio(&|taken| taken.1.write_amplification),
        },
        distance: distance(&all(&written), &all(&at_once)),
        distance_of_seeds: distance(&all(&written[..half]), &all(&written[half..])),
    }
}

fn policies() -> Vec<(&'static str, GcSettings)> {
    let plain = |policy, choices| GcSettings::plain(policy, choices, 2, 3);
    let greedy = plain(VictimRule::Greedy, 1);
    vec![
        ("greedy", greedy.clone()),
        ("greedy, work spread", GcSettings { pacing: Pacing::Spread, ..greedy.clone() }),
        ("greedy, one log", GcSettings { moved_data: MovedData::WithHost, ..greedy.clone() }),
        ("greedy, water marks 2 and 8", GcSettings { high_water_blocks: 8, ..greedy }),
        ("fifo", plain(VictimRule::Fifo, 1)),
        ("4 choices", plain(VictimRule::DChoices, 4)),
        ("random", plain(VictimRule::Random, 1)),
        ("cost-benefit", plain(VictimRule::CostBenefit, 1)),
        (
            "cost-benefit, separated",
            GcSettings { separation: Some(Separation { hot_age_ratio: 0.5 }), ..plain(VictimRule::CostBenefit, 1) },
        ),
    ]
}

#[test]
#[ignore = "minutes: prints the table of docs/reference/aged-states.md; make test-long runs it"]
fn table_of_all_policies() {
    println!(
        "deviation in %: next 1/16 of a fill: duration, latency, amplification; next fill: the same; distance, of seeds"
    );
    let report = |name: &str, config: &Config| {
        let found = compare(config, 8, 16);
        let percent = |taken: Taken| {
            let [duration, latency, amplification] =
                [taken.duration_ns, taken.mean_latency_ns, taken.write_amplification].map(|ratio| 100.0 * ratio);
            format!("{duration:+.2} {latency:+.2} {amplification:+.2}")
        };
        println!(
            "{name:30} | {} | {} | {:.4} {:.4}",
            percent(found.next_part),
            percent(found.next_fill),
            found.distance,
            found.distance_of_seeds
        );
    };
    for (name, gc) in policies() {
        report(name, &config(512, gc));
    }
    let mut superblock = config(512, policies()[0].1.clone());
    superblock.geometry.superblock = true;
    superblock.capacity.user_bytes = 512 * 512 * 88 / 100 * UNIT_BYTES;
    report("greedy, superblocks", &superblock);
}

/// Limits of the differences, on a drive small enough to be tested every day. Chance alone causes 0.3 to 1 % here.
fn assert_alike(name: &str, found: &Deviation) {
    // A random policy's victims differ most in their valid slots, and so do the results that follow from them.
    let amplification_ratio = if name == "random" { 0.03 } else { 0.01 };
    assert!(found.next_fill.write_amplification.abs() < amplification_ratio, "{name}: {found:?}");
    assert!(found.next_fill.duration_ns.abs() < 0.015, "{name}: {found:?}");
    assert!(found.next_fill.mean_latency_ns.abs() < 0.015, "{name}: {found:?}");
    assert!(found.distance < found.distance_of_seeds.max(0.03), "{name}: {found:?}");
}

#[test]
fn an_aged_drive_goes_on_as_one_that_was_written_to() {
    for (name, gc) in policies() {
        // Without bad blocks; otherwise the pool with most of them alone decides how long everything takes.
        let mut config = config(192, gc);
        config.capacity.initial_bad_block_count = 0;
        config.capacity.user_bytes = config.capacity.user_bytes / 16 * 15 / UNIT_BYTES * UNIT_BYTES;
        let found = compare(&config, 4, 4);
        assert_alike(name, &found);
    }
}

#[test]
fn a_drive_filled_at_once_is_the_drive_that_was_written_in_order_bit_for_bit() {
    for stripe_pages in [0, 4, 7] {
        let mut config = config(48, GcSettings::plain(VictimRule::Greedy, 1, 2, 3));
        config.parity.stripe_pages = stripe_pages;
        if stripe_pages > 0 {
            config.capacity.user_bytes -= config.capacity.user_bytes / 3 / 4096 * 4096;
        }
        compare_at_once(config);
    }
}

fn compare_at_once(config: Config) {
    let mut written = Ssd::new(config.clone(), 1).unwrap();
    write_in_order(&mut written);
    written.idle(10 * SECOND_NS);
    let mut at_once = Ssd::new(config, 1).unwrap();
    at_once.age(&AgedState { overwrites: Overwrites::None, ..STEADY }).unwrap();
    at_once.check();
    // Waits for room in the buffer depend on time, and no time has passed.
    let counters = Counters { buffer_stalls: 0, ..written.counters() };
    assert_eq!(at_once.counters(), counters);
    let (now, then) = (at_once.inside(), written.inside());
    assert_eq!((now.valid_slots, now.states, now.free_blocks), (then.valid_slots, then.states, then.free_blocks));
    let slots = |drive: &Ssd| {
        (0..drive.config.unit_count() as u32).map(|unit| drive.translation.slot(unit)).collect::<Vec<_>>()
    };
    assert_eq!(slots(&at_once), slots(&written));
    assert!(snapshot::take(&at_once.translation) == snapshot::take(&written.translation), "map, blocks and tally");
    assert_eq!(at_once.now_ns(), 0, "and no time has passed");
}

#[test]
fn an_aged_drive_says_what_would_have_been_written() {
    let config = config(64, GcSettings::plain(VictimRule::Greedy, 1, 2, 3));
    let written = brought_there(&config, 1).counters();
    let at_once = aged(&config, 1).counters();
    assert_eq!(at_once.host.written_bytes, written.host.written_bytes);
    let near = |one: u64, other: u64, ratio: f64| (one as f64 / other as f64 - 1.0).abs() < ratio;
    assert!(near(at_once.nand_written_bytes, written.nand_written_bytes, 0.05), "{at_once:?} {written:?}");
    assert!(near(at_once.gc_moved_units, written.gc_moved_units, 0.05), "{at_once:?} {written:?}");
    assert!(near(at_once.erased_blocks, written.erased_blocks, 0.05), "{at_once:?} {written:?}");
}

#[test]
fn wear_has_its_mean_and_its_spread_and_blocks_that_did_not_live_so_long_are_out_of_use() {
    let mut config = config(128, GcSettings::plain(VictimRule::Greedy, 1, 2, 3));
    config.capacity.user_bytes = config.capacity.user_bytes / 2 / UNIT_BYTES * UNIT_BYTES;
    let law = |cycles| {
        Some(flashscope_nand::EnduranceLaw { characteristic_cycles: cycles, shape: 6.0, program_failure_share: 0.5 })
    };
    config.endurance = law(3000.0);
    let worn = AgedState { erase_count_mean: 1500, erase_count_spread_ratio: 0.1, ..STEADY };
    for state in [worn, AgedState { overwrites: Overwrites::None, ..worn }, AgedState { fill_ratio: 0.0, ..worn }] {
        let mut drive = Ssd::new(config.clone(), 3).unwrap();
        drive.age(&state).unwrap();
        drive.check();
        let inside = drive.inside();
        let in_use = inside.erase_counts.iter().zip(&inside.states).filter(|&(_, &state)| state < 4);
        let cycles: Vec<f64> = in_use.map(|(&cycles, _)| f64::from(cycles)).collect();
        let middle = mean(cycles.iter().copied());
        let deviation = mean(cycles.iter().map(|cycles| (cycles - middle).powi(2))).sqrt();
        assert!((middle / 1500.0 - 1.0).abs() < 0.02, "{middle}");
        assert!((deviation / 150.0 - 1.0).abs() < 0.15, "{deviation}");
        let lost = drive.counters().program_failed_blocks + drive.counters().erase_failed_blocks;
        assert!((1..30).contains(&lost), "1.5 % of 512 are expected, {lost}");
        let per_erase = drive.counters().nand_written_bytes as f64 / drive.counters().erased_blocks as f64;
        let block_bytes = 128.0 * UNIT_BYTES as f64;
        assert!((per_erase / block_bytes - 1.0).abs() < 0.01, "what was erased had been written, {per_erase}");
    }
    config.endurance = law(1000.0);
    let mut drive = Ssd::new(config, 3).unwrap();
    let refused = drive.age(&worn).unwrap_err();
    assert_eq!(refused.key, "aged.erase_count_mean");
    drive.age(&STEADY).expect("a refusal changed nothing");
    drive.check();
}

#[test]
fn a_state_that_cannot_be_is_refused_and_says_why() {
    let small = config(48, GcSettings::plain(VictimRule::Greedy, 1, 2, 3));
    let mut drive = Ssd::new(small.clone(), 1).unwrap();
    let key = |drive: &mut Ssd, state| drive.age(&state).map_err(|error| error.key);
    assert_eq!(key(&mut drive, AgedState { fill_ratio: 1.1, ..STEADY }), Err("aged.fill_ratio"));
    assert_eq!(key(&mut drive, AgedState { fill_ratio: f64::NAN, ..STEADY }), Err("aged.fill_ratio"));
    let spread = AgedState { erase_count_spread_ratio: -0.1, ..STEADY };
    assert_eq!(key(&mut drive, spread), Err("aged.erase_count_spread_ratio"));
    assert_eq!(key(&mut drive, STEADY), Ok(()));
    assert_eq!(drive.age(&STEADY).unwrap_err().found, "a drive that holds data");
    drive.secure_erase();
    assert_eq!(key(&mut drive, STEADY), Ok(()), "all data is gone");
    drive.check();
    let mut small = small;
    small.mapping.unit_bytes = 8192;
    small.log_blocks = Some(flashscope_ftl::LogBlockSettings {
        interleaved: false,
        association: flashscope_ftl::Association::Full,
        log_block_count: 8,
    });
    let mut block_mapped = Ssd::new(small, 1).unwrap();
    assert_eq!(block_mapped.age(&STEADY).unwrap_err().found, "a drive with log blocks");
}

#[test]
fn the_same_seed_gives_the_same_aged_drive_and_another_seed_another() {
    let config = config(48, GcSettings::plain(VictimRule::DChoices, 3, 2, 3));
    let bytes = |seed| snapshot::take(&aged(&config, seed));
    assert_eq!(bytes(1), bytes(1));
    assert_ne!(bytes(1), bytes(2));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]

    #[test]
    fn any_aged_drive_takes_any_requests(
        seed in 0_u64..1000,
        policy in 0_usize..9,
        fill_ratio in 0.0_f64..=1.0,
        random in proptest::bool::ANY,
        (erase_count_mean, erase_count_spread_ratio) in (0_u32..50, 0.0_f64..0.5),
        blocks in 16_u32..40,
        buffered in proptest::bool::ANY,
        superblock in proptest::bool::ANY,
    ) {
        let mut config = config(blocks, policies()[policy].1.clone());
        config.geometry.superblock = superblock;
        config.geometry.pages_per_block = 8;
        config.capacity.user_bytes = u64::from(4 * blocks) * 16 * UNIT_BYTES / 5 / 512 * 512;
        config.capacity.initial_bad_block_count = 1;
        if !buffered {
            config.buffer.bytes = 0;
        }
        let overwrites = if random { Overwrites::Random } else { Overwrites::None };
        let mut drive = Ssd::new(config.clone(), seed).unwrap();
        drive.age(&AgedState { fill_ratio, overwrites, erase_count_mean, erase_count_spread_ratio }).unwrap();
        drive.check();
        let mut chance = Streams::new(seed).stream("operations");
        let sectors = config.capacity.user_bytes / 512;
        for _ in 0..400 {
            let kind = [RequestKind::Write, RequestKind::Read, RequestKind::Trim, RequestKind::Flush][below(&mut chance, 4) as usize];
            let first = below(&mut chance, sectors);
            let count = 1 + below(&mut chance, 64.min(sectors - first));
            let request = Request { kind, offset_bytes: first * 512, length_bytes: count * 512, compressible: 0 };
            drive.submit(drive.now_ns(), 0, request);
            assert_eq!(drive.next_completion(u64::MAX).expect("an answer").status, Status::Done);
        }
        drive.idle(10 * SECOND_NS);
        drive.check();
    }
}
