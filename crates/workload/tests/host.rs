//! Requests that cost time on the host: against the closed forms of a thread and its queue.

mod model_drives;

use flashscope_workload::{Direction, HostCosts, Job, Run, WorkloadResult};
use model_drives::{ModelDrive, Seen, scattered_latency_ns};

const MIB: u64 = 1 << 20;
const START_NS: u64 = 1_000_000;
const DRIVE_NS: u64 = 50_000;
const HOST: HostCosts =
    HostCosts { submission_ns: 1000, page_ns: 200, wake_up_ns: 3000, completion_ns: 800, requests_under_way_max: 0 };
/// Processor time of a request of one page [ns].
const REQUEST_NS: u64 = 1000 + 200 + 800;

fn reads(count: u64, queue_depth: u32) -> Job {
    let io_bytes = count * 4096;
    Job { io_bytes, queue_depth, random_map: false, ..Job::new("reads", Direction::RandRead) }
}

fn run_on(host: HostCosts, jobs: &[Job]) -> (WorkloadResult, Vec<Seen>) {
    let mut drive = ModelDrive::new(MIB, |_, _| DRIVE_NS);
    let mut run = Run::new(jobs, 1, 1_000_000, MIB, 512).unwrap();
    run.run_on(host);
    assert!(run.advance(&mut drive, u64::MAX));
    (run.result(), drive.seen)
}

/// Never faster than the thread; a little slower at the start, when there is no answer to take yet, and at the end.
fn bound_by_the_thread(per_request_ns: f64) -> bool {
    (1.0..1.02).contains(&(per_request_ns / REQUEST_NS as f64))
}

#[test]
fn at_depth_one_a_request_takes_the_times_of_the_host_and_of_the_drive_one_after_the_other() {
    let (result, seen) = run_on(HOST, &[reads(100, 1)]);
    let each_ns = REQUEST_NS + 3000 + DRIVE_NS;
    assert_eq!(result.duration_ns, 100 * each_ns);
    assert_eq!((result.latency[0].min_ns(), result.latency[0].max_ns()), (each_ns, each_ns));
    assert_eq!(seen[0].submitted_ns, START_NS + 1200);
    assert_eq!(seen[1].submitted_ns, START_NS + each_ns + 1200);
}

#[test]
fn a_deep_queue_is_served_as_fast_as_one_thread_can_work() {
    let (result, _) = run_on(HOST, &[reads(10_000, 64)]);
    let per_request_ns = result.duration_ns as f64 / 10_000.0;
    assert!(bound_by_the_thread(per_request_ns), "{per_request_ns} ns a request");
    // Little's law: what is under way, divided by the rate, is what a request takes.
    let mean_ns = result.latency[0].sum_ns() as f64 / 10_000.0;
    assert!((mean_ns / (64.0 * per_request_ns) - 1.0).abs() < 0.02, "{mean_ns} ns from begin to seen");
}

#[test]
fn a_shallow_queue_is_bound_by_the_drive_and_not_by_the_thread() {
    let (result, _) = run_on(HOST, &[reads(8_000, 8)]);
    let per_request_ns = result.duration_ns as f64 / 8_000.0;
    let (least_ns, most_ns) = ((REQUEST_NS + DRIVE_NS) as f64 / 8.0, (8 * REQUEST_NS + 3000 + DRIVE_NS) as f64 / 8.0);
    assert!((least_ns..most_ns).contains(&per_request_ns), "{per_request_ns} ns a request");
}

#[test]
fn each_job_is_a_thread_of_its_own() {
    let jobs: Vec<Job> = (0..4).map(|number| Job { seed: number, ..reads(5_000, 64) }).collect();
    let (four, _) = run_on(HOST, &jobs);
    let (one, _) = run_on(HOST, &jobs[..1]);
    assert!((four.duration_ns as f64 / one.duration_ns as f64 - 1.0).abs() < 0.01);
    assert_eq!(four.requests[0], 20_000);
}

#[test]
fn pages_are_paid_one_by_one_and_a_trim_has_none() {
    let large = flashscope_workload::BlockSizes::fixed(64 << 10);
    let read = Job { io_bytes: 64 << 10, read_sizes: large.clone(), ..Job::new("r", Direction::Read) };
    assert_eq!(run_on(HOST, &[read]).0.duration_ns, 1000 + 16 * 200 + DRIVE_NS + 3000 + 800);
    let trim = Job { io_bytes: 64 << 10, trim_sizes: large, ..Job::new("t", Direction::Trim) };
    assert_eq!(run_on(HOST, &[trim]).0.duration_ns, 1000 + DRIVE_NS + 3000 + 800);
}

#[test]
fn a_host_that_keeps_one_request_under_way_makes_every_job_wait_for_each_answer() {
    let synchronous = HostCosts { requests_under_way_max: 1, ..HOST };
    let (deep, _) = run_on(synchronous, &[reads(100, 32)]);
    let (alone, _) = run_on(HOST, &[reads(100, 1)]);
    assert_eq!(deep.duration_ns, alone.duration_ns);
}

#[test]
fn requests_at_a_rate_keep_it_as_long_as_the_thread_can() {
    let rated = |requests_per_second| Job { rate_requests_per_second: [requests_per_second, 0, 0], ..reads(5_000, 64) };
    let (slow, seen) = run_on(HOST, &[rated(10_000)]);
    assert!((slow.duration_ns as f64 / 0.5e9 - 1.0).abs() < 0.01, "{} ns", slow.duration_ns);
    assert_eq!(seen[7].submitted_ns, START_NS + 7 * 100_000 + 1200, "the thread sleeps until a request is due");
    assert_eq!(slow.latency[0].max_ns(), REQUEST_NS + 3000 + DRIVE_NS);
    let (fast, _) = run_on(HOST, &[rated(5_000_000)]);
    assert!(bound_by_the_thread(fast.duration_ns as f64 / 5_000.0), "{} ns", fast.duration_ns);
}

#[test]
fn a_host_without_costs_changes_nothing() {
    let free = HostCosts { submission_ns: 0, page_ns: 0, wake_up_ns: 0, completion_ns: 0, requests_under_way_max: 0 };
    let jobs = [
        Job { thinktime_ns: 700, thinktime_blocks: 3, end_fsync: true, ..reads(300, 4) },
        Job { group: 1, ..Job::new("writes", Direction::RandWrite) },
    ];
    let with_and_without = [true, false].map(|on_host| {
        let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
        let mut run = Run::new(&jobs, 1, 1000, MIB, 512).unwrap();
        if on_host {
            run.run_on(free);
        }
        while !run.advance(&mut drive, 7) {}
        (run.result(), drive.seen)
    });
    assert_eq!(with_and_without[0], with_and_without[1]);
}

#[test]
fn a_run_that_is_stopped_has_seen_every_answer() {
    let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
    let mut run = Run::new(&[reads(1_000, 16), reads(1_000, 16)], 1, 1000, MIB, 512).unwrap();
    run.run_on(HOST);
    assert!(!run.advance(&mut drive, 333));
    run.stop(&mut drive);
    assert_eq!(run.progress().requests, drive.seen.len() as u64);
    assert_eq!(run.result().requests[0], drive.seen.len() as u64);
    assert!(run.advance(&mut drive, u64::MAX));
    assert_eq!(run.result().requests[0], drive.seen.len() as u64, "nothing more is submitted");
}

#[test]
fn a_drive_that_ends_a_job_ends_it_on_a_host_too() {
    let mut drive = ModelDrive::new(MIB, |_, _| DRIVE_NS);
    drive.full_from = 10;
    let mut run = Run::new(&[reads(100, 4)], 1, 1000, MIB, 512).unwrap();
    run.run_on(HOST);
    assert!(run.advance(&mut drive, u64::MAX));
    let result = run.result();
    assert_eq!((result.requests[0], result.ended.len()), (10, 1));
    assert_eq!(result.failed_requests, drive.seen.len() as u64 - 10);
}

#[test]
fn slices_change_no_result() {
    let jobs = [reads(500, 16), Job { group: 1, ..reads(500, 3) }];
    let sliced = |budget| {
        let mut drive = ModelDrive::new(MIB, scattered_latency_ns);
        let mut run = Run::new(&jobs, 1, 1000, MIB, 512).unwrap();
        run.run_on(HOST);
        while !run.advance(&mut drive, budget) {}
        (run.result(), drive.seen)
    };
    assert_eq!(sliced(1), sliced(u64::MAX));
}
