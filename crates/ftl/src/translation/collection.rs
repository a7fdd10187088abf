//! Making room: choose victims, move what is valid, erase.
//!
//! Collection is atomic here: when a pool has too few free blocks, victims are chosen, their valid units moved and
//! the blocks erased in one go, and [`Collected`] says what the banks have to do for it.
//! Not modelled here: collection in idle time.

use super::{NoFreeBlock, Translation};
use crate::blocks::BlockState;
use crate::gc::Collected;
use crate::pool::Frontier;
use serde::{Deserialize, Serialize};

/// How many decisions of the collector are remembered for those who look inside.
const REMEMBERED_DECISIONS: usize = 4096;

/// One decision of the collector, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Simulated time of the decision [ns].
    pub at_ns: u64,
    /// The pool that was short.
    pub pool: u32,
    /// The victim.
    pub block: u32,
    /// Slots of the victim that were still valid and had to be moved.
    pub valid_slots: u32,
    /// Free blocks of the pool when it was decided: at or under the low water mark, or under the high one.
    pub free_blocks: u32,
}

impl Translation {
    /// Collect until the pool has enough free blocks again.
    pub(super) fn make_room(&mut self, pool_index: u32, now_ns: u64) -> Result<Option<Collected>, NoFreeBlock> {
        let pool = &self.pools[pool_index as usize];
        if pool.free.len() as u32 > self.low_water_blocks {
            return Ok(None);
        }
        let mut work = Collected { page_index: self.page_index_at(pool.gc), ..Collected::default() };
        while (self.pools[pool_index as usize].free.len() as u32) < self.high_water_blocks {
            let pool = &mut self.pools[pool_index as usize];
            let victim = pool.choose_victim(&self.blocks).ok_or(NoFreeBlock)?;
            let decision = Decision {
                at_ns: now_ns,
                pool: pool_index,
                block: victim,
                valid_slots: self.blocks.valid_slots(victim),
                free_blocks: pool.free.len() as u32,
            };
            if self.decisions.len() == REMEMBERED_DECISIONS {
                self.decisions.pop_front();
            }
            self.decisions.push_back(decision);
            self.collect(pool_index, victim, &mut work)?;
        }
        Ok(Some(work))
    }

    fn page_index_at(&self, frontier: Frontier) -> u32 {
        if frontier.room() == 0 {
            return 0;
        }
        let block = self.blocks.of_slot(frontier.next_slot);
        (frontier.next_slot - self.blocks.first_slot(block)) / self.slots_per_page
    }

    /// Move what is valid in `victim` to the pool's own frontier and erase it.
    fn collect(&mut self, pool_index: u32, victim: u32, work: &mut Collected) -> Result<(), NoFreeBlock> {
        let mut survivors = std::mem::take(&mut self.survivors);
        survivors.clear();
        let pool = &mut self.pools[pool_index as usize];
        if self.blocks.valid_slots(victim) > 0 {
            let first_slot = self.blocks.first_slot(victim);
            let slots = first_slot..first_slot + self.blocks.slots_per_block();
            let pages = self.map.valid_units(slots, self.slots_per_page, &mut survivors);
            debug_assert_eq!(survivors.len() as u32, self.blocks.valid_slots(victim));
            work.reads += pages;
            self.tally.gc_read_pages += u64::from(pages);
            self.tally.moved_units += survivors.len() as u64;
        }
        let mut rest = survivors.as_slice();
        while !rest.is_empty() {
            if pool.gc.room() == 0 {
                pool.gc = pool.open(&mut self.blocks, BlockState::OpenForGc).ok_or(NoFreeBlock)?;
            }
            let (now, later) = rest.split_at(rest.len().min(pool.gc.room() as usize));
            self.map.move_to(now, pool.gc.next_slot);
            self.blocks.add_valid(self.blocks.of_slot(pool.gc.next_slot), now.len() as u32);
            let page_before = pool.gc.next_slot / self.slots_per_page;
            pool.gc.next_slot += now.len() as u32;
            let pages = pool.gc.next_slot / self.slots_per_page - page_before;
            work.programs += pages;
            self.tally.gc_pages += u64::from(pages);
            if pool.gc.room() == 0 {
                pool.close(&mut self.blocks, pool.gc.end_slot);
            }
            rest = later;
        }
        self.blocks.erase(victim);
        pool.free.push_back(victim);
        work.erases += 1;
        self.tally.erased_blocks += 1;
        self.survivors = survivors;
        Ok(())
    }
}
