//! The counters of an aged drive: the writes that would have led to its state.
//!
//! ```text
//!   programmed slots = slots that are filled now + erases x slots per block
//!                    = sequential units + random units x (1 + moved + padded, per unit of the twin)
//! ```
//!
//! Of the erases and the random units, one is given and the other follows. When neither is given, there are four fills
//! at random after one in order, or as many more as needed until every block has been written.

use super::twin::Rates;
use crate::translation::Translation;

/// Random fills after the sequential fill, when no wear is given.
pub(super) const RANDOM_FILLS: u64 = 4;

/// The history of a drive in steady state, in numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct History {
    pub sequential_units: u64,
    pub page_per_unit: bool,
    pub slots_per_page: u64,
    pub rates: Rates,
}

impl History {
    /// Slots programmed for each unit written at random.
    fn slots_per_random_unit(&self) -> f64 {
        let host = if self.page_per_unit { self.slots_per_page as f64 } else { 1.0 };
        host + self.rates.moved_units + self.rates.gc_padded_slots
    }

    /// Units written at random so that `filled_slots` are filled now and the rest has been erased; at least `fills`
    /// fills.
    pub fn random_units_at_least(&self, fills: u64, filled_slots: u64) -> u64 {
        let to_fill = filled_slots.saturating_sub(self.sequential_units) as f64 / self.slots_per_random_unit();
        (fills * self.sequential_units).max(libm::ceil(to_fill) as u64)
    }

    /// Slots erased while the drive was written to this state.
    pub fn erased_slots(&self, random_units: u64, filled_slots: u64) -> f64 {
        let programmed = self.sequential_units as f64 + random_units as f64 * self.slots_per_random_unit();
        (programmed - filled_slots as f64).max(0.0)
    }

    /// Units written at random when this many slots have been programmed in total.
    pub fn random_units(&self, programmed_slots: u64) -> u64 {
        let rest = programmed_slots.saturating_sub(self.sequential_units) as f64;
        libm::round(rest / self.slots_per_random_unit()) as u64
    }
}

impl Translation {
    /// Count units written in order, in whole pages.
    pub(super) fn count_sequential(&mut self, units: u64) {
        let slots_per_page = u64::from(self.slots_per_page);
        let pages = units.div_ceil(slots_per_page);
        self.tally.placed_units += units;
        self.tally.host_pages += pages;
        self.count_parity(pages);
        self.tally.padded_slots += pages * slots_per_page - units;
    }

    /// Count units written at random after the sequential ones, and the units moved for them; `begun_slots` of these
    /// lie in pages of the collector that are not full yet.
    pub(super) fn count_random(&mut self, units: u64, history: &History, begun_slots: u64) {
        let slots_per_page = history.slots_per_page;
        let host_pages = if history.page_per_unit { units } else { units.div_ceil(slots_per_page) };
        self.tally.placed_units += units;
        self.tally.host_pages += host_pages;
        self.tally.padded_slots += host_pages * slots_per_page - units;
        let times = |rate: f64| libm::round(rate * units as f64) as u64;
        let moved = times(history.rates.moved_units).max(begun_slots);
        let padded = times(history.rates.gc_padded_slots);
        // Moved units fill complete pages, except for the pages that are not full yet.
        let pages = (moved + padded - begun_slots).div_ceil(slots_per_page);
        self.tally.gc_pages += pages;
        self.count_parity(host_pages + pages);
        self.tally.gc_read_pages += times(history.rates.gc_read_pages);
        self.tally.moved_units += pages * slots_per_page + begun_slots - padded;
        self.tally.padded_slots += padded;
    }

    /// Count the parity of this many data pages. The parity pages of open stripes are missing: at most one for each
    /// open block.
    fn count_parity(&mut self, data_pages: u64) {
        if self.parity.is_on() {
            let pages_per_block = self.blocks.slots_per_block() / self.slots_per_page;
            self.tally.parity_pages += libm::round(self.parity.pages_for(data_pages, pages_per_block)) as u64;
        }
    }
}
