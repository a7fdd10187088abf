//! The log blocks of a pool, with their page tables, and its free blocks.
//!
//! Free blocks are used in the order in which they were erased, as in the page-mapped layer.
//! Not modelled here: page tables that do not fit the controller's memory.

use crate::mapping::NOWHERE;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// One log block and its page table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogBlock {
    /// The block itself.
    pub block: u32,
    /// The logical block it serves, or `NOWHERE` when it is shared.
    pub owner: u32,
    /// True while it holds pages 0, 1, 2 ... of its owner and nothing else.
    pub in_order: bool,
    /// A number that increases with time: the log block with the lowest in a pool is the next victim.
    pub stamp: u64,
    /// The unit in each page written so far.
    pub units: Vec<u32>,
}

/// One pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LogPool {
    /// The blocks of the pool, as numbers in the drive.
    pub blocks: Range<u32>,
    /// Erased blocks, longest erased first.
    pub free: VecDeque<u32>,
    /// One place for each log block that the pool may have.
    pub logs: Vec<Option<LogBlock>>,
    /// The place in `logs` that shared pages are appended to, or `NOWHERE`.
    pub shared: u32,
    /// The log block that is only ever written in order.
    pub sequential: Option<LogBlock>,
}

impl LogPool {
    /// A pool without any log block in use.
    pub fn new(blocks: Range<u32>, free: VecDeque<u32>, log_blocks: u32) -> Self {
        Self { blocks, free, logs: vec![None; log_blocks as usize], shared: NOWHERE, sequential: None }
    }

    /// A free place for one more log block.
    pub fn vacancy(&self) -> Option<u32> {
        self.logs.iter().position(Option::is_none).map(|index| index as u32)
    }

    /// The place of the log block with the lowest stamp.
    pub fn victim(&self) -> Option<u32> {
        let stamps = self.logs.iter().enumerate().filter_map(|(index, log)| Some((log.as_ref()?.stamp, index)));
        stamps.min().map(|(_, index)| index as u32)
    }

    /// The log block in a place of `logs`.
    pub fn log_mut(&mut self, index: u32) -> Option<&mut LogBlock> {
        self.logs.get_mut(index as usize)?.as_mut()
    }

    /// Remove the log block from its place.
    pub fn take_log(&mut self, index: u32) -> Option<LogBlock> {
        if self.shared == index {
            self.shared = NOWHERE;
        }
        self.logs.get_mut(index as usize)?.take()
    }

    /// Every log block in use.
    pub fn logs_in_use(&self) -> impl Iterator<Item = &LogBlock> {
        self.logs.iter().flatten().chain(&self.sequential)
    }

    /// Remove all log blocks.
    pub fn forget_logs(&mut self) {
        self.logs.fill(None);
        self.shared = NOWHERE;
        self.sequential = None;
    }
}
