//! The blocks that one stripe position allocates from, and the two that are being filled.
//!
//! ```text
//!   free  [....] [....] [....]   --open-->   host frontier [###.]   --full-->   closed [####] [##.#]
//!     ^                    '-----open-->     gc frontier   [mm..]   --full-->     |
//!     '------------------------------- erased ------------------------------------'
//! ```
//!
//! Host data and moved data have frontiers of their own. Free blocks are used in the order in which they
//! were erased, which spreads wear evenly as long as all data is overwritten now and then.
//! Not modelled here: static wear levelling (moving data that is never overwritten).

use crate::blocks::{BlockState, Blocks};
use crate::gc::Victims;
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

/// One pool.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Pool {
    /// The blocks of the pool, by their number in the drive.
    pub blocks: Range<u32>,
    /// Erased blocks, longest erased first.
    pub free: VecDeque<u32>,
    /// Where host data goes.
    pub host: Frontier,
    /// Where moved data goes.
    pub gc: Frontier,
    /// How victims are chosen.
    pub victims: Victims,
}

impl Pool {
    /// Open the next free block; `None` when no block is free.
    pub fn open(&mut self, blocks: &mut Blocks, state: BlockState) -> Option<Frontier> {
        let block = self.free.pop_front()?;
        blocks.open(block, state);
        let next_slot = blocks.first_slot(block);
        Some(Frontier { next_slot, end_slot: next_slot + blocks.slots_per_block() })
    }

    /// Close the block that ends at `end_slot`.
    pub fn close(&mut self, blocks: &mut Blocks, end_slot: u32) {
        let block = blocks.of_slot(end_slot - 1);
        blocks.close(block);
        self.victims.policy().closed(block);
    }

    /// Choose a victim whose collection gains room. `None` when no closed block has a stale slot.
    pub fn choose_victim(&mut self, blocks: &Blocks) -> Option<u32> {
        let victim = self.victims.policy().choose(blocks, self.blocks.clone())?;
        if blocks.valid_slots(victim) < blocks.slots_per_block() {
            return Some(victim);
        }
        // Moving a full block gains nothing, which a policy that does not look may well do; it is only
        // the end when there is nothing to gain anywhere.
        let gains = |&key: &u16| u32::from(key) < blocks.slots_per_block();
        blocks.keys(self.blocks.clone()).iter().any(gains).then_some(victim)
    }
}
