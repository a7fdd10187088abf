//! What a read may get past: the settings. How it gets past is in `overtaking.rs`.

use serde::{Deserialize, Serialize};

/// Times one program, or the erasing of one block, is suspended at most.
pub const SUSPENSION_COUNT_MAX: u32 = 4;

/// What a read may get past. All off: a bank works strictly in the order of arrival.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scheduling {
    /// A read goes before everything that waits, and between two pages of a collection.
    pub read_priority: bool,
    /// A read stops a program under way; implies `read_priority`.
    pub program_suspend: bool,
    /// A read stops an erase under way; implies `read_priority`.
    pub erase_suspend: bool,
    /// From the suspend command to the moment the bank can sense.
    pub suspend_latency_ns: u64,
}

impl Scheduling {
    /// True when reads get past anything at all.
    pub fn reads_overtake(&self) -> bool {
        self.read_priority || self.program_suspend || self.erase_suspend
    }
}
