//! The best of a few: look at `d` closed blocks drawn at random and erase the one with the fewest valid slots, or with
//! compression the fewest valid bytes.
//!
//! For a controller that cannot keep all blocks sorted. With `d` = 1 this is the random rule; a large `d` comes
//! close to greedy (Van Houdt, SIGMETRICS 2013).

use super::VictimPolicy;
use crate::blocks::Blocks;
use flashscope_kernel::random::{Stream, below};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DChoices {
    choices: u32,
    stream: Stream,
}

impl DChoices {
    /// Look at `choices` blocks each time.
    pub fn new(choices: u32, stream: Stream) -> Self {
        Self { choices, stream }
    }
}

impl VictimPolicy for DChoices {
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>, _placed_units: u64) -> Option<u32> {
        if !pool.clone().any(|block| blocks.is_closed(block)) {
            return None;
        }
        let mut best: Option<(u32, u32)> = None;
        for _ in 0..self.choices {
            // Blocks that are not closed are drawn again: nearly all are closed when collection runs.
            let block = loop {
                let block = pool.start + below(&mut self.stream, pool.len() as u64) as u32;
                if blocks.is_closed(block) {
                    break block;
                }
            };
            let load = blocks.load(block);
            if best.is_none_or(|(least, _)| load < least) {
                best = Some((load, block));
            }
        }
        best.map(|(_, block)| block)
    }
}
