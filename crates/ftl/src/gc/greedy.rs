//! Greedy garbage collection: erase the block with the fewest valid slots, or with compression the fewest valid bytes.
//!
//! ```text
//!   closed blocks               victim         open block
//!   [####] [#.#.] [..#.]  -->   [..#.]   -->   [#####m..]     m = moved slot
//! ```
//!
//! Of equal blocks, the first one after the previous victim is chosen, and after the last block the search goes on
//! with the first. So a run repeats exactly and no block is preferred because of its number.
//! Not modelled here: limits on how many blocks a controller can compare.

use super::VictimPolicy;
use crate::blocks::{Blocks, NOT_CLOSED};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Greedy {
    /// Place in the pool at which the search starts.
    start: u32,
}

impl Greedy {
    /// Place in the pool at which the next search starts.
    pub fn start(&self) -> u32 {
        self.start
    }

    /// Start the next search after the block at this place.
    pub fn start_after(&mut self, place: u32) {
        self.start = place + 1;
    }
}

impl VictimPolicy for Greedy {
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>, _placed_units: u64) -> Option<u32> {
        let keys = blocks.load_keys(pool.clone());
        let fewest = keys.iter().copied().fold(u32::MAX, u32::min);
        if fewest >= NOT_CLOSED {
            return None;
        }
        let (before, after) = keys.split_at(self.start as usize % keys.len());
        let place = match place_of(fewest, after) {
            Some(place) => before.len() + place,
            None => place_of(fewest, before)?,
        };
        self.start = place as u32 + 1;
        Some(pool.start + place as u32)
    }
}

/// Place of the first key equal to `fewest`, the smallest of all keys. Vector instructions test a chunk of keys at a
/// time, which a search key by key does not allow.
fn place_of(fewest: u32, keys: &[u32]) -> Option<usize> {
    const CHUNK: usize = 128;
    let chunk = keys.chunks(CHUNK).position(|chunk| chunk.iter().copied().fold(u32::MAX, u32::min) == fewest)?;
    let start = chunk * CHUNK;
    Some(start + keys[start..].iter().position(|&key| key == fewest)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BlockState;

    #[test]
    fn the_emptiest_closed_block_is_taken_and_ties_go_round() {
        let mut blocks = Blocks::new(6, 4);
        for (block, valid) in [(1, 3), (2, 1), (3, 4), (4, 1)] {
            blocks.open(block, BlockState::OpenForHost);
            blocks.add_valid(block, valid);
            blocks.close(block);
        }
        let mut greedy = Greedy::default();
        assert_eq!(greedy.choose(&blocks, 0..6, 0), Some(2));
        assert_eq!(greedy.choose(&blocks, 0..6, 0), Some(4), "the search goes on behind the last victim");
        assert_eq!(greedy.choose(&blocks, 0..6, 0), Some(2));
        assert_eq!(greedy.choose(&blocks, 0..1, 0), None, "a free block is never a victim");
    }
}
