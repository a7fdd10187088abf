//! How old data is and how often it was read: what the errors of the medium depend on besides wear.
//!
//! ```text
//!   powered    ====run====|            |===run===     time of the drive
//!   off                   |..off at C..|              counts as much as that temperature makes of it
//! ```
//!
//! Data bears the date at which its block was opened, on a clock of *equivalent* time: time off power counts as the
//! Arrhenius law says for its temperature, time in use counts as it is.
//!
//! Assumed: in use the flash is at the reference temperature of the law; all pages of a block are as old as the block.
//! Not modelled here: reads of other pages of the same word line disturbing more than those farther away.

use super::Ssd;
use flashscope_kernel::time::SECOND_NS;
use flashscope_nand::BlockState;
use serde::{Deserialize, Serialize};

/// See the module's header. Empty, and without cost, unless the law of errors asks for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct DataAge {
    /// Whether the law asks how old data is.
    ages: bool,
    /// Per block: its erase count when it was first read, and the reads since.
    reads: Vec<(u32, u32)>,
    /// Real time off power so far [ns], and what it counted as.
    off_ns: u64,
    off_equivalent_ns: u64,
}

impl DataAge {
    pub fn new(ages: bool, is_disturbed: bool, block_count: u32) -> Self {
        Self {
            ages,
            reads: if is_disturbed { vec![(0, 0); block_count as usize] } else { Vec::new() },
            ..Self::default()
        }
    }

    /// Equivalent time [s].
    fn clock_s(&self, now_ns: u64) -> u64 {
        (now_ns - self.off_ns).saturating_add(self.off_equivalent_ns) / SECOND_NS
    }
}

impl Ssd {
    /// What the errors of a block depend on, one more read included.
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

    /// How long ago every block was opened, on the clock of equivalent time; empty where dates are not kept [s].
    pub fn block_ages_s(&self) -> Vec<u32> {
        if !self.data_age.ages {
            return Vec::new();
        }
        let (now_s, blocks) = (self.data_age.clock_s(self.now_ns), self.translation.blocks());
        let age_s = |block| now_s.saturating_sub(blocks.opened_at_s(block).into()).min(u64::from(u32::MAX)) as u32;
        (0..blocks.count()).map(age_s).collect()
    }

    /// What the error rate of every block is multiplied by; empty where blocks are alike.
    pub fn block_factors(&self) -> Vec<f64> {
        let count = self.translation.blocks().count();
        self.bit_errors.block_factors(count)
    }

    /// Let blocks that are opened from now on bear this moment's date.
    #[inline]
    pub(super) fn set_date(&mut self) {
        if self.data_age.ages {
            self.translation.set_clock(self.data_age.clock_s(self.now_ns).min(u64::from(u32::MAX)) as u32);
        }
    }

    /// Switch the drive off in good order, keep it at `celsius` for a time, and switch it on again.
    ///
    /// No request may be outstanding.
    pub fn power_off(&mut self, duration_ns: u64, celsius: f64) {
        assert!(self.host.is_idle(), "switched off with requests outstanding");
        self.write_out_buffer();
        self.settle();
        self.now_ns += duration_ns;
        self.last_arrival_ns = self.now_ns;
        self.data_age.off_ns += duration_ns;
        let equivalent_ns = self.config.temperature.equivalent_ns(duration_ns, celsius);
        self.data_age.off_equivalent_ns = self.data_age.off_equivalent_ns.saturating_add(equivalent_ns);
        self.counters.power_cycles += 1;
    }
}
