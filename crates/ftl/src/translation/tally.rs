//! Counts of the work of the translation layer.

use serde::{Deserialize, Serialize};

/// Counts of the layer's work since it was built, in pages and units.
///
/// Every slot is accounted for: those of all programmed pages, host's and collector's, of pages still being filled, and
/// dropped ones hold what was placed, moved and padded. With compression the slots are entries of the map, and
/// `unused_entries` stand in place of padded ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Units placed for the host.
    pub placed_units: u64,
    /// Slots programmed with padding because a page had to be programmed before it was full.
    pub padded_slots: u64,
    /// Pages programmed with host data.
    pub host_pages: u64,
    /// Units moved by collection, for whatever reason.
    pub moved_units: u64,
    /// Of them, those in pSLC blocks.
    pub pslc_host_pages: u64,
    /// Units of zeros that were only recorded in the map; not among `placed_units`.
    pub zero_units: u64,
    /// Entries of the map that stayed empty because their page was complete without them; only with compression.
    pub unused_entries: u64,
    /// Pages read by collection.
    pub gc_read_pages: u64,
    /// Pages programmed by collection.
    pub gc_pages: u64,
    /// Pages programmed with parity; not among `host_pages` and `gc_pages`.
    pub parity_pages: u64,
    /// Blocks erased, including those whose erase failed.
    pub erased_blocks: u64,
    /// Filled slots of pages that were never programmed: dropped by a power cut or by erasing everything.
    pub dropped_slots: u64,
    /// Of the moved units, those moved in idle time.
    pub idle_moved_units: u64,
    /// Of the moved units, those moved to even out wear.
    pub wear_leveling_moved_units: u64,
    /// Of the moved units, those moved because their block was to be rewritten or could not be read well.
    pub refresh_moved_units: u64,
    /// Of the moved units, those folded out of pSLC blocks because no more may be in use, or in idle time.
    pub folded_units: u64,
    /// Programs that failed, each one page; not among `host_pages` and `gc_pages`.
    pub failed_programs: u64,
    /// Blocks retired because a program failed.
    pub program_failed_blocks: u64,
    /// Blocks retired because they could not be erased.
    pub erase_failed_blocks: u64,
    /// Blocks retired because they could not be read.
    pub read_failed_blocks: u64,
}

impl Tally {
    /// Pages programmed, successfully or not: a measure of the wear and of the bytes written to flash.
    pub fn programmed_pages(&self) -> u64 {
        self.host_pages + self.gc_pages + self.parity_pages + self.failed_programs
    }

    /// Blocks that went bad in use.
    pub fn grown_bad_blocks(&self) -> u64 {
        self.program_failed_blocks + self.erase_failed_blocks + self.read_failed_blocks
    }

    /// Add `ratio` times the measured counts, in whole pages, so that every slot is still accounted for. Erases and
    /// failures are not added here; they are counted one by one.
    pub fn add_times(&mut self, measured: &Self, ratio: f64, slots_per_page: u32) {
        let times = |count: u64| libm::round(count as f64 * ratio) as u64;
        let slots_per_page = u64::from(slots_per_page);
        let (placed, moved, padded) =
            (times(measured.placed_units), times(measured.moved_units), times(measured.padded_slots));
        let slots = (placed + moved + padded).next_multiple_of(slots_per_page);
        let gc_pages = times(measured.gc_pages).min(slots / slots_per_page);
        self.placed_units += placed;
        self.moved_units += moved;
        self.padded_slots += slots - placed - moved;
        self.gc_pages += gc_pages;
        self.host_pages += slots / slots_per_page - gc_pages;
        self.gc_read_pages += times(measured.gc_read_pages);
        self.parity_pages += times(measured.parity_pages);
        let reasons = [
            (&mut self.idle_moved_units, measured.idle_moved_units),
            (&mut self.wear_leveling_moved_units, measured.wear_leveling_moved_units),
            (&mut self.refresh_moved_units, measured.refresh_moved_units),
        ];
        for (count, measured) in reasons {
            *count += libm::floor(measured as f64 * ratio) as u64;
        }
    }

    /// What was counted since `before`.
    pub fn since(&self, before: &Self) -> Self {
        Self {
            placed_units: self.placed_units - before.placed_units,
            padded_slots: self.padded_slots - before.padded_slots,
            host_pages: self.host_pages - before.host_pages,
            moved_units: self.moved_units - before.moved_units,
            gc_read_pages: self.gc_read_pages - before.gc_read_pages,
            gc_pages: self.gc_pages - before.gc_pages,
            parity_pages: self.parity_pages - before.parity_pages,
            erased_blocks: self.erased_blocks - before.erased_blocks,
            idle_moved_units: self.idle_moved_units - before.idle_moved_units,
            wear_leveling_moved_units: self.wear_leveling_moved_units - before.wear_leveling_moved_units,
            refresh_moved_units: self.refresh_moved_units - before.refresh_moved_units,
            ..Self::default()
        }
    }
}
