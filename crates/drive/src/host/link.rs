//! The link to the host, with the settings of a part.

use crate::config_error::{ConfigError, require};
use serde::{Deserialize, Serialize};

/// The way from the host to the controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Data rate of the link [bytes/s].
    pub bytes_per_second: u64,
    /// Time that the controller is busy with each command, whatever the command is.
    pub command_cost_ns: u64,
    /// Number of commands that the drive accepts at a time; 1 means that it does not queue.
    pub queue_depth: u32,
    /// Longest time that an idle controller holds a command back to see whether more come; 0 means never.
    #[serde(default)]
    pub gather_ns: u64,
    /// Number of commands at which it waits no longer; 0 when `gather_ns` is 0.
    #[serde(default)]
    pub gather_requests: u32,
    /// True when data of reads and of writes cross the link at the same time (PCIe); otherwise they share it (SATA).
    #[serde(default)]
    pub full_duplex: bool,
}

impl Link {
    /// Check what every kind of drive requires of a link. The keys are the kind's names for its rate and its queue.
    pub(crate) fn check(&self, rate_key: &'static str, depth_key: &'static str) -> Result<(), ConfigError> {
        let rate = self.bytes_per_second;
        require(rate_key, rate, (1_000..=1_000_000_000_000).contains(&rate), || "1 KB/s to 1 TB/s".into())?;
        let depth = self.queue_depth;
        require(depth_key, depth, (1..=65_536).contains(&depth), || "1 to 65536".into())
    }
}
