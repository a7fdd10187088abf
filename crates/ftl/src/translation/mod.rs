//! The translation layer at work: units are placed page by page, turn by turn over the pools, and room is
//! made when a pool runs low.
//!
//! ```text
//!   units    7 3 9 4 | 1 8 2 6 | ...          turn   pool 0     pool 1     pool 2
//!            page for   page for              page   [7 3 9 4]  [1 8 2 6]  ...
//!            pool 0     pool 1
//! ```
//!
//! Not modelled here: metadata writes.

mod check;
mod collection;
mod layer;

pub use collection::Decision;
pub use layer::TranslationLayer;

use crate::blocks::{BlockState, Blocks};
use crate::gc::{Collected, GcSettings, Victims};
use crate::mapping::{NOWHERE, PageMap};
use crate::pool::{Frontier, Pool};
use flashscope_kernel::random::{Streams, below};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// The sizes a translation layer is built with.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Units the host can address.
    pub unit_count: u32,
    /// Units that fit one programmed page.
    pub slots_per_page: u32,
    /// Programmed pages in a block.
    pub pages_per_block: u32,
    /// Blocks in a pool, bad ones included.
    pub blocks_per_pool: u32,
    /// Pools.
    pub pool_count: u32,
    /// Blocks that are bad from the factory, anywhere.
    pub initial_bad_block_count: u32,
    /// Blocks kept for the controller's own data, spread over the pools.
    pub reserved_block_count: u32,
}

/// No pool can take the unit: every block is full of valid data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoFreeBlock;

/// A page that is complete and can be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenPage {
    /// The pool it lies in.
    pub pool: u32,
    /// Its block.
    pub block: u32,
    /// Its place in the block.
    pub page_index: u32,
}

/// What placing a unit led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The pool it went to.
    pub pool: u32,
    /// Work to be done by the pool's bank before the page can be programmed.
    pub collected: Option<Collected>,
    /// The page, when this unit completed it.
    pub complete: Option<OpenPage>,
}

/// What the layer has done since it was built, in pages and units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Units placed for the host.
    pub placed_units: u64,
    /// Slots programmed with filling because a page had to go out before it was full.
    pub padded_slots: u64,
    /// Pages programmed with host data.
    pub host_pages: u64,
    /// Units moved by collection.
    pub moved_units: u64,
    /// Pages read by collection.
    pub gc_read_pages: u64,
    /// Pages programmed by collection.
    pub gc_pages: u64,
    /// Blocks erased.
    pub erased_blocks: u64,
}

/// A page-mapped translation layer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Translation {
    map: PageMap,
    blocks: Blocks,
    pools: Vec<Pool>,
    slots_per_page: u32,
    low_water_blocks: u32,
    high_water_blocks: u32,
    /// The pool that gets the page being filled.
    turn: u32,
    /// Slots of that page already filled.
    filled: u32,
    tally: Tally,
    decisions: VecDeque<Decision>,
    #[serde(skip)]
    survivors: Vec<u32>,
}

impl Translation {
    /// An empty drive. Bad blocks lie where the stream `"initial bad blocks"` puts them.
    pub fn new(shape: &Shape, gc: &GcSettings, streams: &Streams) -> Self {
        let slots_per_block = shape.slots_per_page * shape.pages_per_block;
        let block_count = shape.blocks_per_pool * shape.pool_count;
        let mut blocks = Blocks::new(block_count, slots_per_block);
        let mut chance = streams.stream("initial bad blocks");
        let mut still_bad = shape.initial_bad_block_count;
        while still_bad > 0 {
            let block = below(&mut chance, block_count.into()) as u32;
            if blocks.state(block) == BlockState::Free {
                blocks.set_aside(block, BlockState::Bad);
                still_bad -= 1;
            }
        }
        // The controller's own blocks are the first good ones of the pools, in turn.
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
        let pools = (0..shape.pool_count)
            .map(|pool| {
                let range = pool * shape.blocks_per_pool..(pool + 1) * shape.blocks_per_pool;
                Pool {
                    free: range.clone().filter(|&block| blocks.state(block) == BlockState::Free).collect(),
                    blocks: range,
                    host: Frontier::default(),
                    gc: Frontier::default(),
                    victims: Victims::new(gc, streams.stream(&format!("victims of pool {pool}"))),
                }
            })
            .collect();
        Self {
            map: PageMap::new(shape.unit_count, block_count * slots_per_block),
            blocks,
            pools,
            slots_per_page: shape.slots_per_page,
            low_water_blocks: gc.low_water_blocks,
            high_water_blocks: gc.high_water_blocks,
            turn: 0,
            filled: 0,
            tally: Tally::default(),
            decisions: VecDeque::new(),
            survivors: Vec::new(),
        }
    }

    /// Place one unit of host data in the page being filled. `now_ns` only labels decisions.
    #[inline]
    pub fn place(&mut self, unit: u32, now_ns: u64) -> Result<Placed, NoFreeBlock> {
        let mut collected = None;
        if self.filled == 0 && self.pools[self.turn as usize].host.room() == 0 {
            collected = self.open_host_block(now_ns)?;
        }
        let pool = &mut self.pools[self.turn as usize];
        let slot = pool.host.next_slot;
        pool.host.next_slot += 1;
        let stale = self.map.place(unit, slot);
        if stale != NOWHERE {
            self.blocks.invalidate(stale);
        }
        let block = self.blocks.of_slot(slot);
        self.blocks.add_valid(block, 1);
        self.tally.placed_units += 1;
        self.filled += 1;
        let pool = self.turn;
        let complete = (self.filled == self.slots_per_page).then(|| self.complete_page(block));
        Ok(Placed { pool, collected, complete })
    }

    /// Complete the page being filled with filling, so that it can be programmed now. `None` when no page
    /// has been begun.
    pub fn pad_page(&mut self) -> Option<OpenPage> {
        if self.filled == 0 {
            return None;
        }
        let host = &mut self.pools[self.turn as usize].host;
        let padding = self.slots_per_page - self.filled;
        for slot in host.next_slot..host.next_slot + padding {
            self.map.leave_empty(slot);
        }
        host.next_slot += padding;
        let block = self.blocks.of_slot(host.next_slot - 1);
        self.tally.padded_slots += u64::from(padding);
        Some(self.complete_page(block))
    }

    fn complete_page(&mut self, block: u32) -> OpenPage {
        let pool_index = self.turn;
        let pool = &mut self.pools[pool_index as usize];
        let first_slot = self.blocks.first_slot(block);
        let page_index = (pool.host.next_slot - first_slot) / self.slots_per_page - 1;
        if pool.host.room() == 0 {
            pool.close(&mut self.blocks, pool.host.end_slot);
        }
        self.filled = 0;
        self.turn = if pool_index + 1 == self.pools.len() as u32 { 0 } else { pool_index + 1 };
        self.tally.host_pages += 1;
        OpenPage { pool: pool_index, block, page_index }
    }

    /// Let the pool whose turn it is, or the next one that can, open a block for host data.
    #[cold]
    fn open_host_block(&mut self, now_ns: u64) -> Result<Option<Collected>, NoFreeBlock> {
        for _ in 0..self.pools.len() {
            if self.pools[self.turn as usize].host.room() > 0 {
                return Ok(None);
            }
            if let Ok(collected) = self.make_room(self.turn, now_ns) {
                let pool = &mut self.pools[self.turn as usize];
                pool.host = pool.open(&mut self.blocks, BlockState::OpenForHost).ok_or(NoFreeBlock)?;
                return Ok(collected);
            }
            self.turn = (self.turn + 1) % self.pools.len() as u32;
        }
        Err(NoFreeBlock)
    }

    /// Where a unit lies, or `NOWHERE`.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        self.map.slot(unit)
    }

    /// The pool a slot lies in, and the place of its page in its block.
    #[inline]
    pub fn place_of_slot(&self, slot: u32) -> (u32, u32) {
        let block = self.blocks.of_slot(slot);
        let pool = block / (self.blocks.count() / self.pools.len() as u32);
        (pool, (slot - self.blocks.first_slot(block)) / self.slots_per_page)
    }

    /// The page a slot lies in, numbered through the drive.
    #[inline]
    pub fn page_of_slot(&self, slot: u32) -> u32 {
        slot / self.slots_per_page
    }

    /// The erase count of the block a slot lies in [cycles].
    pub fn erase_count_at(&self, slot: u32) -> u32 {
        self.blocks.erase_counts()[self.blocks.of_slot(slot) as usize]
    }

    /// True when the slot's data is on flash, false while it is only on its way there.
    #[inline]
    pub fn is_programmed(&self, slot: u32) -> bool {
        self.blocks.is_programmed(slot)
    }

    /// A page handed out by `place` or `pad_page` is on flash now.
    #[inline]
    pub fn page_programmed(&mut self, block: u32) {
        self.blocks.add_programmed(block, self.slots_per_page);
    }

    /// Forget a unit: it holds no data any more.
    pub fn trim(&mut self, unit: u32) {
        let stale = self.map.forget(unit);
        if stale != NOWHERE {
            self.blocks.invalidate(stale);
        }
    }

    /// Erase every block that is not free and forget all data; returns the blocks erased per pool.
    pub fn erase_all(&mut self) -> Vec<u32> {
        self.map.clear();
        self.filled = 0;
        self.turn = 0;
        let mut erased_per_pool = Vec::with_capacity(self.pools.len());
        for pool in &mut self.pools {
            let mut erased = 0;
            for block in pool.blocks.clone() {
                let state = self.blocks.state(block);
                if matches!(state, BlockState::Closed | BlockState::OpenForHost | BlockState::OpenForGc) {
                    self.blocks.erase(block);
                    pool.free.push_back(block);
                    erased += 1;
                }
            }
            pool.host = Frontier::default();
            pool.gc = Frontier::default();
            pool.victims.policy().forget();
            self.tally.erased_blocks += u64::from(erased);
            erased_per_pool.push(erased);
        }
        erased_per_pool
    }

    /// Everything known of the blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Free blocks of every pool.
    pub fn free_blocks(&self) -> Vec<u32> {
        self.pools.iter().map(|pool| pool.free.len() as u32).collect()
    }

    /// What has been done since the drive was built.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The latest decisions of the collector, oldest first.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter()
    }

    /// Bytes of memory that grow with the drive.
    pub fn memory_bytes(&self) -> usize {
        self.map.memory_bytes() + self.blocks.memory_bytes()
    }
}
