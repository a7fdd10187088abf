//! Placing host data: page by page, the pools in turn; hot and cold pages are filled apart.

use crate::pool::{COLD, HOT, Lane};
use crate::twin::{Refused, Twin};

/// The page of one temperature that is being filled.
#[derive(Clone, Copy, Debug, Default)]
pub struct HostPage {
    /// The pool whose turn it is.
    pub turn: usize,
    /// Slots filled.
    pub filled: usize,
    /// Units in it that have room in the buffer.
    pub buffered_units: u32,
    /// The request under way waits for it.
    pub awaited: bool,
}

/// A page that goes to flash.
#[derive(Clone, Copy, Debug)]
pub struct SentPage {
    pub block: usize,
    /// How often its block had been erased.
    pub erases: u32,
    pub page: usize,
    pub buffered_units: u32,
    pub awaited: bool,
}

impl Twin {
    /// Put a unit into the page being filled.
    pub fn place(&mut self, unit: u32, from_buffer: bool) -> Result<(), Refused> {
        let heat = self.flash.map.get(&unit).map_or(COLD, |&(block, _)| self.heat_of_block(block));
        if self.host_pages[heat].filled == 0 {
            self.find_host_block(heat)?;
        }
        let pool = self.host_pages[heat].turn;
        let block = self.pools[pool].open[&Lane::Host(heat)];
        self.flash.fill(block, Some(unit), false);
        self.placed_units += 1;
        let page = &mut self.host_pages[heat];
        page.filled += 1;
        page.buffered_units += u32::from(from_buffer);
        page.awaited |= !from_buffer;
        if page.filled == self.flash.slots_per_page {
            self.send_page(heat);
        }
        Ok(())
    }

    /// The pool whose turn it is, or the next one that can, has an open block for the host.
    fn find_host_block(&mut self, heat: usize) -> Result<(), Refused> {
        for attempt in 0..self.pools.len() {
            let pool = self.host_pages[heat].turn;
            if self.room_in_lane(pool, Lane::Host(heat)) > 0 {
                return Ok(());
            }
            if attempt == 0 && self.exhausted {
                return Err(Refused::SparesExhausted);
            }
            if let Ok(work) = self.room_for_host(pool, heat) {
                self.pay(pool, work);
                return Ok(());
            }
            self.host_pages[heat].turn = (pool + 1) % self.pools.len();
        }
        Err(self.no_room())
    }

    /// Fill the pages that were begun with nothing and send them.
    pub fn pad_pages(&mut self) {
        for heat in [COLD, HOT] {
            if self.host_pages[heat].filled > 0 {
                let block = self.pools[self.host_pages[heat].turn].open[&Lane::Host(heat)];
                self.fill_page(block, false);
                self.send_page(heat);
            }
        }
    }

    fn send_page(&mut self, heat: usize) {
        let HostPage { turn: pool, buffered_units, awaited, .. } = self.host_pages[heat];
        let block = self.pools[pool].open[&Lane::Host(heat)];
        let page = self.flash.blocks[block].slots.len() / self.flash.slots_per_page - 1;
        let erases = self.flash.blocks[block].erases;
        self.close_if_full(pool, Lane::Host(heat));
        self.host_pages[heat] = HostPage { turn: (pool + 1) % self.pools.len(), ..HostPage::default() };
        self.counters.host_programmed_pages += 1;
        self.program(pool, SentPage { block, erases, page, buffered_units, awaited });
    }
}
