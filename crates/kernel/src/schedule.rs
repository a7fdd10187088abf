//! A short list of future entries in time order; entries of equal time keep the order in which they were added.
//!
//! A host queue holds dozens of entries. For so few, a sorted ring that is searched from its latest entry is faster
//! than a heap: nearly every new entry is the latest one.

use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Entries of type `T`, each with a time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Schedule<T> {
    entries: VecDeque<(u64, T)>,
}

impl<T> Default for Schedule<T> {
    fn default() -> Self {
        Self { entries: VecDeque::new() }
    }
}

impl<T> Schedule<T> {
    /// Add an entry at `time_ns`, behind all entries of the same time.
    #[inline]
    pub fn add(&mut self, time_ns: u64, entry: T) {
        let mut place = self.entries.len();
        while place > 0 && self.entries[place - 1].0 > time_ns {
            place -= 1;
        }
        if place == self.entries.len() {
            self.entries.push_back((time_ns, entry));
        } else {
            self.entries.insert(place, (time_ns, entry));
        }
    }

    /// The time of the earliest entry, `NEVER_NS` when there is none.
    #[inline]
    pub fn next_ns(&self) -> u64 {
        self.entries.front().map_or(crate::time::NEVER_NS, |entry| entry.0)
    }

    /// All entries, earliest first.
    pub fn iter(&self) -> impl Iterator<Item = &(u64, T)> {
        self.entries.iter()
    }

    /// Make all entries later by `by_ns`.
    pub fn postpone(&mut self, by_ns: u64) {
        self.entries.iter_mut().for_each(|entry| entry.0 += by_ns);
    }

    /// Remove the earliest entry and return it.
    #[inline]
    pub fn take(&mut self) -> Option<(u64, T)> {
        self.entries.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_out_in_time_order_and_equal_times_in_the_order_added() {
        let mut schedule = Schedule::default();
        for (time, name) in [(5, 'a'), (3, 'b'), (5, 'c'), (4, 'd'), (3, 'e')] {
            schedule.add(time, name);
        }
        let order: Vec<_> = std::iter::from_fn(|| schedule.take()).collect();
        assert_eq!(order, [(3, 'b'), (3, 'e'), (4, 'd'), (5, 'a'), (5, 'c')]);
    }
}
