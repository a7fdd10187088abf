//! The pSLC cache: blocks that hold host data with one bit in a cell until they are folded. They are fast and small.
//!
//! ```text
//!   host ---> pSLC block   [##|..........]   fills 1 / bits_per_cell of its slots, in pages that program fast
//!                |         the rest cannot be used
//!                '-fold--> native block [##########..]   and the pSLC block is erased
//!
//!   a block opens as pSLC    static:  the pool has fewer than `static_block_count` of them
//!                            dynamic: more than `dynamic_keep_free_blocks` blocks of the pool are free
//!   neither is true          past: a native block opens      fold: the oldest is folded first, the host waits
//!                            reclaim: stale blocks are erased until one may; with none left as past
//! ```
//!
//! A block is in pSLC mode from its opening to its erase. Data that is moved always goes to native blocks. Folding is
//! the collection of pSLC blocks, oldest first, once the drive has been idle for a while.
//! Assumed: a block may be opened in either mode each time; a cycle in either mode is one cycle.
//! Not modelled here: blocks used only for pSLC with an endurance of their own, the slower wear of pSLC cycles, a
//! cache of reads, folding inside the die without the bus.

use flashscope_kernel::choice;
use flashscope_nand::CellMode;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

choice! {
    /// What happens to host data when no block may be opened as pSLC.
    #[derive(Default)]
    pub enum WhenFull {
        /// It goes to native blocks directly.
        #[default]
        Past = "past",
        /// The oldest pSLC block is folded first, and the host waits for it.
        Fold = "fold",
        /// Blocks without valid data are erased, so that more blocks may be pSLC; when none is left, as `Past`.
        Reclaim = "reclaim",
    }
}

/// The pSLC cache of one drive. With both counts 0 it is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pslc {
    /// Bits a cell holds natively: a pSLC block has that many times fewer slots.
    pub bits_per_cell: u32,
    /// Blocks of each pool that may always be pSLC.
    #[serde(default)]
    pub static_block_count: u32,
    /// More blocks may be pSLC while more than this many blocks of the pool are free; 0 means no more.
    #[serde(default)]
    pub dynamic_keep_free_blocks: u32,
    /// What happens when no more blocks may be pSLC.
    #[serde(default)]
    pub when_full: WhenFull,
    /// Idle time after which pSLC blocks are folded [ns].
    pub fold_delay_ns: u64,
}

impl Pslc {
    /// True when any block can ever be pSLC.
    pub fn is_on(&self) -> bool {
        self.static_block_count > 0 || self.dynamic_keep_free_blocks > 0
    }

    /// True when a pool with these numbers of pSLC blocks in use and of free blocks may open another pSLC block.
    fn may_open(&self, in_use: u32, free_blocks: u32) -> bool {
        let is_dynamic = self.dynamic_keep_free_blocks > 0 && free_blocks > self.dynamic_keep_free_blocks;
        in_use < self.static_block_count || is_dynamic
    }
}

/// Which blocks are pSLC now.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct PslcBlocks {
    settings: Pslc,
    /// Slots of a block that is pSLC.
    slots: u32,
    is_pslc: Vec<bool>,
    /// The pSLC blocks of each pool, in the order in which they were opened.
    in_use: Vec<VecDeque<u32>>,
}

impl PslcBlocks {
    /// No pSLC blocks in use; each has `slots` slots.
    pub fn new(settings: &Pslc, slots: u32, block_count: u32, pool_count: u32) -> Self {
        Self {
            settings: *settings,
            slots,
            is_pslc: vec![false; block_count as usize],
            in_use: vec![VecDeque::new(); pool_count as usize],
        }
    }

    /// Slots of a pSLC block.
    pub fn slots(&self) -> u32 {
        self.slots
    }

    /// What happens when no block may be opened as pSLC.
    pub fn when_full(&self) -> WhenFull {
        self.settings.when_full
    }

    /// True when the next block for host data is pSLC in a pool with this number of free blocks.
    pub fn may_open(&self, pool: u32, free_blocks: u32) -> bool {
        self.settings.may_open(self.in_use[pool as usize].len() as u32, free_blocks)
    }

    /// True when this number of pSLC blocks of a pool may be in use.
    pub fn allows(&self, in_use: u32) -> bool {
        self.settings.dynamic_keep_free_blocks > 0 || in_use <= self.settings.static_block_count
    }

    /// The cell mode of a block.
    #[inline]
    pub fn mode(&self, block: u32) -> CellMode {
        if self.is_pslc[block as usize] { CellMode::Pslc } else { CellMode::Native }
    }

    /// True for each block that is pSLC.
    pub fn flags(&self) -> &[bool] {
        &self.is_pslc
    }

    /// The pSLC blocks of a pool, in the order in which they were opened.
    pub fn in_use(&self, pool: u32) -> impl Iterator<Item = u32> {
        self.in_use[pool as usize].iter().copied()
    }

    /// A free block is opened as pSLC.
    pub fn opened(&mut self, pool: u32, block: u32) {
        debug_assert!(!self.is_pslc[block as usize]);
        self.is_pslc[block as usize] = true;
        self.in_use[pool as usize].push_back(block);
    }

    /// A block was erased, or taken out of use.
    pub fn erased(&mut self, pool: u32, block: u32) {
        if std::mem::take(&mut self.is_pslc[block as usize]) {
            self.in_use[pool as usize].retain(|&used| used != block);
        }
    }

    /// Bytes of memory the table takes.
    pub fn memory_bytes(&self) -> usize {
        self.is_pslc.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(static_block_count: u32, dynamic_keep_free_blocks: u32) -> Pslc {
        let when_full = WhenFull::Past;
        Pslc { bits_per_cell: 3, static_block_count, dynamic_keep_free_blocks, when_full, fold_delay_ns: 1 }
    }

    #[test]
    fn a_block_may_be_opened_below_the_static_count_and_above_the_blocks_kept_free() {
        let mut blocks = PslcBlocks::new(&settings(2, 0), 5, 8, 2);
        blocks.opened(1, 4);
        assert!(blocks.may_open(1, 0));
        blocks.opened(1, 6);
        assert!(!blocks.may_open(1, 7) && blocks.may_open(0, 0), "each pool has its own");
        blocks.erased(1, 4);
        assert!(blocks.may_open(1, 7));
        assert_eq!(blocks.in_use(1).collect::<Vec<_>>(), [6]);
        let dynamic = PslcBlocks::new(&settings(0, 3), 5, 8, 1);
        assert!(dynamic.may_open(0, 4) && !dynamic.may_open(0, 3));
    }

    #[test]
    fn a_block_is_pslc_from_its_opening_to_its_erasing() {
        let mut blocks = PslcBlocks::new(&settings(1, 0), 5, 4, 1);
        assert_eq!(blocks.mode(2), CellMode::Native);
        blocks.opened(0, 2);
        assert_eq!(blocks.mode(2), CellMode::Pslc);
        blocks.erased(0, 3);
        blocks.erased(0, 2);
        assert_eq!((blocks.mode(2), blocks.in_use(0).count()), (CellMode::Native, 0));
    }
}
