//! The state of every erase block.
//!
//! One *key* per block holds both its number of valid slots and whether it may be collected:
//!
//!   key = valid slots            when the block is closed: full, and open to collection
//!   key = valid slots + 2^31     when it is free, being filled, bad or reserved
//!
//! So an overwrite decrements the key whatever the state of the block, and a policy finds the closed block with the
//! fewest valid slots in one pass over the keys, which is faster than keeping them sorted.
//!
//! With compression a unit takes a part of a page, not a slot, and the blocks with the most units may hold the fewest
//! bytes. Then each block has a second key of the same kind, which counts the parts that its valid units take. The
//! number that a policy compares, slots or with compression parts, is called the *load* of a block.

use flashscope_kernel::choice;
use flashscope_kernel::divide::Divisor;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Added to the key of a block that must not be collected.
pub const NOT_CLOSED: u32 = 1 << 31;

choice! {
    /// The state of a block, for inspection.
    #[repr(u8)]
    pub enum BlockState {
        /// Erased and waiting.
        Free = "free",
        /// Being filled with host data.
        OpenForHost = "open-for-host",
        /// Being filled with data that collection moved.
        OpenForGc = "open-for-gc",
        /// Full.
        Closed = "closed",
        /// Bad from the factory.
        Bad = "bad",
        /// Reserved for the controller's own data.
        Reserved = "reserved",
        /// Went bad in use: it could not be erased.
        GrownBadErase = "grown-bad-erase",
        /// Went bad in use: it could not be programmed.
        GrownBadProgram = "grown-bad-program",
        /// Taken out of use because it could not be read.
        GrownBadRead = "grown-bad-read",
    }
}

impl BlockState {
    /// True for a block that holds host data now or later.
    pub fn is_usable(self) -> bool {
        matches!(self, Self::Free | Self::OpenForHost | Self::OpenForGc | Self::Closed)
    }

    /// True for a block that went bad in use.
    pub fn is_grown_bad(self) -> bool {
        matches!(self, Self::GrownBadErase | Self::GrownBadProgram | Self::GrownBadRead)
    }
}

/// Move each value of a table, which may be empty, to another place.
fn turned<T: Copy>(table: &mut [T], goes_to: &[u32]) {
    let before = table.to_vec();
    for (&value, &place) in before.iter().zip(goes_to) {
        table[place as usize] = value;
    }
}

/// All blocks of a drive, numbered consecutively over all pools.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Blocks {
    key: Vec<u32>,
    state: Vec<BlockState>,
    erase_count: Vec<u32>,
    /// Slots whose program operation has ended; only meaningful in blocks filled by the host.
    programmed_slots: Vec<u32>,
    slots_per_block: Divisor,
    /// Parts that the valid units of each block take, as keys; only with compression.
    parts: Option<Parts>,
    /// Slots (block, place in it) of pages that were programmed before a page that was sent earlier: banks of a
    /// superblock overtake each other. Nearly always empty.
    programmed_early: BTreeSet<(u32, u32)>,
    /// When each block was opened, by `clock_s`; empty unless `keep_dates` was called.
    opened_at_s: Vec<u32>,
    clock_s: u32,
    /// The blocks that were closed since the last look at them; kept on request, for a short time.
    #[serde(skip)]
    closings: Option<Vec<u32>>,
}

/// The second key of every block.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parts {
    key: Vec<u32>,
    per_block: u32,
}

impl Blocks {
    /// `count` erased blocks of `slots_per_block` slots, which must be under 2^31.
    pub fn new(count: u32, slots_per_block: u32) -> Self {
        assert!(slots_per_block < NOT_CLOSED, "a block of {slots_per_block} slots does not fit its key");
        let count = count as usize;
        Self {
            key: vec![NOT_CLOSED; count],
            state: vec![BlockState::Free; count],
            erase_count: vec![0; count],
            programmed_slots: vec![0; count],
            slots_per_block: Divisor::new(slots_per_block),
            parts: None,
            programmed_early: BTreeSet::new(),
            opened_at_s: Vec::new(),
            clock_s: 0,
            closings: None,
        }
    }

    /// Slots in one block.
    #[inline]
    pub fn slots_per_block(&self) -> u32 {
        self.slots_per_block.divisor()
    }

    /// The block a slot lies in.
    #[inline]
    pub fn of_slot(&self, slot: u32) -> u32 {
        self.slots_per_block.quotient(slot)
    }

    /// The first slot of a block.
    #[inline]
    pub fn first_slot(&self, block: u32) -> u32 {
        block * self.slots_per_block.divisor()
    }

    /// One more slot of the block holds valid data.
    #[inline]
    pub fn add_valid(&mut self, block: u32, slots: u32) {
        self.key[block as usize] += slots;
    }

    /// One slot of the block does not hold valid data any more.
    #[inline]
    pub fn invalidate(&mut self, slot: u32) {
        let block = self.of_slot(slot);
        self.key[block as usize] -= 1;
    }

    /// `slots` fewer slots of the block hold valid data.
    #[inline]
    pub fn remove_valid(&mut self, block: u32, slots: u32) {
        self.key[block as usize] -= slots;
    }

    /// Count parts from now on; `per_block` of them, under 2^30, fill a block. To be called while all blocks are empty.
    pub fn count_parts(&mut self, per_block: u32) {
        assert!(per_block < NOT_CLOSED / 2, "a block of {per_block} parts does not fit its key");
        let is_open = |&key: &u32| key & NOT_CLOSED;
        self.parts = Some(Parts { key: self.key.iter().map(is_open).collect(), per_block });
    }

    /// Add parts of the block that hold valid data. Does nothing where only slots are counted.
    #[inline]
    pub fn add_parts(&mut self, block: u32, count: u32) {
        if let Some(parts) = &mut self.parts {
            parts.key[block as usize] += count;
        }
    }

    /// Subtract parts of the block that hold valid data.
    #[inline]
    pub fn remove_parts(&mut self, block: u32, count: u32) {
        if let Some(parts) = &mut self.parts {
            parts.key[block as usize] -= count;
        }
    }

    /// The room that the valid data of a block takes, whatever its state: slots, or parts where they are counted. A
    /// part of the last unit may lie in the next block, so this may be a little more than a full block.
    pub fn load(&self, block: u32) -> u32 {
        self.parts.as_ref().map_or(self.key[block as usize], |parts| parts.key[block as usize]) & !NOT_CLOSED
    }

    /// The load of a block that is full of valid data.
    pub fn full_load(&self) -> u32 {
        self.parts.as_ref().map_or(self.slots_per_block(), |parts| parts.per_block)
    }

    /// The loads of a range of blocks, as keys: see the module's header.
    pub fn load_keys(&self, blocks: std::ops::Range<u32>) -> &[u32] {
        let keys = self.parts.as_ref().map_or(&self.key, |parts| &parts.key);
        &keys[blocks.start as usize..blocks.end as usize]
    }

    /// The key of the block a slot lies in.
    #[inline]
    pub fn key_of_slot(&self, slot: u32) -> u32 {
        self.key[self.of_slot(slot) as usize]
    }

    /// Valid slots of a block, whatever its state.
    pub fn valid_slots(&self, block: u32) -> u32 {
        self.key[block as usize] & !NOT_CLOSED
    }

    /// True when the block is full and may be collected.
    #[inline]
    pub fn is_closed(&self, block: u32) -> bool {
        self.key[block as usize] < NOT_CLOSED
    }

    /// The state of a block.
    pub fn state(&self, block: u32) -> BlockState {
        self.state[block as usize]
    }

    /// Start filling a free block.
    pub fn open(&mut self, block: u32, state: BlockState) {
        debug_assert_eq!(self.state[block as usize], BlockState::Free);
        self.state[block as usize] = state;
        // Data written by collection counts as programmed at once: reads of it queue behind it on the same bank.
        let programmed = if state == BlockState::OpenForHost { 0 } else { u32::MAX };
        self.programmed_slots[block as usize] = programmed;
        if let Some(opened_at_s) = self.opened_at_s.get_mut(block as usize) {
            *opened_at_s = self.clock_s;
        }
    }

    /// Record from now on when blocks are opened.
    pub fn keep_dates(&mut self) {
        self.opened_at_s = vec![self.clock_s; self.count() as usize];
    }

    /// Set the time: blocks opened from now on get this date [s].
    #[inline]
    pub fn set_clock(&mut self, clock_s: u32) {
        self.clock_s = clock_s;
    }

    /// When a block was opened [s]; 0 unless dates are kept.
    pub fn opened_at_s(&self, block: u32) -> u32 {
        self.opened_at_s.get(block as usize).copied().unwrap_or(0)
    }

    /// A block is full: from now on it may be collected.
    pub fn close(&mut self, block: u32) {
        self.closings.iter_mut().for_each(|closings| closings.push(block));
        self.state[block as usize] = BlockState::Closed;
        self.key[block as usize] &= !NOT_CLOSED;
        if let Some(parts) = &mut self.parts {
            parts.key[block as usize] &= !NOT_CLOSED;
        }
    }

    /// Record from now on which blocks are closed.
    pub fn keep_closings(&mut self) {
        self.closings = Some(Vec::new());
    }

    /// The blocks closed since the last call, in order, if `keep_closings` was called.
    pub fn take_closings(&mut self) -> Vec<u32> {
        self.closings.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Erase a block; it counts as one cycle and is free.
    pub fn erase(&mut self, block: u32) {
        self.state[block as usize] = BlockState::Free;
        self.empty(block);
        if !self.programmed_early.is_empty() {
            self.forget_programmed_early(block);
        }
        self.erase_count[block as usize] += 1;
    }

    /// The pages of a block that overtook others are gone. Without a look at those of other blocks, which may be many.
    #[cold]
    fn forget_programmed_early(&mut self, block: u32) {
        while let Some(&early) = self.programmed_early.range((block, 0)..=(block, u32::MAX)).next() {
            self.programmed_early.remove(&early);
        }
    }

    /// Move the content of each block to another one, given by number in `goes_to`, as if it had been written `later_s`
    /// later. Erase counts stay with the blocks.
    pub fn turn(&mut self, goes_to: &[u32], later_s: u32) {
        debug_assert!(self.parts.is_none() && self.programmed_early.is_empty());
        turned(&mut self.key, goes_to);
        turned(&mut self.state, goes_to);
        turned(&mut self.programmed_slots, goes_to);
        turned(&mut self.opened_at_s, goes_to);
        for block in 0..self.count() {
            self.opened_later(block, later_s);
        }
    }

    /// Make the opening date of a block later, where dates are kept.
    pub fn opened_later(&mut self, block: u32, later_s: u32) {
        if let Some(opened_at_s) = self.opened_at_s.get_mut(block as usize) {
            *opened_at_s = opened_at_s.saturating_add(later_s);
        }
    }

    /// Add `cycles` erase cycles to a free block, as if it had been filled and erased so often.
    pub fn add_erases(&mut self, block: u32, cycles: u32) {
        let erase_count = &mut self.erase_count[block as usize];
        *erase_count = erase_count.saturating_add(cycles);
    }

    /// Take a block out of use for ever. Its content is no longer counted.
    pub fn set_aside(&mut self, block: u32, state: BlockState) {
        debug_assert!(!state.is_usable());
        self.state[block as usize] = state;
        self.empty(block);
    }

    /// Set the block to "nothing valid, may not be collected".
    fn empty(&mut self, block: u32) {
        self.key[block as usize] = NOT_CLOSED;
        if let Some(parts) = &mut self.parts {
            parts.key[block as usize] = NOT_CLOSED;
        }
    }

    /// Note that the page of `slots` slots from `first` on in its block has been programmed.
    #[inline]
    pub fn page_programmed(&mut self, block: u32, first: u32, slots: u32) {
        if self.programmed_slots[block as usize] == first && self.programmed_early.is_empty() {
            self.programmed_slots[block as usize] += slots;
        } else {
            self.page_programmed_out_of_order(block, first, slots);
        }
    }

    fn page_programmed_out_of_order(&mut self, block: u32, first: u32, slots: u32) {
        self.programmed_early.extend((first..first + slots).map(|slot| (block, slot)));
        let programmed = &mut self.programmed_slots[block as usize];
        while self.programmed_early.remove(&(block, *programmed)) {
            *programmed += 1;
        }
    }

    /// True while a page has been programmed before one that was sent earlier.
    pub fn has_overtaken(&self) -> bool {
        !self.programmed_early.is_empty()
    }

    /// Note that `slots` more slots of a block have been programmed.
    #[inline]
    pub fn add_programmed(&mut self, block: u32, slots: u32) {
        let programmed = &mut self.programmed_slots[block as usize];
        *programmed = programmed.saturating_add(slots);
    }

    /// True when the program operation of the slot has ended.
    #[inline]
    pub fn is_programmed(&self, slot: u32) -> bool {
        let block = self.of_slot(slot);
        let place = slot - self.first_slot(block);
        place < self.programmed_slots[block as usize]
            || (!self.programmed_early.is_empty() && self.programmed_early.contains(&(block, place)))
    }

    /// Number of slots of a block, counted from its first, whose program operation has ended.
    pub fn programmed_slots(&self, block: u32) -> u32 {
        self.programmed_slots[block as usize].min(self.slots_per_block())
    }

    /// Erase cycles of one block.
    #[inline]
    pub fn erase_count(&self, block: u32) -> u32 {
        self.erase_count[block as usize]
    }

    /// Erase cycles of every block.
    pub fn erase_counts(&self) -> &[u32] {
        &self.erase_count
    }

    /// State of every block.
    pub fn states(&self) -> &[BlockState] {
        &self.state
    }

    /// Bytes of memory the tables take.
    pub fn memory_bytes(&self) -> usize {
        let keys = 1 + usize::from(self.parts.is_some());
        let per_block = (2 + keys) * size_of::<u32>() + size_of::<BlockState>();
        self.key.capacity() * per_block
    }

    /// Number of blocks.
    pub fn count(&self) -> u32 {
        self.key.len() as u32
    }
}
