//! A set of numbers, kept as ranges that neither touch nor overlap.
//!
//! ```text
//!   [0..4)  [8..12)    insert 3..9  -->  [0..12)    remove 5..6  -->  [0..5)  [6..12)
//! ```

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranges {
    /// Start of each range -> its end (exclusive).
    ends: BTreeMap<u64, u64>,
}

impl Ranges {
    /// True when no number is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Add all numbers of a range to the set.
    pub fn insert(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        let (mut start, mut end) = (range.start, range.end);
        while let Some((&near_start, &near_end)) = self.ends.range(..=end).next_back() {
            if near_end < start {
                break;
            }
            self.ends.remove(&near_start);
            start = start.min(near_start);
            end = end.max(near_end);
        }
        self.ends.insert(start, end);
    }

    /// Remove all numbers of a range from the set.
    pub fn remove(&mut self, range: Range<u64>) {
        if range.is_empty() {
            return;
        }
        while let Some((&near_start, &near_end)) = self.ends.range(..range.end).next_back() {
            if near_end <= range.start {
                break;
            }
            self.ends.remove(&near_start);
            if near_end > range.end {
                self.ends.insert(range.end, near_end);
            }
            if near_start < range.start {
                self.ends.insert(near_start, range.start);
                break;
            }
        }
    }

    /// Remove everything; returns the ranges in order.
    pub fn take_all(&mut self) -> impl Iterator<Item = Range<u64>> {
        std::mem::take(&mut self.ends).into_iter().map(|(start, end)| start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Streams, below};

    #[test]
    fn the_ranges_hold_the_same_numbers_as_a_plain_set() {
        let mut stream = Streams::new(7).stream("ranges");
        let (mut ranges, mut plain) = (Ranges::default(), vec![false; 64]);
        for _ in 0..5_000 {
            let start = below(&mut stream, 64);
            let end = start + below(&mut stream, 65 - start);
            let insert = below(&mut stream, 2) == 0;
            if insert {
                ranges.insert(start..end);
            } else {
                ranges.remove(start..end);
            }
            plain[start as usize..end as usize].fill(insert);
            let mut last_end = None;
            let mut held = vec![false; 64];
            for range in ranges.clone().take_all() {
                assert!(last_end.is_none_or(|end| end < range.start) && !range.is_empty(), "apart and in order");
                last_end = Some(range.end);
                held[range.start as usize..range.end as usize].fill(true);
            }
            assert_eq!(held, plain);
            assert_eq!(ranges.is_empty(), !plain.contains(&true));
        }
    }
}
