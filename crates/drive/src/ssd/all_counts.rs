//! All counts of a drive: its own, and those of its translation, its buffer and its reads.

use super::{Counters, Ssd};

impl Ssd {
    /// All counts of the drive.
    pub fn counters(&self) -> Counters {
        let tally = self.translation.tally();
        let buffer = self.buffer.tally();
        let merges = self.translation.merges().unwrap_or_default();
        let page_bytes = u64::from(self.config.geometry.programmed_page_bytes());
        Counters {
            buffer_absorbed_units: buffer.absorbed_units,
            buffer_flushed_runs: buffer.flushed_runs,
            host_programmed_pages: tally.host_pages,
            pslc_written_pages: tally.pslc_host_pages,
            padded_slots: tally.padded_slots,
            gc_read_pages: tally.gc_read_pages,
            gc_programmed_pages: tally.gc_pages,
            parity_pages: tally.parity_pages,
            gc_moved_units: tally.moved_units,
            erased_blocks: tally.erased_blocks,
            nand_written_bytes: tally.programmed_pages() * page_bytes,
            error_bits: self.bit_errors.error_bits(),
            corrected_reads: self.bit_errors.corrected_reads(),
            unreadable_reads: self.bit_errors.counts().uncorrectable_reads,
            idle_moved_units: tally.idle_moved_units,
            wear_leveling_moved_units: tally.wear_leveling_moved_units,
            refresh_moved_units: tally.refresh_moved_units,
            folded_units: tally.folded_units,
            zero_units: tally.zero_units,
            failed_programs: tally.failed_programs,
            program_failed_blocks: tally.program_failed_blocks,
            erase_failed_blocks: tally.erase_failed_blocks,
            read_failed_blocks: tally.read_failed_blocks,
            switch_merges: merges.switch_merges,
            partial_merges: merges.partial_merges,
            full_merges: merges.full_merges,
            ..self.counters
        }
    }
}
