//! The translation layer of a drive, of either kind.
//!
//! ```text
//!   drive --> TranslationLayer --+-- PageMapped: any unit in any slot         (translation/)
//!                                '-- LogBlock: blocks in place, log blocks    (log_block/)
//! ```
//!
//! One drive always takes the same branch, so the choice costs nearly no time in the hot loop.

use crate::blocks::Blocks;
use crate::gc::Collected;
use crate::log_block::{LogBlockSettings, LogBlockTranslation, MergeTally};
use crate::translation::{Decision, FtlSettings, OpenPage, Placed, Refusal, Shape, Tally, Translation};
use flashscope_kernel::random::Streams;
use flashscope_nand::CellMode;
use serde::{Deserialize, Serialize};

/// One translation layer out of all kinds there are.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "one value for each drive; a box would be a load for each page")]
pub enum TranslationLayer {
    /// See [`Translation`].
    PageMapped(Translation),
    /// See [`LogBlockTranslation`].
    LogBlock(LogBlockTranslation),
}

/// The same call on the layer of either kind.
macro_rules! either {
    ($layer:expr, $inner:ident => $call:expr) => {
        match $layer {
            TranslationLayer::PageMapped($inner) => $call,
            TranslationLayer::LogBlock($inner) => $call,
        }
    };
}

impl TranslationLayer {
    /// An empty drive: block-mapped when there are settings for log blocks, which then take the place of garbage
    /// collection, wear levelling and idle work.
    pub fn new(
        shape: &Shape,
        settings: &FtlSettings,
        log_blocks: Option<&LogBlockSettings>,
        streams: &Streams,
    ) -> Self {
        match log_blocks {
            None => Self::PageMapped(Translation::new(shape, settings, streams)),
            Some(log_blocks) => {
                let lives = settings.block_lives(streams);
                Self::LogBlock(LogBlockTranslation::new(shape, log_blocks, lives, settings.spare_blocks, streams))
            }
        }
    }

    /// Distribute rows of pages over the pools in turn, if the settings of a block-mapped drive say so; see
    /// `log_block/interleave.rs`.
    pub fn interleave(&mut self, row_units: u32) {
        if let Self::LogBlock(layer) = self {
            layer.interleave(row_units);
        }
    }

    /// Place one unit of host data. `compressible` has an effect only with compression; `now_ns` only labels
    /// decisions.
    #[inline]
    pub fn place(&mut self, unit: u32, compressible: u8, now_ns: u64) -> Result<Placed, Refusal> {
        match self {
            Self::PageMapped(layer) => layer.place(unit, compressible, now_ns),
            Self::LogBlock(layer) => layer.place(unit, now_ns),
        }
    }

    /// Place units of host data in order in the page being filled, all but the one that would complete it; returns their
    /// number, 0 where that cannot be done page by page or has to open a block.
    #[inline]
    pub fn fill_page(&mut self, units: std::ops::Range<u32>) -> u32 {
        match self {
            Self::PageMapped(layer) if layer.takes_runs() => layer.fill_page(units),
            Self::PageMapped(_) | Self::LogBlock(_) => 0,
        }
    }

    /// Note that a unit holds nothing but zeros, if it does and the drive looks for them; false when it has to be
    /// placed.
    #[inline]
    pub fn note_zeros(&mut self, unit: u32, compressible: u8) -> bool {
        match self {
            Self::PageMapped(layer) => layer.note_zeros(unit, compressible),
            Self::LogBlock(_) => false,
        }
    }

    /// How compressible the data of a unit is; see [`Translation::compressible`].
    pub fn compressible(&self, unit: u32) -> u8 {
        match self {
            Self::PageMapped(layer) => layer.compressible(unit),
            Self::LogBlock(_) => 0,
        }
    }

    /// The cell mode of the block in which a slot lies.
    #[inline]
    pub fn mode_of_slot(&self, slot: u32) -> CellMode {
        match self {
            Self::PageMapped(layer) => layer.mode_of_slot(slot),
            Self::LogBlock(_) => CellMode::Native,
        }
    }

    /// The cell mode of a block.
    #[inline]
    pub fn mode_of_block(&self, block: u32) -> CellMode {
        match self {
            Self::PageMapped(layer) => layer.mode_of_block(block),
            Self::LogBlock(_) => CellMode::Native,
        }
    }

    /// Data pages of a block in this cell mode.
    pub fn pages_per_block(&self, mode: CellMode) -> u32 {
        match self {
            Self::PageMapped(layer) => layer.pages_per_block(mode),
            Self::LogBlock(layer) => layer.blocks().slots_per_block(),
        }
    }

    /// True for each block that is pSLC; empty without such a cache.
    pub fn pslc_blocks(&self) -> &[bool] {
        match self {
            Self::PageMapped(layer) => layer.pslc_blocks(),
            Self::LogBlock(_) => &[],
        }
    }

    /// Fold the oldest pSLC block of a pool; its work, `None` when there is none.
    pub fn fold_step(&mut self, pool: u32, now_ns: u64) -> Option<Collected> {
        match self {
            Self::PageMapped(layer) => layer.fold_step(pool, now_ns),
            Self::LogBlock(_) => None,
        }
    }

    /// Complete the page being filled with padding, so that it can be programmed now. `None` when no page has been
    /// begun.
    #[inline]
    pub fn pad_page(&mut self) -> Option<OpenPage> {
        either!(self, layer => layer.pad_page())
    }

    /// Where a unit lies; `NOWHERE`, or `ZERO` when it is only noted as zeros.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        either!(self, layer => layer.slot(unit))
    }

    /// The pool a slot lies in, and the number of its page among the data pages of its block.
    #[inline]
    pub fn place_of_slot(&self, slot: u32) -> (u32, u32) {
        either!(self, layer => layer.place_of_slot(slot))
    }

    /// The page a slot lies in, numbered through the drive.
    #[inline]
    pub fn page_of_slot(&self, slot: u32) -> u32 {
        either!(self, layer => layer.page_of_slot(slot))
    }

    /// The erase count of the block a slot lies in [cycles].
    #[inline]
    pub fn erase_count_at(&self, slot: u32) -> u32 {
        either!(self, layer => layer.erase_count_at(slot))
    }

    /// True when the slot's data is on flash, false while it is only on its way there.
    #[inline]
    pub fn is_programmed(&self, slot: u32) -> bool {
        either!(self, layer => layer.is_programmed(slot))
    }

    /// A page handed out by `place` or `pad_page` is on flash now.
    #[inline]
    pub fn page_programmed(&mut self, page: OpenPage) {
        either!(self, layer => layer.page_programmed(page))
    }

    /// Record from now on when blocks are opened; see `set_clock`.
    pub fn keep_dates(&mut self) {
        either!(self, layer => layer.blocks_mut().keep_dates());
    }

    /// Set the time for blocks that are opened from now on [s].
    #[inline]
    pub fn set_clock(&mut self, clock_s: u32) {
        either!(self, layer => layer.blocks_mut().set_clock(clock_s));
    }

    /// Load the map entries of units that are needed soon; changes nothing. A block-mapped drive is small and needs no
    /// such step.
    #[inline]
    pub fn touch(&self, units: impl Iterator<Item = u32>) {
        if let Self::PageMapped(layer) = self {
            layer.touch(units);
        }
    }

    /// The block a slot lies in.
    #[inline]
    pub fn block_of_slot(&self, slot: u32) -> u32 {
        self.blocks().of_slot(slot)
    }

    /// One victim's worth of work in idle time; the pool and the work, `None` when there is nothing useful to do.
    pub fn idle_step(&mut self, now_ns: u64) -> Option<(u32, Collected)> {
        match self {
            Self::PageMapped(layer) => layer.idle_step(now_ns),
            Self::LogBlock(_) => None,
        }
    }

    /// Collect a closed block now because its data is to be written anew; the pool and the work, `None` when that
    /// cannot be done now.
    pub fn refresh_step(&mut self, block: u32, now_ns: u64) -> Option<(u32, Collected)> {
        match self {
            Self::PageMapped(layer) => layer.refresh_step(block, now_ns).ok().flatten(),
            Self::LogBlock(_) => None,
        }
    }

    /// Mark a block that could not be read: at its next collection it is taken out of use. False when it is already.
    pub fn retire_after_read_failure(&mut self, block: u32) -> bool {
        match self {
            Self::PageMapped(layer) => layer.retire_after_read_failure(block),
            Self::LogBlock(_) => false,
        }
    }

    /// True when the block opened last for host data was a native one because there was no room for pSLC.
    #[inline]
    pub fn goes_past_pslc(&self) -> bool {
        matches!(self, Self::PageMapped(layer) if layer.goes_past_pslc())
    }

    /// True once the drive has no spare blocks left.
    pub fn spares_exhausted(&self) -> bool {
        either!(self, layer => layer.spares_exhausted())
    }

    /// Drop all data that is not on flash yet; returns the units lost.
    pub fn power_cut(&mut self) -> u64 {
        either!(self, layer => layer.power_cut())
    }

    /// Unmap a unit: it holds no data any more.
    #[inline]
    pub fn trim(&mut self, unit: u32) {
        either!(self, layer => layer.trim(unit))
    }

    /// Erase every block that is not free and drop all data; returns the blocks erased per pool.
    pub fn erase_all(&mut self) -> Vec<u32> {
        either!(self, layer => layer.erase_all())
    }

    /// The state of all blocks.
    pub fn blocks(&self) -> &Blocks {
        either!(self, layer => layer.blocks())
    }

    /// Free blocks of every pool.
    pub fn free_blocks(&self) -> Vec<u32> {
        either!(self, layer => layer.free_blocks())
    }

    /// Counts of all work since the drive was built.
    pub fn tally(&self) -> Tally {
        either!(self, layer => layer.tally())
    }

    /// The merges since the drive was built, by kind; a page-mapped drive has none.
    pub fn merges(&self) -> Option<MergeTally> {
        match self {
            Self::PageMapped(_) => None,
            Self::LogBlock(layer) => Some(layer.merges()),
        }
    }

    /// The latest decisions to make room, oldest first.
    pub fn decisions(&self) -> Box<dyn Iterator<Item = &Decision> + '_> {
        either!(self, layer => Box::new(layer.decisions()))
    }

    /// Bytes of memory that grow with the drive.
    pub fn memory_bytes(&self) -> usize {
        either!(self, layer => layer.memory_bytes())
    }

    /// Check that all counts agree with the maps, slowly. Panics when they do not: that is an error in this program.
    pub fn check(&self) {
        either!(self, layer => layer.check())
    }
}
