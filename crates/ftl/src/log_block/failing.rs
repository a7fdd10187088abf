//! Blocks that fail when they are erased, and power cuts.
//!
//! A block whose life is over is retired at its next erase, whatever way it would end: programs that fail are counted
//! as failed erases here. With more blocks lost than the drive has spares, or none left to merge into, it takes no more
//! writes. Not modelled here: moving data off a block that cannot be read.

use super::LogBlockTranslation;
use crate::blocks::BlockState;
use crate::mapping::NOWHERE;
use crate::translation::Refusal;

impl LogBlockTranslation {
    /// Add an erased block to the free ones, unless this erase failed.
    pub(super) fn free_or_retire(&mut self, block: u32) {
        if self.lives.as_ref().is_some_and(|lives| lives.is_over(block, self.blocks.erase_count(block))) {
            self.blocks.set_aside(block, BlockState::GrownBadErase);
            self.tally.erase_failed_blocks += 1;
            self.exhausted |= self.spare_blocks.is_some_and(|spare| self.tally.grown_bad_blocks() > u64::from(spare));
        } else {
            let pool = self.pool_of_block(block);
            self.pools[pool as usize].free.push_back(block);
        }
    }

    /// The refusal when there is no block to write to: before any block was lost there were enough.
    pub(super) fn refusal(&mut self, found: Refusal) -> Refusal {
        self.exhausted |= self.tally.grown_bad_blocks() > 0;
        if self.exhausted { Refusal::SparesExhausted } else { found }
    }

    /// True once the drive accepts no more writes.
    pub fn spares_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Unmap every unit that is not on flash yet; returns the units lost. Its page stays unusable until the block is
    /// erased. Pages handed out before this call must not be reported as programmed after it.
    pub fn power_cut(&mut self) -> u64 {
        let lost: Vec<u32> = (0..self.slot_of_unit.len() as u32)
            .filter(|&unit| self.slot(unit) != NOWHERE && !self.is_programmed(self.slot(unit)))
            .collect();
        for &unit in &lost {
            self.trim(unit);
        }
        self.in_flight.clear();
        lost.len() as u64
    }
}
