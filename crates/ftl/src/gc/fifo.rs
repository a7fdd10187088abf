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
    fn choose(&mut self, _blocks: &Blocks, _pool: Range<u32>, _placed_units: u64) -> Option<u32> {
        self.closed.front().copied()
    }

    fn closed(&mut self, block: u32, _placed_units: u64) {
        self.closed.push_back(block);
    }

    fn collected(&mut self, block: u32) {
        // It is the first one, unless it was collected for another reason than to make room.
        if let Some(place) = self.closed.iter().position(|&closed| closed == block) {
            self.closed.remove(place);
        }
    }

    fn forget(&mut self) {
        self.closed.clear();
    }

    fn check(&self, blocks: &Blocks, pool: Range<u32>) {
        let mut queued: Vec<u32> = self.closed.iter().copied().collect();
        queued.sort_unstable();
        let closed: Vec<u32> = pool.filter(|&block| blocks.is_closed(block)).collect();
        assert_eq!(queued, closed, "every closed block waits once in the queue");
    }
}
