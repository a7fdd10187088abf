//! Adds wear without writing: where a drive repeats the same rounds, whole rounds can be skipped.
//!
//! ```text
//!   log.rs      the host writes in order, each pool is a circular log   exact, block by block
//!   steady.rs   any other load that has settled                        every block in use alike
//! ```
//!
//! Neither skips a failure: a block that fails is erased or programmed by the layer itself, before or after the skip.
//! Not modelled here: drives mapped by blocks, pSLC, compression, hot and cold kept apart; their blocks are not alike.

mod log;
mod steady;
#[cfg(test)]
mod tests;

pub use log::LogRound;
pub use steady::{EraseSoon, Steady};

use super::Translation;

impl Translation {
    /// True when all blocks of a pool are used in the same way, so that wear can be added by rounds.
    pub fn blocks_are_alike(&self) -> bool {
        self.ages.is_none() && self.pslc.is_none() && self.packing.is_none()
    }

    /// Blocks that went bad in use, in the order in which they did.
    pub fn retired_blocks(&self) -> &[u32] {
        &self.failures.retired
    }

    /// Usable blocks of every pool.
    pub fn usable_blocks(&self) -> Vec<u32> {
        self.pools.iter().map(|pool| pool.usable_blocks).collect()
    }

    /// Erases that a block can still take before the one at which it fails; `u32::MAX` where blocks never fail.
    pub fn erases_left(&self, block: u32) -> u32 {
        let left = |life: u32| life.saturating_sub(self.blocks.erase_count(block)).saturating_sub(1);
        self.failures.lives.as_ref().map_or(u32::MAX, |lives| left(lives.life_cycles(block)))
    }
}
