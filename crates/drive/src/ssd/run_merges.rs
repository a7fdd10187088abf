//! Runs of addresses that lie together in native blocks, and the cost of a write that changes a part of one.
//!
//! ```text
//!   pSLC blocks take pieces of any size; native blocks hold whole runs (`fine_map.merge_size`).
//!   With no pSLC block left, a write past the buffer into the middle of a run:
//!
//!   run      [ 0 1 2 3 | 4 5 6 7 | 8 9 a b c d e f ]
//!              copied    written   copied, as soon as another run is written: until then the write may go on in order
//! ```
//!
//! So writing in order costs nothing more, and each random write costs the copying of the rest of a run. One run is
//! open at a time. When there are pSLC blocks again, the open run stays as it is.
//!
//! Assumed: data that comes through the buffer has its page tables (`fine_regions.rs`) and is not merged; several runs
//! may share a block.
//! Not modelled here: runs that are folded from pSLC (they are complete already); merging in advance in idle time.

use super::Ssd;
use flashscope_ftl::mapping::is_slot;
use std::ops::Range;

impl Ssd {
    /// A unit is about to be written past the buffer: merge its run, unless the write goes on in order.
    #[inline]
    pub(super) fn merge_run_of(&mut self, unit: u32) {
        let open = &mut self.open_run;
        if open.units_per_run == 0 {
            return;
        }
        if !self.translation.goes_past_pslc() {
            open.forget();
        } else if open.rest.start == unit && !open.rest.is_empty() {
            open.rest.start += 1;
        } else {
            self.open_run(unit);
        }
    }

    /// Complete the open run, and open the run of `unit` by copying the units before it.
    fn open_run(&mut self, unit: u32) {
        let units_per_run = self.open_run.units_per_run;
        let first = unit / units_per_run * units_per_run;
        let end = (first + units_per_run).min(self.config.unit_count() as u32);
        let rest = std::mem::replace(&mut self.open_run.rest, unit + 1..end);
        self.copy_units(rest);
        self.copy_units(first..unit);
        self.forget_fine_tables(first, end);
        self.counters.merged_runs += 1;
    }

    fn copy_units(&mut self, units: Range<u32>) {
        for unit in units {
            let slot = self.translation.slot(unit);
            if is_slot(slot) && self.translation.is_programmed(slot) && !self.move_unit(unit, slot) {
                return;
            }
        }
    }
}
