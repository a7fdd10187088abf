//! Requests of the host to a drive, counted in the same way for every kind of drive.

use crate::counts::counts;
use crate::request::{Request, RequestKind};

counts! {
    /// Commands of the host and their bytes, since the drive was built. Flushes are counted only by the kinds that
    /// report them.
    pub struct HostCounts as "host_" {
        /// Bytes read.
        read_bytes,
        /// Bytes written.
        written_bytes,
        /// Bytes trimmed, even if the drive ignores TRIM.
        trimmed_bytes,
        /// Read commands.
        read_requests,
        /// Write commands.
        write_requests,
        /// Trim commands.
        trim_requests,
    }
}

impl HostCounts {
    /// Count a request.
    #[inline]
    pub(crate) fn count(&mut self, request: &Request) {
        match request.kind {
            RequestKind::Read => {
                self.read_requests += 1;
                self.read_bytes += request.length_bytes;
            }
            RequestKind::Write => {
                self.write_requests += 1;
                self.written_bytes += request.length_bytes;
            }
            RequestKind::Trim => {
                self.trim_requests += 1;
                self.trimmed_bytes += request.length_bytes;
            }
            RequestKind::Flush => {}
        }
    }

    /// Count bytes that a request asked for beside those that it was counted with.
    pub(crate) fn count_rest(&mut self, kind: RequestKind, bytes: u64) {
        match kind {
            RequestKind::Read => self.read_bytes += bytes,
            RequestKind::Write => self.written_bytes += bytes,
            RequestKind::Trim => self.trimmed_bytes += bytes,
            RequestKind::Flush => {}
        }
    }
}
