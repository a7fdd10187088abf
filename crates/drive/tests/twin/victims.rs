//! Which closed block is collected: each policy in its own words.
//!
//! | policy | takes | ties |
//! |---|---|---|
//! | greedy | fewest valid slots | the first one behind the last victim, going round |
//! | fifo | closed longest ago | |
//! | d-choices, random | fewest valid slots of so many drawn; one drawn | the one drawn first |
//! | cost-benefit | largest (slots - valid) x age / valid | closed first, then the lower number |

use crate::pool::Pool;
use crate::twin::Twin;
use flashscope_ftl::VictimRule;
use flashscope_kernel::random::below;
use std::cmp::{Ordering, Reverse};

impl Twin {
    /// The block that the policy chooses, if collecting any block in the pool gains room.
    pub fn choose_victim(&mut self, pool: usize) -> Option<usize> {
        let closed = self.closed_blocks(pool);
        if closed.is_empty() {
            return None;
        }
        let valid = |block: usize| self.flash.valid(block).len();
        let victim = match self.config.gc.policy {
            VictimRule::Greedy => {
                let from = self.pools[pool].search_from;
                let around = |block: usize| (block < from, block);
                closed.iter().copied().min_by_key(|&block| (valid(block), around(block)))
            }
            VictimRule::Fifo => closed.iter().copied().min_by_key(|&block| self.flash.blocks[block].closed_as),
            VictimRule::DChoices | VictimRule::Random => {
                let only_one = self.config.gc.policy == VictimRule::Random;
                let draws = if only_one { 1 } else { self.config.gc.choices };
                let drawn: Vec<usize> = (0..draws).map(|_| draw(&mut self.pools[pool], &closed)).collect();
                drawn.into_iter().min_by_key(|&block| self.flash.valid(block).len())
            }
            VictimRule::CostBenefit => closed.iter().copied().max_by(|&one, &other| self.compare_gain(one, other)),
        }?;
        if self.config.gc.policy == VictimRule::Greedy {
            // Behind the last block it begins at the first one again.
            let Pool { first, end, .. } = self.pools[pool];
            self.pools[pool].search_from = if victim + 1 == end { first } else { victim + 1 };
        }
        let gains = |&block: &usize| self.flash.valid(block).len() < self.flash.slots_per_block;
        closed.iter().any(gains).then_some(victim)
    }

    /// Closed blocks of a pool, lower numbers first.
    pub fn closed_blocks(&self, pool: usize) -> Vec<usize> {
        let Pool { first, end, .. } = self.pools[pool];
        (first..end).filter(|&block| self.flash.blocks[block].state == crate::flash::State::Closed).collect()
    }

    /// By gain over cost: what costs nothing is above all that costs something.
    fn compare_gain(&self, one: usize, other: usize) -> Ordering {
        let gain_and_cost = |block: usize| {
            let valid = self.flash.valid(block).len() as u128;
            let age = u128::from(self.placed_units - self.flash.blocks[block].closed_at_units) + 1;
            ((self.flash.slots_per_block as u128 - valid) * age, valid)
        };
        let ((gain, cost), (other_gain, other_cost)) = (gain_and_cost(one), gain_and_cost(other));
        let by_score = match (cost, other_cost) {
            (0, 0) => Ordering::Equal,
            _ => (gain * other_cost).cmp(&(other_gain * cost)).then((cost == 0).cmp(&(other_cost == 0))),
        };
        let closed_at = |block: usize| Reverse((self.flash.blocks[block].closed_at_units, block));
        by_score.then(closed_at(one).cmp(&closed_at(other)))
    }
}

/// Draw blocks of a pool until one is closed.
fn draw(pool: &mut Pool, closed: &[usize]) -> usize {
    loop {
        let block = pool.first + below(&mut pool.chance, (pool.end - pool.first) as u64) as usize;
        if closed.contains(&block) {
            return block;
        }
    }
}
