//! What a disk has done since it was built.

use crate::counts::counts;
use crate::request::{Request, RequestKind};

counts! {
    /// Counts since the disk was built.
    ;
    /// Bytes the host read.
    host_read_bytes,
    /// Bytes the host wrote.
    host_written_bytes,
    /// Bytes the host trimmed (a disk takes note of none).
    host_trimmed_bytes,
    /// Read commands.
    host_read_requests,
    /// Write commands.
    host_write_requests,
    /// Trim commands.
    host_trim_requests,
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
    /// Reads answered whole from data read before or ahead.
    read_cache_hit_requests,
    /// Reads answered whole from data not yet written.
    write_cache_hit_requests,
    /// Bytes overwritten before they had been written out.
    write_cache_absorbed_bytes,
    /// Writes that had to wait for room in the write cache.
    write_cache_stalls,
}

impl Counters {
    /// Count a host request.
    pub(crate) fn count(&mut self, request: &Request, physical_bytes: u64) {
        match request.kind {
            RequestKind::Read => {
                self.host_read_requests += 1;
                self.host_read_bytes += request.length_bytes;
            }
            RequestKind::Write => {
                self.host_write_requests += 1;
                self.host_written_bytes += request.length_bytes;
                let whole = request.offset_bytes.is_multiple_of(physical_bytes)
                    && request.length_bytes.is_multiple_of(physical_bytes);
                self.unaligned_write_requests += u64::from(!whole);
            }
            RequestKind::Trim => {
                self.host_trim_requests += 1;
                self.host_trimmed_bytes += request.length_bytes;
            }
            RequestKind::Flush => self.host_flush_requests += 1,
        }
    }
}
