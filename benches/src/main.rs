//! Speed of the timed core: flash programs per CPU-second, a line per case.
//!
//! CPU time of the process, not wall time: machines are shared and noisy. Each case is run three times and
//! the fastest one is printed, since disturbance only ever adds.

mod cases;

use cases::{Case, all};
use flashscope_drive::{Drive, Ssd};
use flashscope_workload::{Run, read_jobs};
use rustix::time::{ClockId, clock_gettime};

const REPEATS: usize = 3;

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Most memory the process has held [bytes], 0 where the system does not say.
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}

struct Measured {
    programs: u64,
    host_bytes: u64,
    nand_bytes: u64,
    seconds: f64,
    drive_bytes: usize,
}

/// Bring the drive into its state, then measure the window.
fn measure(case: &Case) -> Measured {
    let mut drive = Ssd::new(case.config.clone(), 1).expect("the case's drive can be built");
    for jobs in &case.before {
        play(&mut drive, jobs);
    }
    let before = drive.counters();
    let start = cpu_seconds();
    play(&mut drive, &case.window);
    let seconds = cpu_seconds() - start;
    let after = drive.counters();
    Measured {
        programs: (after.host_programmed_pages + after.gc_programmed_pages)
            - (before.host_programmed_pages + before.gc_programmed_pages),
        host_bytes: after.host_written_bytes - before.host_written_bytes,
        nand_bytes: after.nand_written_bytes - before.nand_written_bytes,
        seconds,
        drive_bytes: drive.memory_bytes(),
    }
}

fn play(drive: &mut Ssd, jobs: &str) {
    let jobs = read_jobs(jobs).expect("the case's jobs can be read");
    // Another seed than before: a window that repeats its preparation would find it already sorted.
    let seed = drive.now_ns();
    let mut run = Run::new(&jobs, seed, 1_000_000_000, drive.user_bytes(), drive.sector_bytes())
        .expect("the case's jobs fit its drive");
    assert!(run.advance(drive, u64::MAX));
    assert_eq!(run.result().failed_requests, 0, "no request of a benchmark fails");
}

fn main() {
    for case in all() {
        let runs: Vec<_> = (0..REPEATS).map(|_| measure(&case)).collect();
        let best = runs.iter().min_by(|a, b| a.seconds.total_cmp(&b.seconds)).expect("at least one run");
        let pages = case.config.geometry.raw_bytes() / u64::from(case.config.geometry.programmed_page_bytes());
        println!(
            "{:<16} {:5.1} M programs/CPU-s   {:5.1} ns each   write amplification {:.3}   {:.1} B/page   peak {} MiB",
            case.name,
            best.programs as f64 / best.seconds / 1e6,
            best.seconds * 1e9 / best.programs as f64,
            best.nand_bytes as f64 / best.host_bytes as f64,
            best.drive_bytes as f64 / pages as f64,
            peak_memory_bytes() >> 20,
        );
    }
}
