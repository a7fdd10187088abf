//! A resource that serves one user at a time, in the order in which they ask.
//!
//! ```text
//!   asks at 2 for 3        asks at 4 for 2
//!        |                      |
//!   0 . . [== == ==] [== ==] . . .        the second one waits until 5
//!         2          5       7
//! ```
//!
//! Callers ask in time order (the agenda ensures this), so "first come, first served" is exact and a
//! timeline needs to keep only the moment at which it is free again.

use serde::{Deserialize, Serialize};

/// A serial resource: a channel, the host link, the controller's command processor.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Timeline {
    free_at_ns: u64,
    busy_ns: u64,
}

impl Timeline {
    /// Take the resource for `duration_ns`, at `now_ns` or as soon as it is free; returns the start.
    #[inline]
    pub fn reserve(&mut self, now_ns: u64, duration_ns: u64) -> u64 {
        let start_ns = self.free_at_ns.max(now_ns);
        self.free_at_ns = start_ns + duration_ns;
        self.busy_ns += duration_ns;
        start_ns
    }

    /// For how long from `now_ns` on the resource is taken [ns].
    pub fn taken_for_ns(&self, now_ns: u64) -> u64 {
        self.free_at_ns.saturating_sub(now_ns)
    }

    /// Let `by_ns` pass, in which the resource was in use for `busy_ns`, and leave it as busy as it is.
    pub fn pass(&mut self, by_ns: u64, busy_ns: u64) {
        self.free_at_ns += by_ns;
        self.busy_ns += busy_ns;
    }

    /// Time for which the resource has been in use so far, to compute its utilisation.
    pub fn busy_ns(&self) -> u64 {
        self.busy_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_free_resource_starts_at_once_and_a_taken_one_exactly_when_it_is_free() {
        let mut timeline = Timeline::default();
        assert_eq!(timeline.reserve(2, 3), 2);
        assert_eq!(timeline.reserve(4, 2), 5, "one nanosecond earlier it was still taken");
        assert_eq!(timeline.reserve(7, 1), 7, "at 7 it is free, not later");
        assert_eq!(timeline.busy_ns(), 6);
    }
}
