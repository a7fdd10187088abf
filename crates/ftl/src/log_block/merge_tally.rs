//! Counts of the merges of log blocks.

use serde::{Deserialize, Serialize};

/// Merges since the drive was built, by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeTally {
    /// Log blocks written completely and in order, which became the data block.
    pub switch_merges: u64,
    /// Log blocks written in order but not completely, which became the data block after the rest was copied.
    pub partial_merges: u64,
    /// Logical blocks whose valid pages were copied to a new block.
    pub full_merges: u64,
    /// Logical blocks copied for a single page because no log block could take it.
    pub rewritten_blocks: u64,
    /// Log blocks that held nothing valid and were only erased.
    pub discarded_log_blocks: u64,
    /// Data blocks that held nothing valid, erased because their room was needed.
    pub emptied_data_blocks: u64,
}
