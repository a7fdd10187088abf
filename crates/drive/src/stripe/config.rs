//! What a stripe is built from, besides its members, and the check of these values.

use crate::config_error::{ConfigError, require};
use crate::request::Drive;
use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// The host's controller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Rate of the bus, which the data of all members shares [bytes/s].
    pub bytes_per_second: u64,
    /// Time of the controller for each command that it passes to a member; 0 if the drives' own links are the only
    /// limit.
    pub command_cost_ns: u64,
    /// The longest command that it passes to a member [bytes]; longer ones become several, one after another. 0: no
    /// limit.
    #[serde(default)]
    pub command_bytes_max: u64,
}

/// Everything a stripe is built from, besides its members.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Consecutive bytes on one member before the next member follows.
    pub chunk_bytes: u64,
    /// The host's controller.
    pub host: Host,
}

impl Config {
    /// Check every value, alone and against the members; the first contradiction is returned.
    pub fn check<D: Drive>(&self, members: &[D]) -> Result<(), ConfigError> {
        let count = members.len();
        require("stripe.members", count, (1..=64).contains(&count), || "1 to 64 drives".into())?;
        let same_time = members.iter().all(|member| member.now_ns() == members[0].now_ns());
        require("stripe.members", "drives of different age in virtual time", same_time, || {
            "drives that are all at the same time; leave the younger ones idle until then".into()
        })?;
        let sector = members.iter().map(Drive::sector_bytes).max().unwrap_or(1);
        let smallest = members.iter().map(Drive::user_bytes).min().unwrap_or(0);
        let chunk = self.chunk_bytes;
        let fits = chunk > 0 && chunk.is_multiple_of(sector) && chunk <= smallest;
        require("stripe.chunk_bytes", chunk, fits, || {
            format!("a positive multiple of the sector of {sector} B, at most the smallest member's {smallest} B")
        })?;
        let rate = self.host.bytes_per_second;
        require("stripe.host.bytes_per_second", rate, (1_000..=1_000_000_000_000).contains(&rate), || {
            "1 KB/s to 1 TB/s".into()
        })?;
        let longest = self.host.command_bytes_max;
        require("stripe.host.command_bytes_max", longest, longest.is_multiple_of(sector), || {
            format!("0 (no limit), or a multiple of the sector of {sector} B")
        })?;
        let cost = self.host.command_cost_ns;
        require("stripe.host.command_cost_ns", cost, cost <= 1000 * SECOND_NS, || "0 to 1000 s".into())
    }
}
