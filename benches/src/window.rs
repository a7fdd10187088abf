//! A measured part of a load: what it cost and what it did.

/// What one window cost and did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Window {
    /// CPU time [s].
    pub cpu_seconds: f64,
    /// Pages programmed.
    pub programs: u64,
    /// Requests answered.
    pub requests: u64,
    /// Bytes that the host wrote.
    pub host_written_bytes: u64,
    /// Bytes programmed.
    pub nand_written_bytes: u64,
}

impl Window {
    /// CPU time per program, or per request where nothing was programmed [ns].
    pub fn cpu_ns_each(&self) -> f64 {
        self.cpu_seconds * 1e9 / self.programs.max(self.requests) as f64
    }
}
