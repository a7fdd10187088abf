//! How long to write before the rates are known: turn by turn, until their standard error is small enough.
//!
//! ```text
//!   turn   1   2   3   4 | 5 .. 8 | 9 ...... 16 | ...      after 4, 8, 16, ... turns: are the rates known well enough?
//!          first half ^        ^          ^                erases up to half-way: how fast counts drift apart
//! ```
//!
//! A turn is as many erases as there are blocks in use, or a complete pass where part of the load is in order. The
//! fewer blocks there are, the more the cost of a turn scatters, so a small drive takes more turns.
//!
//! Assumed: turns scatter independently, except for neighbouring turns; `CORRELATED` allows for these.

use super::pool_shares::{PoolTurn, lasting_spare_slots, shares, spare_slots};
use flashscope_drive::Ssd;
use flashscope_drive::ssd::Books;
use serde::{Deserialize, Serialize};

/// Fewest and most turns in a stretch.
const LEAST_TURNS: usize = 4;
const MOST_TURNS: usize = 256;
/// The erases per unit of the whole drive are known well enough with this standard error.
const KNOWN_RATIO: f64 = 0.005;
/// The factor by which the standard error of consecutive turns is greater than that of independent turns.
const CORRELATED: f64 = 2.0;

/// A stretch that is being written for real.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Stretch {
    begun: Books,
    /// Per block: its erase count when half of the turns were written.
    half_way: Vec<u32>,
    /// Per turn: the figures of each pool.
    turns: Vec<Vec<PoolTurn>>,
    /// Slots of each pool without valid data when the last turn ended.
    spare_slots: Vec<f64>,
}

impl Stretch {
    pub fn begin(drive: &Ssd) -> Self {
        Self { begun: drive.books(), half_way: Vec::new(), turns: Vec::new(), spare_slots: spare_slots(drive) }
    }

    /// The books at the start of the stretch.
    pub fn begun(&self) -> &Books {
        &self.begun
    }

    /// Add a turn, which began at `before`. True when it is time to check whether the rates are known.
    pub fn add_turn(&mut self, drive: &Ssd, before: &Books) -> bool {
        let Some(layer) = drive.layer_of_like_blocks() else { return true };
        let mut erases = vec![0_u64; layer.usable_blocks().len()];
        for (block, (now, then)) in layer.blocks().erase_counts().iter().zip(&before.erase_counts).enumerate() {
            erases[layer.pool_of_block(block as u32) as usize] += u64::from(now - then);
        }
        let units = (layer.tally().placed_units - before.tally.placed_units).max(1) as f64;
        let last = std::mem::replace(&mut self.spare_slots, spare_slots(drive));
        let pools = erases.iter().zip(last.iter().zip(&self.spare_slots)).map(|(&erases, (last, now))| PoolTurn {
            spare_slots: (last + now) / 2.0,
            erases_per_unit: erases as f64 / units,
        });
        self.turns.push(pools.collect());
        let turns = self.turns.len();
        if turns.is_power_of_two() && turns * 2 >= LEAST_TURNS && !self.is_known() {
            self.half_way = layer.blocks().erase_counts().to_vec();
        }
        turns.is_power_of_two() && turns >= LEAST_TURNS
    }

    /// True when the standard error of the rates is small enough, or the stretch is too long already.
    pub fn is_known(&self) -> bool {
        let turns = self.turns.len();
        turns >= MOST_TURNS || turns >= LEAST_TURNS && self.standard_error() < KNOWN_RATIO
    }

    /// Standard error of the erases per unit, all pools together [ratio].
    fn standard_error(&self) -> f64 {
        let rates: Vec<f64> =
            self.turns.iter().map(|pools| pools.iter().map(|pool| pool.erases_per_unit).sum()).collect();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        CORRELATED * libm::sqrt(variance(&rates) / rates.len() as f64) / mean.max(f64::MIN_POSITIVE)
    }

    /// Shares of the pools in all erases, in the long run; see `pool_shares.rs`.
    pub fn pool_shares(&self, drive: &Ssd, lies_still: &[bool]) -> Vec<f64> {
        shares(&self.turns, &lasting_spare_slots(drive, lies_still))
    }

    /// Variance of erase counts within a pool per erase of a block, from the two halves [cycles]; 0 when there are none.
    ///
    /// The variance over both halves minus that over one half contains nothing of what the ends of a stretch add.
    pub fn drift(&self, drive: &Ssd, is_in_use: impl Fn(u32) -> bool) -> f64 {
        let (mut grown, mut erases) = (0.0, 0.0);
        for pool in self.halves_by_pool(drive, is_in_use) {
            grown += pool.blocks.len() as f64 * (variance(&pool.both()) - pool.variance_of_one());
            erases += pool.both().iter().sum::<f64>() / 2.0;
        }
        (grown / erases.max(f64::MIN_POSITIVE)).max(0.0)
    }

    /// Per block: how often it is erased for each erase of its pool's blocks on average; 1 for all when differences are
    /// chance.
    ///
    /// Differences that both halves share are lasting. The share of a block's own difference that is kept depends on
    /// the correlation of the halves of its pool (Spearman and Brown 1910). Nothing is kept when the correlation is
    /// within two standard errors of zero.
    pub fn paces(&self, drive: &Ssd, is_in_use: impl Fn(u32) -> bool) -> Vec<f64> {
        let mut paces = vec![1.0; self.begun.erase_counts.len()];
        for pool in self.halves_by_pool(drive, is_in_use) {
            let both = pool.both();
            let of_one = pool.variance_of_one();
            let shared = variance(&both) / 2.0 - of_one;
            let correlation = shared / of_one.max(f64::MIN_POSITIVE);
            if correlation < 2.0 / libm::sqrt(both.len().max(1) as f64) {
                continue;
            }
            let kept = (2.0 * correlation / (1.0 + correlation)).min(1.0);
            let mean = both.iter().sum::<f64>() / both.len() as f64;
            for (block, erases) in pool.blocks.iter().zip(&both) {
                paces[*block as usize] = 1.0 + kept * (erases / mean - 1.0);
            }
        }
        paces
    }

    /// Per pool its blocks in use and their erases in each half; nothing when the halves are not known.
    fn halves_by_pool(&self, drive: &Ssd, is_in_use: impl Fn(u32) -> bool) -> Vec<PoolHalves> {
        let Some(layer) = drive.layer_of_like_blocks() else { return Vec::new() };
        let erase_counts = layer.blocks().erase_counts();
        if self.half_way.len() != erase_counts.len() {
            return Vec::new();
        }
        let halves_of = |block: usize| {
            let half_way = self.half_way[block];
            (f64::from(half_way - self.begun.erase_counts[block]), f64::from(erase_counts[block] - half_way))
        };
        let mut pools = vec![PoolHalves::default(); layer.usable_blocks().len()];
        for block in (0..layer.blocks().count()).filter(|&block| is_in_use(block)) {
            let pool = &mut pools[layer.pool_of_block(block) as usize];
            pool.blocks.push(block);
            pool.erases.push(halves_of(block as usize));
        }
        pools
    }
}

/// The blocks of a pool, and how often each was erased in each half.
#[derive(Clone, Debug, Default)]
struct PoolHalves {
    blocks: Vec<u32>,
    erases: Vec<(f64, f64)>,
}

impl PoolHalves {
    /// Erases of each block in the whole stretch.
    fn both(&self) -> Vec<f64> {
        self.erases.iter().map(|(first, second)| first + second).collect()
    }

    /// Variance over one half, as the average of the two halves.
    fn variance_of_one(&self) -> f64 {
        let (first, second): (Vec<f64>, Vec<f64>) = self.erases.iter().copied().unzip();
        (variance(&first) + variance(&second)) / 2.0
    }
}

/// The variance of no values is 0.
fn variance(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / count
}
