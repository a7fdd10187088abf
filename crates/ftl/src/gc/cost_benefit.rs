//! Cost-benefit collection: choose the block with the most benefit for its cost. A block that has not changed for long
//! is worth more, because its valid data will probably stay valid.
//!
//! ```text
//!            benefit   space gained x age   (1 - u) x age
//!   score = -------- = ------------------ = -------------      u = valid slots / slots
//!              cost    read u, program u         2 u
//! ```
//!
//! Age is the number of units that the host has placed since the block was closed; a block closed just now has age 1,
//! so that any stale slot counts. A block with nothing valid costs nothing and comes first. Scores are compared as
//! whole numbers (the 2 and the slots per block cancel out; with compression they are bytes, not slots). Of equal
//! scores, the block closed first is chosen, then the lower number.
//! After Kawaguchi, Nishioka and Motoda, USENIX 1995, and Rosenblum and Ousterhout's log-structured file system
//! (where the cost includes reading the whole segment: 1 + u).
//! Not modelled here: an age taken from the youngest data in the block, sorting of the moved data by age.

use super::VictimPolicy;
use crate::blocks::Blocks;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CostBenefit {
    first_block: u32,
    /// Units the host had placed when each block of the pool was closed.
    closed_at_units: Vec<u64>,
}

impl CostBenefit {
    /// The policy for the blocks of one pool.
    pub fn new(pool: &Range<u32>) -> Self {
        Self { first_block: pool.start, closed_at_units: vec![0; pool.len()] }
    }
}

impl VictimPolicy for CostBenefit {
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>, placed_units: u64) -> Option<u32> {
        let full = blocks.full_load();
        let mut best: Option<(u128, u32, u64, u32)> = None; // gain x age, valid, closed at, block
        for (block, &closed_at) in pool.zip(&self.closed_at_units).filter(|(block, _)| blocks.is_closed(*block)) {
            let valid = blocks.load(block);
            let age = u128::from(placed_units.saturating_sub(closed_at)) + 1;
            let gain = u128::from(full.saturating_sub(valid)) * age;
            // gain / valid is more than the best so far; a cost of 0 is better than any other.
            let better = best.is_none_or(|(best_gain, best_valid, best_closed_at, _)| {
                let this = (valid == 0, gain * u128::from(best_valid), Reverse(closed_at));
                this > (best_valid == 0, best_gain * u128::from(valid), Reverse(best_closed_at))
            });
            if better {
                best = Some((gain, valid, closed_at, block));
            }
        }
        best.map(|(.., block)| block)
    }

    fn closed(&mut self, block: u32, placed_units: u64) {
        self.closed_at_units[(block - self.first_block) as usize] = placed_units;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BlockState;

    fn with_blocks(valid_and_closed_at: &[(u32, u64)]) -> (Blocks, CostBenefit) {
        let count = valid_and_closed_at.len() as u32;
        let mut blocks = Blocks::new(count + 1, 8);
        let mut policy = CostBenefit::new(&(0..count + 1));
        for (block, &(valid, closed_at)) in (0..).zip(valid_and_closed_at) {
            blocks.open(block, BlockState::OpenForHost);
            blocks.add_valid(block, valid);
            blocks.close(block);
            policy.closed(block, closed_at);
        }
        (blocks, policy)
    }

    fn chosen(valid_and_closed_at: &[(u32, u64)], placed_units: u64) -> Option<u32> {
        let (blocks, mut policy) = with_blocks(valid_and_closed_at);
        policy.choose(&blocks, 0..blocks.count(), placed_units)
    }

    #[test]
    fn an_old_full_block_wins_over_a_young_empty_one_exactly_when_age_outweighs_the_gain() {
        // (8-6)/6 = 1/3 against (8-4)/4 = 1: the ages must have the ratio 3 to 1. An age is one more than the
        // difference.
        let young_age = 11;
        assert_eq!(chosen(&[(6, 1000 - 31), (4, 1000 + 1 - young_age)], 1000), Some(1), "32 is under 3 x 11");
        assert_eq!(chosen(&[(6, 1000 - 33), (4, 1000 + 1 - young_age)], 1000), Some(0), "34 is over it");
    }

    #[test]
    fn a_block_with_nothing_valid_comes_first_and_ties_go_to_the_one_closed_first() {
        assert_eq!(chosen(&[(1, 0), (0, 999), (0, 998)], 1000), Some(2));
        assert_eq!(chosen(&[(4, 50), (4, 50)], 1000), Some(0));
        assert_eq!(chosen(&[(8, 0), (7, 1000)], 1000), Some(1), "a full block gains nothing, however old");
        assert_eq!(chosen(&[], 1000), None, "a free block is never a victim");
    }
}
