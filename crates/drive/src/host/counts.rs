//! What the host asked of a drive, counted alike for every kind.

use crate::counts::counts;
use crate::request::{Request, RequestKind};

counts! {
    /// Commands of the host and their bytes, since the drive was built. Flushes are counted by the kinds that tell of them.
    pub struct HostCounts as "host_" {
        /// Bytes read.
        read_bytes,
        /// Bytes written.
        written_bytes,
        /// Bytes trimmed, whether the drive takes note of it or not.
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
}
