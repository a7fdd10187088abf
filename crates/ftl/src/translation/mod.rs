//! The translation layer at work: units are placed page by page, turn by turn over the pools, and room is
//! made when a pool runs low.
//!
//! ```text
//!   units    7 3 9 4 | 1 8 2 6 | ...          turn   pool 0     pool 1     pool 2
//!            page for   page for              page   [7 3 9 4]  [1 8 2 6]  ...
//!            pool 0     pool 1
//! ```
//!
//! When hot and cold data are kept apart there are two such streams, each with its page being filled and its turn.
//!
//! Reading order: this file, `collection`, `idle`, `packed`, `parity`, `failures`, `power_cut`, `unsettled`; `check` says what always holds.
//! Not modelled here: metadata writes.

pub mod ageing;
mod check;
mod collection;
mod decision;
pub(crate) mod factory;
mod failures;
mod idle;
mod layer;
mod packed;
mod parity;
mod power_cut;
mod settings;
mod tally;
#[cfg(test)]
mod tests;
mod unsettled;
pub mod wear_forward;

pub use decision::{Decision, Reason};
pub use layer::TranslationLayer;
pub use parity::Parity;
pub use settings::{FtlSettings, Shape};
pub use tally::Tally;

use crate::blocks::{BlockState, Blocks};
use crate::compression::Packing;
use crate::gc::separation::{Ages, COLD, STREAMS};
use crate::gc::{Collected, IdleCollection, MovedData, Victims};
use crate::mapping::{PageMap, is_slot};
use crate::pool::{Frontier, Pool};
use crate::pslc::{Pslc, PslcBlocks};
use crate::wear_leveling::{FreeBlock, StaticSpread};
use failures::Failures;
use flashscope_kernel::random::Streams;
use flashscope_nand::CellMode;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use unsettled::Unsettled;

/// Why a unit cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No pool can take the unit: every block is full of valid data.
    NoFreeBlock,
    /// So many blocks have gone bad that the drive takes no more writes.
    SparesExhausted,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoFreeBlock => "no free block: every block is full of valid data",
            Self::SparesExhausted => "no spare blocks left: too many blocks have gone bad",
        })
    }
}

impl std::error::Error for Refusal {}

/// A page that is complete and can be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPage {
    /// The pool it lies in.
    pub pool: u32,
    /// Its block.
    pub block: u32,
    /// Its number among the data pages of the block; [`Parity::place`] says where that is.
    pub page_index: u32,
    /// The stream whose page it is; see [`Placed::stream`].
    pub stream: u8,
    /// The parity page of its stripe is to be programmed behind it.
    pub ends_stripe: bool,
    /// How often its block had been erased: a page that ends after its block was erased belongs to another life.
    pub erase_count: u32,
}

/// What placing a unit led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The pool it went to.
    pub pool: u32,
    /// The stream it belongs to: 0, or 1 for hot data when that is kept apart. Each has its page being filled.
    pub stream: u8,
    /// Work to be done by the pool's bank before the page can be programmed.
    pub collected: Option<Collected>,
    /// The page, when this unit completed it.
    pub complete: Option<OpenPage>,
}

/// The page of a stream that is being filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct HostPage {
    /// The pool that gets it.
    turn: u32,
    /// Slots already filled.
    filled: u32,
}

/// A page-mapped translation layer.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Translation {
    map: PageMap,
    blocks: Blocks,
    pools: Vec<Pool>,
    slots_per_page: u32,
    parity: Parity,
    low_water_blocks: u32,
    high_water_blocks: u32,
    moved_data: MovedData,
    idle: Option<IdleCollection>,
    free_block: FreeBlock,
    /// Which blocks lie still; only with static wear levelling.
    static_spread: Option<StaticSpread>,
    failures: Failures,
    /// Data that was moved before it was on flash.
    unsettled: Unsettled,
    /// How old the data of every block is; only when hot and cold are kept apart.
    ages: Option<Ages>,
    /// Which blocks are pSLC; only with such a cache.
    pslc: Option<PslcBlocks>,
    /// The block opened last for host data was not pSLC though there is such a cache.
    goes_past_pslc: bool,
    /// Sizes of units and what blocks hold of them; only with compression.
    packing: Option<Packing>,
    /// Units of zeros are only noted.
    zero_detection: bool,
    host_pages: [HostPage; STREAMS],
    tally: Tally,
    decisions: VecDeque<Decision>,
    #[serde(skip)]
    survivors: Vec<u32>,
}

impl Translation {
    /// An empty drive. Bad blocks lie where the stream `"initial bad blocks"` puts them; when others fail is up to
    /// the stream `"block lives"`.
    pub fn new(shape: &Shape, settings: &FtlSettings, streams: &Streams) -> Self {
        let (flash, parity) = (shape, Parity::new(settings.parity_stripe_pages));
        let shape = &Shape { pages_per_block: parity.data_pages(flash.pages_per_block), ..flash.clone() };
        let gc = &settings.gc;
        let pslc = settings.pslc.as_ref().filter(|pslc| pslc.is_on());
        let compression = settings.compression.as_ref();
        let entries_per_slot = compression.map_or(1, |compression| compression.most_units_per_slot);
        let slots_per_page = shape.slots_per_page * entries_per_slot;
        let slots_per_block = slots_per_page * shape.pages_per_block;
        let block_count = shape.blocks_per_pool * shape.pool_count;
        let mut blocks = factory::blocks(&Shape { slots_per_page, ..shape.clone() }, streams);
        let pools = (0..shape.pool_count)
            .map(|pool| {
                let range = pool * shape.blocks_per_pool..(pool + 1) * shape.blocks_per_pool;
                let free: VecDeque<u32> =
                    range.clone().filter(|&block| blocks.state(block) == BlockState::Free).collect();
                Pool {
                    usable_blocks: free.len() as u32,
                    free,
                    host: [Frontier::default(); STREAMS],
                    moved: [Frontier::default(); STREAMS],
                    victims: Victims::new(
                        gc.policy,
                        gc.choices,
                        &range,
                        streams.stream(&format!("victims of pool {pool}")),
                    ),
                    blocks: range,
                    unpaid: Collected::default(),
                }
            })
            .collect();
        let share_of_units = shape.unit_count.div_ceil(shape.pool_count);
        let lives = settings.block_lives(streams);
        let ages = gc.separation.map(|separation| {
            let hot_age_units = separation.hot_age_ratio * f64::from(shape.unit_count);
            Ages::new(block_count, hot_age_units as u64)
        });
        let packing = compression
            .map(|compression| Packing::new(compression, shape.slots_per_page, shape.unit_count, shape.pool_count));
        if let Some(packing) = &packing {
            blocks.count_parts(packing.page_parts() * shape.pages_per_block);
        }
        Self {
            map: PageMap::new(shape.unit_count, block_count * slots_per_block),
            blocks,
            pools,
            slots_per_page,
            parity,
            low_water_blocks: gc.low_water_blocks,
            high_water_blocks: gc.high_water_blocks,
            // Host data and moved data want blocks of different modes.
            moved_data: if pslc.is_some() { MovedData::Apart } else { gc.moved_data },
            idle: gc.idle,
            free_block: settings.wear_leveling.free_block,
            static_spread: settings
                .wear_leveling
                .static_spread_cycles
                .map(|cycles| StaticSpread::new(cycles, shape.pool_count, block_count)),
            failures: Failures {
                lives,
                marked: BTreeSet::new(),
                spare_blocks: settings.spare_blocks,
                blocks_needed_per_pool: share_of_units.div_ceil(shape.slots_per_page * shape.pages_per_block)
                    + gc.high_water_blocks
                    + gc.open_blocks_per_pool(&settings.wear_leveling)
                    + pslc.map_or(0, |pslc| pslc.static_block_count),
                exhausted: false,
                retired: Vec::new(),
            },
            unsettled: Unsettled::default(),
            ages,
            pslc: pslc.map(|pslc| {
                let pages = pslc_pages(pslc, flash, settings.erase_blocks_per_block);
                let slots = slots_per_page * parity.data_pages(pages);
                PslcBlocks::new(pslc, slots, block_count, shape.pool_count)
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

    /// The stream that the age of a unit's old copy speaks for.
    #[inline(never)]
    fn stream_by_age(&self, unit: u32) -> usize {
        let old = self.map.slot(unit);
        match &self.ages {
            Some(ages) if is_slot(old) => ages.stream(self.blocks.of_slot(old), self.tally.placed_units),
            _ => COLD,
        }
    }

    /// Place one unit of host data in the page being filled. How `compressible` it is, in 1/255, counts only with
    /// compression; `now_ns` only labels decisions.
    #[inline(always)]
    pub fn place(&mut self, unit: u32, compressible: u8, now_ns: u64) -> Result<Placed, Refusal> {
        let stream = if self.ages.is_none() { COLD } else { self.stream_by_age(unit) };
        let mut collected = None;
        let page = &self.host_pages[stream];
        if page.filled == 0 && self.pools[page.turn as usize].host[stream].room() == 0 {
            collected = self.open_host_block(stream, now_ns)?;
        }
        let pool = self.host_pages[stream].turn;
        let frontier = &mut self.pools[pool as usize].host[stream];
        let slot = frontier.next_slot;
        frontier.next_slot += 1;
        let stale = self.map.place(unit, slot);
        self.leave(unit, stale);
        let block = self.blocks.of_slot(slot);
        self.blocks.add_valid(block, 1);
        self.tally.placed_units += 1;
        self.host_pages[stream].filled += 1;
        let is_complete = if self.packing.is_none() {
            self.host_pages[stream].filled == self.slots_per_page
        } else {
            self.fill_packed(unit, compressible, stream, block)
        };
        let complete = is_complete.then(|| self.complete_page(stream, block));
        Ok(Placed { pool, stream: stream as u8, collected, complete })
    }

    /// Complete a page being filled with filling, so that it can be programmed now. `None` when no page has been
    /// begun; with hot and cold apart there may be two, so ask until there is none.
    pub fn pad_page(&mut self) -> Option<OpenPage> {
        let stream = self.host_pages.iter().position(|page| page.filled > 0)?;
        let HostPage { turn, filled } = self.host_pages[stream];
        let host = &mut self.pools[turn as usize].host[stream];
        let padding = self.slots_per_page - filled;
        for slot in host.next_slot..host.next_slot + padding {
            self.map.leave_empty(slot);
        }
        host.next_slot += padding;
        let block = self.blocks.of_slot(host.next_slot - 1);
        match &mut self.packing {
            None => self.tally.padded_slots += u64::from(padding),
            Some(packing) => {
                self.tally.padded_slots += u64::from(packing.end_host_page(stream));
                self.tally.unused_entries += u64::from(padding);
            }
        }
        Some(self.complete_page(stream, block))
    }

    fn complete_page(&mut self, stream: usize, block: u32) -> OpenPage {
        let pool_index = self.host_pages[stream].turn;
        let pool = &mut self.pools[pool_index as usize];
        let first_slot = self.blocks.first_slot(block);
        let page_index = (pool.host[stream].next_slot - first_slot) / self.slots_per_page - 1;
        let is_last = pool.host[stream].room() == 0;
        if is_last {
            let end_slot = pool.host[stream].end_slot;
            pool.close(&mut self.blocks, end_slot, self.tally.placed_units);
        }
        let ends_stripe = self.parity.ends_stripe(page_index, is_last);
        self.tally.parity_pages += u64::from(ends_stripe);
        let turn = if pool_index + 1 == self.pools.len() as u32 { 0 } else { pool_index + 1 };
        self.host_pages[stream].turn = turn;
        self.host_pages[stream].filled = 0;
        self.tally.host_pages += 1;
        if let Some(pslc) = &self.pslc {
            self.tally.pslc_host_pages += u64::from(pslc.mode(block) == CellMode::Pslc);
        }
        let erase_count = self.blocks.erase_count(block);
        OpenPage { pool: pool_index, block, page_index, stream: stream as u8, ends_stripe, erase_count }
    }

    /// Let the pool whose turn it is, or the next one that can, open a block for host data.
    #[cold]
    fn open_host_block(&mut self, stream: usize, now_ns: u64) -> Result<Option<Collected>, Refusal> {
        if self.failures.exhausted {
            return Err(Refusal::SparesExhausted);
        }
        for _ in 0..self.pools.len() {
            let turn = self.host_pages[stream].turn;
            if self.pools[turn as usize].host[stream].room() > 0 {
                return Ok(None);
            }
            if let Ok(collected) = self.room_for_host(turn, stream, now_ns) {
                return Ok(collected);
            }
            self.host_pages[stream].turn = (turn + 1) % self.pools.len() as u32;
        }
        Err(self.refuse())
    }

    /// Where a unit lies; `NOWHERE`, or `ZERO` when it is only noted as zeros.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        self.map.slot(unit)
    }

    /// Load what is known of units that are asked for soon, so that it lies in the processor's caches then.
    ///
    /// On a large drive every unit is a cache miss, and one after another they cost more than all else. Here
    /// the loads do not depend on each other, so their misses overlap. Changes nothing.
    pub fn touch(&self, units: impl Iterator<Item = u32>) {
        const AT_ONCE: usize = 64;
        let mut slots = [crate::mapping::NOWHERE; AT_ONCE];
        for (slot, unit) in slots.iter_mut().zip(units) {
            *slot = self.map.slot_if_any(unit);
        }
        let keys = slots.iter().filter(|&&slot| is_slot(slot)).map(|&slot| self.blocks.key_of_slot(slot));
        std::hint::black_box(keys.fold(0, |seen, key| seen ^ key));
    }

    /// The pool a block belongs to.
    #[inline]
    pub fn pool_of_block(&self, block: u32) -> u32 {
        block / (self.blocks.count() / self.pools.len() as u32)
    }

    /// The pool a slot lies in, and the number of its page among the data pages of its block.
    #[inline]
    pub fn place_of_slot(&self, slot: u32) -> (u32, u32) {
        let block = self.blocks.of_slot(slot);
        (self.pool_of_block(block), (slot - self.blocks.first_slot(block)) / self.slots_per_page)
    }

    /// The block a slot lies in.
    #[inline]
    pub fn block_of_slot(&self, slot: u32) -> u32 {
        self.blocks.of_slot(slot)
    }

    /// How the cells of a block are used.
    #[inline]
    pub fn mode_of_block(&self, block: u32) -> CellMode {
        self.pslc.as_ref().map_or(CellMode::Native, |pslc| pslc.mode(block))
    }

    /// How the cells are used that a slot lies in.
    #[inline]
    pub fn mode_of_slot(&self, slot: u32) -> CellMode {
        if self.pslc.is_none() { CellMode::Native } else { self.mode_of_block(self.blocks.of_slot(slot)) }
    }

    /// Data pages of a block whose cells are used in this mode.
    pub fn pages_per_block(&self, mode: CellMode) -> u32 {
        let slots = match (mode, &self.pslc) {
            (CellMode::Pslc, Some(pslc)) => pslc.slots(),
            _ => self.blocks.slots_per_block(),
        };
        slots / self.slots_per_page
    }

    /// True for each block that is pSLC; empty without such a cache.
    pub fn pslc_blocks(&self) -> &[bool] {
        self.pslc.as_ref().map_or(&[], PslcBlocks::flags)
    }

    /// The page a slot lies in, numbered through the drive.
    #[inline]
    pub fn page_of_slot(&self, slot: u32) -> u32 {
        slot / self.slots_per_page
    }

    /// The erase count of the block a slot lies in [cycles].
    pub fn erase_count_at(&self, slot: u32) -> u32 {
        self.blocks.erase_count(self.blocks.of_slot(slot))
    }

    /// True when the slot's data is on flash, false while it is only on its way there.
    #[inline]
    pub fn is_programmed(&self, slot: u32) -> bool {
        self.blocks.is_programmed(slot)
    }

    /// A page handed out by `place` or `pad_page` is on flash now.
    #[inline]
    pub fn page_programmed(&mut self, page: OpenPage) {
        if !self.unsettled.is_empty() {
            self.unsettled.settle(&page);
        }
        if self.blocks.erase_count(page.block) == page.erase_count {
            self.blocks.page_programmed(page.block, page.page_index * self.slots_per_page, self.slots_per_page);
        }
    }

    /// Forget a unit: it holds no data any more.
    pub fn trim(&mut self, unit: u32) {
        let stale = self.map.forget(unit);
        self.leave(unit, stale);
    }

    /// The copy of a unit in a slot, if it is one, does not count any more.
    #[inline]
    fn leave(&mut self, unit: u32, stale: u32) {
        if is_slot(stale) {
            self.blocks.invalidate(stale);
            if let Some(packing) = &self.packing {
                self.blocks.remove_parts(self.blocks.of_slot(stale), packing.parts_of(unit));
            }
        }
    }

    /// Erase every block that is not free and forget all data; returns the blocks erased per pool.
    pub fn erase_all(&mut self) -> Vec<u32> {
        self.map.clear();
        self.unsettled = Unsettled::default();
        self.drop_open_pages();
        let mut erased_per_pool = Vec::with_capacity(self.pools.len());
        for pool_index in 0..self.pools.len() as u32 {
            let mut erased = 0;
            for block in self.pools[pool_index as usize].blocks.clone() {
                let state = self.blocks.state(block);
                if state.is_usable() && state != BlockState::Free {
                    erased += u32::from(self.erase_or_retire(pool_index, block));
                }
            }
            let pool = &mut self.pools[pool_index as usize];
            pool.unpaid = Collected::default();
            pool.victims.policy().forget();
            erased_per_pool.push(erased);
        }
        erased_per_pool
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
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
        let stamps = self.ages.as_ref().map_or(0, |ages| size_of_val(ages.written_at_units()));
        let modes = self.pslc.as_ref().map_or(0, PslcBlocks::memory_bytes);
        let sizes = self.packing.as_ref().map_or(0, Packing::memory_bytes);
        self.map.memory_bytes() + self.blocks.memory_bytes() + stamps + modes + sizes
    }
}

/// Pages of a block of `shape` that is pSLC: whole pages of each of its erase blocks, at least one.
fn pslc_pages(pslc: &Pslc, shape: &Shape, erase_blocks_per_block: u32) -> u32 {
    let of_erase_block = shape.pages_per_block / erase_blocks_per_block / pslc.bits_per_cell;
    (of_erase_block * erase_blocks_per_block).max(1)
}
