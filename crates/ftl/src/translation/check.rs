//! A check of the translation layer: all counts are computed again and compared.

use super::Translation;
use crate::blocks::{BlockState, NOT_CLOSED};
use crate::gc::separation::STREAMS;
use crate::mapping::is_slot;
use crate::pool::{Lane, Pool};
use flashscope_nand::CellMode;

impl Translation {
    /// Check that all counts agree with the maps, slowly. Panics when they do not: that is an error in this program.
    pub fn check(&self) {
        self.check_valid_slots();
        for pool in &self.pools {
            self.check_free_blocks(pool);
            self.check_frontiers(pool);
            pool.victims.check(&self.blocks, pool.blocks.clone());
        }
        self.check_host_pages();
        self.check_failed_blocks();
        self.check_pslc();
        self.check_packing();
        self.check_tally();
    }

    fn check_valid_slots(&self) {
        let mut valid = vec![0_u32; self.blocks.count() as usize];
        for unit in 0..self.map.unit_count() {
            let slot = self.map.slot(unit);
            if is_slot(slot) {
                let block = self.blocks.of_slot(slot);
                valid[block as usize] += 1;
                let page_index = (slot - self.blocks.first_slot(block)) / self.slots_per_page;
                let pages = self.pages_per_block(self.mode_of_block(block));
                assert!(page_index < pages, "unit {unit} lies in page {page_index} of a block with {pages}");
            }
        }
        for block in 0..self.blocks.count() {
            assert_eq!(valid[block as usize], self.blocks.valid_slots(block), "valid slots of block {block}");
            let state = self.blocks.state(block);
            let may_hold_data = state.is_usable() && state != BlockState::Free;
            assert!(may_hold_data || valid[block as usize] == 0, "block {block} holds data but should not");
            assert_eq!(self.blocks.is_closed(block), state == BlockState::Closed, "block {block} is {state:?}");
        }
    }

    fn check_free_blocks(&self, pool: &Pool) {
        let in_state = |wanted: BlockState| pool.blocks.clone().filter(move |&b| self.blocks.state(b) == wanted);
        let mut free: Vec<u32> = pool.free.iter().copied().collect();
        free.sort_unstable();
        assert!(
            free.iter().copied().eq(in_state(BlockState::Free)),
            "free blocks of the pool at {}",
            pool.blocks.start
        );
        let usable = pool.blocks.clone().filter(|&block| self.blocks.state(block).is_usable()).count();
        assert_eq!(usable as u32, pool.usable_blocks, "usable blocks of the pool at {}", pool.blocks.start);
    }

    /// Every open block belongs to exactly one frontier, and there is no data behind the frontier.
    fn check_frontiers(&self, pool: &Pool) {
        let mut open = 0;
        for lane in Lane::ALL {
            let frontier = pool.frontier(lane);
            if frontier.room() == 0 {
                continue;
            }
            open += 1;
            let block = self.blocks.of_slot(frontier.next_slot);
            let expected = match lane {
                Lane::Host(_) => BlockState::OpenForHost,
                Lane::Moved(_) => BlockState::OpenForGc,
            };
            assert_eq!(self.blocks.state(block), expected, "block {block} at a frontier");
            let filled = frontier.next_slot - self.blocks.first_slot(block);
            assert!(self.blocks.valid_slots(block) <= filled, "block {block} holds more than was put into it");
        }
        let is_open = |state| matches!(state, BlockState::OpenForHost | BlockState::OpenForGc);
        let states = pool.blocks.clone().filter(|&block| is_open(self.blocks.state(block)));
        assert_eq!(states.count(), open, "open blocks of the pool at {}", pool.blocks.start);
    }

    /// A host frontier is inside a page only where its stream is filling one.
    fn check_host_pages(&self) {
        for stream in 0..STREAMS {
            let page = self.host_pages[stream];
            assert!(page.filled < self.slots_per_page, "a page being filled is not full");
            for (pool_index, pool) in (0..).zip(&self.pools) {
                let begun = pool.host[stream].next_slot % self.slots_per_page;
                let expected = if pool_index == page.turn { page.filled } else { 0 };
                assert_eq!(begun, expected, "the page of stream {stream} being filled in pool {pool_index}");
            }
        }
    }

    /// The pSLC blocks of a pool are the blocks in that mode, each in use, and no more of them than allowed.
    fn check_pslc(&self) {
        let Some(pslc) = &self.pslc else { return };
        for (pool_index, pool) in (0..).zip(&self.pools) {
            let mut in_use: Vec<u32> = pslc.in_use(pool_index).collect();
            in_use.sort_unstable();
            let flagged = pool.blocks.clone().filter(|&block| pslc.mode(block) == CellMode::Pslc);
            assert!(in_use.iter().copied().eq(flagged), "pSLC blocks of pool {pool_index}");
            assert!(pslc.allows(in_use.len() as u32), "{} pSLC blocks in pool {pool_index}", in_use.len());
            for block in in_use {
                let state = self.blocks.state(block);
                let may_be = matches!(state, BlockState::OpenForHost | BlockState::Closed);
                assert!(may_be, "block {block} is pSLC and {state:?}");
            }
        }
    }

    /// The sizes of the valid units add up to the counts of their blocks.
    fn check_packing(&self) {
        let Some(packing) = &self.packing else { return };
        let mut loads = vec![0; self.blocks.count() as usize];
        for unit in 0..self.map.unit_count() {
            let slot = self.map.slot(unit);
            if is_slot(slot) {
                loads[self.blocks.of_slot(slot) as usize] += packing.parts_of(unit);
            }
        }
        for (block, (&load, &key)) in loads.iter().zip(self.blocks.load_keys(0..self.blocks.count())).enumerate() {
            assert_eq!(load, self.blocks.load(block as u32), "parts of block {block} that are valid");
            assert_eq!(key < NOT_CLOSED, self.blocks.is_closed(block as u32), "both keys of block {block} say closed");
        }
        packing.check();
    }

    fn check_failed_blocks(&self) {
        let tally = &self.tally;
        let count = |wanted| self.blocks.states().iter().filter(|&&state| state == wanted).count() as u64;
        assert_eq!(count(BlockState::GrownBadErase), tally.erase_failed_blocks, "blocks that could not be erased");
        assert_eq!(count(BlockState::GrownBadProgram), tally.program_failed_blocks, "that could not be programmed");
        assert_eq!(count(BlockState::GrownBadRead), tally.read_failed_blocks, "that could not be read");
        assert_eq!(tally.failed_programs, tally.program_failed_blocks, "one program is wasted for each");
        for &block in &self.failures.marked {
            assert!(self.blocks.state(block).is_usable(), "block {block} is marked and still in use");
        }
        let Some(lives) = &self.failures.lives else { return };
        for block in 0..self.blocks.count() {
            let erases = self.blocks.erase_count(block);
            let over = lives.is_over(block, erases);
            match self.blocks.state(block) {
                BlockState::GrownBadErase => assert!(over && !lives.ends_by_program(block), "block {block} failed"),
                BlockState::GrownBadProgram => assert!(over && lives.ends_by_program(block), "block {block} failed"),
                BlockState::Free => assert!(!over || lives.ends_by_program(block), "block {block} cannot be free"),
                BlockState::OpenForHost | BlockState::OpenForGc | BlockState::Closed => {
                    assert!(!over, "block {block} is in use past its life");
                }
                BlockState::Bad | BlockState::Reserved | BlockState::GrownBadRead => {}
            }
        }
    }

    fn check_tally(&self) {
        let tally = &self.tally;
        let erased: u64 = self.blocks.erase_counts().iter().map(|&count| u64::from(count)).sum();
        assert_eq!(erased, tally.erased_blocks, "erase counts add up");
        let frontiers = self.pools.iter().flat_map(|pool| Lane::ALL.map(|lane| pool.frontier(lane)));
        let begun: u64 = frontiers.map(|frontier| u64::from(frontier.next_slot % self.slots_per_page)).sum();
        let empty = if self.packing.is_some() { tally.unused_entries } else { tally.padded_slots };
        assert_eq!(
            tally.placed_units + tally.moved_units + empty,
            (tally.host_pages + tally.gc_pages) * u64::from(self.slots_per_page) + begun + tally.dropped_slots,
            "slots add up"
        );
        let for_a_reason =
            tally.idle_moved_units + tally.wear_leveling_moved_units + tally.refresh_moved_units + tally.folded_units;
        assert!(tally.pslc_host_pages <= tally.host_pages, "pages in pSLC blocks are pages");
        assert!(for_a_reason <= tally.moved_units, "moves for other reasons than room are moves");
        if let Some(ages) = &self.ages {
            assert!(ages.written_at_units().iter().all(|&at| at <= tally.placed_units), "no data is from the future");
        }
    }
}
