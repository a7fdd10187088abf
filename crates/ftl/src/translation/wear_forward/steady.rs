//! A steady load wears all blocks in use equally; its work per erase was measured.
//!
//! ```text
//!   measured   [ erases, units, moves of a stretch that was really written ]
//!   skipped    x times as many; every block of a pool that is in use is erased as often more as the caller says
//!   left alone blocks that were not erased in that stretch: their data is cold
//! ```
//!
//! The places of units do not change, because all such states have the same probability.
//! Not modelled here: new places of the units; only the wear of their blocks changes.

use crate::blocks::BlockState;
use crate::gc::Collected;
use crate::translation::{Reason, Refusal, Tally, Translation};

/// The wear that is added at once.
#[derive(Clone, Copy, Debug)]
pub struct Steady<'a> {
    /// Further erases of each block; 0 where data is cold.
    pub erases: &'a [u32],
    /// For each block whether its data is cold.
    pub lies_still: &'a [bool],
    /// The counts of a stretch that was really written: those after it minus those before.
    pub measured: Tally,
    /// The time that this wear takes [s].
    pub duration_s: u32,
}

/// What happened to a block that was to be erased early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EraseSoon {
    /// It was collected; the pool, and the work for its bank.
    Collected(u32, Collected),
    /// It is free or being filled, so it will be erased in the usual course.
    NotClosed,
    /// There is no room for its valid data.
    NoRoom,
}

impl Translation {
    /// Add wear and the counts that belong to it. Returns the ratio of these counts to the measured ones.
    ///
    /// No block may fail because of this wear: see `erases_left`.
    pub fn forward_steady(&mut self, steady: &Steady<'_>) -> f64 {
        debug_assert!(self.unsettled.is_empty(), "at rest nothing waits for a page that is on its way");
        let mut erased = 0_u64;
        for pool_index in 0..self.pools.len() as u32 {
            let in_pool = self.pools[pool_index as usize].blocks.clone();
            let in_use: Vec<u32> = in_pool
                .filter(|&block| self.blocks.state(block).is_usable() && !steady.lies_still[block as usize])
                .collect();
            let mut erased_in_pool = 0;
            for &block in &in_use {
                // A block whose next program will fail is not used meanwhile.
                let erases = steady.erases[block as usize].min(self.erases_left(block));
                self.blocks.add_erases(block, erases);
                self.blocks.opened_later(block, steady.duration_s);
                erased_in_pool += u64::from(erases);
            }
            if let Some(spread) = &mut self.static_spread {
                spread.erased_often(pool_index, erased_in_pool);
                spread.opened_later(&in_use, erased_in_pool);
            }
            erased += erased_in_pool;
        }
        let ratio = erased as f64 / steady.measured.erased_blocks.max(1) as f64;
        self.tally.add_times(&steady.measured, ratio, self.slots_per_page);
        self.tally.erased_blocks += erased;
        ratio
    }

    /// Collect a closed block now, because its end is near and it would be chosen soon.
    pub fn erase_soon(&mut self, block: u32, now_ns: u64) -> Result<EraseSoon, Refusal> {
        if self.failures.exhausted {
            return Err(Refusal::SparesExhausted);
        }
        if self.blocks.state(block) != BlockState::Closed {
            return Ok(EraseSoon::NotClosed);
        }
        let pool_index = self.pool_of_block(block);
        let mut work = std::mem::take(&mut self.pools[pool_index as usize].unpaid);
        let mut done = self.make_room(pool_index, None, now_ns, &mut work);
        // Making room may already have collected this block.
        if done.is_ok() && self.blocks.is_closed(block) {
            done = self.collect(pool_index, block, None, Reason::LowWater, now_ns, &mut work);
        }
        if done.is_err() {
            self.pools[pool_index as usize].unpaid = work;
            return Ok(EraseSoon::NoRoom);
        }
        Ok(EraseSoon::Collected(pool_index, work))
    }
}
