//! A power cut: data that was placed but not programmed is lost.
//!
//! ```text
//!   host block   [P P P | i i | . .]      P programmed, i on its way, f in the page being filled
//!                        '--------- forgotten, the rest stays empty; the block is closed
//!   moved block  [P P P P | m . . .]      what was moved is kept: its old block is erased after it is programmed;
//!                                         unless it was on its way itself when it was moved (`unsettled.rs`)
//! ```
//!
//! A unit whose newest copy is lost is forgotten; an older copy does not come back.
//! Assumed: a block that was open is not continued after a cut; its empty rest is unused until the block is collected.
//! Not modelled here: capacitors that supply power after the cut (then the drive first programs all data), older copies
//! that a scan of the pages would find, pages that share cells with the one being programmed.

use super::{HostPage, Translation};
use crate::blocks::BlockState;
use crate::gc::separation::STREAMS;
use crate::pool::Lane;
use std::ops::Range;

impl Translation {
    /// Unmap every unit that is not on flash yet and close all open blocks; returns the units lost. Pages handed
    /// out before this call must not be reported as programmed after it.
    pub fn power_cut(&mut self) -> u64 {
        let lost_units = self.drop_host_pages() + self.forget_unprogrammed() + self.forget_unsettled();
        for pool_index in 0..self.pools.len() {
            for lane in Lane::ALL {
                self.abandon_block(pool_index, lane);
            }
        }
        lost_units
    }

    /// Drop the pages being filled: they were not handed out yet.
    fn drop_host_pages(&mut self) -> u64 {
        let mut lost_units = 0;
        for stream in 0..STREAMS {
            let HostPage { turn, filled } = self.host_pages[stream];
            let end_slot = self.pools[turn as usize].host[stream].next_slot;
            lost_units += self.forget_slots(end_slot - filled..end_slot);
            self.tally.dropped_slots += u64::from(filled);
            self.host_pages[stream].filled = 0;
            if let Some(packing) = &mut self.packing {
                packing.end_host_page(stream);
            }
        }
        lost_units
    }

    fn forget_unprogrammed(&mut self) -> u64 {
        let slots_per_block = self.blocks.slots_per_block();
        let mut lost_units = 0;
        for block in 0..self.blocks.count() {
            let state = self.blocks.state(block);
            let programmed = self.blocks.programmed_slots(block);
            if state.is_usable() && state != BlockState::Free && programmed < slots_per_block {
                let first_slot = self.blocks.first_slot(block);
                lost_units += self.forget_slots(first_slot + programmed..first_slot + slots_per_block);
            }
        }
        lost_units
    }

    /// Unmap the units that are valid in these slots; returns how many.
    fn forget_slots(&mut self, slots: Range<u32>) -> u64 {
        let mut units = std::mem::take(&mut self.survivors);
        units.clear();
        self.map.valid_units(slots, 1, &mut units);
        units.retain(|&unit| !self.blocks.is_programmed(self.map.slot(unit)));
        units.iter().for_each(|&unit| self.trim(unit));
        let count = units.len() as u64;
        self.survivors = units;
        count
    }

    /// Close the block of a frontier as it is.
    fn abandon_block(&mut self, pool_index: usize, lane: Lane) {
        let empty_slots = self.packing.as_mut().map(|packing| packing.end_moved_page(pool_index as u32, lane));
        let pool = &mut self.pools[pool_index];
        let frontier = std::mem::take(pool.frontier_mut(lane));
        if frontier.room() == 0 {
            return;
        }
        if let Lane::Moved(_) = lane {
            // The page with the last moved data was padded and programmed.
            let padding = frontier.next_slot.next_multiple_of(self.slots_per_page) - frontier.next_slot;
            if padding > 0 {
                self.tally.padded_slots += u64::from(empty_slots.unwrap_or(padding));
                self.tally.unused_entries += u64::from(empty_slots.map_or(0, |_| padding));
                self.tally.gc_pages += 1;
                let first_slot = self.blocks.first_slot(self.blocks.of_slot(frontier.next_slot));
                let page_index = (frontier.next_slot - first_slot) / self.slots_per_page;
                let ends_stripe = self.parity.ends_stripe(page_index, padding == frontier.room());
                self.tally.parity_pages += u64::from(ends_stripe);
            }
        }
        for slot in frontier.next_slot..frontier.end_slot {
            self.map.leave_empty(slot);
        }
        pool.close(&mut self.blocks, frontier.end_slot, self.tally.placed_units);
    }

    /// Drop all open blocks and pages, which are about to be erased.
    pub(super) fn drop_open_pages(&mut self) {
        for (pool_index, pool) in (0..).zip(&mut self.pools) {
            for lane in Lane::ALL {
                if let Some(packing) = &mut self.packing {
                    packing.end_moved_page(pool_index, lane);
                }
                let frontier = std::mem::take(pool.frontier_mut(lane));
                if frontier.room() > 0 {
                    self.tally.dropped_slots += u64::from(frontier.next_slot % self.slots_per_page);
                }
            }
        }
        if let Some(packing) = &mut self.packing {
            (0..STREAMS).for_each(|stream| _ = packing.end_host_page(stream));
        }
        self.host_pages = [HostPage::default(); STREAMS];
    }
}
