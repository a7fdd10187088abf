//! What passing over repetitions gives, against the same run played request by request: the same to the last bit.
//!
//! Any drive of the reference twin's list of choices, with longer blocks, and any stream of writes in order on it, cut
//! into slices at other places. Then both drives take the same random mix, so a difference that is only inside shows.

#[path = "../../crates/drive/tests/twin/configs.rs"]
mod configs;

use configs::{CHOICES, chosen, describe, fill, plain};
use flashscope_drive::ssd::config::Acknowledge;
use flashscope_drive::{Config, Drive as _, SECTOR_BYTES, Ssd};
use flashscope_ftl::buffer::FlushOrder;
use flashscope_ftl::{FineMapSettings, Pacing, Pslc, WhenFull};
use flashscope_nand::PslcTiming;
use flashscope_workload::{BlockSizes, Direction, Job, Run, WorkloadResult};
use proptest::prelude::*;

/// Choices beyond those of the twin's drives, and of the stream of writes.
const MORE: usize = 24;

/// A stream of writes in order, and where its two runs are cut.
#[derive(Debug)]
struct Stream {
    jobs: Vec<Job>,
    slices: [u64; 2],
    keeps_jobs: bool,
}

struct Choose<'a>(std::iter::Copied<std::slice::Iter<'a, u8>>);

impl Choose<'_> {
    fn of(&mut self, count: u64) -> u64 {
        u64::from(self.0.next().unwrap_or(0)) % count
    }
}

/// A drive with blocks of many pages and, by choice, what modern drives have.
fn drive_of(choices: &[u8], more: &mut Choose<'_>) -> Config {
    let mut config = chosen(choices);
    if more.of(4) > 1 {
        (config.parity.stripe_pages, config.gc.separation) = (0, None);
    }
    config.geometry.pages_per_block = [64, 24, 192, 100][more.of(4) as usize];
    config.geometry.blocks_per_plane = config.geometry.blocks_per_plane.max(16);
    config.link.queue_depth = [32, 1, 3][more.of(3) as usize];
    config.link.command_cost_ns = [5_000, 700_000][more.of(2) as usize];
    config.link.bytes_per_second = [409_600_000, 20_000_000, 4_000_000_000][more.of(3) as usize];
    config.timing.cache_program = more.of(3) == 1;
    config.scheduling.read_priority = more.of(3) == 1;
    config.scheduling.program_suspend = more.of(4) == 1;
    let unit_bytes = u64::from(config.mapping.unit_bytes);
    if more.of(2) == 1 {
        config.buffer.acknowledge = Acknowledge::Buffered;
        config.buffer.bytes = [12, 40, 150][more.of(3) as usize] * unit_bytes;
        config.buffer.flush_order = [FlushOrder::Arrival, FlushOrder::Sorted][more.of(2) as usize];
        config.buffer.past_from_bytes = [u64::MAX, 4 * unit_bytes][more.of(2) as usize];
    }
    if more.of(3) == 1 {
        let when_full = [WhenFull::Past, WhenFull::Fold, WhenFull::Reclaim][more.of(3) as usize];
        let (static_block_count, dynamic_keep_free_blocks) = [(3, 0), (0, 8), (2, 7)][more.of(3) as usize];
        let fold_delay_ns = 300_000_000;
        config.pslc =
            Some(Pslc { bits_per_cell: 2, static_block_count, dynamic_keep_free_blocks, when_full, fold_delay_ns });
        config.timing.pslc =
            Some(PslcTiming { read_latency_ns: 20_000, program_latency_ns: 200_000, erase_latency_ns: 1_000_000 });
    }
    if more.of(4) == 1 {
        let merge_bytes = if config.pslc.is_some() { [0, 12 * unit_bytes][more.of(2) as usize] } else { 0 };
        let (region_bytes, region_count, gather_delay_ns) = (4 * unit_bytes, 3, 100_000_000);
        config.fine_map = Some(FineMapSettings { region_bytes, region_count, gather_delay_ns, merge_bytes });
    }
    fill(&mut config, [90, 60][more.of(2) as usize]);
    config
}

fn stream_on(config: &Config, more: &mut Choose<'_>) -> Stream {
    let unit_bytes = u64::from(config.mapping.unit_bytes);
    let units = (config.capacity.user_bytes / unit_bytes).max(2);
    let length_units = (1 + more.of(24)).min(units / 2);
    let length_bytes = length_units * unit_bytes / [1, 1, 1, 2][more.of(4) as usize];
    let mut job = Job::new("fill", Direction::Write);
    job.write_sizes = BlockSizes { align_bytes: SECTOR_BYTES, ..BlockSizes::fixed(length_bytes.max(SECTOR_BYTES)) };
    job.queue_depth = [8, 1, 2, 5][more.of(4) as usize];
    job.size_bytes = config.capacity.user_bytes / SECTOR_BYTES * SECTOR_BYTES;
    job.io_bytes = job.size_bytes * (1 + more.of(5)) / 2;
    job.end_fsync = more.of(3) == 1;
    (job.runtime_ns, job.time_based) =
        [(0, false), (30_000_000_000, false), (40_000_000_000, true)][more.of(3) as usize];
    let again = Job { name: "again".into(), group: 1, ..job.clone() };
    Stream {
        jobs: vec![job, again],
        slices: [1_000_000, [37, 500, 3][more.of(3) as usize]],
        keeps_jobs: more.of(4) == 1,
    }
}

/// The result of a run in slices, and the requests that were passed over.
fn run(drive: &mut Ssd, jobs: &[Job], slice: u64, plays_all: bool, keeps_jobs: bool) -> (WorkloadResult, String, u64) {
    let mut run = Run::new(jobs, 1, 50_000_000, drive.user_bytes(), drive.sector_bytes()).expect("jobs that fit");
    if plays_all {
        run.play_all();
    }
    if keeps_jobs {
        run.keep_jobs(10_000_000);
    }
    while !run.advance(drive, slice) {}
    (run.result(), format!("{:?}", run.jobs_over_time()), run.passed_over())
}

/// Reads and writes at random, so that what is inside shows in times.
fn mix(config: &Config) -> Job {
    let mut job = Job::new("mix", Direction::RandRw);
    job.queue_depth = 4;
    job.size_bytes = config.capacity.user_bytes / 4096 * 4096;
    job.io_bytes = job.size_bytes.min(600 * 4096);
    job
}

/// Runs the stream with and without passing over; both are equal in everything. Returns the requests passed over, and
/// all of them.
fn compare(config: &Config, stream: &Stream) -> (u64, u64) {
    let new = || Ssd::new(config.clone(), 3).expect("the choices make a possible drive");
    let (mut fast, mut slow) = (new(), new());
    let (result, jobs, passed) = run(&mut fast, &stream.jobs, stream.slices[1], false, stream.keeps_jobs);
    let (expected, expected_jobs, none) = run(&mut slow, &stream.jobs, stream.slices[0], true, stream.keeps_jobs);
    assert_eq!(none, 0);
    assert_eq!(result, expected, "what was measured");
    assert_eq!(jobs, expected_jobs, "what was measured over time");
    let same = |fast: &Ssd, slow: &Ssd, when: &str| {
        assert_eq!(fast.now_ns(), slow.now_ns(), "{when}");
        assert_eq!(fast.counters(), slow.counters(), "{when}");
        assert_eq!(fast.inside(), slow.inside(), "{when}");
        fast.check();
    };
    same(&fast, &slow, "after the writes");
    if config.capacity.user_bytes >= 8192 {
        let mixed = mix(config);
        let afterwards = |drive: &mut Ssd| run(drive, std::slice::from_ref(&mixed), 1000, true, false).0;
        assert_eq!(afterwards(&mut fast), afterwards(&mut slow), "what was measured afterwards");
        same(&fast, &slow, "after the mix");
    }
    (passed, expected.requests[1])
}

fn compare_chosen(choices: &[u8]) -> (u64, u64) {
    let mut more = Choose(choices[CHOICES..].iter().copied());
    let config = drive_of(&choices[..CHOICES], &mut more);
    let stream = stream_on(&config, &mut more);
    if config.capacity.user_bytes < 16 * u64::from(config.mapping.unit_bytes) || Ssd::new(config.clone(), 3).is_err() {
        return (0, 0);
    }
    eprintln!("{}\n{stream:?}", describe(&config));
    compare(&config, &stream)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_run_that_passes_over_repetitions_is_equal_to_one_that_is_played(
        choices in prop::collection::vec(any::<u8>(), CHOICES + MORE),
    ) {
        compare_chosen(&choices);
    }
}

/// One drive of four channels, with what a plain drive of today has.
fn modern() -> Config {
    let mut config = plain();
    config.geometry.channels = 4;
    config.geometry.packages_per_channel = 2;
    config.geometry.pages_per_block = 256;
    config.mapping.unit_bytes = 1024;
    config.link.queue_depth = 32;
    config.buffer.acknowledge = Acknowledge::Buffered;
    config.buffer.bytes = 256 << 10;
    config.gc.pacing = Pacing::Spread;
    fill(&mut config, 90);
    config
}

fn fills(config: &Config, length_bytes: u64, halves: u64) -> Stream {
    let mut job = Job::new("fill", Direction::Write);
    job.write_sizes = BlockSizes { align_bytes: length_bytes, ..BlockSizes::fixed(length_bytes) };
    job.queue_depth = 8;
    job.size_bytes = config.capacity.user_bytes / length_bytes * length_bytes;
    job.io_bytes = job.size_bytes * halves / 2 / length_bytes * length_bytes;
    Stream { jobs: vec![job], slices: [1_000_000; 2], keeps_jobs: false }
}

#[test]
fn most_of_a_stream_in_order_is_passed_over_fresh_and_when_blocks_are_collected() {
    let config = modern();
    for (length_bytes, halves) in [(32 << 10, 2), (32 << 10, 5), (128 << 10, 5)] {
        let (passed, requests) = compare(&config, &fills(&config, length_bytes, halves));
        assert!(passed * 2 > requests, "{passed} of {requests} of {length_bytes} B");
    }
}

#[test]
fn a_stream_on_a_drive_with_parity_is_passed_over_too() {
    for (stripe_pages, superblock, latencies) in [(8, false, 1), (5, true, 1), (4, false, 2), (3, true, 2)] {
        let mut config = modern();
        config.parity.stripe_pages = stripe_pages;
        config.geometry.superblock = superblock;
        config.geometry.blocks_per_plane = 32;
        config.timing.program_latencies_ns = vec![300_000, 900_000][..latencies].to_vec();
        fill(&mut config, 80);
        let (passed, requests) = compare(&config, &fills(&config, 32 << 10, 2));
        assert!(passed * 3 > requests, "{passed} of {requests} with stripes of {stripe_pages}");
    }
}

#[test]
fn a_stream_past_a_buffer_with_few_fine_tables_is_passed_over_too() {
    let mut config = modern();
    config.mapping.unit_bytes = 4096;
    config.buffer.flush_order = FlushOrder::Sorted;
    config.buffer.past_from_bytes = 32 << 10;
    let (region_bytes, merge_bytes) = (16 << 10, 48 << 10);
    config.fine_map = Some(FineMapSettings { region_bytes, region_count: 4, gather_delay_ns: 0, merge_bytes });
    config.timing.pslc =
        Some(PslcTiming { read_latency_ns: 20_000, program_latency_ns: 200_000, erase_latency_ns: 1_000_000 });
    let (when_full, fold_delay_ns) = (WhenFull::Reclaim, 1_000_000_000);
    config.pslc =
        Some(Pslc { bits_per_cell: 2, static_block_count: 0, dynamic_keep_free_blocks: 8, when_full, fold_delay_ns });
    let (passed, requests) = compare(&config, &fills(&config, 32 << 10, 4));
    assert!(passed * 3 > requests, "{passed} of {requests}");
}
