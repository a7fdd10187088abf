//! What went in and out of the drive since it was built. Host side and flash side are told apart.

use super::Ssd;
use crate::request::{Request, RequestKind};
use serde::{Deserialize, Serialize};

/// Counts since the drive was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Bytes the host read.
    pub host_read_bytes: u64,
    /// Bytes the host wrote.
    pub host_written_bytes: u64,
    /// Bytes the host trimmed.
    pub host_trimmed_bytes: u64,
    /// Read commands.
    pub host_read_requests: u64,
    /// Write commands.
    pub host_write_requests: u64,
    /// Trim commands.
    pub host_trim_requests: u64,
    /// Write commands that did not start and end on 4 KiB.
    pub unaligned_write_requests: u64,
    /// Pieces of writes that covered only part of a mapping unit.
    pub partial_unit_writes: u64,
    /// Times a write had to wait for room in the buffer.
    pub buffer_stalls: u64,
    /// Times a write was held back so that the drive lasts.
    pub throttled_writes: u64,
    /// Pieces of writes whose unit was in the sorted buffer already and took no new room in it.
    pub buffer_absorbed_units: u64,
    /// Contiguous runs of units in which a sorted buffer was emptied.
    pub buffer_flushed_runs: u64,
    /// Units that found no free block.
    pub refused_units: u64,
    /// Pages read for the host.
    pub host_read_pages: u64,
    /// Pages read to complete partly written units.
    pub modify_read_pages: u64,
    /// Pages programmed with host data.
    pub host_programmed_pages: u64,
    /// Slots of those pages that were filled with nothing.
    pub padded_slots: u64,
    /// Pages read by garbage collection.
    pub gc_read_pages: u64,
    /// Pages programmed by garbage collection.
    pub gc_programmed_pages: u64,
    /// Units moved by garbage collection.
    pub gc_moved_units: u64,
    /// Blocks erased.
    pub erased_blocks: u64,
    /// Bytes programmed to flash.
    pub nand_written_bytes: u64,
    /// Wrong bits in pages read for the host or to complete units.
    pub error_bits: u64,
    /// Reads of such pages with at least one wrong bit.
    pub corrected_reads: u64,
}

impl Counters {
    /// Count a host request.
    #[inline]
    pub(super) fn count(&mut self, request: &Request) {
        match request.kind {
            RequestKind::Read => {
                self.host_read_requests += 1;
                self.host_read_bytes += request.length_bytes;
            }
            RequestKind::Write => {
                self.host_write_requests += 1;
                self.host_written_bytes += request.length_bytes;
                self.unaligned_write_requests += u64::from((request.offset_bytes | request.length_bytes) & 4095 != 0);
            }
            RequestKind::Trim => {
                self.host_trim_requests += 1;
                self.host_trimmed_bytes += request.length_bytes;
            }
            RequestKind::Flush => {}
        }
    }
}

impl Ssd {
    /// All counts of the drive.
    pub fn counters(&self) -> Counters {
        let tally = self.translation.tally();
        let buffer = self.buffer.tally();
        let page_bytes = u64::from(self.config.geometry.programmed_page_bytes());
        Counters {
            buffer_absorbed_units: buffer.absorbed_units,
            buffer_flushed_runs: buffer.flushed_runs,
            host_programmed_pages: tally.host_pages,
            padded_slots: tally.padded_slots,
            gc_read_pages: tally.gc_read_pages,
            gc_programmed_pages: tally.gc_pages,
            gc_moved_units: tally.moved_units,
            erased_blocks: tally.erased_blocks,
            nand_written_bytes: (tally.host_pages + tally.gc_pages) * page_bytes,
            error_bits: self.bit_errors.error_bits(),
            corrected_reads: self.bit_errors.corrected_reads(),
            ..self.counters
        }
    }
}
