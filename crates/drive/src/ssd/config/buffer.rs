//! The write buffer, with the settings of a part.

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
        /// It bypasses the buffer: the old data is read and changed, and the unit is programmed before the write is
        /// acknowledged.
        Through = "through",
        /// It bypasses the buffer when it is shorter than a unit. A longer write is buffered; its partly covered first
        /// and last unit are completed with their old data and programmed at once, those of one write after those of
        /// the other.
        MergeEnds = "merge-ends",
    }
}

/// The write buffer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffer {
    /// Size [bytes]; 0 means that there is none.
    pub bytes: u64,
    /// When writes are acknowledged.
    pub acknowledge: Acknowledge,
    /// What happens to writes smaller than a unit.
    pub sub_unit_writes: SubUnitWrites,
    /// Idle time after which the rest of the buffer is written out.
    pub idle_flush_ns: u64,
    /// The order in which it is emptied.
    #[serde(default)]
    pub flush_order: FlushOrder,
    /// Sorted order: the part of the buffer that may be in use before emptying starts.
    #[serde(default = "half")]
    pub high_water_ratio: f64,
    /// The part in use at which emptying stops, and at which a stall until drained ends.
    #[serde(default)]
    pub low_water_ratio: f64,
    /// What happens when the buffer is full.
    #[serde(default)]
    pub stall: Stall,
    /// Writes of this size and more [bytes] bypass the buffer: they are answered when they are programmed.
    #[serde(default = "never")]
    pub past_from_bytes: u64,
    /// True when the content of the buffer survives a power cut.
    #[serde(default)]
    pub capacitor: bool,
    /// True when a read needs the memory that holds waiting data: the data is written out before the read.
    #[serde(default)]
    pub emptied_by_reads: bool,
}

fn never() -> u64 {
    u64::MAX
}

fn half() -> f64 {
    0.5
}
