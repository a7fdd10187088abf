//! The write buffer, as a part states it.

use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// When a write is acknowledged.
    pub enum Acknowledge {
        /// As soon as its data is in the buffer.
        Buffered = "buffered",
        /// Only when its data is on flash: the buffer is not used for writes.
        Programmed = "programmed",
    }
}

choice! {
    /// What happens to a write that covers only part of a mapping unit.
    pub enum SubUnitWrites {
        /// It waits in the buffer like any other write.
        Buffered = "buffered",
        /// It goes past the buffer: read, changed and programmed before it is acknowledged.
        Through = "through",
        /// It does so when it is shorter than a unit. A longer one is buffered; its partly covered first and
        /// last unit are completed with their old data and programmed at once, one write's after the other's.
        MergeEnds = "merge-ends",
    }
}

/// The write buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Size; 0 means there is none.
    pub bytes: u64,
    /// When writes are acknowledged.
    pub acknowledge: Acknowledge,
    /// Where writes smaller than a unit go.
    pub sub_unit_writes: SubUnitWrites,
    /// Idle time after which what is left in the buffer is written out.
    pub idle_flush_ns: u64,
    /// The order in which it is emptied.
    #[serde(default)]
    pub flush_order: FlushOrder,
    /// Sorted: the part of the buffer that may be in use before emptying starts.
    #[serde(default = "half")]
    pub high_water_ratio: f64,
    /// The part in use at which emptying stops, and a stall until drained ends.
    #[serde(default)]
    pub low_water_ratio: f64,
    /// What a full buffer does.
    #[serde(default)]
    pub stall: Stall,
    /// Writes of so many bytes and more go past it: they are answered when they are programmed.
    #[serde(default = "never")]
    pub past_from_bytes: u64,
    /// What is in the buffer survives a power cut.
    #[serde(default)]
    pub capacitor: bool,
    /// A read needs the memory that waiting data lie in: they are written out before it.
    #[serde(default)]
    pub emptied_by_reads: bool,
}

fn never() -> u64 {
    u64::MAX
}

fn half() -> f64 {
    0.5
}
