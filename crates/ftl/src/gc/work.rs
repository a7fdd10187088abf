//! The work that a collection leaves for the banks: pages to read, pages to program, blocks to erase.
//!
//! The translation layer decides at once; this is what it costs in operations, and how it is split up: over the
//! banks of a superblock, or over the host pages that it made room for.

use serde::{Deserialize, Serialize};

/// Work that a collection left for the bank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Collected {
    /// Pages to read.
    pub reads: u32,
    /// Pages to program.
    pub programs: u32,
    /// Place in its block of the first page to be programmed.
    pub page_index: u32,
    /// Blocks to erase.
    pub erases: u32,
}

impl Collected {
    /// Add the programming of `count` pages, of which the first has this place in its block.
    pub fn add_programs(&mut self, page_index: u32, count: u32) {
        if self.programs == 0 && count > 0 {
            self.page_index = page_index;
        }
        self.programs += count;
    }

    /// True when there is nothing to do.
    pub fn is_nothing(&self) -> bool {
        self.reads + self.programs + self.erases == 0
    }

    /// Add the work of another collection, done after this one.
    pub fn add(&mut self, later: Self) {
        if self.programs == 0 {
            self.page_index = later.page_index;
        }
        self.reads += later.reads;
        self.programs += later.programs;
        self.erases += later.erases;
    }

    /// Take out the share of the work that is due now when the rest is spread evenly over `times` times,
    /// this one included. `None` when nothing is due.
    pub fn take_share(&mut self, times: u32) -> Option<Self> {
        let share = Self {
            reads: self.reads.div_ceil(times),
            programs: self.programs.div_ceil(times),
            page_index: self.page_index,
            erases: self.erases.div_ceil(times),
        };
        self.reads -= share.reads;
        self.programs -= share.programs;
        self.erases -= share.erases;
        self.page_index += share.programs;
        (share.reads + share.programs + share.erases > 0).then_some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_work_is_done_evenly_and_completely() {
        let mut left = Collected { reads: 10, programs: 7, page_index: 3, erases: 2 };
        let mut done = Collected::default();
        let mut programs = vec![];
        for times in (1..=4).rev() {
            let share = left.take_share(times).expect("something is due each time");
            assert_eq!(share.page_index, 3 + done.programs);
            programs.push(share.programs);
            done.add(share);
        }
        assert_eq!(programs, [2, 2, 2, 1]);
        assert_eq!((done.reads, done.programs, done.erases), (10, 7, 2));
        assert_eq!(left.take_share(1), None);
    }
}
