//! What a drive must offer, beyond answering, to be one of several that share virtual time.
//!
//! A completion that a drive has handed out binds it to that time: nothing may be submitted to it before. Whoever
//! runs several drives must therefore ask the one whose next event comes first, and only up to that event.
//!
//! ```text
//!   drive 0   . . . . . . e . . .      next_event_ns = 6
//!   drive 1   . . e . . . . . . .      next_event_ns = 2: let it happen, then look again
//! ```

use crate::request::Drive;
use crate::ssd::Ssd;

/// A drive that says when it will do something next.
pub trait Member: Drive {
    /// Time of the next thing inside it, a completion included; `u64::MAX` when nothing is to come [ns].
    ///
    /// Nothing completes before it. Asking `next_completion` up to this time lets it happen.
    fn next_event_ns(&self) -> u64;
    /// Leave it alone for a time; what it does on its own goes on.
    fn idle(&mut self, duration_ns: u64);
}

impl Member for Ssd {
    fn next_event_ns(&self) -> u64 {
        Ssd::next_event_or_answer_ns(self)
    }

    fn idle(&mut self, duration_ns: u64) {
        Ssd::idle(self, duration_ns);
    }
}

impl<M: Member + ?Sized> Member for Box<M> {
    fn next_event_ns(&self) -> u64 {
        (**self).next_event_ns()
    }

    fn idle(&mut self, duration_ns: u64) {
        (**self).idle(duration_ns);
    }
}

impl<M: Member + ?Sized> Drive for Box<M> {
    fn user_bytes(&self) -> u64 {
        (**self).user_bytes()
    }

    fn sector_bytes(&self) -> u64 {
        (**self).sector_bytes()
    }

    fn now_ns(&self) -> u64 {
        (**self).now_ns()
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: crate::Request) {
        (**self).submit(at_ns, tag, request);
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<crate::Completion> {
        (**self).next_completion(until_ns)
    }
}
