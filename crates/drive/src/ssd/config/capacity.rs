//! Capacity that the host sees and blocks that it does not see; what a counterfeit drive does with addresses beyond its
//! real end.
//!
//! ```text
//!   |0 ------ real ------|-------- announced, but not there --------|
//!                        A
//!   wraps                A is carried out at A modulo the real size, and destroys what was there
//!   drops                a write is acknowledged and forgotten; a read returns whatever is at hand
//!   zeros                a write is acknowledged and forgotten; a read returns zeros
//! ```
//!
//! Not modelled here: drives that keep the last of what was written beyond the end in a small area of their own.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// See the module's header.
    #[derive(Default)]
    pub enum Beyond {
        /// The address wraps around.
        #[default]
        Wraps = "wraps",
        /// Writes are dropped; reads return undefined data.
        Drops = "drops",
        /// Writes are dropped; reads return zeros.
        Zeros = "zeros",
    }
}

/// Capacity that the host sees, and blocks that it does not see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capacity {
    /// Capacity shown to the host [bytes].
    pub user_bytes: u64,
    /// Blocks bad from the factory, per pool.
    pub initial_bad_block_count: u32,
    /// Blocks for the controller's own data, per pool.
    pub reserved_block_count: u32,
    /// The capacity that a counterfeit drive reports; 0 for an honest drive.
    #[serde(default)]
    pub announced_bytes: u64,
    /// What a counterfeit drive does with addresses beyond its real capacity.
    #[serde(default)]
    pub beyond: Beyond,
    /// Blocks per pool that may go bad in use before the drive takes no more writes; without this value, as many as the
    /// pools can spare.
    #[serde(default)]
    pub spare_block_count: Option<u32>,
}

impl Capacity {
    /// True for a drive that reports more than it has.
    pub fn is_counterfeit(&self) -> bool {
        self.announced_bytes > 0
    }

    /// The address where the data of an address really lies; `None` when it lies nowhere.
    pub fn lies_at(&self, offset_bytes: u64) -> Option<u64> {
        match self.beyond {
            _ if offset_bytes < self.user_bytes => Some(offset_bytes),
            Beyond::Wraps => Some(offset_bytes % self.user_bytes),
            Beyond::Drops | Beyond::Zeros => None,
        }
    }

    /// The range that a request to a counterfeit drive really reaches: its first byte and its length, which is 0 when
    /// nothing of it is there.
    pub fn reached(&self, offset_bytes: u64, length_bytes: u64) -> (u64, u64) {
        let Some(lies_at) = self.lies_at(offset_bytes) else { return (0, 0) };
        if self.beyond == Beyond::Wraps {
            let length_bytes = length_bytes.min(self.user_bytes);
            (lies_at.min(self.user_bytes - length_bytes), length_bytes)
        } else {
            (lies_at, length_bytes.min(self.user_bytes - lies_at))
        }
    }
}
