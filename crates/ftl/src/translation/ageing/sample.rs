//! Makes the blocks of a pool of the drive from the blocks seen in a twin: as many blocks as the pool has, with as many
//! valid slots as it has units.
//!
//! ```text
//!   twin, by age   94 % 90 % 86 % 81 %             M blocks
//!                   |  \  |  \  |  \ |
//!   pool, by age   94 93 90 88 86 84 81            N blocks: block i is like twin's block (i + u) M / N, u in 0..1
//! ```
//!
//! Pools get pages in turn, but overwritten units may lie in any pool, so the units of a pool are not a fixed share. In
//! each round a pool gets one page and loses units in proportion to those it holds: a random walk that returns to the
//! mean. Its variance is F / 2P units for F units in P pools (a little less, because the total is fixed).

use super::normal;
use super::twin::{ClosedBlock, Look};
use flashscope_kernel::random::{Stream, below, unit_interval};

/// Units of each pool: `total` together, with the spread that random overwriting causes, and none above `most`.
pub(super) fn units_per_pool(total: u32, most: &[u32], chance: &mut Stream) -> Vec<u32> {
    let pools = most.len() as f64;
    let mean = f64::from(total) / pools;
    let deviation = if most.len() > 1 { libm::sqrt(f64::from(total) / (2.0 * pools)) } else { 0.0 };
    let draws: Vec<f64> = most.iter().map(|_| normal(chance) * deviation).collect();
    let off = draws.iter().sum::<f64>() / pools;
    let wanted = draws.iter().map(|draw| libm::round(mean + draw - off).max(0.0) as u32);
    let mut units: Vec<u32> = wanted.zip(most).map(|(units, &most)| units.min(most)).collect();
    fit(&mut units, u64::from(total), most, chance);
    units
}

/// Bring the sum of the valid slots of blocks near `total`; each block changes in proportion to its stale slots. The
/// reason: a block is full when it is closed, and a pool with more or fewer units then loses them slower or faster.
pub(super) fn stretch(valid_slots: &mut [u32], total: u64, slots_per_block: u32, chance: &mut Stream) {
    let all_slots = valid_slots.len() as u64 * u64::from(slots_per_block);
    let stale_slots = all_slots - valid_slots.iter().map(|&valid| u64::from(valid)).sum::<u64>();
    if stale_slots == 0 {
        return;
    }
    let factor = all_slots.saturating_sub(total) as f64 / stale_slots as f64;
    for valid in valid_slots {
        let stale = f64::from(slots_per_block - *valid) * factor;
        // Rounded up or down at random, so that the mean is kept.
        let stale = libm::floor(stale + 1.0 - unit_interval(chance)) as u32;
        *valid = slots_per_block - stale.min(slots_per_block);
    }
}

/// Raise or lower all counts by the same number as far as their limits allow, until they add up to `total`. What cannot
/// be shared evenly goes to counts drawn at random. When the limits do not allow it, the counts are at their limits.
pub(super) fn fit(counts: &mut [u32], total: u64, most: &[u32], chance: &mut Stream) {
    let limits: u64 = most.iter().map(|&most| u64::from(most)).sum();
    let total = total.min(limits);
    loop {
        let sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
        let lacks = total > sum;
        let difference = total.abs_diff(sum);
        if difference == 0 {
            return;
        }
        let can_change = |count: u32, most: u32| if lacks { count < most } else { count > 0 };
        let changeable = counts.iter().zip(most).filter(|&(&count, &most)| can_change(count, most)).count() as u64;
        let step = (difference / changeable).min(u64::from(u32::MAX)) as u32;
        if step > 0 {
            for (count, &most) in counts.iter_mut().zip(most) {
                *count = if lacks { count.saturating_add(step).min(most) } else { count.saturating_sub(step) };
            }
            continue;
        }
        // Less than one for each: exactly `difference` of the counts that can change do so, all with the same
        // probability.
        let (mut left, mut needed) = (changeable, difference);
        for (count, &most) in counts.iter_mut().zip(most) {
            if can_change(*count, most) {
                if below(chance, left) < needed {
                    *count = if lacks { *count + 1 } else { *count - 1 };
                    needed -= 1;
                }
                left -= 1;
            }
        }
    }
}

/// Closed blocks for a pool, in closing order: `count` blocks like those of a look, in slots of the pool's blocks.
///
/// slots_ratio: slots of a block of the drive per slot of one of the twin. age_ratio: units the host of the drive
/// places while that of the twin places one.
pub(super) fn closed_blocks(
    look: &Look,
    count: u32,
    slots_per_block: u32,
    slots_ratio: f64,
    age_ratio: f64,
    chance: &mut Stream,
) -> Vec<ClosedBlock> {
    let seen = look.closed.len();
    let same_count = seen == count as usize;
    let aged = |units: u64| libm::round(units as f64 * age_ratio) as u64;
    (0..count)
        .map(|index| {
            let place = if same_count {
                index as usize
            } else {
                let within = f64::from(index) + 1.0 - unit_interval(chance);
                ((within * seen as f64 / f64::from(count)) as usize).min(seen.saturating_sub(1))
            };
            let like = look.closed.get(place).copied().unwrap_or_default();
            let valid = if slots_ratio > 1.0 {
                // A slot of the twin stands for several slots, so the values between are interpolated.
                let between = unit_interval(chance) - 0.5;
                libm::round((f64::from(like.valid_slots) + between) * slots_ratio).max(0.0) as u32
            } else {
                like.valid_slots
            };
            ClosedBlock {
                valid_slots: valid.min(slots_per_block),
                closed_ago_units: aged(like.closed_ago_units),
                written_ago_units: aged(like.written_ago_units),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn counts_are_fitted_to_their_sum_within_their_limits() {
        let mut chance = Streams::new(1).stream("test");
        for (start, total) in
            [([5, 5, 5, 5], 20), ([5, 5, 5, 5], 27), ([8, 0, 0, 0], 3), ([0, 1, 2, 8], 31), ([0; 4], 32)]
        {
            let mut counts = start;
            fit(&mut counts, total, &[8; 4], &mut chance);
            assert_eq!(counts.iter().map(|&count| u64::from(count)).sum::<u64>(), total, "from {start:?}");
            assert!(counts.iter().all(|&count| count <= 8));
        }
        let mut counts = [1, 2];
        fit(&mut counts, 99, &[8, 9], &mut chance);
        assert_eq!(counts, [8, 9], "no more than fits");
    }

    #[test]
    fn pools_differ_by_what_the_walk_allows() {
        let mut chance = Streams::new(2).stream("test");
        let (total, pools) = (800_000, 8);
        let mut squares = 0.0;
        for _ in 0..400 {
            let units = units_per_pool(total, &vec![u32::MAX; pools], &mut chance);
            assert_eq!(units.iter().sum::<u32>(), total);
            squares += units.iter().map(|&units| (f64::from(units) - 100_000.0).powi(2)).sum::<f64>();
        }
        let variance = squares / 3200.0;
        let expected = 800_000.0 / 16.0 * 7.0 / 8.0;
        assert!((variance / expected - 1.0).abs() < 0.08, "{variance}, expected {expected}");
    }
}
