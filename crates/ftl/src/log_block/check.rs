//! A check of the block-mapped layer: all counts are computed again and compared.

use super::LogBlockTranslation;
use super::pool::LogBlock;
use crate::blocks::BlockState;
use crate::mapping::NOWHERE;

/// What a block is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    Idle,
    Data { logical: u32 },
    Log,
}

impl LogBlockTranslation {
    /// Check that all counts agree with the maps, slowly. Panics when they do not: that is an error in this program.
    pub fn check(&self) {
        let uses = self.uses();
        self.check_units(&uses);
        self.check_blocks(&uses);
        for (pool_index, pool) in self.pools.iter().enumerate() {
            for log in pool.logs_in_use() {
                assert_eq!(self.pool_of_block(log.block), pool_index as u32, "log block {} lies here", log.block);
                self.check_log(log);
            }
            let owned = pool.logs.iter().zip(0..);
            for (log, index) in owned.filter_map(|(log, index)| Some((log.as_ref()?, index))) {
                let registered = log.owner == NOWHERE || self.log_of_logical[log.owner as usize] == index;
                assert!(registered, "logical block {} knows its log block", log.owner);
            }
            let sequential = pool.sequential.as_ref();
            assert!(sequential.is_none_or(|log| log.in_order), "the sequential log block is in order");
        }
        let tally = &self.tally;
        let erased: u64 = self.blocks.erase_counts().iter().map(|&count| u64::from(count)).sum();
        assert_eq!(erased, tally.erased_blocks, "erase counts add up");
        assert_eq!(tally.placed_units, tally.host_pages, "every unit is a page");
        assert_eq!((tally.gc_read_pages, tally.moved_units), (tally.gc_pages, tally.gc_pages), "every copy is a page");
    }

    /// The use of every block; no block has two uses.
    fn uses(&self) -> Vec<Use> {
        let mut uses = vec![Use::Idle; self.blocks.count() as usize];
        let data = (0..).zip(&self.data_of_logical).filter(|&(_, &block)| block != NOWHERE);
        let data = data.map(|(logical, &block)| (block, Use::Data { logical }));
        let logs = self.pools.iter().flat_map(|pool| pool.logs_in_use()).map(|log| (log.block, Use::Log));
        for (block, what) in data.chain(logs) {
            assert_eq!(uses[block as usize], Use::Idle, "block {block} has one use");
            uses[block as usize] = what;
        }
        uses
    }

    /// Each unit lies in its own place of a data block, or in a log block whose page table names it.
    fn check_units(&self, uses: &[Use]) {
        let mut valid = vec![0; uses.len()];
        for (unit, &slot) in (0..).zip(&self.slot_of_unit).filter(|&(_, &slot)| slot != NOWHERE) {
            let block = self.blocks.of_slot(slot);
            let page_index = slot - self.blocks.first_slot(block);
            let logical = self.logical_of(unit);
            valid[block as usize] += 1;
            assert_eq!(self.pool_of_block(block), self.pool_of(logical), "unit {unit} lies in its pool");
            assert!(page_index < u32::from(self.next_page[block as usize]), "unit {unit} lies where it can be");
            assert_ne!(self.data_of_logical[logical as usize], NOWHERE, "logical block {logical} has a data block");
            match uses[block as usize] {
                Use::Idle => panic!("unit {unit} lies in block {block}, which is not in use"),
                Use::Data { logical: at } => {
                    assert_eq!(self.blocks.first_slot(at) + page_index, unit, "unit {unit} lies in its own place");
                }
                Use::Log => {
                    let mut logs = self.pools[self.pool_of(logical) as usize].logs_in_use();
                    let said = logs.any(|log| log.block == block && log.units[page_index as usize] == unit);
                    assert!(said, "a log block knows of unit {unit}");
                }
            }
        }
        for (block, &valid) in (0..).zip(&valid) {
            assert_eq!(self.blocks.valid_slots(block), valid, "valid slots of block {block}");
        }
    }

    fn check_blocks(&self, uses: &[Use]) {
        for (block, &what) in (0..).zip(uses) {
            let next_page = u32::from(self.next_page[block as usize]);
            let in_use = match self.blocks.state(block) {
                BlockState::OpenForHost | BlockState::OpenForGc => next_page < self.blocks.slots_per_block(),
                BlockState::Closed => next_page == self.blocks.slots_per_block(),
                BlockState::Free
                | BlockState::Bad
                | BlockState::Reserved
                | BlockState::GrownBadErase
                | BlockState::GrownBadProgram
                | BlockState::GrownBadRead => false,
            };
            assert_eq!(in_use, what != Use::Idle, "block {block}: {:?}, {what:?}", self.blocks.state(block));
            assert!(in_use || next_page == 0, "block {block} is not in use and erased");
        }
        for pool in &self.pools {
            let free = pool.blocks.clone().filter(|&block| self.blocks.state(block) == BlockState::Free);
            assert_eq!(free.count(), pool.free.len(), "free blocks of the pool at {}", pool.blocks.start);
        }
    }

    /// The page table agrees with the block, and a log block in order can become the data block of its owner.
    fn check_log(&self, log: &LogBlock) {
        assert_eq!(log.units.len() as u32, self.next_page[log.block as usize].into(), "pages of log {}", log.block);
        if log.owner == NOWHERE {
            assert!(!log.in_order, "a shared log block is never taken over");
            return;
        }
        let units = self.units_of(log.owner);
        assert!(log.units.iter().all(|unit| units.contains(unit)), "log block {} serves its owner", log.block);
        if log.in_order {
            let first_slot = self.blocks.first_slot(self.data_of_logical[log.owner as usize]);
            for (&unit, offset) in log.units.iter().zip(0..) {
                assert_eq!(unit, units.start + offset, "log block {} is in order", log.block);
                let taken = self.slot_of_unit[unit as usize] == first_slot + offset;
                assert!(!taken, "page {offset} of logical block {} is newer in its log", log.owner);
            }
        }
    }
}
