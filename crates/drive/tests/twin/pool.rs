//! The blocks that are filled and collected together: the free ones, and one open block in each lane.
//!
//! ```text
//!   free (longest erased first) --open--> [lane: ##..] --full--> closed
//! ```
//!
//! Lanes: host data and moved data, each cold and hot. Without separation all data is cold, and what wear levelling
//! moves has the lane of hot moved data to itself.

use crate::flash::State;
use crate::twin::{Refused, Twin};
use crate::work::Work;
use flashscope_ftl::{FreeBlock, Reason};
use flashscope_kernel::random::Stream;
use std::collections::BTreeMap;

/// Cold data, or data that is not classified.
pub const COLD: usize = 0;
/// Data that is soon overwritten.
pub const HOT: usize = 1;

/// The kind of data in an open block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lane {
    Host(usize),
    Moved(usize),
}

impl Lane {
    /// All there can be; a power cut closes them in this order.
    pub const ALL: [Self; 4] = [Self::Host(COLD), Self::Moved(COLD), Self::Host(HOT), Self::Moved(HOT)];
}

/// One pool.
#[derive(Clone, Debug)]
pub struct Pool {
    /// Its blocks are `first..end`.
    pub first: usize,
    pub end: usize,
    pub free: Vec<usize>,
    pub open: BTreeMap<Lane, usize>,
    /// Where the next search of the greedy policy begins.
    pub search_from: usize,
    pub chance: Stream,
    /// Blocks erased in it.
    pub erases: u64,
    /// Work that was done for room that was not enough.
    pub unpaid: Work,
    /// Work that is spread over the next host pages.
    pub owed: Work,
}

impl Twin {
    /// Slots left in the open block of a lane.
    pub fn room_in_lane(&self, pool: usize, lane: Lane) -> usize {
        self.pools[pool].open.get(&lane).map_or(0, |&block| self.flash.room(block))
    }

    /// Open a free block in a lane. Blocks whose first program fails are lost on the way.
    pub fn open_block(&mut self, pool: usize, lane: Lane, reason: Reason, work: &mut Work) -> Result<usize, Refused> {
        loop {
            let free = &self.pools[pool].free;
            let erases = |place: usize| self.flash.blocks[free[place]].erases;
            let place = match (reason, self.config.wear_leveling.free_block) {
                // Among the most worn, the one erased longest ago.
                (Reason::WearLeveling, _) => (0..free.len()).rev().max_by_key(|&place| erases(place)),
                (_, FreeBlock::OldestErased) => (!free.is_empty()).then_some(0),
                (_, FreeBlock::LeastWorn) => (0..free.len()).min_by_key(|&place| erases(place)),
            };
            let block = self.pools[pool].free.remove(place.ok_or(Refused::NoFreeBlock)?);
            if self.first_program_fails(block) {
                work.add_programs(0, 1);
                self.counters.failed_programs += 1;
                self.retire(block, State::ProgramFailed);
                continue;
            }
            let now = &mut self.flash.blocks[block];
            now.opened_at_erases = self.pools[pool].erases;
            (now.state, now.written_at_units) = match lane {
                Lane::Host(_) => (State::OpenForHost, self.placed_units),
                Lane::Moved(_) => (State::OpenForMoved, 0),
            };
            self.pools[pool].open.insert(lane, block);
            return Ok(block);
        }
    }

    /// Close the block of a lane if it is full.
    pub fn close_if_full(&mut self, pool: usize, lane: Lane) {
        if self.pools[pool].open.get(&lane).is_some_and(|&block| self.flash.room(block) == 0) {
            self.close(pool, lane);
        }
    }

    /// Close the block of a lane, full or not.
    pub fn close(&mut self, pool: usize, lane: Lane) {
        let Some(block) = self.pools[pool].open.remove(&lane) else { return };
        let closed = &mut self.flash.blocks[block];
        closed.state = State::Closed;
        closed.closed_at_units = self.placed_units;
        closed.closed_as = self.closed_blocks_ever;
        self.closed_blocks_ever += 1;
    }
}
