//! Blocks that fail, and how many may fail before the drive accepts no more writes.
//!
//! ```text
//!   erased  --life over, erase fails--------> GrownBadErase
//!   free    --life over, program fails------> GrownBadProgram     one program wasted, the next free block is tried
//!   marked  --collected, never erased again-> GrownBadRead
//!
//!   pool    [ its share of user data | high water + open blocks | spare ]    spare used up: no more writes
//! ```
//!
//! The drive refuses writes when more blocks went bad in use than it has spares, or when a pool that lost a block
//! has too few blocks left for its share of the user data, the blocks it keeps free and those it fills. The drive
//! detects this when the host next needs a block; data in open pages is still programmed.
//! Assumed: user data is spread evenly over the pools; a block is retired with all its erase blocks.
//! Not modelled here: replacing one failed erase block of a group by a spare one, lending blocks between pools.

use flashscope_nand::BlockLives;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The record of failing blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Failures {
    /// When blocks fail; without it, blocks never fail.
    pub lives: Option<BlockLives>,
    /// Blocks that are to be retired at their next collection.
    pub marked: BTreeSet<u32>,
    /// How many blocks may go bad in use, if there is such a limit.
    pub spare_blocks: Option<u32>,
    /// The least number of usable blocks with which a pool can continue.
    pub blocks_needed_per_pool: u32,
    /// True once the drive accepts no more writes.
    pub exhausted: bool,
    /// Blocks that went bad in use, in the order in which they did.
    pub retired: Vec<u32>,
}
