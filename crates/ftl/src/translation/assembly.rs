//! An empty page-mapped drive, put together from its shape and its policies.

use super::failures::Failures;
use super::unsettled::Unsettled;
use super::{FtlSettings, HostPage, Parity, Shape, Tally, Translation, factory};
use crate::blocks::{BlockState, Blocks};
use crate::compression::Packing;
use crate::gc::separation::{Ages, STREAMS};
use crate::gc::{Collected, GcSettings, MovedData, Victims};
use crate::mapping::PageMap;
use crate::pool::{Frontier, Pool};
use crate::pslc::{Pslc, PslcBlocks};
use crate::wear_leveling::StaticSpread;
use flashscope_kernel::random::Streams;
use std::collections::{BTreeSet, VecDeque};

impl Translation {
    /// An empty drive. Bad blocks lie where the stream `"initial bad blocks"` puts them; the stream `"block lives"`
    /// decides when others fail.
    pub fn new(flash: &Shape, settings: &FtlSettings, streams: &Streams) -> Self {
        let parity = Parity::new(settings.parity_stripe_pages);
        let compression = settings.compression.as_ref();
        let entries_per_slot = compression.map_or(1, |compression| compression.most_units_per_slot);
        let slots_per_page = flash.slots_per_page * entries_per_slot;
        // The size for the map: without the pages that hold parity, with as many entries as a page may need.
        let shape =
            &Shape { pages_per_block: parity.data_pages(flash.pages_per_block), slots_per_page, ..flash.clone() };
        let gc = &settings.gc;
        let block_count = shape.blocks_per_pool * shape.pool_count;
        let mut blocks = factory::blocks(shape, streams);
        let pools = (0..shape.pool_count).map(|pool| empty_pool(pool, shape, &blocks, gc, streams)).collect();
        let pslc = settings.pslc.as_ref().filter(|pslc| pslc.is_on());
        let spread_cycles = settings.wear_leveling.static_spread_cycles;
        let packing = compression
            .map(|compression| Packing::new(compression, flash.slots_per_page, shape.unit_count, shape.pool_count));
        if let Some(packing) = &packing {
            blocks.count_parts(packing.page_parts() * shape.pages_per_block);
        }
        Self {
            map: PageMap::new(shape.unit_count, block_count * slots_per_page * shape.pages_per_block),
            blocks,
            pools,
            slots_per_page,
            parity,
            low_water_blocks: gc.low_water_blocks,
            high_water_blocks: gc.high_water_blocks,
            // Host data and moved data need blocks of different modes.
            moved_data: if pslc.is_some() { MovedData::Apart } else { gc.moved_data },
            idle: gc.idle,
            free_block: settings.wear_leveling.free_block,
            static_spread: spread_cycles.map(|cycles| StaticSpread::new(cycles, shape.pool_count, block_count)),
            failures: no_failures(flash, settings, parity, streams),
            unsettled: Unsettled::default(),
            ages: gc.separation.map(|separation| {
                let hot_age_units = separation.hot_age_ratio * f64::from(shape.unit_count);
                Ages::new(block_count, hot_age_units as u64)
            }),
            pslc: pslc.map(|pslc| {
                let pages = pslc_pages(pslc, flash, settings.erase_blocks_per_block);
                PslcBlocks::new(pslc, slots_per_page * parity.data_pages(pages), block_count, shape.pool_count)
            }),
            goes_past_pslc: false,
            packing,
            zero_detection: compression.is_some_and(|compression| compression.zero_detection),
            host_pages: [HostPage::default(); STREAMS],
            tally: Tally::default(),
            decisions: VecDeque::new(),
            survivors: Vec::new(),
        }
    }
}

/// A pool with all its usable blocks free.
fn empty_pool(number: u32, shape: &Shape, blocks: &Blocks, gc: &GcSettings, streams: &Streams) -> Pool {
    let range = number * shape.blocks_per_pool..(number + 1) * shape.blocks_per_pool;
    let free: VecDeque<u32> = range.clone().filter(|&block| blocks.state(block) == BlockState::Free).collect();
    let chance = streams.stream(&format!("victims of pool {number}"));
    Pool {
        usable_blocks: free.len() as u32,
        free,
        host: [Frontier::default(); STREAMS],
        moved: [Frontier::default(); STREAMS],
        victims: Victims::new(gc.policy, gc.choices, &range, chance),
        blocks: range,
        unpaid: Collected::default(),
    }
}

/// The record of failing blocks, with no failed block yet: when blocks fail, and how many may.
fn no_failures(flash: &Shape, settings: &FtlSettings, parity: Parity, streams: &Streams) -> Failures {
    let gc = &settings.gc;
    let pslc = settings.pslc.as_ref().filter(|pslc| pslc.is_on());
    let slots_per_block = flash.slots_per_page * parity.data_pages(flash.pages_per_block);
    Failures {
        lives: settings.block_lives(streams),
        marked: BTreeSet::new(),
        spare_blocks: settings.spare_blocks,
        blocks_needed_per_pool: flash.unit_count.div_ceil(flash.pool_count).div_ceil(slots_per_block)
            + gc.high_water_blocks
            + gc.open_blocks_per_pool(&settings.wear_leveling)
            + pslc.map_or(0, |pslc| pslc.static_block_count),
        exhausted: false,
        retired: Vec::new(),
    }
}

/// Pages of a block of `shape` that is pSLC: whole pages of each of its erase blocks, at least one.
fn pslc_pages(pslc: &Pslc, shape: &Shape, erase_blocks_per_block: u32) -> u32 {
    let of_erase_block = shape.pages_per_block / erase_blocks_per_block / pslc.bits_per_cell;
    (of_erase_block * erase_blocks_per_block).max(1)
}
