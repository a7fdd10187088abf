//! Power that is lost without warning.
//!
//! ```text
//!   host requests under way      never answered
//!   write buffer                 lost, or written out first when capacitors hold it up
//!   pages being programmed       lost: their units are forgotten
//!   data being moved             safe: its old block is erased only after
//! ```
//!
//! Acknowledged writes can be lost: that is what makes a buffer volatile, and why hosts send flushes.
//! Not modelled here: the time to scan the flash and rebuild the map, older copies that come back.

use super::Ssd;
use super::life::Life;
use super::merge_places::MergePlaces;
use super::under_way::OpenPageUse;
use flashscope_ftl::Collected;
use flashscope_ftl::gc::separation::STREAMS;
use flashscope_kernel::slab::Slab;
use flashscope_nand::FlashArray;

impl Ssd {
    /// Cut the power now and switch the drive on again; returns the number of units of data that were lost.
    pub fn power_cut(&mut self) -> u64 {
        self.host = Self::host_side(&self.config);
        let mut lost_units = 0;
        let mut completing_units = 0;
        self.forget_waiting_writes();
        if self.config.buffer.capacitor && self.life == Life::Good {
            self.write_out_buffer();
            self.settle();
        } else {
            completing_units = self.modifies.iter().count() as u32;
            lost_units += u64::from(self.buffer.waiting_units() + self.merges.merged_units() + completing_units);
        }
        self.pages = Slab::default();
        self.open_pages = [OpenPageUse::default(); STREAMS];
        self.modifies = Slab::default();
        self.merges = MergePlaces::default();
        self.open_run.forget();
        self.room_came_back = false;
        self.nothing_to_fold = false;
        self.buffer.power_cut(completing_units);
        self.owed.fill(Collected::default());
        self.array = FlashArray::new(&self.config.geometry, &self.config.timing, &self.config.scheduling);
        lost_units += self.translation.power_cut();
        self.last_arrival_ns = self.now_ns;
        self.counters.power_cycles += 1;
        self.counters.power_cuts += 1;
        self.counters.lost_units += lost_units;
        lost_units
    }

    /// The requests are gone: they need neither an answer nor room in the buffer.
    fn forget_waiting_writes(&mut self) {
        self.stalled.clear();
        self.flushing.clear();
        self.pages.iter_mut().chain(&mut self.open_pages).for_each(|page| page.request = None);
        self.modifies.iter_mut().for_each(|modify| modify.forget_request());
        self.merges.close();
    }
}
