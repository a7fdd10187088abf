//! The flash as a list of blocks, each a list of what was put into its slots.
//!
//! ```text
//!   block 7   slots  [unit 3] [unit 9] [filling] [unit 3]        room for four more
//!   map       unit 3 -> (7, 3)    unit 9 -> (7, 1)               so slots 1 and 3 are valid, slot 0 is stale
//! ```
//!
//! A slot is valid when the map says that its unit is there. No counts are kept: to know how many slots are valid, the
//! twin looks at all of them.
//! Not modelled here: time (see `banks.rs`), errors of the cells.

use std::collections::BTreeMap;

/// What a block is; the numbers are those that `inside` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Free = 0,
    OpenForHost = 1,
    OpenForMoved = 2,
    Closed = 3,
    Bad = 4,
    Reserved = 5,
    EraseFailed = 6,
    ProgramFailed = 7,
    ReadFailed = 8,
}

impl State {
    /// It holds host data, now or later.
    pub fn is_usable(self) -> bool {
        (self as u8) < State::Bad as u8
    }
}

/// One slot that was filled.
#[derive(Clone, Copy, Debug)]
pub struct Slot {
    /// The unit that was put there; none for filling.
    pub unit: Option<u32>,
    /// Its program operation has ended.
    pub on_flash: bool,
    /// It was moved here while its page was on its way; it is lost with that page.
    pub waits_for: Option<Source>,
}

/// A page of the host in one use of its block, between two erases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    pub block: usize,
    pub erases: u32,
    pub page: usize,
}

/// One block.
#[derive(Clone, Debug)]
pub struct Block {
    pub state: State,
    pub erases: u32,
    /// Slots filled so far.
    pub slots: Vec<Slot>,
    /// Number of blocks that were closed before this one.
    pub closed_as: u64,
    /// Units the host had placed when it was closed.
    pub closed_at_units: u64,
    /// Units the host had placed when the youngest data in it was written.
    pub written_at_units: u64,
    /// Erases of its pool when it was opened.
    pub opened_at_erases: u64,
}

/// All blocks, and where each unit lies.
#[derive(Clone, Debug)]
pub struct Flash {
    pub blocks: Vec<Block>,
    /// Block and slot of each unit that holds data.
    pub map: BTreeMap<u32, (usize, usize)>,
    pub slots_per_block: usize,
    pub slots_per_page: usize,
}

impl Flash {
    pub fn new(block_count: usize, slots_per_block: usize, slots_per_page: usize) -> Self {
        let block = Block {
            state: State::Free,
            erases: 0,
            slots: vec![],
            closed_as: 0,
            closed_at_units: 0,
            written_at_units: 0,
            opened_at_erases: 0,
        };
        Self { blocks: vec![block; block_count], map: BTreeMap::new(), slots_per_block, slots_per_page }
    }

    /// The units that are valid in a block, with their slots, in the order of the slots.
    pub fn valid(&self, block: usize) -> Vec<(usize, u32)> {
        let filled = self.blocks[block].slots.iter().enumerate();
        let valid = filled.filter_map(|(slot, held)| held.unit.map(|unit| (slot, unit)));
        valid.filter(|&(slot, unit)| self.map.get(&unit) == Some(&(block, slot))).collect()
    }

    /// Slots of a block that are not filled yet.
    pub fn room(&self, block: usize) -> usize {
        self.slots_per_block - self.blocks[block].slots.len()
    }

    /// Fill the next slot of a block.
    pub fn fill(&mut self, block: usize, unit: Option<u32>, on_flash: bool) {
        if let Some(unit) = unit {
            self.map.insert(unit, (block, self.blocks[block].slots.len()));
        }
        self.blocks[block].slots.push(Slot { unit, on_flash, waits_for: None });
        assert!(self.blocks[block].slots.len() <= self.slots_per_block, "block {block} is overfull");
    }

    /// Data that was just moved into a block waits for the same pages as its old slot.
    pub fn wait_as(&mut self, block: usize, from: usize, from_slot: usize) {
        let old = self.blocks[from].slots[from_slot];
        let on_its_way =
            Source { block: from, erases: self.blocks[from].erases, page: from_slot / self.slots_per_page };
        let moved = self.blocks[block].slots.last_mut().expect("it was moved here");
        moved.waits_for = if old.on_flash { old.waits_for } else { Some(on_its_way) };
    }

    /// A page is on flash: nothing waits for it any more.
    pub fn ended(&mut self, page: &Source) {
        let slots = self.blocks.iter_mut().flat_map(|block| &mut block.slots);
        slots.filter(|slot| slot.waits_for == Some(*page)).for_each(|slot| slot.waits_for = None);
    }

    /// True when a unit survives a power cut.
    pub fn is_safe(&self, unit: u32) -> bool {
        self.map.get(&unit).is_some_and(|&(block, slot)| {
            self.blocks[block].slots[slot].on_flash && self.blocks[block].slots[slot].waits_for.is_none()
        })
    }

    /// Slots filled in a page that is not full yet.
    pub fn begun(&self, block: usize) -> usize {
        self.blocks[block].slots.len() % self.slots_per_page
    }

    /// True when a unit holds data that has been programmed.
    pub fn holds(&self, unit: u32) -> bool {
        self.map.get(&unit).is_some_and(|&(block, slot)| self.blocks[block].slots[slot].on_flash)
    }
}
