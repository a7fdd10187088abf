//! Block-mapped translation with log blocks: a table of blocks, and a few blocks for the pages that do not fit it.
//!
//! ```text
//!   unit = logical block * pages + offset          data block: every page in its own place
//!
//!   logical  0 --> block 17   [0 1 2 3 4 5 6 7]      log block of 0: block 4   [5 5 2 _ _ _ _ _]
//!            1 --> block  9   [0 1 2 _ _ _ _ _]                     newest 5 ----^ ^---- newest 2
//!            2 --> block 30   [0 1 x x 4 _ _ _]
//! ```
//!
//! Flash pages cannot be programmed again, so an overwritten page goes to a *log block*; when there are too many
//! of these, one is merged with its data block (see `merging.rs`). Sequential overwrites cost only one erase per
//! block; random overwrites cost a copy of a block for each page or each few pages. Such drives and USB sticks stall
//! often.
//!
//! ```text
//!   interleave.rs --> placing.rs --needs a block--> room.rs --has none--> merging.rs
//!                         '-- in_flight.rs: what is not on flash yet
//! ```
//!
//! Logical block `n` and its log blocks are in pool `n % pools`. A unit is one programmed page.
//! A real controller of this kind keeps only a table of blocks and the page tables of its log blocks. Here the slot of
//! every unit is kept as well, four bytes each: a read is one look-up, and a page is valid when its unit points to it.
//!
//! Not modelled here: metadata writes, merges in idle time, wear levelling of data that never changes. A page
//! that a rewrite places between copied ones is programmed after all of them.

mod check;
mod failing;
mod in_flight;
mod interleave;
mod merge_tally;
mod merging;
mod placing;
mod pool;
mod room;
mod settings;
#[cfg(test)]
mod tests;

pub use merge_tally::MergeTally;
pub use settings::{Association, LogBlockSettings};

use crate::blocks::{BlockState, Blocks};
use crate::gc::Collected;
use crate::mapping::NOWHERE;
use crate::translation::{Decision, OpenPage, Placed, Refusal, Shape, Tally};
use flashscope_kernel::divide::Divisor;
use flashscope_kernel::random::Streams;
use flashscope_kernel::signs_of_life::alive;
use flashscope_nand::BlockLives;
use in_flight::InFlight;
use interleave::Interleave;
use pool::LogPool;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// Units after which an erase of everything gives a sign of life.
const UNITS_IN_A_ROW: u32 = 1 << 12;

/// A block-mapped translation layer with log blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogBlockTranslation {
    settings: LogBlockSettings,
    interleave: Option<Interleave>,
    /// Where each unit lies, or `NOWHERE`.
    slot_of_unit: Vec<u32>,
    /// The data block of each logical block, or `NOWHERE`. Never `NOWHERE` while the logical block holds anything.
    data_of_logical: Vec<u32>,
    /// The place in its pool of the log block that serves a logical block alone, or `NOWHERE`.
    log_of_logical: Vec<u32>,
    /// The first page of each block that can still be programmed.
    next_page: Vec<u16>,
    blocks: Blocks,
    blocks_per_pool: Divisor,
    pools: Vec<LogPool>,
    in_flight: InFlight,
    tally: Tally,
    merges: MergeTally,
    decisions: VecDeque<Decision>,
    /// When blocks fail; without it, blocks never fail.
    lives: Option<BlockLives>,
    /// How many blocks may go bad in use, if there is such a limit.
    spare_blocks: Option<u32>,
    /// True once the drive accepts no more writes.
    exhausted: bool,
}

impl LogBlockTranslation {
    /// An empty drive. The bad and reserved blocks are the same as in the page-mapped layer with the same seed.
    ///
    /// Panics unless a unit is exactly one programmed page.
    pub fn new(
        shape: &Shape,
        settings: &LogBlockSettings,
        lives: Option<BlockLives>,
        spare_blocks: Option<u32>,
        streams: &Streams,
    ) -> Self {
        assert_eq!(shape.slots_per_page, 1, "log blocks need a mapping unit of one programmed page");
        let blocks = crate::translation::factory::blocks(shape, streams);
        let log_blocks = settings.log_blocks_per_pool(shape.pool_count);
        let pools = (0..shape.pool_count)
            .map(|pool| {
                let range = pool * shape.blocks_per_pool..(pool + 1) * shape.blocks_per_pool;
                let free = range.clone().filter(|&block| blocks.state(block) == BlockState::Free).collect();
                LogPool::new(range, free, log_blocks)
            })
            .collect();
        let logical_count = shape.unit_count.div_ceil(shape.pages_per_block) as usize;
        Self {
            settings: settings.clone(),
            interleave: None,
            slot_of_unit: vec![NOWHERE; shape.unit_count as usize],
            data_of_logical: vec![NOWHERE; logical_count],
            log_of_logical: vec![NOWHERE; logical_count],
            next_page: vec![0; blocks.count() as usize],
            in_flight: InFlight::new(blocks.count(), shape.pages_per_block),
            blocks,
            blocks_per_pool: Divisor::new(shape.blocks_per_pool),
            pools,
            tally: Tally::default(),
            merges: MergeTally::default(),
            decisions: VecDeque::new(),
            lives,
            spare_blocks,
            exhausted: false,
        }
    }

    /// Distribute rows of `row_units` over the pools in turn, if the settings say so. The layer must be empty.
    pub fn interleave(&mut self, row_units: u32) {
        if self.settings.interleaved {
            let (pools, units) = (self.pools.len() as u32, self.slot_of_unit.len() as u32);
            self.interleave = Some(Interleave::new(row_units, self.blocks.slots_per_block(), pools, units));
        }
    }

    /// The number that this layer uses for a unit of the host.
    #[inline]
    fn inner(&self, unit: u32) -> u32 {
        self.interleave.map_or(unit, |interleave| interleave.inner(unit))
    }

    /// Place one unit of host data, which is always a complete page. `now_ns` only labels decisions.
    #[inline]
    pub fn place(&mut self, unit: u32, now_ns: u64) -> Result<Placed, Refusal> {
        if self.exhausted {
            return Err(Refusal::SparesExhausted);
        }
        let unit = self.inner(unit);
        let mut work = Collected::default();
        let (block, page_index) = self.destination(unit, now_ns, &mut work).map_err(|refusal| self.refusal(refusal))?;
        self.lay(unit, block, page_index);
        self.in_flight.begin(block, page_index);
        self.tally.placed_units += 1;
        self.tally.host_pages += 1;
        let pool = self.pool_of_block(block);
        let page = OpenPage {
            pool,
            block,
            page_index,
            stream: 0,
            ends_stripe: false,
            erase_count: self.blocks.erase_count(block),
        };
        let collected = (work.reads + work.programs + work.erases > 0).then_some(work);
        Ok(Placed { pool, stream: 0, collected, complete: Some(page) })
    }

    /// Always `None`: no page ever waits for more units.
    #[inline]
    pub fn pad_page(&mut self) -> Option<OpenPage> {
        None
    }

    /// Place a unit in a page that comes after all pages programmed in its block so far.
    #[inline]
    fn lay(&mut self, unit: u32, block: u32, page_index: u32) {
        let slot = self.blocks.first_slot(block) + page_index;
        let stale = std::mem::replace(&mut self.slot_of_unit[unit as usize], slot);
        if stale != NOWHERE {
            self.blocks.invalidate(stale);
        }
        self.blocks.add_valid(block, 1);
        let next = &mut self.next_page[block as usize];
        // Only the page of a rewrite can come before others: it is one of a run of copies.
        if page_index >= u32::from(*next) {
            *next = page_index as u16 + 1;
            if page_index + 1 == self.blocks.slots_per_block() {
                self.blocks.close(block);
            }
        }
    }

    fn forget(&mut self, unit: u32) {
        let stale = std::mem::replace(&mut self.slot_of_unit[unit as usize], NOWHERE);
        if stale != NOWHERE {
            self.blocks.invalidate(stale);
        }
    }

    /// The logical block of a unit: logical blocks are as large as blocks.
    #[inline]
    fn logical_of(&self, unit: u32) -> u32 {
        self.blocks.of_slot(unit)
    }

    /// The units of a logical block; the last block of the drive may have fewer than the others.
    #[inline]
    fn units_of(&self, logical: u32) -> Range<u32> {
        let first = self.blocks.first_slot(logical);
        first..(first + self.blocks.slots_per_block()).min(self.slot_of_unit.len() as u32)
    }

    #[inline]
    fn pool_of(&self, logical: u32) -> u32 {
        logical % self.pools.len() as u32
    }

    #[inline]
    fn pool_of_block(&self, block: u32) -> u32 {
        self.blocks_per_pool.quotient(block)
    }

    /// Where a unit lies, or `NOWHERE`.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        self.slot_of_unit[self.inner(unit) as usize]
    }

    /// The pool a slot lies in, and the place of its page in its block.
    #[inline]
    pub fn place_of_slot(&self, slot: u32) -> (u32, u32) {
        let block = self.blocks.of_slot(slot);
        (self.pool_of_block(block), slot - self.blocks.first_slot(block))
    }

    /// The page a slot lies in, numbered through the drive.
    #[inline]
    pub fn page_of_slot(&self, slot: u32) -> u32 {
        slot
    }

    /// The erase count of the block a slot lies in [cycles].
    pub fn erase_count_at(&self, slot: u32) -> u32 {
        self.blocks.erase_counts()[self.blocks.of_slot(slot) as usize]
    }

    /// True when the slot's data is on flash, false while it is only on its way there.
    #[inline]
    pub fn is_programmed(&self, slot: u32) -> bool {
        let block = self.blocks.of_slot(slot);
        !self.in_flight.contains(block, slot - self.blocks.first_slot(block))
    }

    /// A page handed out by `place` is on flash now.
    #[inline]
    pub fn page_programmed(&mut self, page: OpenPage) {
        if self.blocks.erase_count(page.block) == page.erase_count {
            self.in_flight.end(page.block, page.page_index);
        }
    }

    /// Unmap a unit: it holds no data any more.
    pub fn trim(&mut self, unit: u32) {
        self.forget(self.inner(unit));
    }

    /// Erase every block that is not free and drop all data; returns the blocks erased per pool.
    pub fn erase_all(&mut self) -> Vec<u32> {
        for unit in 0..self.slot_of_unit.len() as u32 {
            if unit.is_multiple_of(UNITS_IN_A_ROW) {
                alive(4 * u64::from(UNITS_IN_A_ROW));
            }
            self.forget(unit);
        }
        self.data_of_logical.fill(NOWHERE);
        self.log_of_logical.fill(NOWHERE);
        let mut erased_per_pool = Vec::with_capacity(self.pools.len());
        for index in 0..self.pools.len() {
            self.pools[index].forget_logs();
            let mut work = Collected::default();
            for block in self.pools[index].blocks.clone() {
                let state = self.blocks.state(block);
                if matches!(state, BlockState::Closed | BlockState::OpenForHost | BlockState::OpenForGc) {
                    self.erase(block, &mut work);
                }
            }
            erased_per_pool.push(work.erases);
        }
        erased_per_pool
    }

    pub(crate) fn blocks_mut(&mut self) -> &mut Blocks {
        &mut self.blocks
    }

    /// The state of all blocks. Log blocks and data blocks have the same states: both are open while they have room.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// Free blocks of every pool.
    pub fn free_blocks(&self) -> Vec<u32> {
        self.pools.iter().map(|pool| pool.free.len() as u32).collect()
    }

    /// Log blocks in use in every pool, the sequential one included.
    pub fn log_blocks(&self) -> Vec<u32> {
        self.pools.iter().map(|pool| pool.logs_in_use().count() as u32).collect()
    }

    /// Counts of all work since the drive was built.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The merges since the drive was built, by kind.
    pub fn merges(&self) -> MergeTally {
        self.merges
    }

    /// The latest decisions to merge a log block, oldest first.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter()
    }

    /// Bytes of memory that grow with the drive: a little more than four for each unit.
    pub fn memory_bytes(&self) -> usize {
        let logs: usize = self.pools.iter().flat_map(LogPool::logs_in_use).map(|log| log.units.capacity()).sum();
        let words = self.slot_of_unit.capacity() + self.data_of_logical.capacity() + self.log_of_logical.capacity();
        4 * (words + logs) + 2 * self.next_page.capacity() + self.blocks.memory_bytes() + self.in_flight.memory_bytes()
    }
}
