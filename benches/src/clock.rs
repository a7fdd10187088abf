//! What a process has used: CPU time and memory.
//!
//! CPU time and not wall time, since machines are shared and noisy. It still grows when a neighbour evicts
//! our cache lines, which is why the fastest of several windows is reported.

use rustix::time::{ClockId, clock_gettime};

/// CPU time of the process, all its threads together [s].
pub fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

/// Largest memory of the process so far [bytes]; 0 where the system does not report it.
pub fn memory_peak_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).map_or(0, |kib| kib * 1024)
}
