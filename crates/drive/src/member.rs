//! What a drive must offer, besides answering, to be one of several that share virtual time.
//!
//! A completion that a drive has returned binds the drive to its time: no request may be submitted to it before that
//! time. Code that runs several drives must therefore always call the one whose next event comes first, and only up to
//! that event.
//!
//! ```text
//!   drive 0   . . . . . . e . . .      next_ns = 6
//!   drive 1   . . e . . . . . . .      next_ns = 2: let it happen, then look again
//! ```

use crate::request::Drive;

/// A drive that reports when its next event is.
pub trait Member: Drive {
    /// Time of the next event inside it, completions included; `u64::MAX` when there is none [ns].
    ///
    /// Nothing completes before that time. Calling `next_completion` up to that time handles the event.
    fn next_ns(&self) -> u64;
    /// Leave the drive alone for a time; its own work goes on.
    fn idle(&mut self, duration_ns: u64);
}
