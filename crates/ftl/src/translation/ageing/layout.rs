//! The steady state, block by block.
//!
//! ```text
//!   pool    usable blocks in random order
//!           [ closed, oldest first .................... | open, as the twin's | free ]
//!   block   [ #.##.####.#.####.. ]     valid slots at random places, each the next unit of a permutation
//! ```
//!
//! The work is one pass over the slots in order; the units, which are in no order, reach the map region by region
//! (`scatter.rs`).

use super::books::{History, RANDOM_FILLS};
use super::permutation::Permutation;
use super::sample::{closed_blocks, fit, stretch, units_per_pool};
use super::scatter::Scatter;
use super::twin::{ClosedBlock, Likeness, Look, Observed, Rates, observe, scaled_pages};
use super::{AgeRefusal, AgedBy, AgedState, Habits, too_full};
use crate::blocks::BlockState;
use crate::gc::Collected;
use crate::pool::{Frontier, Lane};
use crate::translation::{HostPage, Translation};
use flashscope_kernel::random::{Rng, Stream, below};
use flashscope_kernel::signs_of_life::{begins, reached};
use std::collections::VecDeque;

/// Largest number of twins: pools with nearly the same number of usable blocks share one.
const MOST_TWINS: usize = 4;
/// Pools share a twin when their spare differs by less than this share of it.
const SPARE_STEP_RATIO: f64 = 0.05;
/// Largest number of slots of all twins together.
pub(super) const MOST_SLOTS: u64 = 1 << 21;
/// Largest number of looks at one twin. When more pools share the twin, some share a look and differ only by random
/// draws.
pub(super) const MOST_LOOKS: usize = 16;

/// A block of the drive that is being filled, and its state.
#[derive(Clone, Copy, Debug)]
struct Open {
    lane: Lane,
    filled_slots: u32,
    valid_slots: u32,
    written_ago_units: u64,
}

/// The state that a pool is to have.
struct Plan {
    closed: Vec<ClosedBlock>,
    open: Vec<Open>,
    owed: Collected,
}

/// The state that the drive is to have, for all pools.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    state: &'a AgedState,
    filled_units: u32,
    /// Pages that the host has written to every pool, when they are in step.
    host_pages: Option<u64>,
    habits: &'a Habits<'a>,
}

/// The twins, and for each pool its twin and its look at that twin.
struct Seen {
    twins: Vec<Observed>,
    of_pool: Vec<(usize, usize)>,
}

impl Seen {
    /// The look of every pool, with its twin.
    fn looks(&self) -> impl Iterator<Item = (&Observed, &Look)> {
        self.of_pool.iter().map(|&(twin, look)| (&self.twins[twin], &self.twins[twin].looks[look]))
    }

    fn mean_rates(&self) -> Rates {
        let mean = |rate: fn(&Rates) -> f64| {
            self.looks().map(|(twin, _)| rate(&twin.rates)).sum::<f64>() / self.of_pool.len().max(1) as f64
        };
        Rates {
            moved_units: mean(|rates| rates.moved_units),
            gc_read_pages: mean(|rates| rates.gc_read_pages),
            gc_padded_slots: mean(|rates| rates.gc_padded_slots),
        }
    }
}

/// The units that are laid out, one after the other, and where they go.
struct Units {
    order: Permutation,
    next: u32,
    /// The valid slots of the block that is being filled.
    chosen: Vec<u32>,
    scatter: Scatter,
}

impl Translation {
    pub(super) fn age_at_random(
        &mut self,
        state: &AgedState,
        filled_units: u32,
        habits: &Habits<'_>,
        chance: &mut Stream,
    ) -> Result<AgedBy, AgeRefusal> {
        let given_wear = state.erase_count_mean > 0;
        let mut wear = self.draw_wear(state, f64::from(state.erase_count_mean), chance)?;
        let wanted = Wanted { state, filled_units, host_pages: self.host_pages_after(filled_units, habits), habits };
        let seen = self.observe_twins(&wanted, &self.usable_after(&wear), chance)?;
        let slots_per_page = u64::from(self.slots_per_page);
        let history = History {
            sequential_units: filled_units.into(),
            page_per_unit: habits.page_per_unit,
            slots_per_page,
            rates: seen.mean_rates(),
        };
        // Filled now: all usable blocks but the free ones, and on average half of those being filled.
        let slots_per_block = u64::from(self.blocks.slots_per_block());
        let usable: u64 = self.usable_after(&wear).into_iter().map(u64::from).sum();
        let kept: f64 = seen.looks().map(|(_, look)| kept_blocks(look)).sum();
        let filled_slots = ((usable as f64 - kept).max(0.0) * slots_per_block as f64) as u64;
        let random_units = if given_wear {
            history.random_units(wear.erases() * slots_per_block + filled_slots)
        } else {
            let units = history.random_units_at_least(RANDOM_FILLS, filled_slots);
            let mean = history.erased_slots(units, filled_slots) / slots_per_block as f64 / usable.max(1) as f64;
            wear = self.draw_wear(state, mean, chance)?;
            units
        };
        let plans = self.plan_pools(&wanted, &self.usable_after(&wear), &seen, chance)?;
        self.wear_out(&wear);
        self.count_sequential(history.sequential_units);
        let moved_lanes = |plan: &Plan| -> u64 {
            let begun = plan.open.iter().map(|open| u64::from(open.filled_slots) % slots_per_page);
            begun.sum()
        };
        self.count_random(random_units, &history, plans.iter().map(moved_lanes).sum());
        begins("laying the data out", filled_units.into());
        let order = Permutation::new(filled_units, chance);
        let mut units = Units { order, next: 0, chosen: Vec::new(), scatter: Scatter::new(filled_units) };
        let mut owed = Vec::with_capacity(plans.len());
        for (pool_index, plan) in (0..).zip(plans) {
            self.lay_out_pool(pool_index, &plan, &mut units, chance);
            owed.push(plan.owed);
        }
        debug_assert_eq!(units.next, filled_units, "every unit has its slot");
        units.scatter.finish(&mut self.map);
        self.host_pages = [HostPage::default(); crate::gc::separation::STREAMS];
        Ok(AgedBy { sequential_units: history.sequential_units, random_units, owed })
    }

    /// Pages that the host has written to every pool after all the writing, when they are in step. A block of more than
    /// one page is left open: one page more or less does not matter.
    fn host_pages_after(&self, filled_units: u32, habits: &Habits<'_>) -> Option<u64> {
        if !habits.one_stream_in_step() {
            return None;
        }
        let slots_per_page = u64::from(self.slots_per_page);
        let sequential = u64::from(filled_units).div_ceil(slots_per_page);
        let at_random = RANDOM_FILLS * u64::from(filled_units);
        let at_random = if habits.page_per_unit { at_random } else { at_random.div_ceil(slots_per_page) };
        let pages = (sequential + at_random) / self.pools.len() as u64;
        let pages_per_block = u64::from(self.blocks.slots_per_block()) / slots_per_page;
        Some(if pages.is_multiple_of(pages_per_block) && pages_per_block > 1 { pages + 1 } else { pages })
    }

    /// Free blocks of a pool when the host has written this many pages to it. Collection begins when the low water mark
    /// is first met, and is then repeated after a fixed number of blocks of the host, so pools stay in step in this
    /// too.
    fn free_blocks_after(&self, host_pages: u64, usable_blocks: u32) -> u32 {
        let pages_per_block = u64::from(self.blocks.slots_per_block() / self.slots_per_page);
        let opened_blocks = host_pages.div_ceil(pages_per_block);
        let first_collection = u64::from(usable_blocks.saturating_sub(self.low_water_blocks)) + 1;
        let period = u64::from(self.high_water_blocks.saturating_sub(self.low_water_blocks).max(1));
        let since_collection = opened_blocks.saturating_sub(first_collection) % period;
        self.high_water_blocks.saturating_sub(1 + since_collection as u32)
    }

    /// How many twins are needed so that the spare of each pool is close to that of its twin. `counts`: usable blocks,
    /// in order.
    fn twins_for(&self, counts: &[u32], filled_units: u32) -> usize {
        let (Some(&fewest), Some(&most)) = (counts.first(), counts.last()) else { return 1 };
        let data_blocks = f64::from(filled_units) / self.pools.len() as f64 / f64::from(self.blocks.slots_per_block());
        let spare_blocks = (f64::from(fewest) - data_blocks).max(1.0);
        let steps = f64::from(most - fewest) / (SPARE_STEP_RATIO * spare_blocks);
        (libm::ceil(steps) as usize).clamp(1, MOST_TWINS.min(counts.len()))
    }

    /// The twins for all pools, and for each pool its twin and its look.
    fn observe_twins(&self, wanted: &Wanted<'_>, usable: &[u32], chance: &mut Stream) -> Result<Seen, AgeRefusal> {
        let &Wanted { state, filled_units, host_pages, habits } = wanted;
        let pages_per_block = self.blocks.slots_per_block() / self.slots_per_page;
        let mut counts: Vec<u32> = usable.to_vec();
        counts.sort_unstable();
        counts.dedup();
        let kinds_per_twin = counts.len().div_ceil(self.twins_for(&counts, filled_units));
        let twin_count = counts.len().div_ceil(kinds_per_twin);
        let twin_of = |usable: u32| counts.partition_point(|&count| count < usable) / kinds_per_twin;
        let mut seen = Seen { twins: Vec::new(), of_pool: vec![(0, 0); usable.len()] };
        for twin in 0..twin_count {
            let pools: Vec<usize> = (0..usable.len()).filter(|&pool| twin_of(usable[pool]) == twin).collect();
            let blocks: u64 = pools.iter().map(|&pool| u64::from(usable[pool])).sum();
            let mut looks: Vec<Option<u32>> = Vec::new();
            for (place, &pool) in pools.iter().enumerate() {
                let free_blocks = host_pages.map(|pages| self.free_blocks_after(pages, usable[pool]));
                let alike: Vec<usize> = (0..looks.len()).filter(|&look| looks[look] == free_blocks).collect();
                let look = if looks.len() < MOST_LOOKS || alike.is_empty() {
                    looks.push(free_blocks);
                    looks.len() - 1
                } else {
                    alike[place % alike.len()]
                };
                seen.of_pool[pool] = (twin, look);
            }
            let likeness = Likeness {
                usable_blocks: libm::round(blocks as f64 / pools.len() as f64) as u32,
                units: libm::round(f64::from(filled_units) / usable.len() as f64) as u32,
                slots_per_page: self.slots_per_page,
                pages_per_block,
                host_pages: host_pages.map(|pages| (pages % u64::from(pages_per_block)) as u32),
                looks,
                free_block: self.free_block,
                most_slots: MOST_SLOTS / twin_count as u64,
            };
            seen.twins.push(observe(&likeness, state, habits, chance)?);
        }
        Ok(seen)
    }

    fn plan_pools(
        &self,
        wanted: &Wanted<'_>,
        usable: &[u32],
        seen: &Seen,
        chance: &mut Stream,
    ) -> Result<Vec<Plan>, AgeRefusal> {
        let &Wanted { state, filled_units, host_pages, habits } = wanted;
        let slots_per_block = self.blocks.slots_per_block();
        let pages_per_block = slots_per_block / self.slots_per_page;
        let mut plans = Vec::new();
        let mut most_units = Vec::new();
        for (&usable, (twin, look)) in usable.iter().zip(seen.looks()) {
            // Pools in step have the same look.
            let model = if habits.in_step() { &seen.twins[0].looks[0] } else { look };
            let open = self.plan_open(twin, look, model, host_pages);
            let kept = look.free_blocks + open.len() as u32;
            let closed = usable.checked_sub(kept).filter(|&closed| closed > 1).ok_or_else(|| too_full(state))?;
            // A pool can continue only with at least as many stale slots as one block has.
            most_units.push((closed - 1).saturating_mul(slots_per_block));
            let slots_ratio = f64::from(pages_per_block) / f64::from(twin.pages_per_block);
            let age_ratio = f64::from(filled_units) / f64::from(twin.units);
            let closed = closed_blocks(look, closed, slots_per_block, slots_ratio, age_ratio, chance);
            let pages_left = open.iter().find(|open| open.lane == Lane::Host(0));
            let pages_left = pages_left.map_or(0, |open| pages_per_block - open.filled_slots / self.slots_per_page);
            let left_ratio = f64::from(pages_left) / f64::from(pages_per_block);
            let share = |pages: u32| libm::round(f64::from(pages) * slots_ratio * left_ratio) as u32;
            let moved = open.iter().find(|open| open.lane == Lane::Moved(0));
            let programs = share(look.work.programs);
            let parity_pages = libm::round(self.parity.pages_for(programs.into(), pages_per_block)) as u32;
            let owed = Collected {
                reads: share(look.work.reads),
                programs: programs + parity_pages,
                page_index: moved.map_or(0, |open| self.parity.place(open.filled_slots / self.slots_per_page)),
                erases: libm::round(f64::from(look.work.erases) * left_ratio) as u32,
                ..Collected::default()
            };
            plans.push(Plan { closed, open, owed });
        }
        if most_units.iter().map(|&most| u64::from(most)).sum::<u64>() < u64::from(filled_units) {
            return Err(too_full(state));
        }
        for (plan, units) in plans.iter_mut().zip(units_per_pool(filled_units, &most_units, chance)) {
            let mut left = units;
            for open in &mut plan.open {
                open.valid_slots = open.valid_slots.min(left);
                left -= open.valid_slots;
            }
            let mut valid: Vec<u32> = plan.closed.iter().map(|block| block.valid_slots).collect();
            stretch(&mut valid, left.into(), slots_per_block, chance);
            fit(&mut valid, left.into(), &vec![slots_per_block; plan.closed.len()], chance);
            plan.closed.iter_mut().zip(valid).for_each(|(block, valid)| block.valid_slots = valid);
        }
        Ok(plans)
    }

    /// The blocks being filled, like those of a look; those of the host are filled as far as in `model`.
    fn plan_open(&self, twin: &Observed, look: &Look, model: &Look, host_pages: Option<u64>) -> Vec<Open> {
        let slots_per_block = self.blocks.slots_per_block();
        let pages_per_block = slots_per_block / self.slots_per_page;
        let mut plan = Vec::new();
        for (place, lane) in Lane::ALL.into_iter().enumerate() {
            let filled_slots = match lane {
                Lane::Host(stream) => {
                    let filled = model.open[place].map_or(0, |open| open.filled_slots / self.slots_per_page);
                    let pages = scaled_pages(filled, twin.pages_per_block, pages_per_block);
                    let known = host_pages.filter(|_| stream == 0).map(|pages| pages % u64::from(pages_per_block));
                    known.map_or(pages, |pages| pages as u32) * self.slots_per_page
                }
                Lane::Moved(_) => look.open[place].map_or(0, |open| {
                    let twin_slots = twin.pages_per_block * self.slots_per_page;
                    scaled_pages(open.filled_slots, twin_slots, slots_per_block)
                }),
            };
            if filled_slots == 0 || filled_slots >= slots_per_block {
                continue;
            }
            let (valid_ratio, written_ago_units) = look.open[place].map_or((1.0, 0), |open| {
                (f64::from(open.valid_slots) / f64::from(open.filled_slots), open.written_ago_units)
            });
            let valid_slots = libm::round(valid_ratio * f64::from(filled_slots)) as u32;
            plan.push(Open { lane, filled_slots, valid_slots, written_ago_units });
        }
        plan
    }

    fn lay_out_pool(&mut self, pool_index: u32, plan: &Plan, units: &mut Units, chance: &mut Stream) {
        let mut free: Vec<u32> = std::mem::take(&mut self.pools[pool_index as usize].free).into();
        for place in (1..free.len()).rev() {
            free.swap(place, below(chance, place as u64 + 1) as usize);
        }
        let mut free = VecDeque::from(free);
        let now_units = self.tally.placed_units;
        let slots_per_block = self.blocks.slots_per_block();
        for like in &plan.closed {
            let Some(block) = free.pop_front() else { break };
            self.blocks.open(block, BlockState::OpenForGc);
            self.note_opened(pool_index, block, now_units.saturating_sub(like.written_ago_units));
            self.fill_block(block, slots_per_block, like.valid_slots, units, chance);
            let closed_at_units = now_units.saturating_sub(like.closed_ago_units);
            let end_slot = self.blocks.first_slot(block) + slots_per_block;
            self.pools[pool_index as usize].close(&mut self.blocks, end_slot, closed_at_units);
        }
        for open in &plan.open {
            let Some(block) = free.pop_front() else { break };
            let first_slot = self.blocks.first_slot(block);
            match open.lane {
                Lane::Host(_) => {
                    self.blocks.open(block, BlockState::OpenForHost);
                    self.blocks.add_programmed(block, open.filled_slots);
                }
                Lane::Moved(_) => self.blocks.open(block, BlockState::OpenForGc),
            }
            self.note_opened(pool_index, block, now_units.saturating_sub(open.written_ago_units));
            self.fill_block(block, open.filled_slots, open.valid_slots, units, chance);
            *self.pools[pool_index as usize].frontier_mut(open.lane) =
                Frontier { next_slot: first_slot + open.filled_slots, end_slot: first_slot + slots_per_block };
        }
        self.pools[pool_index as usize].free = free;
    }

    /// For static wear levelling, no block lies still before a round of erases has passed from now on.
    fn note_opened(&mut self, pool_index: u32, block: u32, written_at_units: u64) {
        if let Some(ages) = &mut self.ages {
            ages.opened_for_host(block, written_at_units);
        }
        if let Some(spread) = &mut self.static_spread {
            spread.opened(pool_index, block);
        }
    }

    /// Put the next units into `valid_slots` of the first `filled_slots` slots of a block, every choice with the same
    /// probability (selection sampling: Knuth, The Art of Computer Programming 2, 3.4.2 S).
    fn fill_block(&mut self, block: u32, filled_slots: u32, valid_slots: u32, units: &mut Units, chance: &mut Stream) {
        let slots = self.blocks.first_slot(block)..;
        let mut stream = chance.clone(); // a copy that stays in registers
        let (mut needed, mut count) = (u64::from(valid_slots), 0);
        units.chosen.resize(filled_slots as usize + 1, 0);
        for (left, slot) in (1..=u64::from(filled_slots)).rev().zip(slots) {
            // Always written, but kept only when chosen: no branch could be foreseen.
            units.chosen[count] = slot;
            // A bias of 2^-32 is too small to be seen in any run.
            let is_chosen = ((stream.next_u64() >> 32) * left) >> 32 < needed;
            needed -= u64::from(is_chosen);
            count += usize::from(is_chosen);
        }
        *chance = stream;
        for (&slot, place) in units.chosen[..count].iter().zip(units.next..) {
            units.scatter.place(units.order.at(place), slot, &mut self.map);
        }
        units.next += count as u32;
        self.blocks.add_valid(block, valid_slots);
        reached(units.next.into(), 8 * u64::from(filled_slots));
    }
}

/// Empty blocks: the free ones, and half of those being filled.
fn kept_blocks(look: &Look) -> f64 {
    f64::from(look.free_blocks) + 0.5 * look.open.iter().flatten().count() as f64
}
