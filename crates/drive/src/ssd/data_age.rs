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

use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// See the module's header. Empty, and without cost, unless the law of errors asks for it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct DataAge {
    /// Whether the law asks how old data is.
    pub ages: bool,
    /// Per block: its erase count when it was first read, and the reads since.
    pub reads: Vec<(u32, u32)>,
    /// Real time off power so far [ns], and what it counted as.
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
