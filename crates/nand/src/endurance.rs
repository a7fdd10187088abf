//! How many erases a block survives.
//!
//! The life of block `b` is drawn from a Weibull distribution, as a pure function of the seed and `b`, so that
//! no table is needed and a query changes no state:
//!
//! ```text
//!   life(b) = characteristic cycles x (-ln u(seed, b)) ^ (1 / shape)      u uniform in (0, 1]
//!
//!   share still alive  1 |-----.            shape  1: the failure rate is the same at any age
//!                        |      \           shape 10: nearly all fail close to the characteristic cycles,
//!                   1/e  |.......\                    at which 63 % have failed
//!                        '--------'------> erases
//! ```
//!
//! A block made of several erase blocks that are erased together fails when the first of them fails. Its life has
//! again a Weibull distribution: the characteristic cycles are divided by `count ^ (1 / shape)`.
//!
//! How a block fails is drawn in the same way: its erase fails, or its erase succeeds and the next program fails.
//! Not modelled here: failures not caused by wear (a shape below 1 only approximates infant mortality), programs that
//! fail late in a block, neighbours that fail together, a block that recovers.

use flashscope_kernel::random::{Rng, Streams};
use serde::{Deserialize, Serialize};

/// The constants of the law.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EnduranceLaw {
    /// Weibull scale of one erase block [cycles]: after this many, 63 % of the blocks have failed.
    pub characteristic_cycles: f64,
    /// Weibull shape: how close together the blocks fail.
    pub shape: f64,
    /// Share of the blocks that end with a failed program; the others end with a failed erase.
    pub program_failure_share: f64,
}

/// The lives of all blocks of one drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockLives {
    characteristic_cycles: f64,
    shape: f64,
    program_failure_share: f64,
    seed: u64,
}

impl BlockLives {
    /// Lives under `law` for blocks of `erase_blocks` erase blocks each.
    /// One number is drawn from the stream `"block lives"`.
    pub fn new(law: &EnduranceLaw, erase_blocks: u32, streams: &Streams) -> Self {
        let weakest_of = libm::pow(f64::from(erase_blocks.max(1)), -1.0 / law.shape);
        Self {
            characteristic_cycles: law.characteristic_cycles * weakest_of,
            shape: law.shape,
            program_failure_share: law.program_failure_share,
            seed: streams.stream("block lives").next_u64(),
        }
    }

    /// Erases after which the block fails, 1 or more [cycles].
    pub fn life_cycles(&self, block: u32) -> u32 {
        let exponential = -libm::log(self.uniform(block, 0));
        let cycles = self.characteristic_cycles * libm::pow(exponential, 1.0 / self.shape);
        // The cast saturates: an infinite life becomes u32::MAX cycles.
        (libm::ceil(cycles) as u32).max(1)
    }

    /// True when the block has been erased so often that its life is over.
    pub fn is_over(&self, block: u32, erase_count: u32) -> bool {
        erase_count >= self.life_cycles(block)
    }

    /// True when the block's end is a failed program, false when it is a failed erase.
    pub fn ends_by_program(&self, block: u32) -> bool {
        self.uniform(block, 1) <= self.program_failure_share
    }

    /// A number in (0, 1] that belongs to the block: SplitMix64 (Steele, Lea and Flood, OOPSLA 2014) of its number.
    fn uniform(&self, block: u32, question: u64) -> f64 {
        let place = u64::from(block) * 2 + question + 1;
        let mut mixed = self.seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: u32 = 100_000;

    fn lives(shape: f64, erase_blocks: u32) -> BlockLives {
        let law = EnduranceLaw { characteristic_cycles: 6000.0, shape, program_failure_share: 0.3 };
        BlockLives::new(&law, erase_blocks, &Streams::new(7))
    }

    fn share(holds: impl Fn(u32) -> bool) -> f64 {
        (0..BLOCKS).filter(|&block| holds(block)).count() as f64 / f64::from(BLOCKS)
    }

    #[test]
    fn one_block_in_e_outlives_the_characteristic_cycles_whatever_the_shape() {
        for shape in [1.0, 4.0, 12.0] {
            let lives = lives(shape, 1);
            let alive = share(|block| !lives.is_over(block, 6000));
            assert!((alive - libm::exp(-1.0)).abs() < 0.008, "shape {shape}: {alive} are alive"); // five sigma
        }
    }

    #[test]
    fn the_share_that_failed_follows_the_distribution() {
        let lives = lives(4.0, 1);
        for cycles in [3000, 4500, 7500] {
            let law = 1.0 - libm::exp(-libm::pow(f64::from(cycles) / 6000.0, 4.0));
            let failed = share(|block| lives.is_over(block, cycles));
            assert!((failed - law).abs() < 0.008, "{failed} failed by {cycles} cycles, the law says {law}");
        }
    }

    #[test]
    fn a_block_of_several_erase_blocks_lives_as_long_as_the_first_of_them() {
        let (single, of_four) = (lives(3.0, 1), lives(3.0, 4));
        let first_of_four =
            |group: u32| (0..4).map(|part| single.life_cycles(4 * group + part)).min().expect("four parts");
        let mean = |life: &dyn Fn(u32) -> u32| (0..BLOCKS).map(|b| f64::from(life(b))).sum::<f64>() / f64::from(BLOCKS);
        let (drawn, computed) = (mean(&first_of_four), mean(&|block| of_four.life_cycles(block)));
        assert!((drawn / computed - 1.0).abs() < 0.01, "{drawn} against {computed} cycles");
    }

    #[test]
    fn a_life_is_a_function_of_seed_and_block() {
        assert_eq!(lives(4.0, 1).life_cycles(17), lives(4.0, 1).life_cycles(17));
        assert_ne!(lives(4.0, 1).life_cycles(17), lives(4.0, 1).life_cycles(18));
        let by_program = share(|block| lives(4.0, 1).ends_by_program(block));
        assert!((by_program - 0.3).abs() < 0.008, "{by_program} of the blocks end by a failed program");
    }
}
