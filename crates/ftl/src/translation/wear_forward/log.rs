//! A drive that is written in order is a circular log: after each round, its blocks have the same states at other
//! places.
//!
//! ```text
//!   blocks of a pool by number, from the next victim on
//!
//!   | stale  stale  stale | #####  #####  #####  #####  ##### | open | free  free |
//!     ^ erased next         oldest data            newest data          opened next
//!
//!   N blocks later: the same picture, N places on; every block N / n erases more, the first N mod n one more still
//! ```
//!
//! Nothing is assumed about how the drive was written: the map is compared with the drawing, unit by unit, and when
//! they differ the answer is `None`. When they agree, the course of the next N blocks is fixed, so the state after them
//! is set at once. It is not an approximation: the layer would have reached the same state.
//!
//! This requires: greedy choice of victims (of equal blocks the next by number, which keeps the log in order), enough
//! stale blocks that nothing is moved, and erase counts with which the least-worn choice has the same order.

use crate::blocks::BlockState;
use crate::gc::Victims;
use crate::mapping::is_slot;
use crate::translation::Translation;
use crate::wear_leveling::FreeBlock;

/// Stale blocks needed in addition to those that one round of collection takes.
const STALE_IN_RESERVE: u32 = 2;

/// A drive whose pools are logs: for each, its blocks in the order in which they are erased.
#[derive(Clone, Debug)]
pub struct LogRound {
    rings: Vec<Vec<u32>>,
    /// Blocks that every pool can open before a block comes to its end.
    reach_blocks: u64,
}

impl LogRound {
    /// Blocks that every pool can open before a block fails; a multiple of the blocks that one collection makes room
    /// for.
    pub fn reach_blocks(&self) -> u64 {
        self.reach_blocks
    }
}

impl Translation {
    /// The rings of the pools, if the host continues to write whole units in order from `next_unit` on, round after
    /// round. `None` when the drive is not such a log.
    pub fn log_round(&self, next_unit: u32) -> Option<LogRound> {
        let is_at_page = self.host_pages.iter().all(|page| page.filled == 0);
        let is_at_rest = self.failures.marked.is_empty() && self.unsettled.is_empty();
        if !self.blocks_are_alike() || !is_at_page || self.failures.exhausted || !is_at_rest {
            return None;
        }
        let rings: Option<Vec<_>> = (0..self.pools.len() as u32).map(|pool| self.ring(pool)).collect();
        let rings = rings?;
        if !self.is_one_log(&rings, next_unit) {
            return None;
        }
        let period = self.blocks_per_collection();
        let before_end = rings.iter().map(|ring| self.erases_before_an_end(ring)).min()?;
        let reach_blocks = before_end.saturating_sub(2 * period + 2) / period * period;
        Some(LogRound { rings, reach_blocks })
    }

    /// Blocks that one collection makes room for, and that are opened until the next collection.
    fn blocks_per_collection(&self) -> u64 {
        self.high_water_blocks.saturating_sub(self.low_water_blocks).max(1).into()
    }

    /// The blocks of a pool from the next victim on, if their states are as in the drawing.
    fn ring(&self, pool_index: u32) -> Option<Vec<u32>> {
        let pool = &self.pools[pool_index as usize];
        let Victims::Greedy(greedy) = &pool.victims else { return None };
        let first = pool.blocks.start + greedy.start() % pool.blocks.len() as u32;
        let round = (first..pool.blocks.end).chain(pool.blocks.start..first);
        // A block that was opened for moved data takes no part while it holds nothing valid.
        let state = |block: u32| self.blocks.state(block);
        let aside = |block: u32| state(block) == BlockState::OpenForGc;
        if pool.blocks.clone().any(|block| aside(block) && self.blocks.valid_slots(block) > 0) {
            return None;
        }
        let ring: Vec<u32> = round.filter(|&block| state(block).is_usable() && !aside(block)).collect();
        let closed = ring.iter().take_while(|&&block| self.blocks.is_closed(block)).count();
        let open = ring[closed..].iter().take_while(|&&block| state(block) == BlockState::OpenForHost).count();
        let free = &ring[closed + open..];
        let stale =
            ring.iter().take_while(|&&block| self.blocks.is_closed(block) && self.blocks.valid_slots(block) == 0);
        let in_order = open <= 1
            && free.iter().eq(pool.free.iter())
            && stale.count() as u64 >= self.blocks_per_collection() + u64::from(STALE_IN_RESERVE)
            && !free.iter().any(|&block| self.fails_when_opened(block));
        (in_order && self.keeps_order(&ring)).then_some(ring)
    }

    /// True when the choice among free blocks keeps their order, now and after any number of rounds.
    fn keeps_order(&self, ring: &[u32]) -> bool {
        let count = |block: &u32| self.blocks.erase_count(*block);
        match (self.free_block, ring.first(), ring.last()) {
            (FreeBlock::OldestErased, ..) => true,
            (FreeBlock::LeastWorn, Some(first), Some(last)) => {
                ring.is_sorted_by_key(count) && count(last) - count(first) <= 1
            }
            (FreeBlock::LeastWorn, ..) => false,
        }
    }

    /// True when every unit is written in order, from `next_unit`, the oldest, up to where the host writes next,
    /// without a gap in any pool.
    fn is_one_log(&self, rings: &[Vec<u32>], next_unit: u32) -> bool {
        let slots_per_block = u64::from(self.blocks.slots_per_block());
        let mut place_of_block = vec![u64::MAX; self.blocks.count() as usize];
        for ring in rings {
            for (place, &block) in (0..).zip(ring) {
                place_of_block[block as usize] = place * slots_per_block;
            }
        }
        // For each pool: the place where the next unit must lie, once one has been seen.
        let mut next_place: Vec<Option<u64>> = vec![None; rings.len()];
        for unit in (next_unit..self.map.unit_count()).chain(0..next_unit) {
            let slot = self.map.slot(unit);
            if !is_slot(slot) {
                return false;
            }
            let block = self.blocks.of_slot(slot);
            let first_place = place_of_block[block as usize];
            if first_place == u64::MAX {
                return false;
            }
            let place = first_place + u64::from(slot - self.blocks.first_slot(block));
            let expected = &mut next_place[self.pool_of_block(block) as usize];
            if expected.is_some_and(|expected| expected != place) {
                return false;
            }
            *expected = Some(place + 1);
        }
        let ends_at_host = |(pool_index, ring): (usize, &Vec<u32>)| {
            let closed = ring.iter().take_while(|&&block| self.blocks.is_closed(block)).count() as u64;
            let host = self.pools[pool_index].host[0];
            let in_open = if host.room() == 0 { 0 } else { u64::from(host.next_slot) % slots_per_block };
            next_place[pool_index] == Some(closed * slots_per_block + in_open)
        };
        rings.iter().enumerate().all(ends_at_host)
    }

    /// Erases that a pool can do, in the order of its ring, before an erase that fails or that is followed by a failed
    /// program.
    fn erases_before_an_end(&self, ring: &[u32]) -> u64 {
        let rounds = |block: u32| u64::from(self.erases_left(block));
        let length = ring.len() as u64;
        (0..).zip(ring).map(|(place, &block)| place + rounds(block) * length).min().unwrap_or(0)
    }

    /// Let every pool open `blocks` more blocks, at most `round.reach_blocks()`, which takes `duration_s`. The host is
    /// `units` further on then, as returned.
    pub fn forward_log(&mut self, round: &LogRound, blocks: u64, duration_s: u32) -> u64 {
        assert!(blocks <= round.reach_blocks && blocks.is_multiple_of(self.blocks_per_collection()));
        if blocks == 0 {
            return 0;
        }
        let mut goes_to: Vec<u32> = (0..self.blocks.count()).collect();
        for (pool_index, ring) in (0..).zip(&round.rings) {
            let length = ring.len();
            let turned = (blocks % length as u64) as usize;
            let rounds = (blocks / length as u64) as u32;
            for (place, &block) in ring.iter().enumerate() {
                goes_to[block as usize] = ring[(place + turned) % length];
                self.blocks.add_erases(block, rounds + u32::from(place < turned));
            }
            self.turn_pool(pool_index, &goes_to, ring[(turned + length - 1) % length]);
            if let Some(spread) = &mut self.static_spread {
                spread.erased_often(pool_index, blocks);
                spread.opened_later(ring, blocks);
            }
        }
        if let Some(spread) = &mut self.static_spread {
            spread.turn(&goes_to);
        }
        self.blocks.turn(&goes_to, duration_s);
        let units = blocks * u64::from(self.blocks.slots_per_block()) * self.pools.len() as u64;
        self.turn_map(&goes_to, units);
        self.tally.placed_units += units;
        self.tally.host_pages += units / u64::from(self.slots_per_page);
        let pages_per_block = self.blocks.slots_per_block() / self.slots_per_page;
        let filled_blocks = blocks * self.pools.len() as u64;
        self.tally.parity_pages += filled_blocks * u64::from(self.parity.parity_pages(0, pages_per_block, true));
        self.tally.erased_blocks += filled_blocks;
        units
    }

    /// Replace the blocks in a pool's lists by the blocks that are now at their places.
    fn turn_pool(&mut self, pool_index: u32, goes_to: &[u32], last_victim: u32) {
        let pool = &mut self.pools[pool_index as usize];
        for block in &mut pool.free {
            *block = goes_to[*block as usize];
        }
        for frontier in &mut pool.host {
            if frontier.room() > 0 {
                let block = self.blocks.of_slot(frontier.next_slot);
                let new = self.blocks.first_slot(goes_to[block as usize]);
                let old = self.blocks.first_slot(block);
                frontier.next_slot = frontier.next_slot - old + new;
                frontier.end_slot = frontier.end_slot - old + new;
            }
        }
        if let Victims::Greedy(greedy) = &mut pool.victims {
            greedy.start_after(last_victim - pool.blocks.start);
        }
    }

    /// Map every unit to the place of the unit that was written as long ago before, with the blocks at their new
    /// places.
    fn turn_map(&mut self, goes_to: &[u32], units: u64) {
        let unit_count = self.map.unit_count();
        let shift = (units % u64::from(unit_count)) as u32;
        let slots: Vec<u32> = (0..unit_count)
            .map(|unit| {
                let slot = self.map.slot(unit);
                let block = self.blocks.of_slot(slot);
                slot - self.blocks.first_slot(block) + self.blocks.first_slot(goes_to[block as usize])
            })
            .collect();
        let later = (shift..unit_count).chain(0..shift);
        for (unit, slot) in later.zip(slots) {
            self.map.place(unit, slot);
        }
    }
}
