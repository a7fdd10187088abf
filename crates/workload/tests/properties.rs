//! What holds for every list of jobs: random jobs on tiny drives.

mod model_drives;

use flashscope_drive::RequestKind;
use flashscope_workload::{
    BlockSizes, Direction, Distribution, DistributionKind, Job, RateProcess, Run, WorkloadResult,
};
use model_drives::{ModelDrive, Seen, scattered_latency_ns};
use proptest::prelude::*;

const USER_BYTES: u64 = 1 << 20;
const INTERVAL_NS: u64 = 5000;
const REQUESTS_MAX: u64 = 20_000;

fn direction() -> impl Strategy<Value = Direction> {
    use Direction::*;
    prop::sample::select(vec![Read, Write, Trim, RandRead, RandWrite, RandTrim, Rw, RandRw, TrimWrite, RandTrimWrite])
}

fn sizes(align_sectors: u64) -> impl Strategy<Value = BlockSizes> {
    let align_bytes = align_sectors * 512;
    prop_oneof![
        (1_u64..33).prop_map(move |sectors| BlockSizes { align_bytes, ..BlockSizes::fixed(sectors * 512) }),
        (1_u64..9, 0_u64..25, 1_u32..100).prop_map(move |(low, more, weight)| BlockSizes {
            weighted: vec![(low * 512, weight.into()), ((low + more) * 512, f64::from(100 - weight))],
            range_bytes: None,
            align_bytes,
        }),
        (1_u64..9, 0_u64..25).prop_map(move |(low, more)| BlockSizes {
            weighted: vec![],
            range_bytes: Some((low * 512, (low + more) * 512)),
            align_bytes,
        }),
    ]
}

fn distribution() -> impl Strategy<Value = Distribution> {
    let of = |kind, theta, zones| Distribution { kind, theta, zones };
    prop_oneof![
        3 => Just(of(DistributionKind::Uniform, 0.0, vec![])),
        1 => (0.1_f64..0.9).prop_map(move |theta| of(DistributionKind::Zipf, theta, vec![])),
        1 => (0.1_f64..0.9).prop_map(move |theta| of(DistributionKind::Pareto, theta, vec![])),
        1 => (0.0_f64..100.0, 1.0_f64..99.0).prop_map(move |(access, span)| {
            of(DistributionKind::Zoned, 0.0, vec![(access, span), (100.0 - access, 100.0 - span)])
        }),
    ]
}

prop_compose! {
    fn job()(align_sectors in 1_u64..17)(
        direction in direction(),
        read_sizes in sizes(align_sectors),
        write_sizes in sizes(align_sectors),
        trim_sizes in sizes(align_sectors),
        distribution in distribution(),
        (offset_sectors, size_sectors) in (0_u64..500, 64_u64..500),
        io_sectors in prop_oneof![Just(0_u64), 1_u64..2000],
        (runtime_ns, time_based) in prop_oneof![Just((0, false)), (1000_u64..200_000, any::<bool>())],
        (queue_depth, random_map, seed) in (1_u32..20, any::<bool>(), any::<u64>()),
        write_rate in prop_oneof![2 => Just(0_u64), 1 => 1_000_000_u64..100_000_000],
        (thinktime_ns, thinktime_blocks) in prop_oneof![2 => Just((0_u64, 1_u64)), 1 => (1_u64..5000, 1_u64..20)],
        group in 0_u32..3,
    ) -> Job {
        Job {
            name: "j".to_owned(), direction, read_sizes, write_sizes, trim_sizes, read_share_ratio: 0.6,
            offset_bytes: offset_sectors * 512, size_bytes: size_sectors * 512, io_bytes: io_sectors * 512,
            runtime_ns, time_based, queue_depth, random_map, distribution,
            rate_bytes_per_second: [0, write_rate, 0], rate_requests_per_second: [0; 3], rate_process: RateProcess::Linear,
            thinktime_ns, thinktime_blocks, compressible_ratio: 0.0, zero_buffers: false, end_fsync: false, group, seed,
        }
    }
}

/// Runs the jobs in slices of the given sizes, taken in turn.
fn run(jobs: &[Job], seed: u64, slices: &[u64]) -> (WorkloadResult, Vec<Seen>, usize) {
    let mut drive = ModelDrive::new(USER_BYTES, scattered_latency_ns);
    let mut run = Run::new(jobs, seed, INTERVAL_NS, USER_BYTES, 512).unwrap();
    let mut budgets = slices.iter().cycle();
    while !run.advance(&mut drive, *budgets.next().unwrap()) {
        assert!(run.progress().requests < 10 * REQUESTS_MAX, "the run does not end");
    }
    assert_eq!(run.progress().requests, drive.seen.len() as u64);
    (run.result(), drive.seen, drive.outstanding_max)
}

fn index(kind: RequestKind) -> usize {
    match kind {
        RequestKind::Read => 0,
        RequestKind::Write => 1,
        RequestKind::Trim => 2,
        RequestKind::Flush => panic!("no job flushes"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn slices_do_not_change_the_run(
        jobs in prop::collection::vec(job(), 1..4),
        seed: u64,
        slices in prop::collection::vec(1_u64..50, 1..5),
    ) {
        let (whole, whole_seen, _) = run(&jobs, seed, &[u64::MAX]);
        let (sliced, sliced_seen, _) = run(&jobs, seed, &slices);
        prop_assert_eq!(whole_seen, sliced_seen);
        prop_assert_eq!(whole, sliced);
    }

    #[test]
    fn the_books_hold_exactly_what_the_drive_saw(jobs in prop::collection::vec(job(), 1..4), seed: u64) {
        let (result, seen, _) = run(&jobs, seed, &[u64::MAX]);
        let start_ns = seen.first().map_or(0, |first| first.submitted_ns);
        for kind in 0..3 {
            let own: Vec<&Seen> = seen.iter().filter(|seen| index(seen.request.kind) == kind).collect();
            prop_assert_eq!(result.requests[kind], own.len() as u64);
            prop_assert_eq!(result.latency[kind].total(), own.len() as u64);
            prop_assert_eq!(result.bytes[kind], own.iter().map(|seen| seen.request.length_bytes).sum::<u64>());
            for (row, &end_ns) in result.series.elapsed_ns.iter().enumerate() {
                let begin_ns = row as u64 * INTERVAL_NS;
                let in_row = own.iter().filter(|seen| {
                    let elapsed_ns = seen.completed_ns - start_ns;
                    (elapsed_ns > begin_ns || elapsed_ns == 0) && elapsed_ns <= end_ns
                });
                prop_assert_eq!(result.series.requests[kind][row], in_row.count() as u64);
            }
        }
        let last_ns = seen.iter().map(|seen| seen.completed_ns).max().unwrap_or(start_ns);
        prop_assert_eq!(result.duration_ns, last_ns - start_ns);
        prop_assert_eq!(result.series.elapsed_ns.last().copied().unwrap_or(0), result.duration_ns);
    }

    #[test]
    fn requests_lie_inside_the_span_on_sectors_and_on_their_grid(job in job(), seed: u64) {
        let (_, seen, outstanding_max) = run(std::slice::from_ref(&job), seed, &[u64::MAX]);
        prop_assert!(outstanding_max <= job.queue_depth as usize);
        for Seen { request, .. } in seen {
            let start_bytes = request.offset_bytes - job.offset_bytes;
            prop_assert!(request.length_bytes > 0 && start_bytes + request.length_bytes <= job.size_bytes);
            prop_assert!(request.offset_bytes.is_multiple_of(512) && request.length_bytes.is_multiple_of(512));
            if job.direction.is_random() {
                prop_assert!(start_bytes.is_multiple_of(job.read_sizes.align_bytes));
            }
        }
    }

    #[test]
    fn the_same_seed_repeats_the_run_and_the_bytes_asked_for_are_moved(job in job(), seed: u64) {
        let (first, first_seen, _) = run(std::slice::from_ref(&job), seed, &[u64::MAX]);
        let (second, second_seen, _) = run(std::slice::from_ref(&job), seed, &[u64::MAX]);
        prop_assert_eq!(first_seen, second_seen);
        let trimwrite = matches!(job.direction, Direction::TrimWrite | Direction::RandTrimWrite);
        let moved: u64 = if trimwrite { second.bytes[1] } else { second.bytes.iter().sum() };
        prop_assert_eq!(&first, &second);
        if job.runtime_ns == 0 && job.io_bytes > 0 {
            // The last request may go beyond; a rest smaller than the largest request may be left.
            let largest = [&job.read_sizes, &job.write_sizes, &job.trim_sizes]
                .map(BlockSizes::largest_bytes).into_iter().max().unwrap();
            prop_assert!(moved.abs_diff(job.io_bytes) < largest.max(job.read_sizes.align_bytes), "{}", moved);
        }
    }
}
