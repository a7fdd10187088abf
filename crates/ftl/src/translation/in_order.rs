//! Units written in the order of addresses, page by page instead of unit by unit, and a stretch of such writing that
//! repeats itself.
//!
//! ```text
//!   units     0 1 2 3 | 4 5 6 7 | 8 9 ...        pool 0   [0 1 2 3] [12 ..
//!             page for  page for                 pool 1   [4 5 6 7]
//!             pool 0    pool 1                   pool 2   [8 9 ..
//! ```
//!
//! Nothing here opens or closes a block: collection, wear levelling and failures take place only there, in
//! [`Translation::place`], so everything here is what that function does between these moments, with one look at each
//! table for a page. The state afterwards is the same in every field.
//!
//! Not for drives that keep hot and cold data apart, or compress: there each unit has to be looked at.

use super::{HostPage, OpenPage, Translation};
use crate::gc::separation::COLD;
use crate::mapping::is_slot;
use flashscope_nand::CellMode;
use std::ops::Range;

/// Where a pool's pages from the host go at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostPlace {
    /// The block.
    pub block: u32,
    /// The page of the block that is filled next, or being filled.
    pub page_index: u32,
    /// Pages of the block from that one on.
    pub pages_left: u32,
}

impl Translation {
    /// True for a drive whose units can be written in order page by page.
    pub fn takes_runs(&self) -> bool {
        self.ages.is_none() && self.packing.is_none()
    }

    /// Place units in order up to the first one whose page would open a block or complete one; returns their number.
    /// `programmed`: their pages are on flash at once. Only where `takes_runs`.
    pub fn place_run(&mut self, units: Range<u32>, programmed: bool) -> u32 {
        debug_assert!(self.takes_runs());
        let mut unit = units.start;
        while unit < units.end {
            let HostPage { turn, filled } = self.host_pages[COLD];
            let frontier = &mut self.pools[turn as usize].host[COLD];
            let missing = self.slots_per_page - filled;
            if frontier.room() <= missing {
                break;
            }
            let (slot, count) = (frontier.next_slot, missing.min(units.end - unit));
            frontier.next_slot += count;
            self.place_in_page(unit, slot, count);
            let block = self.blocks.of_slot(slot);
            self.blocks.add_valid(block, count);
            self.tally.placed_units += u64::from(count);
            self.host_pages[COLD].filled += count;
            unit += count;
            if count == missing {
                self.end_page_of_run(turn, block, slot);
                if programmed {
                    let page_first = slot - filled - self.blocks.first_slot(block);
                    self.blocks.page_programmed(block, page_first, self.slots_per_page);
                }
            }
        }
        unit - units.start
    }

    /// Place units in order in the page being filled, all but the one that would complete it; returns their number, 0
    /// where a block has to be opened first. Only where `takes_runs`.
    #[inline]
    pub fn fill_page(&mut self, units: Range<u32>) -> u32 {
        debug_assert!(self.takes_runs());
        let HostPage { turn, filled } = self.host_pages[COLD];
        let frontier = &mut self.pools[turn as usize].host[COLD];
        let missing = self.slots_per_page - filled;
        let count = (missing - 1).min(units.len() as u32);
        if frontier.room() < missing || count == 0 {
            return 0;
        }
        let slot = frontier.next_slot;
        frontier.next_slot += count;
        self.place_in_page(units.start, slot, count);
        self.blocks.add_valid(self.blocks.of_slot(slot), count);
        self.tally.placed_units += u64::from(count);
        self.host_pages[COLD].filled += count;
        count
    }

    /// Map units that follow each other to slots of a page that follow each other.
    #[inline]
    fn place_in_page(&mut self, first_unit: u32, first_slot: u32, count: u32) {
        // Old copies that lie in one block, as after writing in order, are subtracted at once.
        let (mut block, mut left) = (0, 0);
        let blocks = &mut self.blocks;
        self.map.place_run(first_unit, first_slot, count, |stale| {
            if is_slot(stale) {
                let of_stale = blocks.of_slot(stale);
                if of_stale != block {
                    blocks.remove_valid(block, std::mem::take(&mut left));
                    block = of_stale;
                }
                left += 1;
            }
        });
        blocks.remove_valid(block, left);
    }

    /// The page being filled, with this slot in it, is complete, and its block is not.
    #[inline]
    fn end_page_of_run(&mut self, turn: u32, block: u32, slot: u32) {
        let next = if turn + 1 == self.pools.len() as u32 { 0 } else { turn + 1 };
        self.host_pages[COLD] = HostPage { turn: next, filled: 0 };
        self.tally.host_pages += 1;
        if self.parity.is_on() {
            let page_index = (slot - self.blocks.first_slot(block)) / self.slots_per_page;
            self.tally.parity_pages += u64::from(self.parity.ends_stripe(page_index, false));
        }
        if let Some(pslc) = &self.pslc {
            self.tally.pslc_host_pages += u64::from(pslc.mode(block) == CellMode::Pslc);
        }
    }

    /// Where the pages of a pool go; `None` while it has no block with room for one more than the page being filled.
    pub fn host_place(&self, pool: u32) -> Option<HostPlace> {
        let frontier = self.pools[pool as usize].host[COLD];
        if frontier.room() <= self.slots_per_page {
            return None;
        }
        let block = self.blocks.of_slot(frontier.end_slot - 1);
        let page = |slot: u32| (slot - self.blocks.first_slot(block)) / self.slots_per_page;
        let page_index = page(frontier.next_slot);
        Some(HostPlace { block, page_index, pages_left: page(frontier.end_slot) - page_index })
    }

    /// The state on which writing in order depends, in numbers that are the same whenever the writing is at the same
    /// point of its repetition; false when something else is under way.
    pub fn state_in_order(&self, numbers: &mut Vec<u64>) -> bool {
        if !self.takes_runs() || !self.unsettled.is_empty() || self.blocks.has_overtaken() {
            return false;
        }
        numbers.extend(self.host_pages.iter().flat_map(|page| [u64::from(page.turn), u64::from(page.filled)]));
        for pool in 0..self.pools.len() as u32 {
            let Some(HostPlace { block, page_index, .. }) = self.host_place(pool) else { return false };
            let mode = u64::from(self.mode_of_block(block) == CellMode::Pslc);
            let first = page_index * self.slots_per_page;
            numbers.extend([mode, u64::from(first.wrapping_sub(self.blocks.programmed_slots(block)))]);
        }
        true
    }

    /// The number of its page that an open page has behind it in its block until the page being filled; `None` when
    /// its block is not the one that its pool fills now.
    pub fn pages_behind(&self, page: &OpenPage) -> Option<u32> {
        let place = self.host_place(page.pool)?;
        let is_there = place.block == page.block && usize::from(page.stream) == COLD;
        (is_there && self.blocks.erase_count(page.block) == page.erase_count)
            .then(|| place.page_index.wrapping_sub(page.page_index))
    }

    /// Pages of every pool that was placed by `place_run` are on flash, in addition to those before.
    pub fn programmed_in_order(&mut self, pages_per_pool: u32) {
        for pool in 0..self.pools.len() as u32 {
            if let Some(HostPlace { block, .. }) = self.host_place(pool) {
                self.blocks.add_programmed(block, pages_per_pool * self.slots_per_page);
            }
        }
    }
}
