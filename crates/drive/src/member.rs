//! What a drive must offer, beyond answering, to be one of several that share virtual time.
//!
//! A completion that a drive has handed out binds it to that time: nothing may be submitted to it before. Whoever
//! runs several drives must therefore ask the one whose next event comes first, and only up to that event.
//!
//! ```text
//!   drive 0   . . . . . . e . . .      next_ns = 6
//!   drive 1   . . e . . . . . . .      next_ns = 2: let it happen, then look again
//! ```

use crate::request::Drive;

/// A drive that says when it will do something next.
pub trait Member: Drive {
    /// Time of the next thing inside it, a completion included; `u64::MAX` when nothing is to come [ns].
    ///
    /// Nothing completes before it. Asking `next_completion` up to this time lets it happen.
    fn next_ns(&self) -> u64;
    /// Leave it alone for a time; what it does on its own goes on.
    fn idle(&mut self, duration_ns: u64);
}
