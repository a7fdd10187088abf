//! The settings: what a read may overtake. How it overtakes is in `overtaking.rs`.

use serde::{Deserialize, Serialize};

/// How often one program, or the erase of one block, can be suspended.
pub const SUSPENSION_COUNT_MAX: u32 = 4;

/// What a read may overtake. All off: a bank works strictly in the order of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scheduling {
    /// A read is served before everything that waits, and between two pages of a collection.
    pub read_priority: bool,
    /// A read suspends a program under way; implies `read_priority`.
    pub program_suspend: bool,
    /// A read suspends an erase under way; implies `read_priority`.
    pub erase_suspend: bool,
    /// From the suspend command to the moment the bank can sense.
    pub suspend_latency_ns: u64,
}

impl Scheduling {
    /// True when reads may overtake anything.
    pub fn reads_overtake(&self) -> bool {
        self.read_priority || self.program_suspend || self.erase_suspend
    }
}
