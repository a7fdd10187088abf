//! One drive under one load, measured.
//!
//! ```text
//!   build --> bring into its state --> window --> window --> window        each window: CPU time, counters
//!                (not measured)        \_______ the fastest counts _______/
//! ```
//!
//! Disturbance can only add time, so the fastest window is the best estimate of what the code costs.

use crate::cases::Case;
use crate::clock::{cpu_seconds, memory_peak_bytes};
use crate::line::Line;
use crate::window::Window;
use flashscope_drive::{Counters, Drive, Ssd};
use flashscope_workload::{Run, read_jobs};

/// Measure a case with one drive.
pub fn measure(case: &Case) -> Line {
    let mut windows = vec![];
    let mut drive_bytes = 0;
    for _ in 0..case.repeats.0 {
        let mut drive = build(case, 1);
        bring_into_its_state(&mut drive, case);
        windows.extend((0..case.repeats.1).map(|_| window(&mut drive, case)));
        drive_bytes = drive.memory_bytes();
    }
    let best = windows.iter().min_by(|a, b| a.cpu_ns_each().total_cmp(&b.cpu_ns_each()));
    Line { memory_peak_bytes: memory_peak_bytes(), ..Line::new(case, best.expect("a case has a window"), drive_bytes) }
}

/// The drive of a case, new.
pub fn build(case: &Case, seed: u64) -> Ssd {
    Ssd::new(case.config.clone(), seed).expect("the case's drive can be built")
}

/// Run the loads that come before the measured load.
pub fn bring_into_its_state(drive: &mut Ssd, case: &Case) {
    for &load in &case.before {
        play(drive, &case.job(load));
    }
}

/// Run the measured load once.
pub fn window(drive: &mut Ssd, case: &Case) -> Window {
    let before = drive.counters();
    let start = cpu_seconds();
    play(drive, &case.job(case.window));
    let cpu_seconds = cpu_seconds() - start;
    let after = drive.counters();
    let grown = |counter: fn(&Counters) -> u64| counter(&after) - counter(&before);
    Window {
        cpu_seconds,
        programs: grown(|counters| counters.host_programmed_pages + counters.gc_programmed_pages),
        requests: grown(|counters| counters.host.read_requests + counters.host.write_requests),
        host_written_bytes: grown(|counters| counters.host.written_bytes),
        nand_written_bytes: grown(|counters| counters.nand_written_bytes),
    }
}

fn play(drive: &mut Ssd, jobs: &str) {
    let jobs = read_jobs(jobs).expect("the case's jobs can be read");
    // A seed that differs from the preparation's: a window that repeats its preparation would find it already sorted.
    let seed = drive.now_ns();
    let mut run = Run::new(&jobs, seed, 1_000_000_000, drive.user_bytes(), drive.sector_bytes())
        .expect("the case's jobs fit its drive");
    assert!(run.advance(drive, u64::MAX), "a run without a budget goes to its end");
    assert_eq!(run.result().failed_requests, 0, "no request of a benchmark fails");
}
