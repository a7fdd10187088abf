//! Writing in order, and a moment of it in numbers, by which a drive finds that it repeats itself.
//!
//! What stands in them, and what follows from two that are equal: `ssd/repeating.rs`.

use flashscope_ftl::buffer::BufferTally;
use flashscope_ftl::translation::Tally;
use flashscope_nand::flash_array::Busy;

/// Writes of one length, one behind the other by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InOrder {
    /// Where the next one will begin.
    pub next_offset_bytes: u64,
    /// Length of each.
    pub length_bytes: u64,
}

/// A moment of writing in order.
#[derive(Clone, Debug)]
pub struct Course {
    pub(crate) at_ns: u64,
    pub(crate) writes: InOrder,
    /// The first unit that has no place yet.
    pub(crate) first_unplaced: u32,
    /// Everything on which the next events depend, relative to this moment.
    pub(crate) numbers: Vec<u64>,
    /// The block that each pool fills.
    pub(crate) blocks: Vec<u32>,
    pub(crate) busy: Busy,
    /// Time for which controller, link, and link to the host have been in use [ns].
    pub(crate) host_busy_ns: [u64; 3],
    /// The drive's counters, in the order of their list.
    pub(crate) counts: Vec<u64>,
    pub(crate) tally: Tally,
    pub(crate) buffer_tally: BufferTally,
}

impl Course {
    /// Length of each write.
    pub fn length_bytes(&self) -> u64 {
        self.writes.length_bytes
    }

    /// The moment [ns].
    pub fn at_ns(&self) -> u64 {
        self.at_ns
    }
}
