//! How many log blocks there are, and which data blocks each of them serves.
//!
//! ```text
//!   association = "block"  (BAST)            association = "full"  (FAST)
//!
//!   data block 3 <-- log block [3.1 3.1 3.7 ....]     data blocks 3, 8, 5 <-- log block [3.1 8.4 5.0 3.7]
//!   data block 8 <-- log block [8.4 .... .... ...]    data block 9 <-- sequential log block [9.0 9.1 ....]
//! ```
//!
//! Sources: Kim, Kim, Noh, Min, Cho, "A space-efficient flash translation layer for CompactFlash systems", IEEE
//! Trans. Consumer Electronics 48 (2002), for the block association; Lee, Park, Chung, Lee, Park, Song, "A log
//! buffer-based flash translation layer using fully-associative sector translation", ACM TECS 6 (2007), for the full
//! association.
//!
//! Not modelled here: set association (N log blocks for K data blocks), separate log blocks for hot and cold data.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// Which pages a log block takes.
    pub enum Association {
        /// Pages of one data block (BAST). The victim is the log block written least recently.
        Block = "block",
        /// Pages of any data block, in the order in which they arrive. Writes that begin at the first page of a data
        /// block go to a sequential log block; each pool has one in addition (FAST). The victim is the log block opened
        /// longest ago.
        Full = "full",
    }
}

/// A block-mapped translation layer with log blocks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogBlockSettings {
    /// Log blocks of the whole drive, the same number in every pool and at least one in each; 0: there are none, and
    /// every overwrite copies its block.
    pub log_block_count: u32,
    /// Whose pages a log block takes.
    pub association: Association,
    /// Rows of pages that follow each other lie in different pools, so that sequential requests keep all of them at
    /// work; otherwise one pool after the other has a whole block (see `interleave.rs`).
    #[serde(default)]
    pub interleaved: bool,
}

impl LogBlockSettings {
    /// Log blocks of one pool, the sequential one not counted.
    pub fn log_blocks_per_pool(&self, pool_count: u32) -> u32 {
        if self.log_block_count == 0 { 0 } else { (self.log_block_count / pool_count).max(1) }
    }

    /// Blocks that a pool needs in addition to one for each of its logical blocks: its log blocks, the sequential one,
    /// and one to merge into. With fewer blocks the layer still works, but uses fewer log blocks than the settings say.
    pub fn spare_blocks_per_pool(&self, pool_count: u32) -> u32 {
        let log_blocks = self.log_blocks_per_pool(pool_count);
        let sequential = u32::from(log_blocks > 0 && self.association == Association::Full);
        log_blocks + sequential + 1
    }
}
