//! The work that a collection leaves for the banks: pages to read, pages to program, blocks to erase.
//!
//! The translation layer decides at once; this is the cost of the decision in operations, and how they are split: over
//! the banks of a superblock, or over the host pages for which room was made.

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
    /// The part of this work whose source is pSLC blocks.
    pub from_pslc: FromPslc,
}

/// The part of a collection that reads and erases pSLC blocks. The pages are programmed in native blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FromPslc {
    /// Pages to read.
    pub reads: u32,
    /// Pages to program.
    pub programs: u32,
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
        self.from_pslc.reads += later.from_pslc.reads;
        self.from_pslc.programs += later.from_pslc.programs;
        self.from_pslc.erases += later.from_pslc.erases;
    }

    /// Note that all work added since `before` came from pSLC blocks.
    pub fn added_from_pslc(&mut self, before: &Self) {
        self.from_pslc.reads += self.reads - before.reads;
        self.from_pslc.programs += self.programs - before.programs;
        self.from_pslc.erases += self.erases - before.erases;
    }

    /// The same work where a block consists of `count` erase blocks, each of which is erased.
    pub fn with_erase_blocks(mut self, count: u32) -> Self {
        self.erases *= count;
        self.from_pslc.erases *= count;
        self
    }

    /// The part that reads and erases native blocks, and the part that reads and erases pSLC blocks, done after it.
    pub fn by_source(self) -> (Self, Self) {
        let FromPslc { reads, programs, erases } = self.from_pslc;
        let native_programs = self.programs - programs;
        let native = Self {
            reads: self.reads - reads,
            programs: native_programs,
            page_index: self.page_index,
            erases: self.erases - erases,
            from_pslc: FromPslc::default(),
        };
        let page_index = self.page_index + native_programs;
        (native, Self { reads, programs, page_index, erases, from_pslc: self.from_pslc })
    }

    /// Remove and return the share of the work that is due now when the rest is spread evenly over `times` calls,
    /// this one included. `None` when nothing is due.
    pub fn take_share(&mut self, times: u32) -> Option<Self> {
        // The usual case while a drive is fresh; this saves three divisions for each page.
        if self.is_nothing() {
            return None;
        }
        let share = Self {
            reads: self.reads.div_ceil(times),
            programs: self.programs.div_ceil(times),
            page_index: self.page_index,
            erases: self.erases.div_ceil(times),
            from_pslc: self.from_pslc.take_share(times),
        };
        self.reads -= share.reads;
        self.programs -= share.programs;
        self.erases -= share.erases;
        self.page_index += share.programs;
        Some(share)
    }
}

impl FromPslc {
    fn take_share(&mut self, times: u32) -> Self {
        if *self == Self::default() {
            return *self;
        }
        let share = Self {
            reads: self.reads.div_ceil(times),
            programs: self.programs.div_ceil(times),
            erases: self.erases.div_ceil(times),
        };
        self.reads -= share.reads;
        self.programs -= share.programs;
        self.erases -= share.erases;
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_work_is_done_evenly_and_completely() {
        let from_pslc = FromPslc { reads: 5, programs: 3, erases: 1 };
        let mut left = Collected { reads: 10, programs: 7, page_index: 3, erases: 2, from_pslc };
        let mut done = Collected::default();
        let mut programs = vec![];
        for times in (1..=4).rev() {
            let share = left.take_share(times).expect("something is due each time");
            assert_eq!(share.page_index, 3 + done.programs);
            let (native, pslc) = share.by_source();
            assert_eq!(native.programs + pslc.programs, share.programs);
            assert_eq!(pslc.page_index, share.page_index + native.programs);
            programs.push(share.programs);
            done.add(share);
        }
        assert_eq!(programs, [2, 2, 2, 1]);
        assert_eq!((done.reads, done.programs, done.erases, done.from_pslc), (10, 7, 2, from_pslc));
        assert_eq!(left.take_share(1), None);
    }
}
