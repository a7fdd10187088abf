//! All data deleted at once: secure erase and formatting. Each waits until everything under way has ended.

use super::Ssd;
use crate::machine::Machine;
use flashscope_ftl::{Collected, FineMap};
use flashscope_kernel::ranges::Ranges;

impl Ssd {
    /// Let everything that is under way end; the buffer is written out.
    pub(super) fn settle(&mut self) {
        loop {
            let next_ns = self.array.next_event_ns().min(self.host.next_arrival_ns());
            if next_ns != u64::MAX {
                self.advance_to(next_ns);
            } else if self.idle_flush_due_ns() != u64::MAX {
                self.write_out_buffer();
            } else {
                break;
            }
        }
    }

    /// Bring the drive back to its first state: all blocks erased, all data gone, wear kept.
    ///
    /// Returns the time it took [ns]: the banks erase in parallel, each bank its blocks one after another. No
    /// request may be outstanding.
    pub fn secure_erase(&mut self) -> u64 {
        assert!(self.host.is_idle(), "secure erase with requests outstanding");
        self.settle();
        self.owed.fill(Collected::default());
        self.fine_map.iter_mut().for_each(FineMap::clear);
        self.open_run.forget();
        let geometry = &self.config.geometry;
        let mut erased_per_bank = vec![0_u64; geometry.bank_count() as usize];
        for (pool, erased) in self.translation.erase_all().into_iter().enumerate() {
            for part in 0..geometry.erase_blocks_per_pool_block() {
                erased_per_bank[geometry.bank_of_page(pool as u32, part) as usize] += u64::from(erased);
            }
        }
        let most = erased_per_bank.into_iter().max().unwrap_or(0);
        let duration_ns = most * self.config.timing.erase_latency_ns + self.config.link.command_cost_ns;
        self.now_ns += duration_ns;
        duration_ns
    }

    /// Delete all data at once and leave the blocks to be erased when they are needed, as formatting does.
    ///
    /// Returns the time it took [ns]. No request may be outstanding.
    pub fn format(&mut self) -> u64 {
        assert!(self.host.is_idle(), "formatted with requests outstanding");
        self.settle();
        for unit in 0..self.config.unit_count() as u32 {
            self.translation.trim(unit);
        }
        self.noted_trims = Ranges::default();
        self.fine_map.iter_mut().for_each(FineMap::clear);
        self.open_run.forget();
        self.nothing_to_collect = false;
        self.now_ns += self.config.link.command_cost_ns;
        self.config.link.command_cost_ns
    }
}
