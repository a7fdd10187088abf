//! Static wear levelling: when erase counts of a pool are too far apart, the least worn block that *lies still*
//! is collected, even when none of its data is stale.
//!
//! ```text
//!   erases of the pool ------ one round: as many as it has blocks ------->
//!   block A  opened [###################################################]   lies still: its data is cold
//!   block B  opened [######] erased, opened [######] erased, opened [###]   in use: wears by itself
//! ```
//!
//! Only a block that has not been erased for a complete round lies still. Without this rule, a block that
//! just came into use would be the least worn one again at once, and hot data would be moved again and again.
//! The counts are compared each time the host needs a block of the pool, and at most one block is moved each time.
//! Not modelled here: levelling across pools (each die levels its own blocks), thresholds that change with age.

use crate::blocks::Blocks;
use flashscope_kernel::signs_of_life::alive;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StaticSpread {
    spread_cycles: u32,
    /// Erases in each pool.
    pool_erases: Vec<u64>,
    /// Erases in its pool when each block was last opened.
    opened_at_erases: Vec<u64>,
}

impl StaticSpread {
    /// For a drive in which erase counts of a pool may differ by `spread_cycles`.
    pub fn new(spread_cycles: u32, pool_count: u32, block_count: u32) -> Self {
        Self {
            spread_cycles,
            pool_erases: vec![0; pool_count as usize],
            opened_at_erases: vec![0; block_count as usize],
        }
    }

    /// A block of a pool is opened.
    pub fn opened(&mut self, pool_index: u32, block: u32) {
        self.opened_at_erases[block as usize] = self.pool_erases[pool_index as usize];
    }

    /// A block of a pool was erased.
    pub fn erased(&mut self, pool_index: u32) {
        self.erased_often(pool_index, 1);
    }

    /// Blocks of a pool were erased, `erases` times in total.
    pub fn erased_often(&mut self, pool_index: u32, erases: u64) {
        self.pool_erases[pool_index as usize] += erases;
    }

    /// Record that blocks were opened later, by this number of erases of their pool.
    pub fn opened_later(&mut self, blocks: &[u32], erases: u64) {
        for &block in blocks {
            self.opened_at_erases[block as usize] += erases;
        }
    }

    /// Move the record of each block to another one, given by number in `goes_to`.
    pub fn turn(&mut self, goes_to: &[u32]) {
        let before = self.opened_at_erases.clone();
        for (opened_at, &place) in before.into_iter().zip(goes_to) {
            self.opened_at_erases[place as usize] = opened_at;
        }
    }

    /// The least worn closed block of a pool that lies still, if the difference to the most worn block in use is more
    /// than the spread. Of equal blocks the lower number is chosen.
    pub fn least_worn(&self, blocks: &Blocks, pool_index: u32, pool: Range<u32>) -> Option<u32> {
        alive(2 * pool.len() as u64);
        // Nearly always the end: one pass over the counts, without the states. Blocks out of use only make it larger.
        let counts = &blocks.erase_counts()[pool.start as usize..pool.end as usize];
        if counts.iter().copied().max()? <= self.spread_cycles {
            return None;
        }
        let a_round_ago = self.pool_erases[pool_index as usize].checked_sub(pool.len() as u64)?;
        let in_use = pool.clone().filter(|&block| blocks.state(block).is_usable());
        let most = in_use.map(|block| blocks.erase_count(block)).max()?;
        let lies_still = |&block: &u32| blocks.is_closed(block) && self.opened_at_erases[block as usize] <= a_round_ago;
        let (least, block) = pool.filter(lies_still).map(|block| (blocks.erase_count(block), block)).min()?;
        (most - least > self.spread_cycles).then_some(block)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::BlockState;

    /// Block 0 erased five times; blocks 1 and 2 never, and full.
    fn uneven() -> Blocks {
        let mut blocks = Blocks::new(4, 4);
        (0..5).for_each(|_| blocks.erase(0));
        for block in [1, 2] {
            blocks.open(block, BlockState::OpenForHost);
            blocks.close(block);
        }
        blocks
    }

    #[test]
    fn a_block_moves_when_the_spread_is_exceeded_and_not_when_it_is_reached() {
        let mut blocks = uneven();
        let found = |blocks: &Blocks, spread_cycles| {
            let mut spread = StaticSpread::new(spread_cycles, 1, 4);
            (0..5).for_each(|_| spread.erased(0));
            spread.least_worn(blocks, 0, 0..4)
        };
        assert_eq!(found(&blocks, 5), None);
        assert_eq!(found(&blocks, 4), Some(1), "block 3 is free and holds no data");
        blocks.set_aside(0, BlockState::GrownBadErase);
        assert_eq!(found(&blocks, 0), None, "a block out of use does not count");
    }

    #[test]
    fn a_block_lies_still_after_a_round_of_erases_and_not_one_erase_before() {
        let blocks = uneven();
        let mut spread = StaticSpread::new(1, 1, 4);
        (0..2).for_each(|_| spread.erased(0));
        spread.opened(0, 1);
        spread.opened(0, 2);
        (0..3).for_each(|_| spread.erased(0));
        assert_eq!(spread.least_worn(&blocks, 0, 0..4), None, "three erases in a pool of four blocks");
        spread.erased(0);
        assert_eq!(spread.least_worn(&blocks, 0, 0..4), Some(1));
    }
}
