//! Which lines of the disk are in flash, which are candidates for it, and which are dropped.
//!
//! ```text
//!   read often enough        copied while idle          written by the host
//!   (none) ----> candidate ----> filling ----> cached ----> (none)
//!                                                 |
//!                                                 +--> given up for a candidate that was read later
//! ```
//!
//! There is one ordered table. The order of last reads (least recent first) decides which lines are forgotten and which
//! are dropped from flash. The table remembers as many other lines as the flash can hold.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum State {
    /// Read this many times; not in flash.
    Seen(u32),
    /// Being copied into flash, by the fill with this number.
    Filling(u64),
    Cached,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Line {
    state: State,
    /// Value of the read counter at its last read; each line has another value.
    used: u64,
}

/// See the module's header. A line is identified by its number on the disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Lines {
    lines: BTreeMap<u64, Line>,
    /// Lines in flash or on their way there, and the other lines; each set in the order of last reads.
    held_by_use: BTreeMap<u64, u64>,
    seen_by_use: BTreeMap<u64, u64>,
    candidates: BTreeSet<u64>,
    most: usize,
    admit_after_reads: u32,
    clock: u64,
    /// The line where the last fill ended: the next fill goes on from there.
    sweep: u64,
    fill_count: u64,
    /// Number of lines dropped to make room for others.
    pub evicted_count: u64,
}

impl Lines {
    pub fn new(most: u64, admit_after_reads: u32) -> Self {
        Self {
            lines: BTreeMap::new(),
            held_by_use: BTreeMap::new(),
            seen_by_use: BTreeMap::new(),
            candidates: BTreeSet::new(),
            most: most as usize,
            admit_after_reads,
            clock: 0,
            sweep: 0,
            fill_count: 0,
            evicted_count: 0,
        }
    }

    pub fn is_cached(&self, number: u64) -> bool {
        self.lines.get(&number).is_some_and(|line| line.state == State::Cached)
    }

    /// Lines in flash.
    pub fn cached_count(&self) -> u64 {
        self.lines.values().filter(|line| line.state == State::Cached).count() as u64
    }

    /// The host has read from this line.
    pub fn read(&mut self, number: u64) {
        self.clock += 1;
        let used = self.clock;
        let line = self.lines.entry(number).or_insert(Line { state: State::Seen(0), used });
        let order = if let State::Seen(_) = line.state { &mut self.seen_by_use } else { &mut self.held_by_use };
        order.remove(&line.used);
        order.insert(used, number);
        line.used = used;
        if let State::Seen(reads) = &mut line.state {
            *reads = reads.saturating_add(1);
            if *reads >= self.admit_after_reads {
                self.candidates.insert(number);
            }
        }
        if self.seen_by_use.len() > self.most
            && let Some((_, forgotten)) = self.seen_by_use.pop_first()
        {
            self.lines.remove(&forgotten);
            self.candidates.remove(&forgotten);
        }
    }

    /// The host has written to this line: its copies in flash and in memory are invalid.
    pub fn forget(&mut self, number: u64) -> bool {
        let Some(line) = self.lines.remove(&number) else { return false };
        self.candidates.remove(&number);
        match line.state {
            State::Seen(_) => self.seen_by_use.remove(&line.used),
            State::Filling(_) | State::Cached => self.held_by_use.remove(&line.used),
        };
        line.state == State::Cached
    }

    /// The next candidate to copy, in the order of addresses, if there is room for it.
    pub fn next_candidate(&self) -> Option<u64> {
        let worth = |number: &&u64| {
            let oldest = self.held_by_use.first_key_value().map_or(0, |(&used, _)| used);
            self.held_by_use.len() < self.most || self.lines.get(number).is_some_and(|line| line.used > oldest)
        };
        let ahead = self.candidates.range(self.sweep..).chain(self.candidates.range(..self.sweep));
        ahead.filter(|number| worth(number)).copied().next()
    }

    /// The candidate's data is on its way into flash; if there is no room, the line read least recently is dropped.
    /// Returns the number of the fill.
    pub fn start_filling(&mut self, number: u64) -> u64 {
        self.fill_count += 1;
        if self.held_by_use.len() >= self.most
            && let Some((_, given_up)) = self.held_by_use.pop_first()
        {
            self.lines.remove(&given_up);
            self.evicted_count += 1;
        }
        self.candidates.remove(&number);
        self.sweep = number + 1;
        if let Some(line) = self.lines.get_mut(&number) {
            line.state = State::Filling(self.fill_count);
            self.seen_by_use.remove(&line.used);
            self.held_by_use.insert(line.used, number);
        }
        self.fill_count
    }

    /// The data of that fill is in flash. False if the line was written or dropped in the meantime.
    pub fn filled(&mut self, number: u64, fill: u64) -> bool {
        let Some(line) = self.lines.get_mut(&number).filter(|line| line.state == State::Filling(fill)) else {
            return false;
        };
        line.state = State::Cached;
        true
    }

    /// Panics when the tables contradict each other.
    pub fn check(&self) {
        assert!(self.held_by_use.len() <= self.most, "no more lines than flash holds");
        assert!(self.seen_by_use.len() <= self.most, "no more lines are remembered than that");
        assert_eq!(self.lines.len(), self.held_by_use.len() + self.seen_by_use.len(), "each line has one place");
        for (number, line) in &self.lines {
            let seen = matches!(line.state, State::Seen(_));
            let order = if seen { &self.seen_by_use } else { &self.held_by_use };
            assert_eq!(order.get(&line.used), Some(number), "each line stands where it was last read");
            let often = matches!(line.state, State::Seen(reads) if reads >= self.admit_after_reads);
            assert_eq!(self.candidates.contains(number), often, "candidates are what was read often enough");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(lines: &mut Lines) -> Option<u64> {
        let number = lines.next_candidate()?;
        let fill = lines.start_filling(number);
        assert!(lines.filled(number, fill));
        lines.check();
        Some(number)
    }

    #[test]
    fn lines_read_often_enough_get_in_and_the_one_read_least_recently_makes_room() {
        let mut lines = Lines::new(2, 2);
        lines.read(5);
        assert_eq!(lines.next_candidate(), None, "one read is not enough");
        for number in [5, 3, 3] {
            lines.read(number);
        }
        assert_eq!((fill(&mut lines), fill(&mut lines), fill(&mut lines)), (Some(3), Some(5), None));
        lines.read(5);
        for number in [9, 9] {
            lines.read(number);
        }
        assert_eq!(fill(&mut lines), Some(9));
        assert_eq!((lines.is_cached(3), lines.is_cached(5), lines.is_cached(9)), (false, true, true));
        assert!(lines.forget(9) && !lines.is_cached(9));
        lines.check();
    }

    #[test]
    fn a_line_written_while_it_is_copied_does_not_count() {
        let mut lines = Lines::new(2, 1);
        lines.read(1);
        let first = lines.start_filling(1);
        lines.forget(1);
        assert!(!lines.filled(1, first));
        lines.read(1);
        let second = lines.start_filling(1);
        assert!(!lines.filled(1, first), "the old data is not the new");
        assert!(lines.filled(1, second));
        lines.check();
    }
}
