//! Blocks that fail, and when that is the end of the drive.
//!
//! The life of a block is a property of the medium and is taken from it (`BlockLives`); its consequences are here.

use crate::flash::State;
use crate::twin::{Refused, Twin};
use crate::work::Work;

impl Twin {
    fn life_is_over(&self, block: usize) -> bool {
        let erases = self.flash.blocks[block].erases;
        self.lives.as_ref().is_some_and(|lives| lives.is_over(block as u32, erases))
    }

    fn ends_by_program(&self, block: usize) -> bool {
        self.lives.as_ref().is_some_and(|lives| lives.ends_by_program(block as u32))
    }

    /// The first program of a free block will fail.
    pub fn first_program_fails(&self, block: usize) -> bool {
        self.life_is_over(block) && self.ends_by_program(block)
    }

    /// Erase a block and put it with the free ones, unless it fails now.
    pub fn erase_or_retire(&mut self, pool: usize, block: usize, work: &mut Work) {
        if self.unreadable.contains(&block) {
            return self.retire(block, State::ReadFailed);
        }
        self.flash.blocks[block].slots.clear();
        self.flash.blocks[block].state = State::Free;
        self.flash.blocks[block].erases += 1;
        self.counters.erased_blocks += 1;
        self.pools[pool].erases += 1;
        work.erases += 1;
        if self.life_is_over(block) && !self.ends_by_program(block) {
            self.retire(block, State::EraseFailed);
        } else {
            self.pools[pool].free.push(block);
        }
    }

    /// Take a block out of use; with too few left the drive is at the end of its life.
    pub fn retire(&mut self, block: usize, state: State) {
        self.unreadable.remove(&block);
        self.flash.blocks[block].slots.clear();
        self.flash.blocks[block].state = state;
        match state {
            State::EraseFailed => self.counters.erase_failed_blocks += 1,
            State::ProgramFailed => self.counters.program_failed_blocks += 1,
            _ => self.counters.read_failed_blocks += 1,
        }
        let spare = self.config.capacity.spare_block_count;
        let pool = self.pool_of(block);
        let (first, end) = (self.pools[pool].first, self.pools[pool].end);
        let usable = (first..end).filter(|&block| self.flash.blocks[block].state.is_usable()).count();
        self.exhausted |= spare.is_some_and(|spare| self.grown_bad_blocks() > spare.into());
        self.exhausted |= usable < self.blocks_a_pool_needs();
    }

    fn grown_bad_blocks(&self) -> u64 {
        self.counters.erase_failed_blocks + self.counters.program_failed_blocks + self.counters.read_failed_blocks
    }

    /// Blocks that a pool needs: its even share of the user data, its high water mark and its open blocks.
    fn blocks_a_pool_needs(&self) -> usize {
        let share_units = self.config.unit_count().div_ceil(self.pools.len() as u64);
        let share_blocks = share_units.div_ceil(self.flash.slots_per_block as u64) as usize;
        let gc = &self.config.gc;
        share_blocks + (gc.high_water_blocks + gc.open_blocks_per_pool(&self.config.wear_leveling)) as usize
    }

    /// No pool can make room: the drive is at the end of its life if blocks were lost.
    pub fn no_room(&mut self) -> Refused {
        self.exhausted |= self.grown_bad_blocks() > 0;
        if self.exhausted { Refused::SparesExhausted } else { Refused::NoFreeBlock }
    }
}
