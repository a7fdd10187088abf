//! Many small drives at once, a thread per core: how sweeps and fleets are run.
//!
//! ```text
//!   next drive: 0 1 2 3 ...      thread 0   [drive 0] [drive 3] ...
//!   (whoever is free takes it)   thread 1   [drive 1] [drive 2] ...
//! ```
//!
//! Drives share nothing, so it changes no result which thread runs which drive. The speed-up is CPU time over wall
//! time. It is below the number of cores by what the cores lose to each other in shared caches and memory, and on a
//! machine with other users also by what those users take.

use crate::cases::Case;
use crate::clock::{cpu_seconds, memory_peak_bytes};
use crate::line::{FleetLine, Line};
use crate::measure::{build, window};
use crate::window::Window;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Measure a fleet; the repeat with the shortest wall time is reported.
pub fn measure(case: &Case, drives: u64) -> Line {
    let threads = std::thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let repeats = (0..case.repeats.0).map(|_| {
        let wall = Instant::now();
        let start = cpu_seconds();
        let (windows, drive_bytes) = run(case, drives, threads);
        let total = Window { cpu_seconds: cpu_seconds() - start, ..sum(&windows) };
        (wall.elapsed().as_secs_f64(), total, drive_bytes)
    });
    let (wall_seconds, total, drive_bytes) =
        repeats.min_by(|a, b| a.0.total_cmp(&b.0)).expect("a case is run at least once");
    let fleet = FleetLine {
        drives,
        threads,
        wall_seconds,
        speed_up_ratio: total.cpu_seconds / wall_seconds,
        programs_per_wall_second: total.programs as f64 / wall_seconds,
    };
    Line { memory_peak_bytes: memory_peak_bytes(), fleet: Some(fleet), ..Line::new(case, &total, drive_bytes) }
}

/// Run all drives, each with its number as its seed. Returns what each drive did, in their order, and the memory of
/// one.
fn run(case: &Case, drives: u64, threads: u64) -> (Vec<Window>, usize) {
    let next = AtomicU64::new(0);
    let work = || {
        let mut done = vec![];
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= drives {
                return done;
            }
            let mut drive = build(case, number);
            let did = window(&mut drive, case);
            done.push((number, did, drive.memory_bytes()));
        }
    };
    let mut done: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no drive of a fleet panics")).collect()
    });
    done.sort_by_key(|&(number, ..)| number);
    let drive_bytes = done.first().map_or(0, |&(.., bytes)| bytes);
    (done.into_iter().map(|(_, window, _)| window).collect(), drive_bytes)
}

fn sum(windows: &[Window]) -> Window {
    let total = |of: fn(&Window) -> u64| windows.iter().map(of).sum();
    Window {
        cpu_seconds: 0.0,
        programs: total(|window| window.programs),
        requests: total(|window| window.requests),
        host_written_bytes: total(|window| window.host_written_bytes),
        nand_written_bytes: total(|window| window.nand_written_bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cases::all;

    #[test]
    fn what_the_drives_of_a_fleet_do_does_not_depend_on_the_number_of_threads() {
        let tiny = all().into_iter().find(|case| case.name == "tiny").expect("the tiny case exists");
        let done = |threads| -> Vec<_> {
            let (windows, _) = run(&tiny, 5, threads);
            windows.into_iter().map(|window| (window.programs, window.nand_written_bytes)).collect()
        };
        assert_eq!(done(1), done(3));
    }
}
