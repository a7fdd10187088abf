//! The work of a collection for the banks: pages to read, pages to program, blocks to erase; and how it is shared.

use crate::banks::Stage;

/// See the module's header.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    pub reads: u32,
    pub programs: u32,
    /// Place in its block of the first page to be programmed; the others follow it.
    pub first_page: u32,
    pub erases: u32,
}

/// Times of the flash that a collection needs [ns].
pub struct Times<'a> {
    pub read_ns: u64,
    pub page_transfer_ns: u64,
    pub program_ns: &'a dyn Fn(u32) -> u64,
    pub erase_ns: u64,
}

impl Work {
    pub fn is_nothing(&self) -> bool {
        self.reads + self.programs + self.erases == 0
    }

    /// Add `count` pages to be programmed, the first of them at this place in its block.
    pub fn add_programs(&mut self, first_page: u32, count: u32) {
        if self.programs == 0 && count > 0 {
            self.first_page = first_page;
        }
        self.programs += count;
    }

    /// Take a share of an `nth` part out, rounded up.
    pub fn take_share(&mut self, nth: u32) -> Self {
        let part = |whole: u32| whole.div_ceil(nth);
        let share = Self { reads: part(self.reads), programs: part(self.programs), erases: part(self.erases), ..*self };
        self.reads -= share.reads;
        self.programs -= share.programs;
        self.erases -= share.erases;
        self.first_page += share.programs;
        share
    }

    /// The stages of a bank: before each program its share of what is left to read, the erases at the end.
    pub fn stages(&self, times: &Times<'_>) -> Vec<Stage> {
        let mut stages = vec![];
        let mut reads_left = self.reads;
        for done in 0..self.programs {
            let reads = reads_left.div_ceil(self.programs - done);
            reads_left -= reads;
            stages.push(Stage::Cells(u64::from(reads) * times.read_ns));
            stages.push(Stage::Channel(2 * times.page_transfer_ns));
            stages.push(Stage::Cells((times.program_ns)(self.first_page + done)));
        }
        stages.push(Stage::Cells(u64::from(reads_left) * times.read_ns + u64::from(self.erases) * times.erase_ns));
        stages
    }
}
