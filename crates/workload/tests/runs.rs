//! Whole runs against tiny drives: order, queue depth, ends, pacing, groups, books.

mod model_drives;

use flashscope_drive::{Drive as _, RequestKind};
use flashscope_kernel::time::END_NS;
use flashscope_workload::{BlockSizes, Direction, Job, RateProcess, Run, WorkloadResult};
use model_drives::{ModelDrive, Seen, scattered_latency_ns};

const MIB: u64 = 1 << 20;
const START_NS: u64 = 1_000_000;

fn run(jobs: &[Job], latency_ns: u64) -> (WorkloadResult, Vec<Seen>) {
    let mut drive = ModelDrive::new(MIB, |_, _| latency_ns);
    let mut run = Run::new(jobs, 1, 1_000_000, MIB, 512).unwrap();
    assert!(run.advance(&mut drive, 1_000_000));
    (run.result(), drive.seen)
}

fn submitted_ns(seen: &[Seen]) -> Vec<u64> {
    seen.iter().map(|seen| seen.submitted_ns - START_NS).collect()
}

#[test]
fn at_depth_one_each_request_waits_for_the_one_before() {
    let job = Job { size_bytes: 16384, ..Job::new("j", Direction::Write) };
    let (result, seen) = run(&[job], 100);
    assert_eq!(submitted_ns(&seen), vec![0, 100, 200, 300]);
    assert_eq!(result.duration_ns, 400);
    assert_eq!(
        result.latency_by_kind().map(|(kind, latency)| (kind, latency.sum_ns())).collect::<Vec<_>>(),
        vec![("write", 400)]
    );
}

#[test]
fn a_job_that_asks_for_it_ends_with_a_flush_whose_time_counts() {
    let flushed = Job { size_bytes: 16384, queue_depth: 2, end_fsync: true, ..Job::new("j", Direction::Write) };
    let (result, seen) = run(std::slice::from_ref(&flushed), 100);
    assert_eq!(submitted_ns(&seen), vec![0, 0, 100, 100, 200]);
    assert_eq!(seen.last().unwrap().request.kind, RequestKind::Flush);
    assert_eq!(result.duration_ns, 300);
    assert_eq!((result.requests, result.latency[1].sum_ns()), ([0, 4, 0], 400), "a flush is no write");
    let then_read = Job { size_bytes: 4096, group: 1, ..Job::new("r", Direction::Read) };
    let (_, seen) = run(&[flushed, then_read], 100);
    assert_eq!(submitted_ns(&seen), vec![0, 0, 100, 100, 200, 300], "the next group waits for it");
}

#[test]
fn a_drive_is_told_ahead_where_requests_will_begin_in_their_order() {
    let job = Job { queue_depth: 4, ..Job::new("j", Direction::RandWrite) };
    let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
    assert!(Run::new(&[job], 1, 1000, MIB, 512).unwrap().advance(&mut drive, 1_000));
    let mut submitted = drive.seen.iter().map(|seen| seen.request.offset_bytes);
    assert!(drive.expected_bytes.iter().all(|expected| submitted.any(|offset| offset == *expected)));
    // The first of a batch may be due at once, without notice.
    let batches = drive.seen.len().div_ceil(64);
    assert!(drive.expected_bytes.len() >= drive.seen.len() - batches, "{}", drive.expected_bytes.len());
}

#[test]
fn a_deeper_queue_is_filled_at_once_and_refilled_at_each_completion() {
    let job = Job { size_bytes: 24576, queue_depth: 3, ..Job::new("j", Direction::Write) };
    let mut drive = ModelDrive::new(MIB, |number, _| [100, 50, 70, 10, 500, 1][number as usize]);
    let mut run = Run::new(&[job], 1, 1000, MIB, 512).unwrap();
    assert!(run.advance(&mut drive, 100));
    // Completions at 100, 50, 70, then of those submitted at 50: 60, at 60: 560, at 70: 71.
    assert_eq!(submitted_ns(&drive.seen), vec![0, 0, 0, 50, 60, 70]);
    assert_eq!(run.result().duration_ns, 560);
    assert_eq!(drive.outstanding_max, 3);
}

#[test]
fn a_mixed_job_ends_at_the_first_kind_without_room_however_the_run_is_sliced() {
    // A pass that is over for reads may still have room for writes: a second request for a read must not revive the
    // job.
    let split = BlockSizes { weighted: vec![(4096, 80.0), (15360, 20.0)], range_bytes: None, align_bytes: 512 };
    let job = Job {
        read_sizes: split.clone(),
        write_sizes: split,
        size_bytes: 100_352,
        io_bytes: 2_000_384,
        queue_depth: 5,
        ..Job::new("j", Direction::Rw)
    };
    for seed in 0..200 {
        let seen = |slice| {
            let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
            let mut run = Run::new(std::slice::from_ref(&job), seed, 1000, MIB, 512).unwrap();
            while !run.advance(&mut drive, slice) {}
            drive.seen
        };
        assert_eq!(seen(1), seen(u64::MAX), "seed {seed}");
    }
}

#[test]
fn jobs_of_a_group_interleave_in_time_with_ties_in_list_order() {
    let job = |name, offset_bytes, size_bytes| Job { offset_bytes, size_bytes, ..Job::new(name, Direction::Write) };
    let jobs = [job("a", 0, 8192), job("b", 65536, 12288)];
    let (_, seen) = run(&jobs, 100);
    let order: Vec<(u64, u64)> =
        seen.iter().map(|seen| (seen.submitted_ns - START_NS, seen.request.offset_bytes / 4096)).collect();
    assert_eq!(order, vec![(0, 0), (0, 16), (100, 1), (100, 17), (200, 18)]);
}

#[test]
fn the_next_group_starts_when_the_last_request_of_the_group_before_is_complete() {
    let first = Job { size_bytes: 8192, queue_depth: 2, ..Job::new("first", Direction::Write) };
    let second = Job { size_bytes: 4096, group: 1, ..Job::new("second", Direction::Read) };
    // The order of the list does not matter, the group does.
    let (result, seen) = run(&[second, first], 100);
    assert_eq!(submitted_ns(&seen), vec![0, 0, 100]);
    assert_eq!(seen[2].request.kind, RequestKind::Read);
    assert_eq!(result.duration_ns, 200);
}

#[test]
fn no_request_is_submitted_at_or_after_the_runtime() {
    let timed = Job { runtime_ns: 1000, time_based: true, size_bytes: 8192, ..Job::new("j", Direction::Write) };
    assert_eq!(run(std::slice::from_ref(&timed), 100).1.len(), 10);
    assert_eq!(run(std::slice::from_ref(&timed), 99).1.len(), 11);
    // The job ends at whichever end comes first when time_based is not set.
    let either = Job { time_based: false, ..timed };
    assert_eq!(run(std::slice::from_ref(&either), 100).1.len(), 2);
    assert_eq!(run(std::slice::from_ref(&either), 600).1.len(), 2);
    assert_eq!(run(std::slice::from_ref(&either), 1000).1.len(), 1);
}

#[test]
fn a_rate_is_kept_within_one_per_cent_and_made_up_for_after_a_stall() {
    let paced =
        Job { rate_bytes_per_second: [0, 40_960_000, 0], queue_depth: 4, ..Job::new("j", Direction::RandWrite) };
    let (result, seen) = run(&[paced], 3000);
    // 10,000 requests/s: one every 100 us exactly.
    assert_eq!(submitted_ns(&seen)[..3], [0, 100_000, 200_000]);
    let rate = result.bytes[1] as f64 / (result.duration_ns as f64 / 1e9);
    assert!((rate / 40_960_000.0 - 1.0).abs() < 0.01, "{rate}");

    let paced = Job { rate_requests_per_second: [0, 10_000, 0], ..Job::new("j", Direction::RandWrite) };
    let mut drive = ModelDrive::new(MIB, |number, _| if number == 0 { 350_000 } else { 1000 });
    let mut run = Run::new(&[paced], 1, 1_000_000, MIB, 512).unwrap();
    run.advance(&mut drive, 6);
    assert_eq!(submitted_ns(&drive.seen), vec![0, 350_000, 351_000, 352_000, 400_000, 500_000]);
}

#[test]
fn requests_that_arrive_at_random_do_not_wait_for_those_before_them() {
    let arriving = |latency_ns: u64| {
        let job = Job {
            rate_requests_per_second: [10_000, 0, 0],
            rate_process: RateProcess::Poisson,
            queue_depth: 1000,
            ..Job::new("j", Direction::RandRead)
        };
        let mut drive = ModelDrive::new(MIB, |_, _| latency_ns);
        let mut run = Run::new(&[job], 1, 1_000_000, MIB, 512).unwrap();
        run.advance(&mut drive, 200);
        submitted_ns(&drive.seen)
    };
    let quick = arriving(1000);
    assert_eq!(quick, arriving(10_000_000), "an open system: the times of arrival are the load's alone");
    assert!(quick.windows(2).any(|pair| pair[1] - pair[0] > 200_000), "gaps of twice the mean are common");
    assert!(quick.windows(2).any(|pair| pair[1] - pair[0] < 20_000), "and so are short ones");
}

#[test]
fn a_mixed_job_keeps_the_rate_of_each_kind() {
    let job = Job {
        rate_requests_per_second: [8000, 2000, 0],
        read_share_ratio: 0.5,
        runtime_ns: 1_000_000_000,
        time_based: true,
        ..Job::new("j", Direction::RandRw)
    };
    let (result, _) = run(&[job], 1000);
    assert!(
        result.requests[0].abs_diff(8000) <= 80 && result.requests[1].abs_diff(2000) <= 20,
        "{:?}",
        result.requests
    );
}

#[test]
fn think_time_follows_each_block_of_requests_once_all_are_complete() {
    let job = Job { thinktime_ns: 1000, thinktime_blocks: 2, size_bytes: 24576, ..Job::new("j", Direction::Write) };
    assert_eq!(submitted_ns(&run(std::slice::from_ref(&job), 100).1), vec![0, 100, 1200, 1300, 2400, 2500]);
    // At depth 2 one more request is under way at the second completion; the job waits for it.
    let deeper = Job { queue_depth: 2, ..job };
    let mut drive = ModelDrive::new(MIB, |number, _| [100, 150, 100, 100, 100, 100][number as usize]);
    let mut run = Run::new(&[deeper], 1, 1000, MIB, 512).unwrap();
    run.advance(&mut drive, 4);
    // Complete: 100, 150, and at 200 the third (submitted at 100).
    assert_eq!(submitted_ns(&drive.seen), vec![0, 0, 100, 1200]);
}

#[test]
fn a_drive_without_free_blocks_ends_the_job_and_the_other_requests_are_counted() {
    let job = Job { queue_depth: 4, ..Job::new("j", Direction::RandWrite) };
    let reader = Job { size_bytes: 8192, group: 1, ..Job::new("r", Direction::Read) };
    let mut drive = ModelDrive::new(MIB, |_, _| 100);
    drive.full_from = 10;
    let mut run = Run::new(&[job, reader], 1, 1000, MIB, 512).unwrap();
    assert!(run.advance(&mut drive, 1000));
    let result = run.result();
    assert_eq!(result.requests[1], 10);
    // Requests that were under way when the first one failed fail as well; then the next group runs.
    assert_eq!(drive.seen.len() as u64, 10 + result.failed_requests);
    assert_eq!(result.ended[0].job_index, 0);
    assert_eq!(result.ended[0].elapsed_ns, 300);
    assert_eq!(result.totals()[8], ("jobs_out_of_space", 2));
}

#[test]
fn a_job_that_would_outlast_virtual_time_ends_with_it_and_says_so() {
    let job = Job { thinktime_ns: END_NS / 4, ..Job::new("j", Direction::Read) };
    let next = Job { thinktime_ns: END_NS, group: 1, ..job.clone() };
    let mut drive = ModelDrive::new(MIB, |_, _| 100);
    let mut run = Run::new(&[job, next], 1, 1000, MIB, 512).unwrap();
    assert!(run.advance(&mut drive, 1000));
    let result = run.result();
    assert_eq!(result.requests[0], 4 + 1, "one at the start, one after each rest that ends in time");
    assert_eq!(result.totals()[11], ("jobs_out_of_time", 2));
    assert!(drive.now_ns() <= END_NS + 100);
}

#[test]
fn a_stopped_run_leaves_nothing_under_way_and_its_result_is_whole() {
    let job = Job { queue_depth: 8, ..Job::new("j", Direction::RandWrite) };
    let later = Job { group: 1, ..Job::new("never", Direction::Read) };
    let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
    let mut run = Run::new(&[job.clone(), later], 1, 1000, MIB, 512).unwrap();
    assert!(!run.advance(&mut drive, 50));
    run.stop(&mut drive);
    assert_eq!((run.result().requests[1], run.progress().requests, drive.seen.len()), (50, 50, 50));
    assert!(run.advance(&mut drive, 50));
    // Another run on the same drive gets none of the first run's completions.
    let mut next = Run::new(&[job], 2, 1000, MIB, 512).unwrap();
    assert!(next.advance(&mut drive, 1000));
    assert_eq!(next.result().requests[1], 256);
}

#[test]
fn compressible_data_is_announced_to_the_drive() {
    let announced = |compressible_ratio, zero_buffers| {
        let job = Job { compressible_ratio, zero_buffers, size_bytes: 4096, ..Job::new("j", Direction::Write) };
        run(&[job], 1).1[0].request.compressible
    };
    assert_eq!((announced(0.0, false), announced(0.5, false), announced(0.0, true)), (0, 128, 255));
}

#[test]
fn jobs_that_cannot_run_are_refused_before_anything_happens() {
    let refused = |jobs: &[Job], interval_ns| Run::new(jobs, 1, interval_ns, MIB, 512).unwrap_err().to_string();
    assert!(refused(&[], 1).contains("empty"));
    assert!(refused(&[Job::new("j", Direction::Read)], 0).contains("sampling interval"));
    let deep = Job { queue_depth: 1 << 20, ..Job::new("deep", Direction::Read) };
    assert!(refused(&[deep.clone(), deep], 1).contains("add up to 2097152"));
    let too_large = Job { size_bytes: 2 * MIB, ..Job::new("big", Direction::Read) };
    assert!(refused(&[too_large], 1).starts_with("job big: size_bytes is 2097152"));
}

#[test]
fn requests_that_overtake_each_other_keep_their_own_latency() {
    let job = Job { queue_depth: 16, write_sizes: BlockSizes::fixed(512), ..Job::new("j", Direction::RandWrite) };
    let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
    let mut run = Run::new(&[job], 1, 1000, MIB, 512).unwrap();
    assert!(run.advance(&mut drive, 10_000));
    let expected: u64 = drive.seen.iter().map(|seen| seen.completed_ns - seen.submitted_ns).sum();
    assert_eq!(run.result().latency[1].sum_ns(), expected);
}
