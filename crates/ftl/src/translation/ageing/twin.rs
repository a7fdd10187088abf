//! A small drive of one pool with the same policy, written at random until it is steady. Its state is read from time to
//! time; each reading is a *look*.
//!
//! ```text
//!   writes   | fill in order | random, until steady |  random  |  random  |  ...
//!                                                   ^ look     ^ look     ^ look
//! ```
//!
//! It is as large as a pool of the drive, and then exact, when the pool has no more than `most_slots`. Otherwise its
//! blocks are made smaller, not below `FEW_SLOTS_PER_BLOCK`, and after that there are fewer blocks. The blocks that a
//! pool keeps free or is filling are not scaled and hold no stale data, so the spare is kept in proportion to the rest:
//! with T blocks, F of them free and O open, (T - F - O) slots per unit are the same (docs/laws/greedy.md holds this
//! correction to 0.4 %).
//!
//! The law of greedy collection depends on the slots of a block, which are scaled. From 1024 slots on the difference to
//! any larger block is below 0.6 % of the write amplification, and with blocks not scaled below `most_slots / T`
//! usually below 0.2 %.

use super::{AgeRefusal, AgedState, Habits, too_full};
use crate::gc::Collected;
use crate::pool::Lane;
use crate::translation::{FtlSettings, Shape, Translation};
use crate::wear_leveling::{FreeBlock, WearLeveling};
use flashscope_kernel::random::{Rng, Stream, Streams, below};
use flashscope_kernel::signs_of_life::{begins, reached};
use flashscope_nand::CellMode;

/// The least number of slots to which a block is scaled down.
const FEW_SLOTS_PER_BLOCK: u64 = 1024;
/// Random writes after which the twin counts as steady, in fills of the twin.
const WARM_UP_FILLS: u32 = 5;
/// Random writes between two looks, as a part of a fill of the twin.
const LOOKS_PER_FILL: u32 = 16;

/// Units after which the writing says how far it is.
const UNITS_IN_A_ROW: u64 = 1 << 10;

/// A closed block of a twin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ClosedBlock {
    pub valid_slots: u32,
    /// Units that the host has placed since the block was closed, and since its data was written as far as the drive
    /// knows.
    pub closed_ago_units: u64,
    pub written_ago_units: u64,
}

/// A block that is being filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct OpenBlock {
    pub filled_slots: u32,
    pub valid_slots: u32,
    pub written_ago_units: u64,
}

/// The state of a twin at one moment.
#[derive(Clone, Debug)]
pub(super) struct Look {
    /// The closed blocks, in the order in which they were closed.
    pub closed: Vec<ClosedBlock>,
    /// The blocks being filled, in the order of [`Lane::ALL`].
    pub open: [Option<OpenBlock>; Lane::ALL.len()],
    pub free_blocks: u32,
    /// The work that was done to make room for the host's block.
    pub work: Collected,
}

/// The cost of a unit written at random.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rates {
    pub moved_units: f64,
    pub gc_read_pages: f64,
    /// Slots that collection left empty.
    pub gc_padded_slots: f64,
}

/// The pool of the drive that a twin stands for.
#[derive(Clone, Debug)]
pub(super) struct Likeness {
    pub usable_blocks: u32,
    pub units: u32,
    pub slots_per_page: u32,
    pub pages_per_block: u32,
    /// Pages that the host has filled in its block, when that is known.
    pub host_pages: Option<u32>,
    /// One look for each entry: at a moment when this many blocks are free, when that is known.
    pub looks: Vec<Option<u32>>,
    pub free_block: FreeBlock,
    /// Largest number of slots of the twin.
    pub most_slots: u64,
}

/// The results from a twin.
#[derive(Clone, Debug)]
pub(super) struct Observed {
    pub looks: Vec<Look>,
    pub rates: Rates,
    pub units: u32,
    pub pages_per_block: u32,
}

impl Likeness {
    /// The twin's sizes: blocks, pages in each, units.
    fn scaled(&self, habits: &Habits<'_>) -> (u32, u32, u32) {
        let slots_per_page = u64::from(self.slots_per_page);
        let blocks = u64::from(self.usable_blocks);
        let slots_per_block = slots_per_page * u64::from(self.pages_per_block);
        if blocks * slots_per_block <= self.most_slots {
            return (self.usable_blocks, self.pages_per_block, self.units);
        }
        let wanted_slots = (self.most_slots / blocks).max(FEW_SLOTS_PER_BLOCK).min(slots_per_block);
        let twin_pages = (wanted_slots / slots_per_page).clamp(2, u64::from(self.pages_per_block));
        let twin_blocks = (self.most_slots / (twin_pages * slots_per_page)).min(blocks);
        let gc = habits.gc;
        let free = f64::from((gc.low_water_blocks + 1).min(gc.high_water_blocks) + gc.high_water_blocks) / 2.0 - 1.0;
        let apart = free + 1.0;
        let share = (twin_blocks as f64 - apart) * twin_pages as f64
            / ((blocks as f64 - apart) * f64::from(self.pages_per_block));
        (twin_blocks as u32, twin_pages as u32, libm::round(f64::from(self.units) * share) as u32)
    }
}

struct Twin<'a> {
    layer: Translation,
    habits: &'a Habits<'a>,
    units: u32,
    chance: Stream,
    /// Blocks in closing order: number, its cycle, the clock when it was closed.
    closings: Vec<(u32, u32, u64)>,
    /// Cycle in which each block was last seen closed.
    seen_closed_in: Vec<u32>,
    work: Collected,
    /// Units written at random, for signs of life.
    written_units: u64,
}

impl<'a> Twin<'a> {
    /// An empty twin of one pool.
    fn empty(likeness: &Likeness, habits: &'a Habits<'a>, chance: &mut Stream) -> Self {
        let (blocks, pages_per_block, units) = likeness.scaled(habits);
        let shape = Shape {
            unit_count: units.max(1),
            slots_per_page: likeness.slots_per_page,
            pages_per_block,
            blocks_per_pool: blocks,
            pool_count: 1,
            initial_bad_block_count: 0,
            reserved_block_count: 0,
        };
        let wear_leveling = WearLeveling { free_block: likeness.free_block, static_spread_cycles: None };
        let settings = FtlSettings { wear_leveling, ..FtlSettings::only(habits.gc.clone()) };
        let streams = Streams::new(chance.next_u64());
        let mut layer = Translation::new(&shape, &settings, &streams);
        layer.blocks.keep_closings();
        Self {
            layer,
            habits,
            units: shape.unit_count,
            chance: streams.stream("writes"),
            closings: Vec::new(),
            seen_closed_in: vec![u32::MAX; blocks as usize],
            work: Collected::default(),
            written_units: 0,
        }
    }
}

/// Write a twin to its steady state and look at it.
pub(super) fn observe(
    likeness: &Likeness,
    state: &AgedState,
    habits: &Habits<'_>,
    chance: &mut Stream,
) -> Result<Observed, AgeRefusal> {
    let mut twin = Twin::empty(likeness, habits, chance);
    let pages_per_block = twin.layer.pages_per_block(CellMode::Native);
    let refused = |_| too_full(state);
    for unit in 0..twin.units {
        twin.write(unit, false).map_err(refused)?;
    }
    twin.pad();
    // With little data and much spare it takes many fills until the first block is collected.
    let blocks = twin.layer.blocks().count();
    let fills =
        WARM_UP_FILLS.max(2 * (u64::from(blocks * twin.slots_per_block()) / u64::from(twin.units)).min(64) as u32);
    let warm_up_units = u64::from(twin.units) * u64::from(fills);
    let units_between_looks = u64::from(twin.units / LOOKS_PER_FILL) + u64::from(twin.slots_per_block()) / 2;
    let last_fill = if likeness.looks.len() < LOOKS_PER_FILL as usize { u64::from(twin.units) } else { 0 };
    let in_all = warm_up_units + units_between_looks * likeness.looks.len() as u64 + last_fill;
    begins("writing a small drive until it is steady", in_all);
    twin.write_at_random(warm_up_units).map_err(refused)?;
    let before = twin.layer.tally();
    let host_pages = likeness.host_pages.map(|pages| scaled_pages(pages, likeness.pages_per_block, pages_per_block));
    let mut looks = Vec::new();
    for &free_blocks in &likeness.looks {
        let slots_per_block = u64::from(twin.slots_per_block());
        let part = u64::from(twin.units / LOOKS_PER_FILL) + below(&mut twin.chance, slots_per_block);
        twin.write_at_random(part).map_err(refused)?;
        match host_pages {
            Some(pages) => twin.write_until(pages, free_blocks).map_err(refused)?,
            None => twin.note_closings(),
        }
        looks.push(twin.look());
    }
    if looks.len() < LOOKS_PER_FILL as usize {
        twin.write_at_random(u64::from(twin.units)).map_err(refused)?;
    }
    let after = twin.layer.tally();
    let placed = (after.placed_units - before.placed_units) as f64;
    let host_slots = (after.host_pages - before.host_pages) * u64::from(likeness.slots_per_page);
    let host_padded = host_slots.saturating_sub(after.placed_units - before.placed_units);
    let rates = Rates {
        moved_units: (after.moved_units - before.moved_units) as f64 / placed,
        gc_read_pages: (after.gc_read_pages - before.gc_read_pages) as f64 / placed,
        gc_padded_slots: (after.padded_slots - before.padded_slots).saturating_sub(host_padded) as f64 / placed,
    };
    Ok(Observed { looks, rates, units: twin.units, pages_per_block })
}

/// Scales a place among the pages of a block to a block of another size; only the first place becomes the first and
/// only the last becomes the last.
pub(super) fn scaled_pages(pages: u32, of: u32, to: u32) -> u32 {
    if pages == 0 || of == to {
        return pages.min(to);
    }
    let scaled = libm::round(f64::from(pages) * f64::from(to) / f64::from(of)) as u32;
    scaled.clamp(1, to.saturating_sub(1).max(1))
}

impl Twin<'_> {
    fn slots_per_block(&self) -> u32 {
        self.layer.blocks.slots_per_block()
    }

    fn write(&mut self, unit: u32, alone: bool) -> Result<(), crate::Refusal> {
        let placed = self.layer.place(unit, 0, 0)?;
        if let Some(work) = placed.collected {
            self.work = work;
        }
        // A twin has no banks to wait for: a page that is complete is on flash.
        if let Some(page) = placed.complete {
            self.layer.page_programmed(page);
        }
        if placed.complete.is_some() || alone {
            if placed.complete.is_none() {
                self.pad();
            }
            if self.layer.pools[0].host[usize::from(placed.stream)].room() == 0 {
                self.note_closings();
            }
        }
        Ok(())
    }

    fn pad(&mut self) {
        while let Some(page) = self.layer.pad_page() {
            self.layer.page_programmed(page);
        }
    }

    fn write_at_random(&mut self, count: u64) -> Result<(), crate::Refusal> {
        for _ in 0..count {
            self.written_units += 1;
            if self.written_units.is_multiple_of(UNITS_IN_A_ROW) {
                reached(self.written_units, 16 * UNITS_IN_A_ROW);
            }
            let unit = below(&mut self.chance, u64::from(self.units)) as u32;
            self.write(unit, self.habits.page_per_unit)?;
        }
        Ok(())
    }

    /// Write until the host has filled this many pages of its block and this many blocks are free. The number of free
    /// blocks repeats from block to block of the host; when the wanted number never occurs, the present one is used.
    fn write_until(&mut self, pages: u32, free_blocks: Option<u32>) -> Result<(), crate::Refusal> {
        let goal = pages * self.layer.slots_per_page;
        let mut rounds_left = 2 * self.habits.gc.high_water_blocks + 2;
        loop {
            let pool = &self.layer.pools[0];
            let filled = (self.slots_per_block() - pool.host[0].room()) % self.slots_per_block();
            if filled == goal {
                rounds_left -= 1;
                if rounds_left == 0 || free_blocks.is_none_or(|wanted| pool.free.len() as u32 == wanted) {
                    self.note_closings();
                    return Ok(());
                }
            }
            self.write_at_random(1)?;
        }
    }

    /// Note which blocks have been closed since the last time. Of several blocks, the lower number counts as closed
    /// earlier.
    fn note_closings(&mut self) {
        let clock = self.layer.tally().placed_units;
        let mut closed_lately = self.layer.blocks.take_closings();
        closed_lately.sort_unstable();
        closed_lately.dedup();
        for block in closed_lately {
            let cycle = self.layer.blocks.erase_count(block);
            if self.layer.blocks.is_closed(block) && self.seen_closed_in[block as usize] != cycle {
                self.seen_closed_in[block as usize] = cycle;
                self.closings.push((block, cycle, clock));
            }
        }
        if self.closings.len() > 2 * self.layer.blocks.count() as usize {
            self.forget_erased();
        }
    }

    fn forget_erased(&mut self) {
        let blocks = &self.layer.blocks;
        self.closings.retain(|&(block, cycle, _)| blocks.is_closed(block) && blocks.erase_count(block) == cycle);
    }

    fn look(&mut self) -> Look {
        self.forget_erased();
        let layer = &self.layer;
        let clock = layer.tally().placed_units;
        let written_ago = |block: u32| {
            layer.ages.as_ref().map_or(0, |ages| clock.saturating_sub(ages.written_at_units()[block as usize]))
        };
        let closed = self.closings.iter().map(|&(block, _, closed_at)| ClosedBlock {
            valid_slots: layer.blocks.valid_slots(block),
            closed_ago_units: clock - closed_at,
            written_ago_units: written_ago(block),
        });
        let open = Lane::ALL.map(|lane| {
            let frontier = layer.pools[0].frontier(lane);
            (frontier.room() > 0).then(|| {
                let block = layer.blocks.of_slot(frontier.next_slot);
                OpenBlock {
                    filled_slots: frontier.next_slot - layer.blocks.first_slot(block),
                    valid_slots: layer.blocks.valid_slots(block),
                    written_ago_units: written_ago(block),
                }
            })
        });
        Look { closed: closed.collect(), open, free_blocks: layer.pools[0].free.len() as u32, work: self.work }
    }
}
