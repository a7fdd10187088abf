//! What a drive does on its own when the host sends no requests.
//!
//! ```text
//!   last arrival ---- buffer.idle_flush ----> the rest of the buffer is written out
//!                ---- trim.delay -----------> trims that were put off are carried out
//!                ---- gc.idle.delay --------> blocks are collected ahead of need, one from each pool at a time
//!                ---- pslc.fold_delay ------> pSLC blocks are folded into native ones, also one from each pool
//!                ---- fine_map.gather_delay -> scattered regions are gathered, one at a time
//! ```
//!
//! Each has its own delay; the next arrival ends all of it. Collection goes on only while the flash is idle, so a
//! request that comes meanwhile waits only for the work that was already begun.

use super::Ssd;
use super::life::Life;
use flashscope_kernel::time::NEVER_NS;

impl Ssd {
    /// Time of the next idle work, `NEVER_NS` when there is none.
    #[inline]
    pub(super) fn idle_due_ns(&self) -> u64 {
        let flush_ns = self.idle_flush_due_ns();
        if self.works_when_idle {
            let due_ns = flush_ns.min(self.trim_due_ns().max(self.now_ns));
            due_ns.min(self.idle_collection_due_ns()).min(self.folding_due_ns()).min(self.gathering_due_ns())
        } else {
            flush_ns
        }
    }

    fn idle_collection_due_ns(&self) -> u64 {
        let Some(idle) = &self.config.gc.idle else { return NEVER_NS };
        if self.nothing_to_collect { NEVER_NS } else { self.collection_due_ns(idle.delay_ns) }
    }

    fn folding_due_ns(&self) -> u64 {
        let Some(pslc) = &self.config.pslc else { return NEVER_NS };
        if self.nothing_to_fold { NEVER_NS } else { self.collection_due_ns(pslc.fold_delay_ns) }
    }

    pub(super) fn collection_due_ns(&self, delay_ns: u64) -> u64 {
        let at_work = self.array.next_event_ns() != NEVER_NS || !self.host.is_idle();
        if at_work || self.life != Life::Good {
            return NEVER_NS;
        }
        (self.last_arrival_ns + delay_ns).max(self.now_ns)
    }

    /// Do the idle work that is due.
    pub(super) fn idle_work(&mut self) {
        if self.idle_flush_due_ns() <= self.now_ns {
            self.write_out_buffer();
            self.nothing_to_fold = false;
        } else if self.trim_due_ns() <= self.now_ns {
            self.look_at_trims();
            self.nothing_to_collect = false;
        } else if self.folding_due_ns() <= self.now_ns {
            self.fold();
        } else if self.gathering_due_ns() <= self.now_ns {
            self.gather_oldest();
        } else {
            self.collect_ahead();
        }
    }

    /// Fold one pSLC block in each pool that has one.
    fn fold(&mut self) {
        self.set_date();
        self.nothing_to_fold = true;
        for pool in 0..self.config.geometry.pool_count() {
            if let Some(work) = self.translation.fold_step(pool, self.now_ns) {
                self.collect(pool, work);
                self.nothing_to_fold = false;
                self.nothing_to_collect = false;
            }
        }
    }

    /// Collect one block in each pool that gains from it.
    fn collect_ahead(&mut self) {
        self.set_date();
        let mut collected = false;
        for _ in 0..self.config.geometry.pool_count() {
            let Some((pool, work)) = self.translation.idle_step(self.now_ns) else { break };
            self.collect(pool, work);
            collected = true;
        }
        self.nothing_to_collect = !collected;
    }
}
