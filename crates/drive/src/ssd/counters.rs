//! Counts of everything that went in and out of the drive since it was built; the host's side and the flash's side are
//! separate.

use crate::counts::counts;
use crate::host::HostCounts;
use crate::request::{Request, RequestKind};

counts! {
    /// Counts since the drive was built.
    pub struct Counters {
        ..host: HostCounts,
        /// Write commands that did not start and end on 4 KiB.
        unaligned_write_requests,
        /// Pieces of writes that covered only part of a mapping unit.
        partial_unit_writes,
        /// Number of times a write had to wait for room in the buffer.
        buffer_stalls,
        /// Number of times a write was held back by life-time throttling.
        throttled_writes,
        /// Pieces of writes whose unit was already in the sorted buffer, so that they took no new room.
        buffer_absorbed_units,
        /// Contiguous runs of units that were written when a sorted buffer was emptied.
        buffer_flushed_runs,
        /// Blocks rewritten because their errors came near the limit of correction, or beyond it.
        refreshed_blocks,
        /// Number of times the power came back.
        power_cycles,
        /// The number of these times when the power had gone without warning.
        power_cuts,
        /// Units of data lost in power cuts.
        lost_units,
        /// Units that found no free block.
        refused_units,
        /// Pages read for the host.
        host_read_pages,
        /// Pages read to complete partly written units.
        modify_read_pages,
        /// Pages programmed with host data.
        host_programmed_pages,
        /// The part of these that are in pSLC blocks.
        pslc_written_pages,
        /// Slots of those pages that were filled without data.
        padded_slots,
        /// Pages read by garbage collection.
        gc_read_pages,
        /// Pages programmed by garbage collection.
        gc_programmed_pages,
        /// Pages programmed with parity, for stripes of host data and of garbage collection.
        parity_pages,
        /// Units moved by garbage collection.
        gc_moved_units,
        /// Blocks erased.
        erased_blocks,
        /// Bytes programmed to flash.
        nand_written_bytes,
        /// Wrong bits in pages read for the host or to complete units.
        error_bits,
        /// Reads of such pages with at least one wrong bit, all corrected.
        corrected_reads,
        /// Reads of such pages with more wrong bits than can be corrected.
        unreadable_reads,
        /// Units moved in idle time.
        idle_moved_units,
        /// Units moved to even out wear.
        wear_leveling_moved_units,
        /// Units moved because their block was to be rewritten.
        refresh_moved_units,
        /// Units moved out of pSLC blocks into native ones, in idle time or because the cache was full.
        folded_units,
        /// Scattered regions that were gathered because their table was needed, or in idle time.
        gathered_regions,
        /// Runs of native blocks that were merged because a part of one was written past the buffer.
        merged_runs,
        /// Units rewritten by gathering or by merging.
        gathered_units,
        /// Units of zeros that were only marked in the map.
        zero_units,
        /// Programs that failed.
        failed_programs,
        /// Blocks retired because a program failed.
        program_failed_blocks,
        /// Blocks retired because they could not be erased.
        erase_failed_blocks,
        /// Blocks retired because they could not be read.
        read_failed_blocks,
        /// Log blocks that became data blocks without copying.
        switch_merges,
        /// Log blocks that became data blocks after the rest was copied.
        partial_merges,
        /// Merges that copied everything into a new block.
        full_merges,
    }
}

impl Counters {
    /// Count a host request.
    #[inline]
    pub(super) fn count(&mut self, request: &Request) {
        self.host.count(request);
        let is_unaligned = (request.offset_bytes | request.length_bytes) & 4095 != 0;
        self.unaligned_write_requests += u64::from(request.kind == RequestKind::Write && is_unaligned);
    }
}
