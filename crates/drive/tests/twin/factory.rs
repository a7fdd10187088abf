//! The blocks of a new drive: some bad at random places, some reserved, the others free.
//!
//! The stream `"initial bad blocks"` is drawn again until it gives a block that is not bad yet. The reserved blocks are
//! the first good blocks of the pools, one from each pool in turn.

use crate::flash::{Flash, State};
use crate::stripes::data_pages;
use flashscope_drive::Config;
use flashscope_kernel::random::{Streams, below};

/// The flash of a new drive.
pub fn flash(config: &Config, streams: &Streams) -> Flash {
    let pool_count = config.geometry.pool_count() as usize;
    let pool_blocks = config.geometry.blocks_per_pool() as usize;
    let block_count = pool_count * pool_blocks;
    let slots_per_page = config.slots_per_page() as usize;
    let mut flash = Flash::new(block_count, data_pages(config) * slots_per_page, slots_per_page);
    let mut chance = streams.stream("initial bad blocks");
    for _ in 0..config.capacity.initial_bad_block_count {
        let mut block = below(&mut chance, block_count as u64) as usize;
        while flash.blocks[block].state != State::Free {
            block = below(&mut chance, block_count as u64) as usize;
        }
        flash.blocks[block].state = State::Bad;
    }
    let in_turn = (0..pool_blocks).flat_map(|row| (0..pool_count).map(move |pool| pool * pool_blocks + row));
    let good: Vec<usize> = in_turn.filter(|&block| flash.blocks[block].state == State::Free).collect();
    for &block in &good[..config.capacity.reserved_block_count as usize] {
        flash.blocks[block].state = State::Reserved;
    }
    flash
}
