//! Regions that must lie in one run again: their pages are read and rewritten.
//!
//! ```text
//!   write needs a table, all are taken --> oldest region gathered --> the write goes on behind it
//!   idle for `gather_delay`           --> oldest region gathered, one after another, until no table is taken
//! ```
//!
//! As with collection, the map shows the result at once, and the banks do the work in their time: each page is sensed,
//! sent out, sent in and programmed. Data that is still on its way to flash stays where it is.
//!
//! Assumed: a page is sensed on its destination bank; all pages of a region go to the banks in parallel.
//! Not modelled here: a region that is gathered only in part because host data for it arrives meanwhile.

use super::Ssd;
use flashscope_ftl::mapping::is_slot;
use flashscope_kernel::time::NEVER_NS;
use flashscope_nand::{CellMode, Operation};

impl Ssd {
    /// A unit is about to be placed: make sure that there is a table for its region.
    #[inline]
    pub(super) fn take_fine_table(&mut self, unit: u32) {
        if let Some(map) = &mut self.fine_map
            && let Some(region) = map.written(unit)
        {
            self.gather(region);
        }
    }

    /// When an idle drive gathers the next region, `NEVER_NS` when there is none.
    pub(super) fn gathering_due_ns(&self) -> u64 {
        match (&self.fine_map, &self.config.fine_map) {
            (Some(map), Some(settings)) if settings.gather_delay_ns > 0 && map.fine_regions() > 0 => {
                self.collection_due_ns(settings.gather_delay_ns)
            }
            _ => NEVER_NS,
        }
    }

    /// Gather the oldest region in idle time.
    pub(super) fn gather_oldest(&mut self) {
        self.set_date();
        if let Some(map) = &mut self.fine_map
            && let Some(region) = map.oldest()
        {
            map.release(region);
            self.gather(region);
            self.nothing_to_collect = false;
            self.nothing_to_fold = false;
        }
    }

    /// Free the tables of regions that hold no data any more, units `from` to `until`.
    pub(super) fn forget_fine_tables(&mut self, from: u32, until: u32) {
        if let Some(map) = &mut self.fine_map {
            for region in map.regions_within(from..until) {
                map.release(region);
            }
        }
    }

    /// Rewrite all of a region in order.
    fn gather(&mut self, region: u32) {
        let Some(map) = &self.fine_map else { return };
        self.counters.gathered_regions += 1;
        for unit in map.units_of(region) {
            let slot = self.translation.slot(unit);
            if is_slot(slot) && self.translation.is_programmed(slot) && !self.move_unit(unit, slot) {
                return;
            }
        }
    }

    /// Rewrite a unit, which fills a page; false when there is no block for it, and it stays where it is.
    pub(super) fn move_unit(&mut self, unit: u32, slot: u32) -> bool {
        let source = self.translation.mode_of_slot(slot);
        let Ok(placed) = self.translation.place(unit, 0, self.now_ns) else {
            return false; // the host's own write, which comes next, gets the error
        };
        self.counters.gathered_units += 1;
        self.add_collection(&placed);
        if let Some(page) = placed.complete {
            self.do_owed_collection(&page);
            self.translation.page_programmed(page);
            let place = self.parity.place(page.page_index);
            let bank = self.config.geometry.bank_of_page(page.pool, place);
            let page_index = self.config.geometry.page_in_erase_block(place);
            let target: CellMode = self.translation.mode_of_block(page.block);
            let work = Operation::Collect { reads: 1, programs: 1, page_index, erases: 0, source, target };
            self.array.enqueue(bank, self.now_ns, work);
            if page.ends_stripe {
                self.program_parity(page);
            }
        }
        true
    }
}
