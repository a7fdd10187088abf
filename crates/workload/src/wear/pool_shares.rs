//! The share of each pool in all erases.
//!
//! ```text
//!   in a turn    pool A: more data than its share, little spare, erased often     pool B: the other way round
//!   for long     data is spread evenly, so only the blocks that a pool has left make the difference
//! ```
//!
//! The amount of data in a pool varies slowly about its share, and the erases vary with it: a short stretch would show
//! that as a difference between the pools. So a stretch is used only to measure by how much erases grow when spare
//! shrinks; the spare that a pool has in the long run is known.
//!
//! Assumed: pools differ only in their spare; overwritten data is spread evenly over them.

use flashscope_drive::Ssd;
use serde::{Deserialize, Serialize};

/// Largest elasticity: erases grow by at most twice the share by which the spare shrinks; no policy of collection has
/// more.
const MOST_ELASTICITY: f64 = 2.0;

/// A pool in one turn.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct PoolTurn {
    /// Slots without valid data, on average.
    pub spare_slots: f64,
    /// Erases per unit that the host writes.
    pub erases_per_unit: f64,
}

/// Slots of each pool without valid data.
pub(super) fn spare_slots(drive: &Ssd) -> Vec<f64> {
    slots_by_pool(drive, |valid, slots| slots - valid)
}

/// The same once overwritten data is spread evenly over the pools; `lies_still`: the blocks whose data is not
/// overwritten.
pub(super) fn lasting_spare_slots(drive: &Ssd, lies_still: &[bool]) -> Vec<f64> {
    let Some(layer) = drive.layer_of_like_blocks() else { return Vec::new() };
    let blocks = layer.blocks();
    let mut spare_slots = slots_by_pool(drive, |_, slots| slots);
    let (mut moving, pools) = (0.0, spare_slots.len() as f64);
    for block in (0..blocks.count()).filter(|&block| blocks.state(block).is_usable()) {
        let valid = f64::from(blocks.valid_slots(block));
        if lies_still[block as usize] {
            spare_slots[layer.pool_of_block(block) as usize] -= valid;
        } else {
            moving += valid;
        }
    }
    spare_slots.iter().map(|slots| slots - moving / pools).collect()
}

fn slots_by_pool(drive: &Ssd, of_block: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let Some(layer) = drive.layer_of_like_blocks() else { return Vec::new() };
    let blocks = layer.blocks();
    let slots = drive.config().slots_per_block() as f64;
    let mut pools = vec![0.0; layer.usable_blocks().len()];
    for block in (0..blocks.count()).filter(|&block| blocks.state(block).is_usable()) {
        pools[layer.pool_of_block(block) as usize] += of_block(f64::from(blocks.valid_slots(block)), slots);
    }
    pools
}

/// Shares of all erases, with sum 1, for pools that have this spare in the long run; derived from turns with any other
/// spare.
pub(super) fn shares(turns: &[Vec<PoolTurn>], lasting_spare_slots: &[f64]) -> Vec<f64> {
    let elasticity = elasticity(turns);
    let mean = mean(lasting_spare_slots).max(1.0);
    let weights: Vec<f64> =
        lasting_spare_slots.iter().map(|spare| libm::pow((spare / mean).max(0.01), -elasticity)).collect();
    let sum: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / sum).collect()
}

/// By how much more often a pool is erased than others when it has less spare than they have [ratio to ratio].
fn elasticity(turns: &[Vec<PoolTurn>]) -> f64 {
    let (mut together, mut apart) = (0.0, 0.0);
    for pools in turns {
        let spares: Vec<f64> = pools.iter().map(|pool| pool.spare_slots).collect();
        let erases: Vec<f64> = pools.iter().map(|pool| pool.erases_per_unit).collect();
        let (spare, rate) = (mean(&spares).max(1.0), mean(&erases).max(f64::MIN_POSITIVE));
        for (own_spare, own_rate) in spares.iter().zip(&erases) {
            together -= (own_spare / spare - 1.0) * (own_rate / rate - 1.0);
            apart += (own_spare / spare - 1.0) * (own_spare / spare - 1.0);
        }
    }
    if apart > 0.0 { (together / apart).clamp(0.0, MOST_ELASTICITY) } else { 0.0 }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_data_that_happens_to_lie_in_a_pool_does_is_not_taken_for_the_pool() {
        // Erases proportional to the inverse of the spare; in every turn of the test the first pool holds less data.
        let turn = |spares: [f64; 2]| {
            spares.map(|spare_slots| PoolTurn { spare_slots, erases_per_unit: 1.0 / spare_slots }).to_vec()
        };
        let turns = [turn([110.0, 90.0]), turn([104.0, 96.0]), turn([102.0, 98.0])];
        let even = shares(&turns, &[100.0, 100.0]);
        assert!((even[0] - 0.5).abs() < 1e-9, "{even:?}");
        let uneven = shares(&turns, &[105.0, 95.0]);
        assert!((uneven[1] / uneven[0] - 105.0 / 95.0).abs() < 0.01, "{uneven:?}");
    }

    #[test]
    fn a_single_pool_has_all_erases() {
        let turns = [vec![PoolTurn { spare_slots: 100.0, erases_per_unit: 0.5 }]];
        assert_eq!(shares(&turns, &[90.0]), [1.0]);
    }
}
