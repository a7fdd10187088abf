//! The age of data and the number of its reads: besides wear, the errors of the flash depend on these.
//!
//! ```text
//!   powered    ====run====|            |===run===     time of the drive
//!   off                   |..off at C..|              counts by the factor of that temperature
//! ```
//!
//! Data is dated to the time when its block was opened, on a clock of *equivalent* time: time without power is
//! multiplied by the Arrhenius factor of its temperature, time in use counts unchanged.
//!
//! Assumed: in use the flash is at the reference temperature of the law; all pages of a block are as old as the block.
//! Not modelled here: reads of other pages of the same word line, which disturb more than reads of distant pages.

use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// See the module's header. Empty, and without cost, unless the law of errors needs it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct DataAge {
    /// True when the law needs the age of data.
    pub ages: bool,
    /// Per block: its erase count at its first read, and the number of reads since then.
    pub reads: Vec<(u32, u32)>,
    /// Real time without power so far [ns], and its equivalent time.
    pub off_ns: u64,
    pub off_equivalent_ns: u64,
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
    pub fn clock_s(&self, now_ns: u64) -> u64 {
        (now_ns - self.off_ns).saturating_add(self.off_equivalent_ns) / SECOND_NS
    }
}
