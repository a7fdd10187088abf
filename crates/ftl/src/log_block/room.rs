//! Where a block for new data comes from.
//!
//! ```text
//!   free [_ _ _]  two or more: take one                    one is always kept, to merge into
//!   free [_]      erase a data block without valid pages, or else merge a log block, or else refuse
//! ```
//!
//! Merging frees one block more than it takes, so it never runs out of blocks.
//!
//! Not modelled here: blocks freed in idle time.

use super::LogBlockTranslation;
use super::pool::LogBlock;
use crate::blocks::BlockState;
use crate::gc::Collected;
use crate::mapping::NOWHERE;
use crate::translation::Refusal;
use flashscope_kernel::signs_of_life::alive;

/// Free blocks a pool must have before one is taken for data or as a log block.
const FREE_BLOCKS_TO_TAKE_ONE: usize = 2;

impl LogBlockTranslation {
    /// Begin a log block. When the pool already has as many as it may have, another one is merged first. `None` when
    /// the pool has no block for it.
    pub(super) fn open_log(
        &mut self,
        pool_index: u32,
        owner: u32,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<Option<u32>, Refusal> {
        if self.pools[pool_index as usize].vacancy().is_none() {
            self.merge_victim(pool_index, now_ns, work)?;
        }
        if self.free_enough(pool_index, now_ns, work).is_err() {
            return Ok(None);
        }
        let log = self.new_log(pool_index, owner)?;
        let pool = &mut self.pools[pool_index as usize];
        let index = pool.vacancy().ok_or(Refusal::NoFreeBlock)?;
        pool.logs[index as usize] = Some(log);
        Ok(Some(index))
    }

    /// Begin a log block in a free block, which must exist.
    pub(super) fn new_log(&mut self, pool_index: u32, owner: u32) -> Result<LogBlock, Refusal> {
        let block = self.pools[pool_index as usize].free.pop_front().ok_or(Refusal::NoFreeBlock)?;
        self.blocks.open(block, BlockState::OpenForHost);
        let units = Vec::with_capacity(self.blocks.slots_per_block() as usize);
        Ok(LogBlock { block, owner, in_order: owner != NOWHERE, stamp: self.tally.placed_units, units })
    }

    /// Begin a data block for a logical block that has none, in a free block, which must exist.
    pub(super) fn open_data(&mut self, pool_index: u32, logical: u32) -> Result<u32, Refusal> {
        let block = self.pools[pool_index as usize].free.pop_front().ok_or(Refusal::NoFreeBlock)?;
        self.blocks.open(block, BlockState::OpenForHost);
        self.data_of_logical[logical as usize] = block;
        Ok(block)
    }

    /// Make sure that a block can be taken and one more stays free.
    pub(super) fn free_enough(&mut self, pool_index: u32, now_ns: u64, work: &mut Collected) -> Result<(), Refusal> {
        while self.pools[pool_index as usize].free.len() < FREE_BLOCKS_TO_TAKE_ONE {
            let gained = self.give_up_an_empty_one(pool_index, work)
                || self.merge_victim(pool_index, now_ns, work)?
                || self.merge_sequential(pool_index, now_ns, work)?;
            if !gained {
                return Err(Refusal::NoFreeBlock);
            }
        }
        Ok(())
    }

    fn give_up_an_empty_one(&mut self, pool_index: u32, work: &mut Collected) -> bool {
        let logicals = (pool_index..self.data_of_logical.len() as u32).step_by(self.pools.len());
        for logical in logicals {
            alive(1);
            let data = self.data_of_logical[logical as usize];
            if data != NOWHERE && self.blocks.valid_slots(data) == 0 && self.holds_nothing(logical) {
                self.give_up(logical, work);
                return true;
            }
        }
        false
    }

    fn holds_nothing(&self, logical: u32) -> bool {
        self.units_of(logical).all(|unit| self.slot_of_unit[unit as usize] == NOWHERE)
    }

    /// Erase the data block of a logical block, which holds nothing valid, and its own log block.
    pub(super) fn give_up(&mut self, logical: u32, work: &mut Collected) {
        let data = std::mem::replace(&mut self.data_of_logical[logical as usize], NOWHERE);
        self.merges.emptied_data_blocks += 1;
        self.erase(data, work);
        self.drop_log_of(logical, work);
    }
}
