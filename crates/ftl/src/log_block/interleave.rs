//! Logical blocks that share a stretch of addresses row by row, instead of lying one after the other.
//!
//! ```text
//!   two pools, blocks of four rows
//!
//!   host's rows       0 1 2 3 4 5 6 7 | 8 9 ...          plain        pool 0: 0 1 2 3    pool 1: 4 5 6 7
//!                                                        interleaved  pool 0: 0 2 4 6    pool 1: 1 3 5 7
//! ```
//!
//! A row is what the pools' banks program side by side: one page, or one of every bank of a superblock. Interleaved, a
//! sequential write fills one block of every pool at a time and all banks work; a small write still uses one block.
//! The units are renumbered when they enter the layer, and the rest of the layer uses only the new numbers. The end of
//! the drive, where fewer blocks are left than there are pools, is not interleaved.

use serde::{Deserialize, Serialize};

/// How units are renumbered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Interleave {
    row_units: u32,
    block_units: u32,
    pool_count: u32,
    /// Units from here on keep their number.
    end: u32,
}

impl Interleave {
    /// Rows of `row_units`; a block of `block_units` has a whole number of rows.
    pub fn new(row_units: u32, block_units: u32, pool_count: u32, unit_count: u32) -> Self {
        assert!(block_units.is_multiple_of(row_units), "a block is whole rows");
        let set_units = block_units * pool_count;
        Self { row_units, block_units, pool_count, end: unit_count / set_units * set_units }
    }

    /// The layer's number for the host's number.
    #[inline]
    pub fn inner(&self, unit: u32) -> u32 {
        if unit >= self.end {
            return unit;
        }
        let set_units = self.block_units * self.pool_count;
        let (set, within) = (unit / set_units, unit % set_units);
        let (row, place) = (within / self.row_units, within % self.row_units);
        let (row_of_block, pool) = (row / self.pool_count, row % self.pool_count);
        set * set_units + pool * self.block_units + row_of_block * self.row_units + place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_take_turns_over_the_pools_and_each_block_is_filled_in_order() {
        let interleave = Interleave::new(2, 6, 3, 40);
        let inner: Vec<_> = (0..40).map(|unit| interleave.inner(unit)).collect();
        assert_eq!(inner[..10], [0, 1, 6, 7, 12, 13, 2, 3, 8, 9]);
        assert_eq!(inner[36..], [36, 37, 38, 39], "two sets of three blocks, and a rest");
        let mut sorted = inner.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..40), "every unit has a number of its own");
    }
}
