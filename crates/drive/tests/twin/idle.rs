//! What the drive does in idle time: write out its buffer, collect ahead of need.
//!
//! Collection goes on while the flash is idle, until each pool has its target of free blocks or no block is worth
//! collecting. The pool with the fewest free blocks comes first; blocks that could not be read come before all others.
//! A drive at the end of its life collects nothing.

use crate::flash::State;
use crate::twin::Twin;
use crate::work::Work;
use flashscope_ftl::Reason;

impl Twin {
    /// When there is something to do in idle time; `u64::MAX` when there is nothing [ns].
    pub fn idle_due_ns(&self) -> u64 {
        self.flush_due_ns().min(self.collection_due_ns())
    }

    /// When the pages being filled are sent to flash.
    pub fn flush_due_ns(&self) -> u64 {
        if self.host_pages.iter().all(|page| page.buffered_units == 0) {
            return u64::MAX;
        }
        (self.last_arrival_ns + self.config.buffer.idle_flush_ns).max(self.now_ns)
    }

    fn collection_due_ns(&self) -> u64 {
        match &self.config.gc.idle {
            Some(idle) if self.is_quiet() => (self.last_arrival_ns + idle.delay_ns).max(self.now_ns),
            _ => u64::MAX,
        }
    }

    fn is_quiet(&self) -> bool {
        self.life_over.is_none()
            && !self.nothing_to_collect
            && self.banks.next_ns() == u64::MAX
            && self.under_way.is_none()
    }

    pub fn work_while_idle(&mut self) {
        if self.flush_due_ns() <= self.now_ns {
            return self.pad_pages();
        }
        self.nothing_to_collect = true;
        for _ in 0..self.pools.len() {
            let Some((pool, work)) = self.collect_one() else { break };
            self.do_work(pool, work);
            self.nothing_to_collect = false;
        }
    }

    fn collect_one(&mut self) -> Option<(usize, Work)> {
        let idle = self.config.gc.idle?;
        let closed = |block: &&usize| self.flash.blocks[**block].state == State::Closed;
        if let Some(block) = self.unreadable.iter().find(closed).copied() {
            let pool = self.pool_of(block);
            if let Some(work) = self.refresh(pool, block) {
                return Some((pool, work));
            }
        }
        let mut pools: Vec<usize> = (0..self.pools.len()).collect();
        pools.sort_by_key(|&pool| self.pools[pool].free.len());
        pools.retain(|&pool| self.pools[pool].free.len() < idle.target_free_blocks as usize);
        for pool in pools {
            let Some(victim) = self.choose_victim(pool) else { continue };
            let slots = self.flash.slots_per_block;
            let stale = slots - self.flash.valid(victim).len();
            let mut work = std::mem::take(&mut self.pools[pool].unpaid);
            let worthwhile = stale > 0 && stale as f64 >= idle.worthwhile_stale_ratio * slots as f64;
            if worthwhile && self.collect(pool, victim, None, Reason::Idle, &mut work).is_ok() {
                return Some((pool, work));
            }
            self.pools[pool].unpaid = work;
        }
        None
    }
}
