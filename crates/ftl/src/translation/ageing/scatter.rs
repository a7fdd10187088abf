//! Many units that get their slots in random order, region by region of the map.
//!
//! ```text
//!   unit 7 -> slot 0     region 0  [ 7->0  2->3 ...        ]
//!   unit 9 -> slot 1     region 1  [ 9->1 ...              ]
//!   unit 2 -> slot 3     region 2  [                       ]     full: written to the map in one go
//! ```
//!
//! One after the other, each unit would fetch another line of a table of a gibibyte. A region fits into the caches, and
//! takes several entries of each line when its turn comes.

use crate::mapping::PageMap;

/// Units of a region of the map, as a power of two: 2 MiB of the table.
const REGION_SHIFT: u32 = 19;
/// Units that wait for their region.
const MOST_WAITING: usize = 1 << 15;
/// Room for those of a region: a line more, since regions that are a power of two apart share the sets of the caches.
const ROOM: usize = MOST_WAITING + 8;

/// See the module's header.
pub(super) struct Scatter {
    /// Units and their slots, `ROOM` for each region.
    waiting: Vec<(u32, u32)>,
    /// How many wait, per region.
    counts: Vec<usize>,
}

impl Scatter {
    /// For the units below `unit_count`.
    pub fn new(unit_count: u32) -> Self {
        let regions = unit_count.div_ceil(1 << REGION_SHIFT) as usize;
        Self { waiting: vec![(0, 0); regions * ROOM], counts: vec![0; regions] }
    }

    /// Note that a unit that has no slot gets this one; the map says so after `finish`.
    #[inline]
    pub fn place(&mut self, unit: u32, slot: u32, map: &mut PageMap) {
        map.note_unit(slot, unit);
        let region = (unit >> REGION_SHIFT) as usize;
        let count = &mut self.counts[region];
        self.waiting[region * ROOM + *count] = (unit, slot);
        *count += 1;
        if *count == MOST_WAITING {
            self.write(region, map);
        }
    }

    /// Write what is left.
    pub fn finish(mut self, map: &mut PageMap) {
        (0..self.counts.len()).for_each(|region| self.write(region, map));
    }

    #[inline(never)]
    fn write(&mut self, region: usize, map: &mut PageMap) {
        let count = std::mem::take(&mut self.counts[region]);
        for &(unit, slot) in &self.waiting[region * ROOM..][..count] {
            map.point(unit, slot);
        }
    }
}

/// An upper bound of the memory that this takes [bytes].
pub(super) fn memory_needed(unit_count: u64) -> u64 {
    unit_count.div_ceil(1 << REGION_SHIFT).saturating_mul((ROOM * size_of::<(u32, u32)>()) as u64)
}
