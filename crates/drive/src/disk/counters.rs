//! What a disk has done since it was built.

use crate::request::{Request, RequestKind};
use serde::{Deserialize, Serialize};

/// Counts since the disk was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Bytes the host read.
    pub host_read_bytes: u64,
    /// Bytes the host wrote.
    pub host_written_bytes: u64,
    /// Bytes the host trimmed (a disk takes note of none).
    pub host_trimmed_bytes: u64,
    /// Read commands.
    pub host_read_requests: u64,
    /// Write commands.
    pub host_write_requests: u64,
    /// Trim commands.
    pub host_trim_requests: u64,
    /// Flush commands.
    pub host_flush_requests: u64,
    /// Write commands that did not start and end on physical sectors.
    pub unaligned_write_requests: u64,
    /// Bytes read from the platters for the host.
    pub media_read_bytes: u64,
    /// Bytes read from the platters ahead of the host.
    pub media_look_ahead_bytes: u64,
    /// Bytes read from the platters to copy them elsewhere (a hybrid's cache).
    pub media_background_bytes: u64,
    /// Bytes of physical sectors written to the platters.
    pub media_written_bytes: u64,
    /// Revolutions spent on reading sectors that were then written in part.
    pub read_modify_write_revolutions: u64,
    /// Moves to another cylinder.
    pub seeks: u64,
    /// Moves to another head of the same cylinder.
    pub head_switches: u64,
    /// Reads answered whole from data read before or ahead.
    pub read_cache_hit_requests: u64,
    /// Reads answered whole from data not yet written.
    pub write_cache_hit_requests: u64,
    /// Bytes overwritten before they had been written out.
    pub write_cache_absorbed_bytes: u64,
    /// Writes that had to wait for room in the write cache.
    pub write_cache_stalls: u64,
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

    /// All counts by name.
    pub fn list(&self) -> Vec<(&'static str, u64)> {
        vec![
            ("host_read_bytes", self.host_read_bytes),
            ("host_written_bytes", self.host_written_bytes),
            ("host_trimmed_bytes", self.host_trimmed_bytes),
            ("host_read_requests", self.host_read_requests),
            ("host_write_requests", self.host_write_requests),
            ("host_trim_requests", self.host_trim_requests),
            ("host_flush_requests", self.host_flush_requests),
            ("unaligned_write_requests", self.unaligned_write_requests),
            ("media_read_bytes", self.media_read_bytes),
            ("media_look_ahead_bytes", self.media_look_ahead_bytes),
            ("media_background_bytes", self.media_background_bytes),
            ("media_written_bytes", self.media_written_bytes),
            ("read_modify_write_revolutions", self.read_modify_write_revolutions),
            ("seeks", self.seeks),
            ("head_switches", self.head_switches),
            ("read_cache_hit_requests", self.read_cache_hit_requests),
            ("write_cache_hit_requests", self.write_cache_hit_requests),
            ("write_cache_absorbed_bytes", self.write_cache_absorbed_bytes),
            ("write_cache_stalls", self.write_cache_stalls),
        ]
    }
}
