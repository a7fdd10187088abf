//! The interface of a garbage collection policy: it is asked once per erased block for the next victim.

use crate::blocks::Blocks;
use std::ops::Range;

/// Chooses the block that is collected next. Its clock is the number of units that the host has placed.
pub trait VictimPolicy {
    /// A closed block of `pool`, or `None` when none is closed. It stays closed until `collected` is called.
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>, placed_units: u64) -> Option<u32>;

    /// A block was closed.
    fn closed(&mut self, _block: u32, _placed_units: u64) {}

    /// A closed block was collected, also when it was not chosen by this policy.
    fn collected(&mut self, _block: u32) {}

    /// All blocks were erased.
    fn forget(&mut self) {}

    /// Panics when the policy's memory does not agree with the blocks.
    fn check(&self, _blocks: &Blocks, _pool: Range<u32>) {}
}
