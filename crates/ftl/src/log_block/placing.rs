//! Where a page goes: into its data block, into a log block, or, when there is none, into a copy of its block.
//!
//! ```text
//!   data block of the page       [0 1 2 _ _ _ _ _]     next page: 3
//!     page 3                      [0 1 2 3 _ _ _ _]     in order: the data block
//!     page 6 after it             [0 1 2 3 x x 6 _]     in order: the data block; x can be programmed only once erased
//!     page 1                      log block              its place is taken
//!     page 4                      log block              its place was skipped
//! ```
//!
//! When nothing in the data block is valid any more, because all of it was trimmed or is in shared log blocks, it is
//! erased and the page goes into a free block.
//! Where the blocks come from is described in `room.rs`.
//!
//! Not modelled here: a log block that is given up before its place is needed.

use super::pool::LogBlock;
use super::{Association, LogBlockTranslation};
use crate::gc::Collected;
use crate::mapping::NOWHERE;
use crate::translation::Refusal;

impl LogBlockTranslation {
    /// The block and the page index for the next write of `unit`; does all that is needed before the write.
    #[inline]
    pub(super) fn destination(&mut self, unit: u32, now_ns: u64, work: &mut Collected) -> Result<(u32, u32), Refusal> {
        let logical = self.logical_of(unit);
        let offset = unit - self.blocks.first_slot(logical);
        let data = self.data_of_logical[logical as usize];
        if data != NOWHERE && offset >= u32::from(self.next_page[data as usize]) {
            return Ok((data, offset));
        }
        self.elsewhere(unit, now_ns, work)
    }

    /// The place of the page in its data block cannot be programmed.
    fn elsewhere(&mut self, unit: u32, now_ns: u64, work: &mut Collected) -> Result<(u32, u32), Refusal> {
        let logical = self.logical_of(unit);
        let offset = unit - self.units_of(logical).start;
        let pool_index = self.pool_of(logical);
        let data = self.data_of_logical[logical as usize];
        if data == NOWHERE {
            self.free_enough(pool_index, now_ns, work)?;
            return Ok((self.open_data(pool_index, logical)?, offset));
        }
        if self.blocks.valid_slots(data) == 0 && self.log_holds_nothing(logical) {
            self.give_up(logical, work);
            return Ok((self.open_data(pool_index, logical)?, offset));
        }
        let log_page = match self.settings.association {
            _ if self.settings.log_block_count == 0 => None,
            Association::Block => return self.in_own_log(unit, now_ns, work),
            Association::Full if self.belongs_in_sequence(pool_index, unit) => {
                self.in_sequential_log(pool_index, unit, now_ns, work)?
            }
            Association::Full => self.in_shared_log(pool_index, unit, now_ns, work)?,
        };
        match log_page {
            Some(page) => Ok(page),
            None => self.rewrite(unit, now_ns, work),
        }
    }

    /// Copy the logical block in order to write one page.
    fn rewrite(&mut self, unit: u32, now_ns: u64, work: &mut Collected) -> Result<(u32, u32), Refusal> {
        let logical = self.logical_of(unit);
        self.remember(self.pool_of(logical), self.data_of_logical[logical as usize], now_ns);
        let block = self.full_merge(logical, unit, work)?;
        self.merges.rewritten_blocks += 1;
        Ok((block, unit - self.units_of(logical).start))
    }

    /// A page of the log block that serves this logical block alone.
    fn in_own_log(&mut self, unit: u32, now_ns: u64, work: &mut Collected) -> Result<(u32, u32), Refusal> {
        let logical = self.logical_of(unit);
        let pool_index = self.pool_of(logical);
        let index = self.log_of_logical[logical as usize];
        let stamp = self.tally.placed_units;
        let units = self.units_of(logical);
        if let Some(log) = self.pools[pool_index as usize].log_mut(index) {
            // A log block in order is full when all pages of its owner are in it; the last logical block of the drive
            // may be shorter.
            let pages = if log.in_order { units.len() as u32 } else { self.blocks.slots_per_block() };
            if (log.units.len() as u32) < pages {
                log.stamp = stamp;
                return Ok(self.append(pool_index, index, unit));
            }
            // Full: after the merge there is a new data block, which may have room for the page.
            self.merge_log(pool_index, index, now_ns, work)?;
            return self.destination(unit, now_ns, work);
        }
        match self.open_log(pool_index, logical, now_ns, work)? {
            Some(index) => {
                self.log_of_logical[logical as usize] = index;
                Ok(self.append(pool_index, index, unit))
            }
            None => self.rewrite(unit, now_ns, work),
        }
    }

    /// A page of the log block that takes pages of all logical blocks in the order of their arrival.
    fn in_shared_log(
        &mut self,
        pool_index: u32,
        unit: u32,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<Option<(u32, u32)>, Refusal> {
        let pages = self.blocks.slots_per_block();
        let pool = &mut self.pools[pool_index as usize];
        let index = pool.shared;
        if pool.log_mut(index).is_some_and(|log| (log.units.len() as u32) < pages) {
            return Ok(Some(self.append(pool_index, index, unit)));
        }
        let opened = self.open_log(pool_index, NOWHERE, now_ns, work)?;
        Ok(opened.map(|index| {
            self.pools[pool_index as usize].shared = index;
            self.append(pool_index, index, unit)
        }))
    }

    /// True for the first page of a block, and for the page after the last one in the sequential log block.
    fn belongs_in_sequence(&self, pool_index: u32, unit: u32) -> bool {
        let first = self.units_of(self.logical_of(unit)).start;
        let follows = |log: &LogBlock| log.units.last() == Some(&(unit - 1));
        unit == first || self.pools[pool_index as usize].sequential.as_ref().is_some_and(follows)
    }

    fn in_sequential_log(
        &mut self,
        pool_index: u32,
        unit: u32,
        now_ns: u64,
        work: &mut Collected,
    ) -> Result<Option<(u32, u32)>, Refusal> {
        let logical = self.logical_of(unit);
        if unit == self.units_of(logical).start {
            self.merge_sequential(pool_index, now_ns, work)?;
            if self.free_enough(pool_index, now_ns, work).is_err() {
                return Ok(None);
            }
            let log = self.new_log(pool_index, logical)?;
            self.pools[pool_index as usize].sequential = Some(log);
        }
        let log = self.pools[pool_index as usize].sequential.as_mut().ok_or(Refusal::NoFreeBlock)?;
        log.units.push(unit);
        Ok(Some((log.block, log.units.len() as u32 - 1)))
    }

    /// Append a unit to a log block that has room.
    fn append(&mut self, pool_index: u32, index: u32, unit: u32) -> (u32, u32) {
        let log = self.pools[pool_index as usize].log_mut(index).expect("the caller has just seen this log block");
        let page_index = log.units.len() as u32;
        let in_order = log.owner != NOWHERE && unit == log.owner * self.blocks.slots_per_block() + page_index;
        log.in_order &= in_order;
        log.units.push(unit);
        (log.block, page_index)
    }

    /// True when the logical block has no log block of its own, or one with nothing valid in it.
    fn log_holds_nothing(&self, logical: u32) -> bool {
        let pool = &self.pools[self.pool_of(logical) as usize];
        pool.logs_in_use().filter(|log| log.owner == logical).all(|log| self.blocks.valid_slots(log.block) == 0)
    }
}
