//! Erase cycles that the blocks have had, and the blocks that failed before that.
//!
//! ```text
//!   cycles of a block = mean + mean x spread x normal draw, not below 0       the draws add up to 0
//!   life of a block (crates/nand, endurance) reached: it fails then, and is out of use
//! ```
//!
//! Fractions are rounded up or down at random, so the mean is kept. All wear is drawn and checked first and applied
//! afterwards: wear that the drive would not have survived is refused before anything has changed.
//!
//! Assumed: wear is the same in all pools and does not depend on the data that a block holds now.
//! Not modelled here: read failures during these cycles, hot blocks that wear faster.

use super::{AgeRefusal, AgedState, normal};
use crate::blocks::BlockState;
use crate::translation::Translation;
use flashscope_kernel::random::{Stream, unit_interval};
use flashscope_kernel::signs_of_life::{begins, reached};

/// The wear that every block is to get.
pub(super) struct Wear {
    /// Further cycles of each block of the drive.
    erases: Vec<u32>,
    /// Blocks that fail because of it.
    ending: Vec<u32>,
}

impl Wear {
    /// The sum of all cycles.
    pub fn erases(&self) -> u64 {
        self.erases.iter().map(|&erases| u64::from(erases)).sum()
    }
}

impl Translation {
    /// Usable blocks per pool after that wear.
    pub(super) fn usable_after(&self, wear: &Wear) -> Vec<u32> {
        let mut usable: Vec<u32> = self.pools.iter().map(|pool| pool.usable_blocks).collect();
        for &block in &wear.ending {
            usable[self.pool_of_block(block) as usize] -= 1;
        }
        usable
    }

    /// Draw the wear of all usable blocks, `mean` cycles on average. Refuses wear that the drive would not survive.
    pub(super) fn draw_wear(&self, state: &AgedState, mean: f64, chance: &mut Stream) -> Result<Wear, AgeRefusal> {
        let in_use: Vec<u32> = (0..self.blocks.count()).filter(|&block| self.blocks.state(block).is_usable()).collect();
        let deviation = mean * state.erase_count_spread_ratio;
        let draws: Vec<f64> = in_use.iter().map(|_| if deviation > 0.0 { normal(chance) } else { 0.0 }).collect();
        let off = draws.iter().sum::<f64>() / draws.len().max(1) as f64;
        let mut erases = vec![0; self.blocks.count() as usize];
        let mut ending = Vec::new();
        begins("wear of the blocks", in_use.len() as u64);
        for ((&block, draw), done) in in_use.iter().zip(draws).zip(0..) {
            reached(done, 50);
            let wanted = (mean + deviation * (draw - off)).max(0.0);
            let whole = libm::floor(wanted);
            let rounded_up = u32::from(wanted > whole && unit_interval(chance) <= wanted - whole);
            let before = self.blocks.erase_count(block);
            let most = self.failures.lives.as_ref().map_or(u32::MAX, |lives| lives.life_cycles(block));
            let left = most.saturating_sub(before);
            erases[block as usize] = (whole as u32).saturating_add(rounded_up).min(left);
            if erases[block as usize] == left {
                ending.push(block);
            }
        }
        let wear = Wear { erases, ending };
        self.check_survival(state, &wear)?;
        Ok(wear)
    }

    fn check_survival(&self, state: &AgedState, wear: &Wear) -> Result<(), AgeRefusal> {
        let lost = wear.ending.len() as u64;
        let bad = self.tally.grown_bad_blocks() + lost;
        let too_many = self.failures.spare_blocks.is_some_and(|spare| bad > spare.into());
        let needed = self.failures.blocks_needed_per_pool;
        let too_few_left = self.usable_after(wear).into_iter().any(|usable| usable < needed);
        if lost > 0 && (too_many || too_few_left) {
            return Err(AgeRefusal {
                key: "aged.erase_count_mean",
                found: state.erase_count_mean.to_string(),
                accepted: format!(
                    "less, or less spread: {lost} blocks do not live that long, more than the drive can spare"
                ),
            });
        }
        Ok(())
    }

    /// Apply the wear to the blocks, which are all free.
    pub(super) fn wear_out(&mut self, wear: &Wear) {
        for (block, &erases) in (0..).zip(&wear.erases) {
            self.blocks.add_erases(block, erases);
            if let Some(spread) = &mut self.static_spread
                && erases > 0
            {
                let pool = block / (self.blocks.count() / self.pools.len() as u32);
                spread.erased_often(pool, u64::from(erases));
            }
        }
        self.tally.erased_blocks += wear.erases();
        if !wear.ending.is_empty() {
            let mut is_ending = vec![false; self.blocks.count() as usize];
            wear.ending.iter().for_each(|&block| is_ending[block as usize] = true);
            self.pools.iter_mut().for_each(|pool| pool.free.retain(|&block| !is_ending[block as usize]));
        }
        for &block in &wear.ending {
            let pool = self.pool_of_block(block);
            let by_program = self.failures.lives.as_ref().is_some_and(|lives| lives.ends_by_program(block));
            if by_program {
                self.tally.failed_programs += 1;
                self.retire(pool, block, BlockState::GrownBadProgram);
            } else {
                self.retire(pool, block, BlockState::GrownBadErase);
            }
        }
    }
}
