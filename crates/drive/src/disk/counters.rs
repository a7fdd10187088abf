//! What a disk has done since it was built.

use crate::counts::counts;
use crate::host::HostCounts;
use crate::request::{Request, RequestKind};

counts! {
    /// Counts since the disk was built.
    pub struct Counters {
        ..host: HostCounts,
        /// Flush commands.
        host_flush_requests,
        /// Write commands that did not start and end on physical sectors.
        unaligned_write_requests,
        /// Bytes read from the platters for the host.
        media_read_bytes,
        /// Bytes read from the platters ahead of the host.
        media_look_ahead_bytes,
        /// Bytes read from the platters to copy them elsewhere (a hybrid's cache).
        media_background_bytes,
        /// Bytes of physical sectors written to the platters.
        media_written_bytes,
        /// Revolutions spent on reading sectors that were then written in part.
        read_modify_write_revolutions,
        /// Moves to another cylinder.
        seeks,
        /// Moves to another head of the same cylinder.
        head_switches,
        /// Reads answered completely from data read before or ahead.
        read_cache_hit_requests,
        /// Reads answered completely from data not yet written.
        write_cache_hit_requests,
        /// Bytes overwritten before they had been written out.
        write_cache_absorbed_bytes,
        /// Writes that had to wait for room in the write cache.
        write_cache_stalls,
    }
}

impl Counters {
    /// Count a host request.
    pub(crate) fn count(&mut self, request: &Request, physical_bytes: u64) {
        self.host.count(request);
        self.host_flush_requests += u64::from(request.kind == RequestKind::Flush);
        let is_whole =
            request.offset_bytes.is_multiple_of(physical_bytes) && request.length_bytes.is_multiple_of(physical_bytes);
        self.unaligned_write_requests += u64::from(request.kind == RequestKind::Write && !is_whole);
    }
}
