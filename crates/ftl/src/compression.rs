//! Compression: how many units fit a page depends on their data.
//!
//! ```text
//!   bytes of a page   [ slot        | slot        | slot        | slot        ]
//!   units, by size    [ 7 |   3    | 9 | 1 |     4      |  2   |  8 |    6 . . ]. . .] next page
//!   entries used      [ 7, 3, 9, 1, 4, 2, 8, 6 ]     of slots x most_units_per_slot
//! ```
//!
//! A unit takes (255 - c) / 255 of a slot, where c is its compressibility, but at least 1 / `most_units_per_slot`. A
//! unit that does not fit continues in the next page of the same stream: the excess is carried over, so that packing
//! is exact on average. Sizes are whole numbers of *parts*; a slot has 255 x `most_units_per_slot` parts.
//!
//! Memory: the map has `most_units_per_slot` entries for a slot, and one byte for each unit stores its size. With 2
//! entries for a slot, this takes about 13 B for each unit instead of 8 B.
//!
//! Assumed: the map says where a unit begins; a read of a unit costs one page.
//! Not modelled here: the second page of a unit that lies in two pages, and the rest of such a unit when the power
//! fails or a page is padded; the time to compress; fewer bytes over the bus; deduplication.

use crate::blocks::Blocks;
use crate::gc::separation::STREAMS;
use crate::pool::Lane;
use serde::{Deserialize, Serialize};

/// Parts of a slot that can hold only one unit.
const LEVELS: u32 = 255;
/// Number of frontiers of a pool for moved data.
const LANES: usize = 2 * STREAMS;

/// Compression of one drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compression {
    /// Units that one slot can hold at most; 1 means that units are not made smaller.
    pub most_units_per_slot: u32,
    /// A unit of zeros is only noted in the map and takes no flash.
    #[serde(default)]
    pub zero_detection: bool,
}

/// The size of every unit, and how full the pages being filled are. [`Blocks`] counts the valid parts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Packing {
    most_units_per_slot: u32,
    /// Parts of a page.
    page_parts: u32,
    /// How compressible each unit was when it was last placed.
    compressible: Vec<u8>,
    /// Parts used in the page each stream is filling, including those carried over from the page before.
    host_parts: [u32; STREAMS],
    /// The same for moved data, per pool and frontier.
    moved_parts: Vec<[u32; LANES]>,
}

fn index(lane: Lane) -> usize {
    match lane {
        Lane::Host(stream) => stream,
        Lane::Moved(stream) => STREAMS + stream,
    }
}

impl Packing {
    /// The sizes for an empty drive with this number of slots in a page.
    pub fn new(settings: &Compression, slots_per_page: u32, unit_count: u32, pool_count: u32) -> Self {
        Self {
            most_units_per_slot: settings.most_units_per_slot,
            page_parts: slots_per_page * LEVELS * settings.most_units_per_slot,
            compressible: vec![0; unit_count as usize],
            host_parts: [0; STREAMS],
            moved_parts: vec![[0; LANES]; pool_count as usize],
        }
    }

    /// Parts of a unit with this compressibility.
    #[inline]
    fn parts(&self, compressible: u8) -> u32 {
        ((LEVELS - u32::from(compressible)) * self.most_units_per_slot).max(LEVELS)
    }

    /// Parts that a unit takes, as of when it was last placed.
    #[inline]
    pub fn parts_of(&self, unit: u32) -> u32 {
        self.parts(self.compressible[unit as usize])
    }

    /// Parts of a page.
    pub fn page_parts(&self) -> u32 {
        self.page_parts
    }

    /// Parts of a slot.
    pub fn slot_parts(&self) -> u32 {
        LEVELS * self.most_units_per_slot
    }

    /// How compressible a unit was when it was last placed.
    pub fn compressible(&self, unit: u32) -> u8 {
        self.compressible[unit as usize]
    }

    /// A unit of the host goes to the page of a stream, in `block`. True when the page is complete.
    #[inline]
    pub fn place(&mut self, blocks: &mut Blocks, unit: u32, compressible: u8, block: u32, stream: usize) -> bool {
        self.compressible[unit as usize] = compressible;
        let parts = self.parts(compressible);
        blocks.add_parts(block, parts);
        take(&mut self.host_parts[stream], parts, self.page_parts)
    }

    /// A unit that is moved goes to the page of a frontier, in `block`. True when the page is complete.
    #[inline]
    pub fn place_moved(&mut self, blocks: &mut Blocks, unit: u32, block: u32, pool: u32, lane: Lane) -> bool {
        let parts = self.parts_of(unit);
        blocks.add_parts(block, parts);
        take(&mut self.moved_parts[pool as usize][index(lane)], parts, self.page_parts)
    }

    /// The page of a stream is programmed as it is; returns the number of complete slots that stay empty.
    pub fn end_host_page(&mut self, stream: usize) -> u32 {
        let taken = std::mem::take(&mut self.host_parts[stream]);
        (self.page_parts - taken) / self.slot_parts()
    }

    /// The page of moved data at a frontier is programmed as it is; returns the number of complete slots that stay
    /// empty.
    pub fn end_moved_page(&mut self, pool: u32, lane: Lane) -> u32 {
        let taken = std::mem::take(&mut self.moved_parts[pool as usize][index(lane)]);
        (self.page_parts - taken) / self.slot_parts()
    }

    /// Parts used in the page of moved data at a frontier.
    pub fn moved_parts(&self, pool: u32, lane: Lane) -> u32 {
        self.moved_parts[pool as usize][index(lane)]
    }

    /// Bytes of memory that grow with the drive.
    pub fn memory_bytes(&self) -> usize {
        self.compressible.capacity()
    }

    /// Panics when a page that should be complete is not.
    pub fn check(&self) {
        let all = self.host_parts.iter().chain(self.moved_parts.iter().flatten());
        assert!(all.copied().max() < Some(self.page_parts), "a page is complete when its bytes are used up");
    }
}

/// Use parts of a page; when it is complete, the parts that did not fit are taken from the next page.
#[inline]
fn take(taken: &mut u32, parts: u32, page_parts: u32) -> bool {
    *taken += parts;
    let complete = *taken >= page_parts;
    if complete {
        *taken -= page_parts;
    }
    complete
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packing(most_units_per_slot: u32, slots_per_page: u32) -> Packing {
        let settings = Compression { most_units_per_slot, zero_detection: false };
        Packing::new(&settings, slots_per_page, 10_000, 1)
    }

    fn blocks(packing: &Packing, count: u32) -> Blocks {
        let mut blocks = Blocks::new(count, 8);
        blocks.count_parts(2 * packing.page_parts());
        blocks
    }

    /// Pages that `units` units fill.
    fn pages(packing: &mut Packing, units: u32, compressible: u8) -> u32 {
        let mut blocks = Blocks::new(1, 1);
        (0..units).map(|unit| u32::from(packing.place(&mut blocks, unit, compressible, 0, 0))).sum()
    }

    #[test]
    fn random_data_fills_exactly_as_many_pages_as_it_has_slots_for() {
        for most in 1..=8 {
            assert_eq!(pages(&mut packing(most, 4), 400, 0), 100);
        }
    }

    #[test]
    fn packing_is_exact_on_average_since_what_does_not_fit_is_carried_over() {
        for compressible in 0..=255_u8 {
            let share = (1.0 - f64::from(compressible) / 255.0).max(1.0 / 8.0);
            let expected = (10_000.0 * share / 4.0).floor() as u32;
            let found = pages(&mut packing(8, 4), 10_000, compressible);
            assert!(found.abs_diff(expected) <= 1, "{compressible}: {found} pages, not {expected}");
        }
    }

    #[test]
    fn a_unit_never_takes_less_than_its_share_of_the_table() {
        let mut packing = packing(4, 1);
        let mut blocks = blocks(&packing, 1);
        let complete: Vec<bool> = (0..8).map(|unit| packing.place(&mut blocks, unit, 255, 0, 0)).collect();
        assert_eq!(complete, [false, false, false, true, false, false, false, true]);
        packing.check();
    }

    #[test]
    fn loads_follow_units_from_block_to_block() {
        let mut packing = packing(2, 2);
        let mut blocks = blocks(&packing, 2);
        packing.place(&mut blocks, 3, 0, 0, 0);
        packing.place(&mut blocks, 2, 200, 0, 0);
        assert_eq!(blocks.load(0), 510 + 255);
        blocks.remove_parts(0, packing.parts_of(3));
        packing.place_moved(&mut blocks, 3, 1, 0, Lane::Moved(0));
        assert_eq!((blocks.load(0), blocks.load(1)), (255, 510));
        assert_eq!(packing.end_moved_page(0, Lane::Moved(0)), 1, "one slot of two stays empty");
        assert_eq!(packing.moved_parts(0, Lane::Moved(0)), 0);
    }
}
