//! Even wear: when erase counts of a pool are too far apart, the data of the least worn block that lies still is moved.
//!
//! A block lies still if it was not erased while its pool erased as many blocks as it has. Ties go to the lower number.

use crate::flash::{Block, State};
use crate::pool::{COLD, HOT, Lane, Pool};
use crate::twin::Twin;
use crate::work::Work;
use flashscope_ftl::Reason;

impl Twin {
    /// Move the data of one block, if that is necessary and there is room for it.
    pub fn level_wear(&mut self, pool: usize, heat: usize, work: &mut Work) {
        let Some(spread) = self.config.wear_leveling.static_spread_cycles else { return };
        let Pool { first, end, erases, .. } = self.pools[pool];
        let host_needs = usize::from(self.room_in_lane(pool, Lane::Host(heat)) == 0);
        if self.pools[pool].free.len() < 1 + host_needs {
            return;
        }
        let block_at = |block: usize| -> &Block { &self.flash.blocks[block] };
        let in_use = (first..end).filter(|&block| block_at(block).state.is_usable());
        let most = in_use.map(|block| block_at(block).erases).max().unwrap_or(0);
        let round = (end - first) as u64;
        let lies_still = |&block: &usize| {
            block_at(block).state == State::Closed
                && erases >= round
                && block_at(block).opened_at_erases <= erases - round
        };
        let least_worn = (first..end).filter(lies_still).min_by_key(|&block| block_at(block).erases);
        if let Some(block) = least_worn.filter(|&block| most - block_at(block).erases > spread) {
            // Without room for it, the spread stays as it is until the next time.
            let _ = self.collect(pool, block, None, Reason::WearLeveling, work);
        }
    }

    /// The temperature of the data in a block, by the age of its youngest data.
    pub fn heat_of_block(&self, block: usize) -> usize {
        let Some(separation) = &self.config.gc.separation else { return COLD };
        let hot_age_units = (separation.hot_age_ratio * self.config.unit_count() as f64) as u64;
        let age_units = self.placed_units - self.flash.blocks[block].written_at_units;
        if age_units < hot_age_units { HOT } else { COLD }
    }
}
