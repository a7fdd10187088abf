//! The state of a drive's life, and which requests it refuses in that state.

use crate::request::{RequestKind, Status};
use flashscope_kernel::choice;

choice! {
    /// The state of a drive's life.
    #[derive(Default)]
    pub enum Life {
        /// It reads and writes.
        #[default]
        Good = "good",
        /// It only reads.
        ReadOnly = "read-only",
        /// It answers no requests any more.
        Dead = "dead",
    }
}

impl Life {
    /// The status of a request of that kind if it is refused.
    pub(super) fn refuses(self, kind: RequestKind) -> Option<Status> {
        match (self, kind) {
            (Self::Good, _) | (Self::ReadOnly, RequestKind::Read | RequestKind::Flush) => None,
            (Self::ReadOnly, RequestKind::Write | RequestKind::Trim) => Some(Status::ReadOnly),
            (Self::Dead, _) => Some(Status::Dead),
        }
    }
}
