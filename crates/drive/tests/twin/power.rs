//! Power cuts, switching off, and erasing everything.

use crate::flash::State;
use crate::placing::HostPage;
use crate::pool::Lane;
use crate::twin::Twin;
use crate::work::Work;

impl Twin {
    /// Cut the power: data that is not on flash is lost, open blocks are closed with their rest empty. Returns the
    /// number of units lost.
    pub fn power_cut(&mut self) -> u64 {
        if self.config.buffer.capacitor && self.life_over.is_none() {
            self.under_way = None;
            self.pad_pages();
            self.settle();
        }
        self.forget_operations();
        let lost: Vec<u32> = self.flash.map.keys().copied().filter(|&unit| !self.flash.is_safe(unit)).collect();
        lost.iter().for_each(|unit| {
            self.flash.map.remove(unit);
        });
        self.host_pages = self.host_pages.map(|page| HostPage { turn: page.turn, ..HostPage::default() });
        for pool in 0..self.pools.len() {
            for lane in Lane::ALL {
                if let (Lane::Moved(_), Some(&block)) = (lane, self.pools[pool].open.get(&lane))
                    && self.flash.begun(block) > 0
                {
                    // The page with the last moved data goes out with filling: its old block is erased after it.
                    self.fill_page(block, true);
                    self.counters.gc_programmed_pages += 1;
                    let page = self.flash.blocks[block].slots.len() / self.flash.slots_per_page - 1;
                    self.counters.parity_pages += u64::from(self.parity_behind(page).is_some());
                }
                self.close(pool, lane);
            }
        }
        self.last_arrival_ns = self.now_ns;
        self.counters.power_cycles += 1;
        self.counters.power_cuts += 1;
        self.counters.lost_units += lost.len() as u64;
        lost.len() as u64
    }

    /// Switch the drive off in good order and on again after a time.
    pub fn power_off(&mut self, duration_ns: u64) {
        self.pad_pages();
        self.settle();
        self.now_ns += duration_ns;
        self.last_arrival_ns = self.now_ns;
        self.counters.power_cycles += 1;
    }

    /// Erase every block that is not free; how long it takes [ns].
    pub fn secure_erase(&mut self) -> u64 {
        self.settle();
        self.flash.map.clear();
        self.host_pages = [HostPage::default(); 2];
        let geometry = self.config.geometry.clone();
        let mut erases_of_bank = vec![0; geometry.bank_count() as usize];
        for pool in 0..self.pools.len() {
            (self.pools[pool].unpaid, self.pools[pool].owed) = (Work::default(), Work::default());
            self.pools[pool].open.clear();
            let mut work = Work::default();
            for block in self.pools[pool].first..self.pools[pool].end {
                let state = self.flash.blocks[block].state;
                if state.is_usable() && state != State::Free {
                    self.erase_or_retire(pool, block, &mut work);
                }
            }
            for part in 0..geometry.erase_blocks_per_pool_block() {
                erases_of_bank[geometry.bank_of_page(pool as u32, part) as usize] += u64::from(work.erases);
            }
        }
        let most = erases_of_bank.into_iter().max().unwrap_or(0);
        let duration_ns = most * self.config.timing.erase_latency_ns + self.config.link.command_cost_ns;
        self.now_ns += duration_ns;
        duration_ns
    }
}
