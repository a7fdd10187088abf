//! First in, first out: erase the block that was closed longest ago, as in a circular log.

use super::VictimPolicy;
use crate::blocks::Blocks;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Fifo {
    /// Closed blocks, oldest first.
    closed: VecDeque<u32>,
}

impl VictimPolicy for Fifo {
    fn choose(&mut self, _blocks: &Blocks, _pool: Range<u32>) -> Option<u32> {
        self.closed.pop_front()
    }

    fn closed(&mut self, block: u32) {
        self.closed.push_back(block);
    }

    fn forget(&mut self) {
        self.closed.clear();
    }
}
