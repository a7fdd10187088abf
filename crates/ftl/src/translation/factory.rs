//! The blocks of a drive as it leaves the factory.
//!
//! The same blocks are bad and the same are reserved with either translation layer, because they depend on the flash
//! only.

use super::Shape;
use crate::blocks::{BlockState, Blocks};
use flashscope_kernel::random::{Streams, below};

/// All blocks erased, some bad (where the stream `"initial bad blocks"` puts them), some reserved (the first good
/// ones of the pools, in turn).
pub(crate) fn blocks(shape: &Shape, streams: &Streams) -> Blocks {
    let block_count = shape.blocks_per_pool * shape.pool_count;
    let mut blocks = Blocks::new(block_count, shape.slots_per_page * shape.pages_per_block);
    let mut chance = streams.stream("initial bad blocks");
    let mut still_bad = shape.initial_bad_block_count;
    while still_bad > 0 {
        let block = below(&mut chance, block_count.into()) as u32;
        if blocks.state(block) == BlockState::Free {
            blocks.set_aside(block, BlockState::Bad);
            still_bad -= 1;
        }
    }
    let mut next = 0;
    let mut still_reserved = shape.reserved_block_count;
    while still_reserved > 0 {
        let block = (next % shape.pool_count) * shape.blocks_per_pool + next / shape.pool_count;
        if blocks.state(block) == BlockState::Free {
            blocks.set_aside(block, BlockState::Reserved);
            still_reserved -= 1;
        }
        next += 1;
    }
    blocks
}
