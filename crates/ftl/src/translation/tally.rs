//! What the translation layer has done, counted.

use serde::{Deserialize, Serialize};

/// What the layer has done since it was built, in pages and units.
///
/// Every slot is accounted for: those of all programmed pages, host's and collector's, of pages still being filled, and
/// dropped ones hold what was placed, moved and padded. With compression the slots are entries of the map, and
/// `unused_entries` stand in place of padded ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Units placed for the host.
    pub placed_units: u64,
    /// Slots programmed with filling because a page had to go out before it was full.
    pub padded_slots: u64,
    /// Pages programmed with host data.
    pub host_pages: u64,
    /// Units moved by collection, for whatever reason.
    pub moved_units: u64,
    /// Of them, those in pSLC blocks.
    pub pslc_host_pages: u64,
    /// Units of zeros that were only noted; not among `placed_units`.
    pub zero_units: u64,
    /// Entries of the map that stayed empty because a page was complete before; only with compression.
    pub unused_entries: u64,
    /// Pages read by collection.
    pub gc_read_pages: u64,
    /// Pages programmed by collection.
    pub gc_pages: u64,
    /// Pages programmed with the parity of either; not among them.
    pub parity_pages: u64,
    /// Blocks erased, those included that failed at it.
    pub erased_blocks: u64,
    /// Filled slots of pages that were never programmed: dropped by a power cut or by erasing everything.
    pub dropped_slots: u64,
    /// Of the moved units, those moved in idle time.
    pub idle_moved_units: u64,
    /// Of the moved units, those moved to even out wear.
    pub wear_leveling_moved_units: u64,
    /// Of the moved units, those moved because their block was to be written anew or could not be read well.
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
    /// Pages programmed, successfully or not: the wear and the bytes the flash has seen.
    pub fn programmed_pages(&self) -> u64 {
        self.host_pages + self.gc_pages + self.parity_pages + self.failed_programs
    }

    /// Blocks that went bad in use.
    pub fn grown_bad_blocks(&self) -> u64 {
        self.program_failed_blocks + self.erase_failed_blocks + self.read_failed_blocks
    }
}
