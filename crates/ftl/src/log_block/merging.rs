//! The three merges, which bring the pages of a log block back into a data block.
//!
//! ```text
//!   switch    log [0 1 2 3]  data [. . . .]               log becomes the data block           0 copies, 1 erase
//!   partial   log [0 1 _ _]  data [. . 2 3]   2,3 -> log, log becomes the data block     some copies, 1 erase
//!   full      log [2 0 2 _]  data [. 1 . 3]   0,1,2,3 ----------> a free block            all copies, 2 erases
//! ```
//!
//! A shared log block is merged by a full merge of every logical block that has valid pages in it; these take along
//! the pages such a block has in other log blocks. A log block without a valid page is only erased.
//!
//! Not modelled here: merges in idle time, copyback, a merge that is interrupted.

use super::LogBlockTranslation;
use super::pool::LogBlock;
use crate::blocks::BlockState;
use crate::gc::Collected;
use crate::mapping::NOWHERE;
use crate::translation::{Decision, Reason, Refusal};
use flashscope_kernel::signs_of_life::alive;

/// Number of decisions that are kept for inspection.
const REMEMBERED_DECISIONS: usize = 4096;

impl LogBlockTranslation {
    /// Merge the log block whose turn it is; false when the pool has none.
    pub(super) fn merge_victim(&mut self, pool_index: u32, now_ns: u64, work: &mut Collected) -> Result<bool, Refusal> {
        let Some(index) = self.pools[pool_index as usize].victim() else { return Ok(false) };
        self.merge_log(pool_index, index, now_ns, work)?;
        Ok(true)
    }

    /// Merge the log block in a place of its pool.
    pub(super) fn merge_log(
        &mut self,
        pool_index: u32,
        index: u32,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<(), Refusal> {
        let Some(log) = self.pools[pool_index as usize].take_log(index) else { return Ok(()) };
        self.merge(pool_index, &log, now_ns, work).inspect_err(|_| {
            // No block to merge into: the log block stays as it was.
            if log.owner != NOWHERE {
                self.log_of_logical[log.owner as usize] = index;
            }
            self.pools[pool_index as usize].logs[index as usize] = Some(log.clone());
        })
    }

    /// Merge the sequential log block; false when the pool has none in use.
    pub(super) fn merge_sequential(
        &mut self,
        pool_index: u32,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<bool, Refusal> {
        let Some(log) = self.pools[pool_index as usize].sequential.take() else { return Ok(false) };
        let merged = self.merge(pool_index, &log, now_ns, work);
        if merged.is_err() {
            self.pools[pool_index as usize].sequential = Some(log);
        }
        merged.map(|()| true)
    }

    /// Merge a log block that was taken out of its pool.
    fn merge(&mut self, pool: u32, log: &LogBlock, now_ns: u64, work: &mut Collected) -> Result<(), Refusal> {
        self.remember(pool, log.block, now_ns);
        if log.owner != NOWHERE {
            self.log_of_logical[log.owner as usize] = NOWHERE;
        }
        if self.blocks.valid_slots(log.block) == 0 {
            self.merges.discarded_log_blocks += 1;
            self.erase(log.block, work);
        } else if log.in_order {
            self.take_over(log, work);
        } else if log.owner != NOWHERE {
            self.full_merge(log.owner, NOWHERE, work)?;
            self.merges.full_merges += 1;
            self.erase(log.block, work);
        } else {
            for (slot, &unit) in (self.blocks.first_slot(log.block)..).zip(&log.units) {
                if self.slot_of_unit[unit as usize] == slot {
                    self.full_merge(self.logical_of(unit), NOWHERE, work)?;
                    self.merges.full_merges += 1;
                }
            }
            self.erase(log.block, work);
        }
        Ok(())
    }

    /// Switch merge, or partial merge: let a log block written in order become the data block of its owner.
    fn take_over(&mut self, log: &LogBlock, work: &mut Collected) {
        let data = self.data_of_logical[log.owner as usize];
        let units = self.units_of(log.owner);
        alive(units.len() as u64);
        let next_unit = units.start + log.units.len() as u32;
        if next_unit == units.end {
            self.merges.switch_merges += 1;
        } else {
            self.merges.partial_merges += 1;
        }
        let first_slot = self.blocks.first_slot(data);
        for unit in next_unit..units.end {
            // Only pages of the data block are copied: a page in a shared log block is newer and stays there.
            if self.slot_of_unit[unit as usize] == first_slot + (unit - units.start) {
                self.move_to(unit, log.block, work);
            }
        }
        self.erase(data, work);
        self.data_of_logical[log.owner as usize] = log.block;
    }

    /// Copy all valid pages of a logical block, `except` for one that is about to be written, to a free block,
    /// which becomes its data block. A log block of its own is erased, unless it was taken out of the pool before.
    pub(super) fn full_merge(&mut self, logical: u32, except: u32, work: &mut Collected) -> Result<u32, Refusal> {
        let pool_index = self.pool_of(logical);
        let target = self.pools[pool_index as usize].free.pop_front().ok_or(Refusal::NoFreeBlock)?;
        self.blocks.open(target, BlockState::OpenForGc);
        alive(self.blocks.slots_per_block().into());
        for unit in self.units_of(logical) {
            if self.slot_of_unit[unit as usize] != NOWHERE && unit != except {
                self.move_to(unit, target, work);
            }
        }
        let data = std::mem::replace(&mut self.data_of_logical[logical as usize], target);
        if except != NOWHERE {
            self.forget(except);
        }
        self.erase(data, work);
        self.drop_log_of(logical, work);
        Ok(target)
    }

    /// Erase the log block that serves only this logical block; nothing in it is valid any more.
    pub(super) fn drop_log_of(&mut self, logical: u32, work: &mut Collected) {
        let index = std::mem::replace(&mut self.log_of_logical[logical as usize], NOWHERE);
        let pool = self.pool_of(logical);
        let pool = &mut self.pools[pool as usize];
        let log = match pool.sequential.take_if(|log| log.owner == logical) {
            Some(log) => Some(log),
            None => pool.take_log(index),
        };
        if let Some(log) = log {
            self.erase(log.block, work);
        }
    }

    /// Move one page to its own place in `block`.
    fn move_to(&mut self, unit: u32, block: u32, work: &mut Collected) {
        let page_index = unit - self.units_of(self.logical_of(unit)).start;
        work.add(Collected { reads: 1, programs: 1, page_index, erases: 0, ..Collected::default() });
        self.tally.gc_read_pages += 1;
        self.tally.gc_pages += 1;
        self.tally.moved_units += 1;
        self.lay(unit, block, page_index);
    }

    /// Erase a block without valid pages; afterwards it is free or bad.
    pub(super) fn erase(&mut self, block: u32, work: &mut Collected) {
        debug_assert_eq!(self.blocks.valid_slots(block), 0, "block {block} is erased with valid pages in it");
        self.blocks.erase(block);
        self.in_flight.erase(block);
        self.next_page[block as usize] = 0;
        work.erases += 1;
        self.tally.erased_blocks += 1;
        self.free_or_retire(block);
    }

    /// Note that `block` is about to be merged, or copied.
    pub(super) fn remember(&mut self, pool: u32, block: u32, at_ns: u64) {
        let valid_slots = self.blocks.valid_slots(block);
        let free_blocks = self.pools[pool as usize].free.len() as u32;
        if self.decisions.len() == REMEMBERED_DECISIONS {
            self.decisions.pop_front();
        }
        self.decisions.push_back(Decision { at_ns, pool, block, valid_slots, free_blocks, reason: Reason::LowWater });
    }
}
