//! How a page-mapped drive reacts when a block fails; `failures.rs` says when blocks fail and how many are left.

use super::{Refusal, Translation};
use crate::blocks::BlockState;
use crate::gc::Collected;
use flashscope_nand::BlockLives;

impl Translation {
    /// Mark a block that could not be read: at its next collection it is taken out of use. False when the block is
    /// out of use already.
    pub fn retire_after_read_failure(&mut self, block: u32) -> bool {
        let in_use = self.blocks.state(block).is_usable();
        if in_use {
            self.failures.marked.insert(block);
        }
        in_use
    }

    /// Blocks that went bad in use.
    pub fn grown_bad_blocks(&self) -> u64 {
        self.tally.grown_bad_blocks()
    }

    /// True once the drive has no spare blocks left and refuses to open another.
    pub fn spares_exhausted(&self) -> bool {
        self.failures.exhausted
    }

    /// The refusal when no pool can make room.
    pub(super) fn refuse(&mut self) -> Refusal {
        // Before any block was lost there was enough room, so the lost blocks are the cause.
        self.failures.exhausted |= self.tally.grown_bad_blocks() > 0;
        if self.failures.exhausted { Refusal::SparesExhausted } else { Refusal::NoFreeBlock }
    }

    /// True when the first program of a free block will fail.
    pub(super) fn fails_when_opened(&self, block: u32) -> bool {
        let ends =
            |lives: &BlockLives| lives.ends_by_program(block) && lives.is_over(block, self.blocks.erase_count(block));
        self.failures.lives.as_ref().is_some_and(ends)
    }

    /// Erase a block without valid data and add it to the free ones, unless it fails.
    /// Returns true when an erase was tried.
    pub(super) fn erase_or_retire(&mut self, pool_index: u32, block: u32) -> bool {
        if let Some(pslc) = &mut self.pslc {
            pslc.erased(pool_index, block);
        }
        if !self.unsettled.is_empty() {
            let first_slot = self.blocks.first_slot(block);
            self.unsettled.forget(first_slot..first_slot + self.blocks.slots_per_block());
        }
        if !self.failures.marked.is_empty() && self.failures.marked.remove(&block) {
            self.retire(pool_index, block, BlockState::GrownBadRead);
            return false;
        }
        self.blocks.erase(block);
        self.tally.erased_blocks += 1;
        if let Some(spread) = &mut self.static_spread {
            spread.erased(pool_index);
        }
        let ends =
            |lives: &BlockLives| !lives.ends_by_program(block) && lives.is_over(block, self.blocks.erase_count(block));
        if self.failures.lives.as_ref().is_some_and(ends) {
            self.retire(pool_index, block, BlockState::GrownBadErase);
        } else {
            self.pools[pool_index as usize].free.push_back(block);
        }
        true
    }

    /// A program failed at the first page of a block that was just taken to be filled.
    pub(super) fn program_failed(&mut self, pool_index: u32, block: u32, work: &mut Collected) {
        work.add_programs(0, 1);
        self.tally.failed_programs += 1;
        self.failures.marked.remove(&block);
        self.retire(pool_index, block, BlockState::GrownBadProgram);
    }

    #[cold]
    pub(super) fn retire(&mut self, pool_index: u32, block: u32, state: BlockState) {
        self.blocks.set_aside(block, state);
        let count = match state {
            BlockState::GrownBadErase => &mut self.tally.erase_failed_blocks,
            BlockState::GrownBadProgram => &mut self.tally.program_failed_blocks,
            _ => &mut self.tally.read_failed_blocks,
        };
        *count += 1;
        self.failures.retired.push(block);
        let pool = &mut self.pools[pool_index as usize];
        pool.usable_blocks -= 1;
        let too_many = self.failures.spare_blocks.is_some_and(|spare| self.tally.grown_bad_blocks() > spare.into());
        self.failures.exhausted |= too_many || pool.usable_blocks < self.failures.blocks_needed_per_pool;
    }
}
