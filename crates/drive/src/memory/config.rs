//! What a drive of memory is built from, and the check of these values.

use crate::config_error::{ConfigError, require};
use crate::host::Link;
use crate::request::SECTOR_BYTES;
use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// Everything a drive of memory is built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name of the part.
    pub name: String,
    /// Model as the drive reports it.
    pub model: String,
    /// Firmware revision as the drive reports it.
    pub firmware: String,
    /// Capacity shown to the host [bytes].
    pub user_bytes: u64,
    /// Rate of the memory bus, as the data sheet of its modules states it (a DDR2-800 module: 6.4 GB/s).
    pub bytes_per_second: u64,
    /// How often each byte that is read crosses that bus: 2 for a copy by the processor, 1 for a controller.
    pub read_passes: u32,
    /// How often each byte that is written crosses it: 3 for a copy that first reads the destination into the cache.
    pub write_passes: u32,
    /// Time of the server for each command, whatever the command is.
    pub command_cost_ns: u64,
    /// Number of commands that are served at the same time.
    pub server_count: u32,
    /// The link to the host; `None` (or left out) for a RAM disk in the host's own memory.
    #[serde(default)]
    pub link: Option<Link>,
}

impl Config {
    /// Check every value; the first contradiction is returned.
    pub fn check(&self) -> Result<(), ConfigError> {
        let user = self.user_bytes;
        require("memory.user_bytes", user, user > 0 && user.is_multiple_of(SECTOR_BYTES), || {
            format!("a positive multiple of {SECTOR_BYTES} B")
        })?;
        let rate = self.bytes_per_second;
        require("memory.bytes_per_second", rate, (1_000..=1_000_000_000_000_000).contains(&rate), || {
            "1 KB/s to 1 PB/s".into()
        })?;
        for (key, passes) in [("memory.read_passes", self.read_passes), ("memory.write_passes", self.write_passes)] {
            require(key, passes, (1..=8).contains(&passes), || "1 to 8".into())?;
        }
        let cost = self.command_cost_ns;
        require("memory.command_cost_ns", cost, (1..=1000 * SECOND_NS).contains(&cost), || {
            "1 ns to 1000 s; nothing is free".into()
        })?;
        require("memory.server_count", self.server_count, (1..=1024).contains(&self.server_count), || {
            "1 to 1024".into()
        })?;
        match &self.link {
            Some(link) => link.check("memory.link.bytes_per_second", "memory.link.queue_depth"),
            None => Ok(()),
        }
    }
}
