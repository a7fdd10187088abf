//! Collection while the host sends no requests: one victim at a time, so that a request never waits for more than one.
//!
//! First come blocks that could not be read. Then the pool with the fewest free blocks, as long as it has fewer than
//! the target and its policy names a victim with enough stale slots to be worth the wear.
//! Folding pSLC blocks into native ones has a delay of its own, which the drive keeps, so it is a separate call.
//! Not modelled here: collecting in several dies for one step, a prediction of how long the idle time will last.

use super::{Reason, Translation};
use crate::gc::Collected;

impl Translation {
    /// Collect one victim; returns the pool and its work, `None` when no collection is useful or
    /// idle collection is off. `now_ns` only labels the decision.
    pub fn idle_step(&mut self, now_ns: u64) -> Option<(u32, Collected)> {
        let idle = self.idle?;
        let failed = self.failures.marked.iter().copied().find(|&block| self.blocks.is_closed(block));
        if let Some(block) = failed
            && let Ok(Some(done)) = self.refresh_step(block, now_ns)
        {
            return Some(done);
        }
        let mut short: Vec<(u32, u32)> = (0..)
            .zip(&self.pools)
            .map(|(pool_index, pool)| (pool.free.len() as u32, pool_index))
            .filter(|&(free_blocks, _)| free_blocks < idle.target_free_blocks)
            .collect();
        short.sort_unstable();
        for (_, pool_index) in short {
            let Some(victim) = self.choose_victim(pool_index) else { continue };
            let stale = f64::from(self.stale_load(victim));
            if stale == 0.0 || stale < idle.worthwhile_stale_ratio * f64::from(self.blocks.full_load()) {
                continue;
            }
            let mut work = std::mem::take(&mut self.pools[pool_index as usize].unpaid);
            if self.collect(pool_index, victim, None, Reason::Idle, now_ns, &mut work).is_ok() {
                return Some((pool_index, work));
            }
            self.pools[pool_index as usize].unpaid = work;
        }
        None
    }

    /// Fold the oldest closed pSLC block of a pool: move its data to native blocks and erase it. Returns its work,
    /// `None` when there is no such block or no room for its data. `now_ns` only labels the decision.
    pub fn fold_step(&mut self, pool_index: u32, now_ns: u64) -> Option<Collected> {
        let block = self.oldest_pslc_block(pool_index)?;
        let mut work = std::mem::take(&mut self.pools[pool_index as usize].unpaid);
        let done = self.collect(pool_index, block, None, Reason::Fold, now_ns, &mut work);
        if done.is_err() {
            self.pools[pool_index as usize].unpaid = work;
            return None;
        }
        Some(work)
    }

    /// True when idle collection is on.
    pub fn collects_when_idle(&self) -> bool {
        self.idle.is_some()
    }
}
