//! The interface of every rule of offsets.

use crate::direction::Kind;

/// The interface of every rule.
pub(crate) trait Placement {
    /// True when the rule cuts a request to the room there is, so the size is drawn without regard to that room.
    const CUTS_REQUESTS: bool = false;

    /// The next start for a request of this kind, in bytes from the start of the span; `None`: the pass is over.
    fn next(&mut self, kind: Kind) -> Option<u64>;

    /// Notes that a request takes `length_bytes` from `start_bytes` on; returns the length it gets after any cut.
    #[inline]
    fn take(&mut self, _kind: Kind, _start_bytes: u64, length_bytes: u64) -> u64 {
        length_bytes
    }

    /// Begins another pass (a sequential job: of this kind).
    fn begin_pass(&mut self, kind: Kind);
}
