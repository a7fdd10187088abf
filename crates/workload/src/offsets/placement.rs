//! What every rule of offsets can do.

use crate::direction::Kind;

/// What every rule can do.
pub(crate) trait Placement {
    /// True when a request is cut to the room there is, so its size is drawn without regard to it.
    const CUTS_REQUESTS: bool = false;

    /// The next start for a request of this kind, in bytes from the start of the span; `None`: the pass is over.
    fn next(&mut self, kind: Kind) -> Option<u64>;

    /// Notes that a request takes `length_bytes` from `start_bytes`; returns the length it really gets.
    #[inline]
    fn take(&mut self, _kind: Kind, _start_bytes: u64, length_bytes: u64) -> u64 {
        length_bytes
    }

    /// Begins another pass (a sequential job: of this kind).
    fn begin_pass(&mut self, kind: Kind);
}
