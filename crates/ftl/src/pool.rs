//! The blocks of one pool: the free blocks, and those that are being filled.
//!
//! ```text
//!   free  [....] [....] [....]   --open-->   host frontier  [###.]   --full-->   closed [####] [##.#]
//!     ^                    '-----open-->     moved frontier [mm..]   --full-->     |
//!     '------------------------------- erased ------------------------------------'
//! ```
//!
//! Host data and moved data each have a frontier, and each a second one for hot data when that is kept apart;
//! when it is not, the second frontier for moved data takes the data that wear levelling moves.
//! Wear levelling decides which free block is opened.

use crate::blocks::Blocks;
use crate::gc::separation::STREAMS;
use crate::gc::{Collected, Victims};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::ops::Range;

/// The slots of a block that are still to be filled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frontier {
    /// The next slot to be filled.
    pub next_slot: u32,
    /// The slot after the last one of the block.
    pub end_slot: u32,
}

impl Frontier {
    /// Slots left.
    #[inline]
    pub fn room(&self) -> u32 {
        self.end_slot - self.next_slot
    }
}

/// One of the frontiers of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lane {
    /// Host data of a stream.
    Host(usize),
    /// Moved data of a stream.
    Moved(usize),
}

impl Lane {
    /// All frontiers that a pool can have.
    pub const ALL: [Self; 2 * STREAMS] = [Self::Host(0), Self::Moved(0), Self::Host(1), Self::Moved(1)];
}

/// One pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pool {
    /// The blocks of the pool, as numbers in the drive.
    pub blocks: Range<u32>,
    /// Erased blocks, longest erased first.
    pub free: VecDeque<u32>,
    /// Where host data goes, per stream.
    pub host: [Frontier; STREAMS],
    /// Where moved data goes, per stream.
    pub moved: [Frontier; STREAMS],
    /// How victims are chosen.
    pub victims: Victims,
    /// Blocks of the pool that are neither bad nor reserved.
    pub usable_blocks: u32,
    /// Work of a collection that did not make enough room; the bank does it together with the next collection.
    pub unpaid: Collected,
}

impl Pool {
    /// One of the frontiers.
    #[inline]
    pub fn frontier(&self, lane: Lane) -> Frontier {
        match lane {
            Lane::Host(stream) => self.host[stream],
            Lane::Moved(stream) => self.moved[stream],
        }
    }

    /// One of the frontiers, mutable.
    #[inline]
    pub fn frontier_mut(&mut self, lane: Lane) -> &mut Frontier {
        match lane {
            Lane::Host(stream) => &mut self.host[stream],
            Lane::Moved(stream) => &mut self.moved[stream],
        }
    }

    /// Close the block that ends at `end_slot`, when the host has placed `placed_units` units.
    pub fn close(&mut self, blocks: &mut Blocks, end_slot: u32, placed_units: u64) {
        let block = blocks.of_slot(end_slot - 1);
        blocks.close(block);
        self.victims.policy().closed(block, placed_units);
    }
}
