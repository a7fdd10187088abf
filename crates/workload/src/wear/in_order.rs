//! Skipping while the host writes in order: from one block that fails to the next.
//!
//! A skip has exactly the result of the writing that it replaces (crates/ftl, `translation/wear_forward/log.rs`),
//! except for time and for the counts that have nothing to do with blocks. Those are taken from a stretch that was
//! really written.

use super::{Goal, Wear};
use flashscope_drive::Ssd;

/// Blocks of every pool that are written to measure what a block costs.
const BLOCKS_MEASURED: u64 = 16;
/// With fewer blocks than this to skip, it does not pay to look at every unit of the drive.
const BLOCKS_WORTHWHILE: u64 = 8;
/// After this many writes over the whole drive it is no longer expected to become a log.
const FILLS_WITHOUT_LOG: u64 = 6;

impl Wear {
    /// Skip if the drive is a log and there is something to skip; otherwise write some blocks. Returns the number of
    /// requests.
    pub(super) fn step_in_order(&mut self, drive: &mut Ssd, goal: Goal) -> u64 {
        let unit_bytes = u64::from(drive.config().mapping.unit_bytes);
        let next_unit = (self.writes.next_bytes / unit_bytes) as u32;
        let round = drive.layer_of_like_blocks().and_then(|layer| layer.log_round(next_unit));
        let Some(round) = round.filter(|_| self.writes.next_bytes.is_multiple_of(unit_bytes)) else {
            return self.write_on(drive, goal);
        };
        self.units_not_a_log = 0;
        let Some(cost) = self.cost.clone() else {
            let before = drive.books();
            let requests = self.write_slots(drive, goal, BLOCKS_MEASURED * drive.slots_per_round());
            let cost = drive.cost_since(&before);
            // A stretch that the goal cut short is not a good measurement.
            self.cost = (cost.tally.placed_units >= BLOCKS_MEASURED / 2 * drive.slots_per_round()).then_some(cost);
            return requests;
        };
        let period = drive.config().gc.high_water_blocks.saturating_sub(drive.config().gc.low_water_blocks).max(1);
        let wanted = round.reach_blocks().min(blocks_to(drive, goal)) / u64::from(period) * u64::from(period);
        if wanted < BLOCKS_WORTHWHILE {
            // The blocks that the drive keeps between itself and the next event, and the block of that event.
            let blocks = (wanted + 4 * u64::from(period) + 4).min(blocks_to(drive, goal).max(1));
            return self.write_slots(drive, goal, blocks * drive.slots_per_round());
        }
        let (_, bytes) = drive.forward_log(&round, wanted, &cost, next_unit);
        self.writes.forward(bytes);
        self.skipped(bytes);
        1
    }

    /// The drive is not a log, or not yet: write on, more each time.
    fn write_on(&mut self, drive: &mut Ssd, goal: Goal) -> u64 {
        let placed = |drive: &Ssd| drive.layer_of_like_blocks().map_or(0, |layer| layer.tally().placed_units);
        let before = placed(drive);
        let most = drive.config().unit_count() / 4;
        let slots = (self.units_not_a_log / 2).clamp(drive.slots_per_round(), most.max(drive.slots_per_round()));
        let requests = self.write_slots(drive, goal, slots);
        self.units_not_a_log += placed(drive) - before;
        if self.units_not_a_log > FILLS_WITHOUT_LOG * drive.config().unit_count() {
            self.settled.choose();
        }
        requests
    }
}

/// Blocks that every pool can open before the goal.
fn blocks_to(drive: &Ssd, goal: Goal) -> u64 {
    let slots_bytes = drive.slots_per_round() * u64::from(drive.config().mapping.unit_bytes);
    let by_bytes = goal
        .host_written_bytes
        .map_or(u64::MAX, |bytes| bytes.saturating_sub(drive.counters().host.written_bytes) / slots_bytes);
    let by_cycles = goal.erase_count_mean.map_or(u64::MAX, |cycles| {
        let usable: u32 = drive.layer_of_like_blocks().map_or(0, |layer| layer.usable_blocks().iter().sum());
        let pools = f64::from(drive.config().geometry.pool_count());
        ((cycles - drive.erase_count_mean()) * f64::from(usable) / pools).max(0.0) as u64
    });
    by_bytes.min(by_cycles)
}
