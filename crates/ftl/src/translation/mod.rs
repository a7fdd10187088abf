//! The page-mapped translation layer: units are placed page by page, with the pools in turn, and room is made when a
//! pool has few free blocks.
//!
//! ```text
//!   units    7 3 9 4 | 1 8 2 6 | ...          turn   pool 0     pool 1     pool 2
//!            page for   page for              page   [7 3 9 4]  [1 8 2 6]  ...
//!            pool 0     pool 1
//! ```
//!
//! When hot and cold data are kept apart there are two such streams, each with its page being filled and its turn.
//!
//! This file has the state of the layer and its queries; the other files have its actions.
//! Reading order: this file, `assembly`, `placing`, `in_order`, `collection`, `idle`, `packed`, `parity`, `failures`, `failing`,
//! `power_cut`, `unsettled`, `settling`; `check` has the conditions that always hold.
//! Not modelled here: metadata writes.

pub mod ageing;
mod assembly;
mod check;
mod collection;
mod decision;
pub(crate) mod factory;
mod failing;
mod failures;
mod idle;
mod in_order;
mod open_page;
mod packed;
mod parity;
mod placing;
mod power_cut;
mod refusal;
mod settings;
mod settling;
mod tally;
#[cfg(test)]
mod tests;
mod unsettled;
pub mod wear_forward;

pub use decision::{Decision, Reason};
pub use in_order::HostPlace;
pub use open_page::{OpenPage, Placed};
pub use parity::Parity;
pub use refusal::Refusal;
pub use settings::{FtlSettings, Shape};
pub use tally::Tally;

use crate::blocks::{BlockState, Blocks};
use crate::compression::Packing;
use crate::gc::separation::{Ages, STREAMS};
use crate::gc::{Collected, IdleCollection, MovedData};
use crate::mapping::{PageMap, is_slot};
use crate::pool::Pool;
use crate::pslc::PslcBlocks;
use crate::wear_leveling::{FreeBlock, StaticSpread};
use failures::Failures;
use flashscope_nand::CellMode;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use unsettled::Unsettled;

/// The page of a stream that is being filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct HostPage {
    /// The pool that gets the page.
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
    /// Data that was moved before the page it came from was on flash.
    unsettled: Unsettled,
    /// How old the data of every block is; only when hot and cold are kept apart.
    ages: Option<Ages>,
    /// Which blocks are pSLC; only with such a cache.
    pslc: Option<PslcBlocks>,
    /// True when the block opened last for host data was not pSLC although there is such a cache.
    goes_past_pslc: bool,
    /// Sizes of units, and how full the pages being filled are; only with compression.
    packing: Option<Packing>,
    /// True when units of zeros are only recorded in the map.
    zero_detection: bool,
    host_pages: [HostPage; STREAMS],
    tally: Tally,
    decisions: VecDeque<Decision>,
    #[serde(skip)]
    survivors: Vec<u32>,
}

impl Translation {
    /// Where a unit lies; `NOWHERE`, or `ZERO` when it is only noted as zeros.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        self.map.slot(unit)
    }

    /// The page of the host that is being filled, as a number: the turn of its pool and the slots filled.
    #[inline]
    pub fn point(&self) -> u64 {
        let page = &self.host_pages[crate::gc::separation::COLD];
        u64::from(page.turn) << 32 | u64::from(page.filled)
    }

    /// Load the map entries of units that are needed soon, so that they are in the processor's caches by then.
    ///
    /// On a large drive every unit is a cache miss, and these misses one after another take more time than all other
    /// work. Here the loads do not depend on each other, so the misses overlap. Changes nothing.
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

    /// The cell mode of a block.
    #[inline]
    pub fn mode_of_block(&self, block: u32) -> CellMode {
        self.pslc.as_ref().map_or(CellMode::Native, |pslc| pslc.mode(block))
    }

    /// The cell mode of the block in which a slot lies.
    #[inline]
    pub fn mode_of_slot(&self, slot: u32) -> CellMode {
        if self.pslc.is_none() { CellMode::Native } else { self.mode_of_block(self.blocks.of_slot(slot)) }
    }

    /// Data pages of a block in this cell mode.
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

    /// Unmap a unit: it holds no data any more.
    pub fn trim(&mut self, unit: u32) {
        let stale = self.map.forget(unit);
        self.leave(unit, stale);
    }

    /// Mark the copy of a unit in a slot as stale, if the slot holds one.
    #[inline]
    fn leave(&mut self, unit: u32, stale: u32) {
        if is_slot(stale) {
            self.blocks.invalidate(stale);
            if let Some(packing) = &self.packing {
                self.blocks.remove_parts(self.blocks.of_slot(stale), packing.parts_of(unit));
            }
        }
    }

    /// Erase every block that is not free and drop all data; returns the blocks erased per pool.
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

    /// The state of all blocks.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Free blocks of every pool.
    pub fn free_blocks(&self) -> Vec<u32> {
        self.pools.iter().map(|pool| pool.free.len() as u32).collect()
    }

    /// Counts of all work since the drive was built.
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
