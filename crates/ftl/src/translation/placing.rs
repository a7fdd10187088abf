//! Placing the host's units in the page being filled, and what happens when the page is complete.

use super::{HostPage, OpenPage, Placed, Refusal, Translation};
use crate::gc::Collected;
use crate::gc::separation::COLD;
use crate::mapping::is_slot;
use flashscope_nand::CellMode;

impl Translation {
    /// The stream that a unit belongs to, by the age of its old copy.
    #[inline(never)]
    fn stream_by_age(&self, unit: u32) -> usize {
        let old = self.map.slot(unit);
        match &self.ages {
            Some(ages) if is_slot(old) => ages.stream(self.blocks.of_slot(old), self.tally.placed_units),
            _ => COLD,
        }
    }

    /// Place one unit of host data in the page being filled. `compressible`, in 1/255, has an effect only with
    /// compression; `now_ns` only labels decisions.
    #[inline(always)]
    pub fn place(&mut self, unit: u32, compressible: u8, now_ns: u64) -> Result<Placed, Refusal> {
        let stream = if self.ages.is_none() { COLD } else { self.stream_by_age(unit) };
        let mut collected = None;
        let page = &self.host_pages[stream];
        if page.filled == 0 && self.pools[page.turn as usize].host[stream].room() == 0 {
            collected = self.open_host_block(stream, now_ns)?;
        }
        let pool = self.host_pages[stream].turn;
        let frontier = &mut self.pools[pool as usize].host[stream];
        let slot = frontier.next_slot;
        frontier.next_slot += 1;
        let stale = self.map.place(unit, slot);
        self.leave(unit, stale);
        let block = self.blocks.of_slot(slot);
        self.blocks.add_valid(block, 1);
        self.tally.placed_units += 1;
        self.host_pages[stream].filled += 1;
        let is_complete = if self.packing.is_none() {
            self.host_pages[stream].filled == self.slots_per_page
        } else {
            self.fill_packed(unit, compressible, stream, block)
        };
        let complete = is_complete.then(|| self.complete_page(stream, block));
        Ok(Placed { pool, stream: stream as u8, collected, complete })
    }

    /// Complete a page being filled with padding, so that it can be programmed now. `None` when no page has been
    /// begun; with hot and cold data apart there may be two, so call this until it returns `None`.
    pub fn pad_page(&mut self) -> Option<OpenPage> {
        let stream = self.host_pages.iter().position(|page| page.filled > 0)?;
        let HostPage { turn, filled } = self.host_pages[stream];
        let host = &mut self.pools[turn as usize].host[stream];
        let padding = self.slots_per_page - filled;
        for slot in host.next_slot..host.next_slot + padding {
            self.map.leave_empty(slot);
        }
        host.next_slot += padding;
        let block = self.blocks.of_slot(host.next_slot - 1);
        match &mut self.packing {
            None => self.tally.padded_slots += u64::from(padding),
            Some(packing) => {
                self.tally.padded_slots += u64::from(packing.end_host_page(stream));
                self.tally.unused_entries += u64::from(padding);
            }
        }
        Some(self.complete_page(stream, block))
    }

    fn complete_page(&mut self, stream: usize, block: u32) -> OpenPage {
        let pool_index = self.host_pages[stream].turn;
        let pool = &mut self.pools[pool_index as usize];
        let first_slot = self.blocks.first_slot(block);
        let page_index = (pool.host[stream].next_slot - first_slot) / self.slots_per_page - 1;
        let is_last = pool.host[stream].room() == 0;
        if is_last {
            let end_slot = pool.host[stream].end_slot;
            pool.close(&mut self.blocks, end_slot, self.tally.placed_units);
        }
        let ends_stripe = self.parity.ends_stripe(page_index, is_last);
        self.tally.parity_pages += u64::from(ends_stripe);
        let turn = if pool_index + 1 == self.pools.len() as u32 { 0 } else { pool_index + 1 };
        self.host_pages[stream].turn = turn;
        self.host_pages[stream].filled = 0;
        self.tally.host_pages += 1;
        if let Some(pslc) = &self.pslc {
            self.tally.pslc_host_pages += u64::from(pslc.mode(block) == CellMode::Pslc);
        }
        let erase_count = self.blocks.erase_count(block);
        OpenPage { pool: pool_index, block, page_index, stream: stream as u8, ends_stripe, erase_count }
    }

    /// Open a block for host data in the pool whose turn it is, or in the next one that can.
    #[cold]
    fn open_host_block(&mut self, stream: usize, now_ns: u64) -> Result<Option<Collected>, Refusal> {
        if self.failures.exhausted {
            return Err(Refusal::SparesExhausted);
        }
        for _ in 0..self.pools.len() {
            let turn = self.host_pages[stream].turn;
            if self.pools[turn as usize].host[stream].room() > 0 {
                return Ok(None);
            }
            if let Ok(collected) = self.room_for_host(turn, stream, now_ns) {
                return Ok(collected);
            }
            self.host_pages[stream].turn = (turn + 1) % self.pools.len() as u32;
        }
        Err(self.refuse())
    }
}
