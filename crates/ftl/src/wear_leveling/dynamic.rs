//! Dynamic wear levelling: choose among the blocks that are free anyway.
//!
//! This costs no moves. In the order of erasing, every free block has its turn; by erase count, blocks that were used
//! less are preferred until their counts are equal.

use super::FreeBlock;
use crate::blocks::Blocks;
use flashscope_kernel::signs_of_life::alive;
use std::collections::VecDeque;

/// Remove the block that `rule` chooses from `free` (longest erased first); `None` when none is free.
pub fn take_free_block(rule: FreeBlock, free: &mut VecDeque<u32>, blocks: &Blocks) -> Option<u32> {
    match rule {
        FreeBlock::OldestErased => free.pop_front(),
        FreeBlock::LeastWorn => {
            let mut least = (u32::MAX, 0);
            for (place, &block) in free.iter().enumerate() {
                let erase_count = blocks.erase_count(block);
                if erase_count < least.0 {
                    least = (erase_count, place);
                }
                // No block is less worn than one that was never erased, and a drive may have many of those.
                if erase_count == 0 {
                    break;
                }
            }
            alive(least.1 as u64);
            free.remove(least.1)
        }
    }
}

/// Remove the most worn block from `free`, among equals the one erased longest ago: the place for data that
/// probably stays valid for long.
pub fn take_most_worn(free: &mut VecDeque<u32>, blocks: &Blocks) -> Option<u32> {
    let fresh = |block: u32| u32::MAX - blocks.erase_count(block);
    let (place, _) = free.iter().enumerate().min_by_key(|&(place, &block)| (fresh(block), place))?;
    free.remove(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_takes_its_block_and_ties_go_to_the_longest_erased() {
        let mut blocks = Blocks::new(5, 4);
        for (block, erases) in [(0, 2), (1, 1), (2, 3), (3, 1), (4, 3)] {
            (0..erases).for_each(|_| blocks.erase(block));
        }
        let all = VecDeque::from([0, 1, 2, 3, 4]);
        let taken = |rule| take_free_block(rule, &mut all.clone(), &blocks);
        assert_eq!(taken(FreeBlock::OldestErased), Some(0));
        assert_eq!(taken(FreeBlock::LeastWorn), Some(1));
        assert_eq!(take_most_worn(&mut all.clone(), &blocks), Some(2));
        assert_eq!(take_free_block(FreeBlock::LeastWorn, &mut VecDeque::new(), &blocks), None);
    }
}
