//! The books of the translation layer, added up again.

use super::Translation;
use crate::blocks::BlockState;
use crate::mapping::NOWHERE;

impl Translation {
    /// Check that all counts agree with the maps, slowly. Panics when they do not: then we are wrong.
    pub fn check(&self) {
        let mut valid = vec![0_u32; self.blocks.count() as usize];
        for unit in 0..self.map.unit_count() {
            let slot = self.map.slot(unit);
            if slot != NOWHERE {
                valid[self.blocks.of_slot(slot) as usize] += 1;
            }
        }
        for block in 0..self.blocks.count() {
            assert_eq!(valid[block as usize], self.blocks.valid_slots(block), "valid slots of block {block}");
            let may_hold_data =
                !matches!(self.blocks.state(block), BlockState::Free | BlockState::Bad | BlockState::Reserved);
            assert!(may_hold_data || valid[block as usize] == 0, "block {block} holds data but should not");
        }
        for pool in &self.pools {
            let free = pool.blocks.clone().filter(|&block| self.blocks.state(block) == BlockState::Free);
            assert_eq!(free.count(), pool.free.len(), "free blocks of the pool at {}", pool.blocks.start);
        }
        let erased: u64 = self.blocks.erase_counts().iter().map(|&count| u64::from(count)).sum();
        assert_eq!(erased, self.tally.erased_blocks, "erase counts add up");
        assert_eq!(
            self.tally.placed_units + self.tally.padded_slots,
            self.tally.host_pages * u64::from(self.slots_per_page) + u64::from(self.filled),
            "host slots add up"
        );
    }
}
