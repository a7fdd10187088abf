//! How long it takes to put a drive into the steady state of random writes: at once, and by writing it there.
//!
//! CPU time of the process, as everywhere in these benches. The large drive is only aged: writing it takes too long.

#[allow(dead_code, reason = "shared with the bench of all cases")]
#[path = "../drives.rs"]
mod drives;
#[allow(dead_code, reason = "shared with the bench of all cases")]
#[path = "../jobs.rs"]
mod jobs;

use flashscope_drive::{Drive, Ssd};
use flashscope_ftl::{AgedState, Overwrites};
use flashscope_workload::{Run, read_jobs};
use rustix::time::{ClockId, clock_gettime};

const STEADY: AgedState =
    AgedState { fill_ratio: 1.0, overwrites: Overwrites::Random, erase_count_mean: 0, erase_count_spread_ratio: 0.0 };

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn aged(gib: u64) -> f64 {
    let start = cpu_seconds();
    let mut drive = Ssd::new(drives::of_size(gib << 30), 1).expect("the drive can be built");
    drive.age(&STEADY).expect("the drive can be aged");
    cpu_seconds() - start
}

fn written(gib: u64) -> f64 {
    let start = cpu_seconds();
    let mut drive = Ssd::new(drives::of_size(gib << 30), 1).expect("the drive can be built");
    let user_bytes = drive.user_bytes();
    for text in [jobs::SEQUENTIAL_WRITES.job(user_bytes), jobs::RANDOM_WRITES.job(4 * user_bytes)] {
        let jobs = read_jobs(&text).expect("the jobs can be read");
        let mut run = Run::new(&jobs, drive.now_ns(), 1_000_000_000, user_bytes, 512).expect("the jobs fit");
        assert!(run.advance(&mut drive, u64::MAX));
    }
    cpu_seconds() - start
}

fn main() {
    let (at_once, by_writing) = (aged(16), written(16));
    println!(
        "16 GiB: {at_once:.2} CPU-s at once, {by_writing:.1} by writing, {:.0} times as long",
        by_writing / at_once
    );
    println!("1 TiB: {:.1} CPU-s at once, building the drive included", aged(1024));
}
