//! Skipping under a load that has settled: rates are measured, and every block in use wears at the rate of its pool.
//!
//! ```text
//!   settle ---> measure a stretch ---> skip to the next event ---> a block's end: its turn is brought forward --.
//!                  ^                        ^                                                                   |
//!                  |                        '------------- spare about the same ---------------------------------+
//!                  '------------------ spare smaller, or cold data has moved ------------------------------------'
//! ```
//!
//! A stretch is so long that every block in use is erased about twice. Where no wear levelling holds erase counts
//! together, they drift apart by chance, like the positions of random walks. The speed of this drift is measured: it is
//! the variance over two stretches together minus the variance over one. Skipped blocks drift at the same speed.
//!
//! Assumed: which of two blocks ends first depends on the cycles they have left, not on the chance of a single turn.

use super::Wear;
use super::goal::{Goal, is_reached};
use super::settled_load::Settled;
use super::stretch::Stretch;
use flashscope_drive::ssd::{Books, Cost};
use flashscope_drive::{FreeBlock, Ssd};
use flashscope_kernel::random::{Stream, unit_interval};

/// A load has settled when write amplification differs by less than this from one stretch to the next.
const SETTLED_RATIO: f64 = 0.01;
/// After this many stretches the load is taken as settled anyway.
const MOST_STRETCHES: u32 = 12;
/// Rounds that the drive is written on while a free block is at its end. If such blocks were skipped, they would gather
/// in a pool until none of its free blocks could be filled.
const MOST_ROUNDS_WAITED: u32 = 32;
/// Rates are measured again when the spare has changed by this.
const SPARE_STEP_RATIO: f64 = 0.01;

impl Wear {
    /// Measure, or skip to the next event. Returns the number of requests.
    pub(super) fn step_settled(&mut self, drive: &mut Ssd, goal: Goal) -> u64 {
        if self.cost.is_none() || self.spare_has_changed(drive) {
            return self.measure(drive, goal);
        }
        if self.settled.rounds_waited < MOST_ROUNDS_WAITED && has_end_to_come(drive) {
            self.settled.rounds_waited += 1;
            return self.write_slots(drive, goal, drive.slots_per_round());
        }
        self.settled.rounds_waited = 0;
        self.skip_settled(drive, goal)
    }

    /// Write a turn; once the load has settled and enough turns are written, derive its rates.
    fn measure(&mut self, drive: &mut Ssd, goal: Goal) -> u64 {
        let before = drive.books();
        let mut stretch = self.settled.stretch.take().unwrap_or_else(|| Stretch::begin(drive));
        let active = self.active_blocks(drive) as u64;
        let mut requests = self.write_slots(drive, goal, active * drive.config().slots_per_block());
        requests += self.complete_pass(drive, goal, &before);
        if drive.cost_since(&before).tally.erased_blocks < active / 2 {
            // The goal came first, or blocks that were never used are still being filled: then the stretch begins anew.
            self.settled.stretch = is_reached(drive, goal).then_some(stretch);
            return requests;
        }
        if !stretch.add_turn(drive, &before) {
            self.settled.stretch = Some(stretch);
            return requests;
        }
        let cost = drive.cost_since(stretch.begun());
        let amplification = cost.tally.programmed_pages() as f64 / cost.tally.host_pages.max(1) as f64;
        if !self.settled.known {
            self.settled.stretches += 1;
            let last = self.settled.amplification.replace(amplification);
            let is_settled = last.is_some_and(|last| (amplification / last - 1.0).abs() < SETTLED_RATIO);
            self.settled.known = is_settled || self.settled.stretches >= MOST_STRETCHES;
            if !self.settled.known {
                return requests;
            }
        }
        if stretch.is_known() {
            self.learn(drive, cost, &stretch);
        } else {
            self.settled.stretch = Some(stretch);
        }
        requests
    }

    /// Where part of the load is in order, the cost of a turn depends on its place in a pass: write on to the end of a
    /// pass. Returns the number of requests.
    fn complete_pass(&mut self, drive: &mut Ssd, goal: Goal, before: &Books) -> u64 {
        let Some(pass_bytes) = self.writes.pass_bytes() else { return 0 };
        let begun_bytes = before.host_written_bytes();
        let written_bytes = drive.counters().host.written_bytes - begun_bytes;
        let end_bytes = begun_bytes + written_bytes.div_ceil(pass_bytes) * pass_bytes;
        let until = goal.host_written_bytes.map_or(end_bytes, |wanted| wanted.min(end_bytes));
        self.write_slots(drive, Goal { host_written_bytes: Some(until), ..goal }, u64::MAX)
    }

    fn learn(&mut self, drive: &Ssd, cost: Cost, stretch: &Stretch) {
        let Some(layer) = drive.layer_of_like_blocks() else { return };
        let blocks = layer.blocks();
        let settled = &mut self.settled;
        settled.lies_still =
            (0..blocks.count()).map(|block| blocks.is_closed(block) && cost.erases[block as usize] == 0).collect();
        let pools = layer.usable_blocks().len();
        let mut in_use = vec![0_u64; pools];
        for block in (0..blocks.count()).filter(|&block| blocks.state(block).is_usable()) {
            in_use[layer.pool_of_block(block) as usize] += u64::from(!settled.lies_still[block as usize]);
        }
        let erases_per_unit = cost.tally.erased_blocks as f64 / cost.tally.placed_units.max(1) as f64;
        settled.erases_per_unit = (stretch.pool_shares(drive, &settled.lies_still).iter().zip(&in_use))
            .map(|(share, &count)| share * erases_per_unit / count.max(1) as f64)
            .collect();
        settled.owed = vec![0.0; blocks.count() as usize];
        settled.usable_blocks = layer.usable_blocks().iter().sum();
        let is_in_use = |block| blocks.state(block).is_usable() && !settled.lies_still[block as usize];
        settled.paces = stretch.paces(drive, is_in_use);
        // When the least worn free block is always taken, this alone holds the erase counts together.
        let is_held = drive.config().wear_leveling.free_block == FreeBlock::LeastWorn;
        settled.drift = if is_held { 0.0 } else { stretch.drift(drive, is_in_use) };
        self.cost = Some(cost);
    }

    fn active_blocks(&self, drive: &Ssd) -> usize {
        let usable: u32 = drive.layer_of_like_blocks().map_or(0, |layer| layer.usable_blocks().iter().sum());
        (usable as usize).saturating_sub(self.settled.lies_still.iter().filter(|&&still| still).count()).max(1)
    }

    /// True when so many blocks were lost since the rates were measured that the rates do not hold any more.
    fn spare_has_changed(&self, drive: &Ssd) -> bool {
        let usable: u32 = drive.layer_of_like_blocks().map_or(0, |layer| layer.usable_blocks().iter().sum());
        let data_blocks = drive.config().unit_count().div_ceil(drive.config().slots_per_block());
        let spare = |usable: u32| (f64::from(usable) - data_blocks as f64).max(1.0);
        (spare(usable) / spare(self.settled.usable_blocks) - 1.0).abs() > SPARE_STEP_RATIO
    }

    fn skip_settled(&mut self, drive: &mut Ssd, goal: Goal) -> u64 {
        let Some(next) = self.next_event(drive) else {
            return self.write_slots(drive, goal, drive.slots_per_round());
        };
        let to_goal = self.units_to(drive, goal);
        let units = next.units.min(to_goal);
        let erases = self.erases_after(drive, units);
        if erases.iter().any(|&erases| erases > 0)
            && let Some(cost) = self.cost.take()
        {
            let before = drive.counters().host.written_bytes;
            drive.forward_steady(&erases, &self.settled.lies_still, &cost);
            self.cost = Some(cost);
            self.skipped(drive.counters().host.written_bytes - before);
        }
        if to_goal <= next.units {
            return self.write_slots(drive, goal, drive.slots_per_round());
        }
        match next.kind {
            EventKind::Nearer => 1,
            EventKind::EndOf(block) => {
                drive.erase_soon(block);
                self.write_slots(drive, goal, drive.slots_per_round())
            }
            EventKind::ColdDataMoves => {
                self.cost = None;
                self.settled.lies_still.clear();
                self.settled.amplification = None;
                self.settled.known = false;
                self.settled.stretches = 0;
                self.settled.stretch = None;
                1
            }
        }
    }

    /// Erases of each block until the host has written this many more units.
    fn erases_after(&mut self, drive: &Ssd, units: f64) -> Vec<u32> {
        let Some(layer) = drive.layer_of_like_blocks() else { return Vec::new() };
        let Settled { drift, erases_per_unit, paces, owed, .. } = &mut self.settled;
        let stream = &mut self.spread_stream;
        (0..layer.blocks().count())
            .map(|block| {
                let rate = erases_per_unit[layer.pool_of_block(block) as usize] * paces[block as usize];
                let exact = rate * units + owed[block as usize];
                // A complete erase can lie just below a whole number through rounding; it counts as complete.
                let whole = (exact + 1e-9).floor().max(0.0);
                owed[block as usize] = exact - whole;
                if *drift == 0.0 || whole == 0.0 {
                    return whole as u32;
                }
                let drawn = libm::round(whole + libm::sqrt(*drift * whole) * normal(stream)).max(0.0) as u32;
                // Chance alone brings no block to its end: several at once would leave a pool without a free block.
                drawn.min(layer.erases_left(block).saturating_sub(1).max(whole as u32))
            })
            .collect()
    }

    /// The next event, and how many units the host writes until then.
    fn next_event(&self, drive: &Ssd) -> Option<Event> {
        let layer = drive.layer_of_like_blocks()?;
        let blocks = layer.blocks();
        let settled = &self.settled;
        let units_for =
            |pool: usize, erases: f64| (erases / settled.erases_per_unit[pool].max(f64::MIN_POSITIVE)).max(0.0);
        let mut next: Option<Event> = None;
        let mut sooner = |units: f64, kind: EventKind| {
            if next.as_ref().is_none_or(|next| units < next.units) {
                next = Some(Event { units, kind });
            }
        };
        let pools = settled.erases_per_unit.len();
        let (mut most, mut coldest) = (vec![0; pools], vec![u32::MAX; pools]);
        for block in (0..blocks.count()).filter(|&block| blocks.state(block).is_usable()) {
            let pool = layer.pool_of_block(block) as usize;
            let erase_count = blocks.erase_count(block);
            if settled.lies_still[block as usize] {
                coldest[pool] = coldest[pool].min(erase_count);
                continue;
            }
            most[pool] = most[pool].max(erase_count);
            let left = layer.erases_left(block);
            // A block at its end that is free or being filled needs no event: the drive comes to it by itself.
            if left != u32::MAX && (left > 0 || blocks.is_closed(block)) {
                // Chance may bring the block to its end earlier, so it is looked at again two standard deviations
                // before.
                let pace = settled.paces[block as usize];
                let left = f64::from(left);
                let root = libm::sqrt(settled.drift + left) - libm::sqrt(settled.drift);
                if settled.drift > 0.0 && root * root > 1.0 {
                    sooner(units_for(pool, root * root / pace), EventKind::Nearer);
                } else {
                    sooner(units_for(pool, (left - settled.owed[block as usize]) / pace), EventKind::EndOf(block));
                }
            }
        }
        if let Some(spread_cycles) = drive.config().wear_leveling.static_spread_cycles {
            for pool in (0..pools).filter(|&pool| coldest[pool] != u32::MAX) {
                let apart = most[pool].saturating_sub(coldest[pool]);
                sooner(units_for(pool, f64::from(spread_cycles.saturating_sub(apart))), EventKind::ColdDataMoves);
            }
        }
        next.or(Some(Event { units: f64::MAX, kind: EventKind::ColdDataMoves }))
    }

    /// Units the host writes until the goal.
    fn units_to(&self, drive: &Ssd, goal: Goal) -> f64 {
        let Some(cost) = &self.cost else { return 0.0 };
        let per_unit = |count: u64| count as f64 / cost.tally.placed_units.max(1) as f64;
        let by_bytes = goal.host_written_bytes.map_or(f64::MAX, |bytes| {
            bytes.saturating_sub(drive.counters().host.written_bytes) as f64 / per_unit(cost.host_written_bytes())
        });
        let by_cycles = goal.erase_count_mean.map_or(f64::MAX, |cycles| {
            let usable = f64::from(self.settled.usable_blocks);
            (cycles - drive.erase_count_mean()).max(0.0) * usable / per_unit(cost.tally.erased_blocks)
        });
        by_bytes.min(by_cycles)
    }
}

/// True when a block at the end of its life is free or being filled, so that the drive comes to it by itself.
fn has_end_to_come(drive: &Ssd) -> bool {
    let Some(layer) = drive.layer_of_like_blocks() else { return false };
    let blocks = layer.blocks();
    let is_due = |block| blocks.state(block).is_usable() && !blocks.is_closed(block) && layer.erases_left(block) == 0;
    (0..blocks.count()).any(is_due)
}

/// The next event.
#[derive(Clone, Copy, Debug)]
struct Event {
    units: f64,
    kind: EventKind,
}

#[derive(Clone, Copy, Debug)]
enum EventKind {
    /// A block may be near its end.
    Nearer,
    EndOf(u32),
    ColdDataMoves,
}

/// A draw from the normal distribution (Box and Muller 1958).
fn normal(stream: &mut Stream) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(unit_interval(stream)));
    radius * libm::cos(2.0 * core::f64::consts::PI * unit_interval(stream))
}
