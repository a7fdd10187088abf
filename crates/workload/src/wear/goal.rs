//! When wearing a drive out is to stop.

use flashscope_drive::Ssd;

/// When to stop.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goal {
    /// When the host has written this much in all [bytes].
    pub host_written_bytes: Option<u64>,
    /// When the blocks in use have this many cycles on average.
    pub erase_count_mean: Option<f64>,
}

/// True when the drive has reached the goal.
pub(super) fn is_reached(drive: &Ssd, goal: Goal) -> bool {
    let bytes = drive.counters().host.written_bytes;
    goal.host_written_bytes.is_some_and(|wanted| bytes >= wanted)
        || goal.erase_count_mean.is_some_and(|wanted| drive.erase_count_mean() >= wanted)
}
