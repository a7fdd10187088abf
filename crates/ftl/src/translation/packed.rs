//! Placing and moving units that take as much of a page as they need, and units that take none.
//!
//! ```text
//!   host     --> zeros? --> noted in the map, no page
//!                 | no
//!                 '-------> next entry of the page being filled; complete when its bytes are used up
//!   victim   --> the same, page by page, at the frontier for moved data
//! ```
//!
//! The entries behind the last unit of a complete page stay empty.
//! Not modelled here: what [`crate::compression`] leaves out.

use super::{HostPage, Reason, Translation};
use crate::compression::Packing;
use crate::gc::Collected;
use crate::mapping::is_slot;
use crate::pool::Lane;

/// With compression there are sizes; the callers of these functions have checked that it is on.
const PACKING: &str = "there is compression";

impl Translation {
    /// Record that a unit holds only zeros, if it does and the drive detects zeros: then it takes no slot and its old
    /// copy is stale. False when it has to be placed.
    #[inline]
    pub fn note_zeros(&mut self, unit: u32, compressible: u8) -> bool {
        let noted = compressible == u8::MAX && self.zero_detection;
        if noted {
            let stale = self.map.note_zeros(unit);
            self.leave(unit, stale);
            self.tally.zero_units += 1;
        }
        noted
    }

    /// How compressible the data of a unit is that has been written; a unit without data counts as zeros. 0 without
    /// compression, where the value is not used.
    pub fn compressible(&self, unit: u32) -> u8 {
        match &self.packing {
            Some(packing) if is_slot(self.map.slot(unit)) => packing.compressible(unit),
            Some(_) => u8::MAX,
            None => 0,
        }
    }

    /// A unit that was placed takes its share of the page being filled. True when the page is complete; entries that
    /// are left then stay empty.
    #[inline(never)]
    pub(super) fn fill_packed(&mut self, unit: u32, compressible: u8, stream: usize, block: u32) -> bool {
        let complete = self.packing.as_mut().expect(PACKING).place(&mut self.blocks, unit, compressible, block, stream);
        if complete {
            let HostPage { turn, filled } = self.host_pages[stream];
            self.leave_entries(turn, Lane::Host(stream), self.slots_per_page - filled);
        }
        complete
    }

    /// Move units out of `victim` to a frontier that has room for them.
    pub(super) fn move_packed(
        &mut self,
        pool_index: u32,
        victim: u32,
        lane: Lane,
        reason: Reason,
        units: &[u32],
        work: &mut Collected,
    ) {
        for &unit in units {
            if self.pools[pool_index as usize].frontier(lane).room() == 0 {
                self.open_block(pool_index, lane, reason, work).expect("there was room for all that is valid");
            }
            let frontier = self.pools[pool_index as usize].frontier_mut(lane);
            let slot = frontier.next_slot;
            frontier.next_slot += 1;
            self.map.move_to(&[unit], slot);
            let block = self.blocks.of_slot(slot);
            self.blocks.add_valid(block, 1);
            if let Lane::Host(_) = lane {
                self.blocks.add_programmed(block, 1);
            }
            if let Some(ages) = &mut self.ages {
                ages.moved(victim, block);
            }
            let packing = self.packing.as_mut().expect(PACKING);
            if packing.place_moved(&mut self.blocks, unit, block, pool_index, lane) {
                self.end_packed_page(pool_index, lane, block, work);
            }
        }
    }

    /// The page of moved data at a frontier, in `block`, is complete.
    fn end_packed_page(&mut self, pool_index: u32, lane: Lane, block: u32, work: &mut Collected) {
        let next_slot = self.pools[pool_index as usize].frontier(lane).next_slot;
        let unused = next_slot.next_multiple_of(self.slots_per_page) - next_slot;
        self.leave_entries(pool_index, lane, unused);
        if let Lane::Host(_) = lane {
            self.blocks.add_programmed(block, unused);
        }
        let page_index = (next_slot - 1 - self.blocks.first_slot(block)) / self.slots_per_page;
        let frontier = self.pools[pool_index as usize].frontier(lane);
        let is_last = frontier.room() == 0;
        self.count_moved_pages(page_index, 1, is_last, work);
        if is_last {
            self.pools[pool_index as usize].close(&mut self.blocks, frontier.end_slot, self.tally.placed_units);
        }
    }

    /// Leave the next entries of a frontier empty: their page is complete without them.
    fn leave_entries(&mut self, pool_index: u32, lane: Lane, count: u32) {
        let frontier = self.pools[pool_index as usize].frontier_mut(lane);
        for slot in frontier.next_slot..frontier.next_slot + count {
            self.map.leave_empty(slot);
        }
        frontier.next_slot += count;
        self.tally.unused_entries += u64::from(count);
    }

    /// True when all valid data of `victim` can go to a frontier and the free blocks behind it.
    pub(super) fn has_room_for_packed(&self, pool_index: u32, lane: Lane, victim: u32) -> bool {
        let packing = self.packing.as_ref().expect(PACKING);
        let pool = &self.pools[pool_index as usize];
        let pages_left = pool.frontier(lane).room().div_ceil(self.slots_per_page);
        let needed = self.blocks.load(victim) + packing.moved_parts(pool_index, lane);
        let missing = needed.saturating_sub(pages_left * packing.page_parts());
        let blocks = missing.div_ceil(self.blocks.full_load()) as usize;
        let usable = pool.free.iter().filter(|&&block| !self.fails_when_opened(block));
        blocks == 0 || usable.take(blocks).count() == blocks
    }

    /// True when a full block can be moved wherever its data goes. A block with units that lie in two blocks may need
    /// two.
    pub(super) fn fits_free_blocks(&self, pool_index: u32, victim: u32) -> bool {
        let Some(packing) = &self.packing else { return true };
        let carried_over = Lane::ALL.map(|lane| packing.moved_parts(pool_index, lane) % packing.slot_parts());
        let needed = self.blocks.load(victim) + carried_over.into_iter().fold(0, u32::max);
        let usable = self.pools[pool_index as usize].free.iter().filter(|&&block| !self.fails_when_opened(block));
        needed <= self.blocks.full_load() || usable.take(2).count() == 2
    }

    /// The gain of collecting a closed block [slots, or parts with compression]. Less than the parts of a slot counts
    /// as 0: that may be a unit that continues in the next block.
    pub(super) fn stale_load(&self, block: u32) -> u32 {
        let stale = self.blocks.full_load().saturating_sub(self.blocks.load(block));
        let least = self.packing.as_ref().map_or(1, Packing::slot_parts);
        if stale < least { 0 } else { stale }
    }
}
