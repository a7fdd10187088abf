//! The decisions of the collector and their reasons, for inspection.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// Why a block was collected.
    #[repr(u8)]
    pub enum Reason {
        /// The host needed a block and few were free.
        LowWater = "low-water",
        /// The drive was idle.
        Idle = "idle",
        /// Erase counts were too far apart.
        WearLeveling = "wear-leveling",
        /// It could not be read and is taken out of use.
        ReadFailure = "read-failure",
        /// Its data is to be rewritten.
        Refresh = "refresh",
        /// It held host data as pSLC, which belongs in native blocks.
        Fold = "fold",
    }
}

/// One decision of the collector, with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decision {
    /// Simulated time of the decision [ns].
    pub at_ns: u64,
    /// The pool.
    pub pool: u32,
    /// The victim.
    pub block: u32,
    /// Slots of the victim that were still valid and had to be moved.
    pub valid_slots: u32,
    /// Free blocks of the pool at the time of the decision.
    pub free_blocks: u32,
    /// The reason.
    pub reason: Reason,
}
