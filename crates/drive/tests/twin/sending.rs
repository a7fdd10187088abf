//! What goes to the banks: pages of the host, and the work of collections, at once or spread over these pages.

use crate::banks::Stage;
use crate::placing::SentPage;
use crate::stripes::data_pages;
use crate::twin::{Purpose, Twin};
use crate::work::{Times, Work};
use flashscope_ftl::Pacing;
use flashscope_nand::CellMode;

impl Twin {
    /// Give the banks the work of a collection: at once, or with the next pages of the pool.
    pub fn pay(&mut self, pool: usize, work: Work) {
        if work.is_nothing() {
            return;
        }
        match self.config.gc.pacing {
            Pacing::Blocking => self.do_work(pool, work),
            Pacing::Spread => {
                let parts = self.config.geometry.erase_blocks_per_pool_block();
                let owed = &mut self.pools[pool].owed;
                owed.first_page = if owed.programs == 0 { work.first_page } else { owed.first_page };
                owed.reads += work.reads;
                owed.programs += work.programs;
                owed.erases += work.erases * parts;
            }
        }
    }

    /// Share the work of a collection among the banks of its pool.
    pub fn do_work(&mut self, pool: usize, mut work: Work) {
        let geometry = self.config.geometry.clone();
        work.erases *= geometry.erase_blocks_per_pool_block();
        let banks = geometry.banks_per_pool();
        for position in 0..banks {
            let share = work.take_share(banks - position);
            self.do_share(geometry.bank_of_page(pool as u32, position) as usize, share);
        }
    }

    fn do_share(&mut self, bank: usize, share: Work) {
        if share.is_nothing() {
            return;
        }
        let (geometry, timing) = (&self.config.geometry, &self.config.timing);
        let times = Times {
            read_ns: timing.read_latency_ns,
            page_transfer_ns: self.page_transfer_ns(),
            program_ns: &|page| timing.program_latency_ns(page, CellMode::Native),
            erase_ns: timing.erase_latency_ns,
        };
        let share = Work { first_page: geometry.page_in_erase_block(share.first_page), ..share };
        let stages = share.stages(&times);
        self.banks.enqueue(bank, self.now_ns, stages, None);
    }

    fn page_transfer_ns(&self) -> u64 {
        let geometry = &self.config.geometry;
        self.config.timing.bus_transfer_ns(geometry.programmed_page_bytes().into(), geometry.lockstep_packages)
    }

    /// Send a page to its bank, and before it the pool's owed work for this page.
    pub fn program(&mut self, pool: usize, sent: SentPage) {
        let bank = self.bank_of(sent.block, sent.page);
        if self.config.gc.pacing == Pacing::Spread {
            let pages_left = (data_pages(&self.config) - sent.page) as u32;
            let share = self.pools[pool].owed.take_share(pages_left);
            self.do_share(bank, share);
        }
        if sent.awaited {
            self.request().parts += 1;
        }
        self.sent_pages += 1;
        self.program_place(pool, self.place_of(sent.page), Some(Purpose::Page(sent)));
        if let Some(place) = self.parity_behind(sent.page) {
            self.counters.parity_pages += 1;
            self.program_place(pool, place, None);
        }
    }

    fn program_place(&mut self, pool: usize, place: usize, purpose: Option<Purpose>) {
        let geometry = &self.config.geometry;
        let bank = geometry.bank_of_page(pool as u32, place as u32) as usize;
        let page = geometry.page_in_erase_block(place as u32);
        let program_ns = self.config.timing.program_latency_ns(page, CellMode::Native);
        let stages = vec![Stage::Channel(self.page_transfer_ns()), Stage::Cells(program_ns)];
        self.banks.enqueue(bank, self.now_ns, stages, purpose);
    }
}
