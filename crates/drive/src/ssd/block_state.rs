//! What the errors of a block depend on: its wear, the age of its data, the number of its reads.

use super::Ssd;
use flashscope_nand::BlockState;

impl Ssd {
    /// What the errors of a block depend on, counting one more read.
    pub(super) fn state_of_block(&mut self, block: u32) -> BlockState {
        let erase_count = self.translation.blocks().erase_count(block);
        let mut state = BlockState { block, erase_count, ..BlockState::default() };
        if self.data_age.ages {
            let opened_at_s = u64::from(self.translation.blocks().opened_at_s(block));
            state.retention_s = self.data_age.clock_s(self.now_ns).saturating_sub(opened_at_s);
        }
        if let Some((counted_at, reads)) = self.data_age.reads.get_mut(block as usize) {
            if *counted_at != erase_count {
                (*counted_at, *reads) = (erase_count, 0);
            }
            *reads = reads.saturating_add(1);
            state.reads_since_program = u64::from(*reads);
        }
        state
    }

    /// Time since every block was opened, on the clock of equivalent time; empty where dates are not kept [s].
    pub fn block_ages_s(&self) -> Vec<u32> {
        if !self.data_age.ages {
            return Vec::new();
        }
        let (now_s, blocks) = (self.data_age.clock_s(self.now_ns), self.translation.blocks());
        let age_s = |block| now_s.saturating_sub(blocks.opened_at_s(block).into()).min(u64::from(u32::MAX)) as u32;
        (0..blocks.count()).map(age_s).collect()
    }

    /// The factor of the error rate of every block; empty where all blocks are alike.
    pub fn block_factors(&self) -> Vec<f64> {
        let count = self.translation.blocks().count();
        self.bit_errors.block_factors(count)
    }

    /// Date the blocks that are opened from now on to the current time.
    #[inline]
    pub(super) fn set_date(&mut self) {
        if self.data_age.ages {
            self.translation.set_clock(self.data_age.clock_s(self.now_ns).min(u64::from(u32::MAX)) as u32);
        }
    }
}
