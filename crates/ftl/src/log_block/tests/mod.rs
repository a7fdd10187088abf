//! Properties that a block-mapped layer must have, tested on small drives.

mod laws;
mod merges;
mod random_operations;
mod twin;

use super::{Association, LogBlockSettings, LogBlockTranslation};
use crate::mapping::NOWHERE;
use crate::translation::{Placed, Shape};
use flashscope_kernel::random::Streams;

/// Pages of a block, unless a test says otherwise.
const PAGES: u32 = 8;

/// A drive of `logical_blocks` with the spare blocks that `settings` ask for.
fn drive(logical_blocks: u32, pages: u32, association: Association, log_block_count: u32) -> LogBlockTranslation {
    let settings = LogBlockSettings { interleaved: false, log_block_count, association };
    let blocks_per_pool = logical_blocks + settings.spare_blocks_per_pool(1);
    LogBlockTranslation::new(
        &shape(logical_blocks * pages, pages, blocks_per_pool, 1),
        &settings,
        None,
        None,
        &Streams::new(1),
    )
}

fn shape(unit_count: u32, pages_per_block: u32, blocks_per_pool: u32, pool_count: u32) -> Shape {
    Shape {
        unit_count,
        slots_per_page: 1,
        pages_per_block,
        blocks_per_pool,
        pool_count,
        initial_bad_block_count: 0,
        reserved_block_count: 0,
    }
}

/// The same drive with every unit written once, in order.
fn full(logical_blocks: u32, pages: u32, association: Association, log_block_count: u32) -> LogBlockTranslation {
    let mut layer = drive(logical_blocks, pages, association, log_block_count);
    for unit in 0..logical_blocks * pages {
        assert_eq!(place(&mut layer, unit).collected, None, "filling costs nothing");
    }
    layer
}

/// Place a unit, which must be possible, and let its page arrive at once.
fn place(layer: &mut LogBlockTranslation, unit: u32) -> Placed {
    let placed = layer.place(unit, 0).expect("there is a place for it");
    let page = placed.complete.expect("a unit is a page");
    assert_ne!(layer.slot(unit), NOWHERE);
    assert_eq!(layer.place_of_slot(layer.slot(unit)), (page.pool, page.page_index));
    layer.page_programmed(page);
    placed
}

/// Pages programmed on flash for each host page between two moments.
fn write_amplification(before: &LogBlockTranslation, after: &LogBlockTranslation) -> f64 {
    let host_pages = after.tally().host_pages - before.tally().host_pages;
    let gc_pages = after.tally().gc_pages - before.tally().gc_pages;
    (host_pages + gc_pages) as f64 / host_pages as f64
}
