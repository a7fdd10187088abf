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
use crate::gc::Collected;
use crate::mapping::is_slot;
use crate::pool::Lane;

/// With compression there are sizes; whoever calls these has looked.
const PACKING: &str = "there is compression";

impl Translation {
    /// Note that a unit holds nothing but zeros, if it does and the drive looks for them: then it lies nowhere and its
    /// old copy is stale. False when it has to be placed.
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

    /// How compressible the data of a unit is that has been written; one that holds none is as good as zeros. 0 without
    /// compression, which does not ask.
    pub fn compressible(&self, unit: u32) -> u8 {
        match &self.packing {
            Some(packing) if is_slot(self.map.slot(unit)) => packing.compressible(unit),
            Some(_) => u8::MAX,
            None => 0,
        }
    }

    /// A unit that was placed takes its share of the page being filled. True when the page is complete; entries that are
    /// left then stay empty.
    #[inline(never)]
    pub(super) fn fill_packed(&mut self, unit: u32, compressible: u8, stream: usize, block: u32) -> bool {
        let complete = self.packing.as_mut().expect(PACKING).place(unit, compressible, block, stream);
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
            if self.packing.as_mut().expect(PACKING).place_moved(unit, block, pool_index, lane) {
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
        work.add_programs(page_index, 1);
        self.tally.gc_pages += 1;
        let pool = &mut self.pools[pool_index as usize];
        let frontier = pool.frontier(lane);
        if frontier.room() == 0 {
            pool.close(&mut self.blocks, frontier.end_slot, self.tally.placed_units);
        }
    }

    /// Let the next entries of a frontier stay empty: their page is complete without them.
    fn leave_entries(&mut self, pool_index: u32, lane: Lane, count: u32) {
        let frontier = self.pools[pool_index as usize].frontier_mut(lane);
        for slot in frontier.next_slot..frontier.next_slot + count {
            self.map.leave_empty(slot);
        }
        frontier.next_slot += count;
        self.tally.unused_entries += u64::from(count);
    }

    /// True when all that is valid in `victim` can go to a frontier and the free blocks behind it.
    pub(super) fn has_room_for_packed(&self, pool_index: u32, lane: Lane, victim: u32) -> bool {
        let packing = self.packing.as_ref().expect(PACKING);
        let pool = &self.pools[pool_index as usize];
        let pages_left = pool.frontier(lane).room().div_ceil(self.slots_per_page);
        let needed = packing.valid_parts(victim) + u64::from(packing.moved_parts(pool_index, lane));
        let missing = needed.saturating_sub(u64::from(pages_left) * u64::from(packing.page_parts()));
        let blocks = missing.div_ceil(self.parts_per_block());
        let usable = pool.free.iter().filter(|&&block| !self.fails_when_opened(block));
        blocks == 0 || usable.take(blocks as usize).count() as u64 == blocks
    }

    /// A victim whose collection gains room: the policy's choice, or when that gains nothing the block that gains most.
    pub(super) fn choose_packed_victim(&mut self, pool_index: u32) -> Option<u32> {
        let pool = &mut self.pools[pool_index as usize];
        let victim = pool.victims.policy().choose(&self.blocks, pool.blocks.clone(), self.tally.placed_units)?;
        if self.stale_parts(victim) > 0 {
            return Some(victim);
        }
        let closed = self.pools[pool_index as usize].blocks.clone().filter(|&block| self.blocks.is_closed(block));
        // Of equals the first.
        let best = closed.max_by_key(|&block| (self.stale_parts(block), std::cmp::Reverse(block)))?;
        (self.stale_parts(best) > 0).then_some(best)
    }

    /// What collecting a closed block gains [parts]. Less than a slot is none: it may be a unit that went on in the next
    /// block.
    pub(super) fn stale_parts(&self, block: u32) -> u64 {
        let packing = self.packing.as_ref().expect(PACKING);
        let stale = self.parts_per_block().saturating_sub(packing.valid_parts(block));
        if stale < u64::from(packing.slot_parts()) { 0 } else { stale }
    }

    /// Parts of a native block.
    pub(super) fn parts_per_block(&self) -> u64 {
        let pages = self.blocks.slots_per_block() / self.slots_per_page;
        u64::from(self.packing.as_ref().expect(PACKING).page_parts()) * u64::from(pages)
    }
}
