//! A map with few fine tables: the pages of most regions lie in one run, those of a few regions may be scattered.
//!
//! ```text
//!   region   coarse  [0 1 2 3 4 5 6 7]        one entry: its pages lie one after another
//!            ending  [0 1 2|3 4 5 6 7]        one entry and a mark: rewritten in order so far, up to the mark
//!            fine    [7 0 _ 3 5 _ 1 2]        a table of its own: any page anywhere
//!
//!   a write that does not go on in order needs a table; when all are taken, the region
//!   written longest ago is *gathered*: its pages are written anew in order and its table is free
//! ```
//!
//! With such a map, a controller with little memory can manage a large drive. Random writes are fast while they go to
//! at most as many regions as there are tables; beyond that, each write may cost the copy of a whole region. Rewriting
//! a region in order from its beginning makes it coarse again without a copy.
//!
//! This file only records which region has a table and which has to give it back. The translation layer decides
//! where units are stored, and a region that was gathered lies where the frontiers of that moment were.
//! Assumed: collection keeps a coarse region's pages together; a region that is rewritten in order needs no table until
//! something else is written in it.
//! Not modelled here: the flash traffic of the tables themselves, reads that need a table first.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// A map with a limited number of fine tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FineMapSettings {
    /// Bytes of the address space that share a table.
    pub region_bytes: u64,
    /// Number of tables.
    pub region_count: u32,
    /// Idle time after which regions are gathered, oldest first, until no table is taken [ns]; 0 means never.
    #[serde(default)]
    pub gather_delay_ns: u64,
    /// Bytes of the address space that lie together in native blocks: data that no pSLC block takes and no buffer holds
    /// is merged with the rest of these bytes; 0 means that native blocks take pieces of any size.
    #[serde(default)]
    pub merge_bytes: u64,
}

/// Which regions have a table. See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FineMap {
    units_per_region: u32,
    unit_count: u32,
    table_count: u32,
    /// Per region, the next unit of a rewrite in order; 0 when there is no such rewrite.
    next_in_order: Vec<u32>,
    /// Per region, the time it was written last, in steps; 0 when it has no table.
    written_at: Vec<u64>,
    /// The regions with a table, by the time of their last write.
    by_age: BTreeMap<u64, u32>,
    step: u64,
}

impl FineMap {
    /// All tables free.
    pub fn new(unit_count: u32, units_per_region: u32, table_count: u32) -> Self {
        let region_count = unit_count.div_ceil(units_per_region) as usize;
        Self {
            units_per_region,
            unit_count,
            table_count,
            next_in_order: vec![0; region_count],
            written_at: vec![0; region_count],
            by_age: BTreeMap::new(),
            step: 0,
        }
    }

    /// A unit is about to be written. Returns the region whose table it takes, which has to be gathered first.
    #[inline]
    pub fn written(&mut self, unit: u32) -> Option<u32> {
        let (region, place) = (unit / self.units_per_region, unit % self.units_per_region);
        let next = &mut self.next_in_order[region as usize];
        if place == *next || place + 1 == *next {
            *next = place + 1;
            if *next == self.units_of(region).len() as u32 {
                self.release(region);
            }
            return None;
        }
        *next = u32::from(place == 0);
        if place == 0 { None } else { self.take_table(region) }
    }

    fn take_table(&mut self, region: u32) -> Option<u32> {
        self.step += 1;
        let before = std::mem::replace(&mut self.written_at[region as usize], self.step);
        let is_new = before == 0;
        if !is_new {
            self.by_age.remove(&before);
        }
        self.by_age.insert(self.step, region);
        (self.fine_regions() > self.table_count)
            .then(|| self.oldest())
            .flatten()
            .inspect(|&oldest| self.release(oldest))
    }

    /// Of the regions with a table, the one written longest ago.
    pub fn oldest(&self) -> Option<u32> {
        self.by_age.first_key_value().map(|(_, &region)| region)
    }

    /// A region lies in one run again, or holds no data any more: its table becomes free.
    pub fn release(&mut self, region: u32) {
        self.next_in_order[region as usize] = 0;
        let before = std::mem::take(&mut self.written_at[region as usize]);
        self.by_age.remove(&before);
    }

    /// The drive holds no data any more.
    pub fn clear(&mut self) {
        self.next_in_order.fill(0);
        self.written_at.fill(0);
        self.by_age.clear();
    }

    /// The units of a region; the last one of the drive may have fewer than the others.
    pub fn units_of(&self, region: u32) -> Range<u32> {
        let first = region * self.units_per_region;
        first..(first + self.units_per_region).min(self.unit_count)
    }

    /// True for the first unit of a region.
    pub fn begins_region(&self, unit: u32) -> bool {
        unit.is_multiple_of(self.units_per_region)
    }

    /// The regions that lie completely in a range of units.
    pub fn regions_within(&self, units: Range<u32>) -> Range<u32> {
        let end =
            if units.end >= self.unit_count { self.written_at.len() as u32 } else { units.end / self.units_per_region };
        units.start.div_ceil(self.units_per_region)..end
    }

    /// Number of tables in use.
    pub fn fine_regions(&self) -> u32 {
        self.by_age.len() as u32
    }

    /// Bytes of memory that grow with the drive.
    pub fn memory_bytes(&self) -> usize {
        4 * self.next_in_order.capacity() + 8 * self.written_at.capacity()
    }

    /// Check that the tables agree with each other. Panics when they do not: that is an error in this program.
    pub fn check(&self) {
        assert!(
            self.fine_regions() <= self.table_count,
            "{} tables taken of {}",
            self.fine_regions(),
            self.table_count
        );
        let with_table = self.written_at.iter().filter(|&&at| at != 0).count();
        assert_eq!(with_table, self.by_age.len(), "every table belongs to one region");
        assert!(self.by_age.iter().all(|(&at, &region)| self.written_at[region as usize] == at));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four regions of four units, the last one shorter; two tables.
    fn small() -> FineMap {
        FineMap::new(15, 4, 2)
    }

    #[test]
    fn writing_in_order_takes_no_table() {
        let mut map = small();
        assert!((0..15).chain(0..15).all(|unit| map.written(unit).is_none()));
        assert_eq!(map.fine_regions(), 0);
    }

    #[test]
    fn the_region_written_longest_ago_gives_its_table_back() {
        let mut map = small();
        assert_eq!([map.written(2), map.written(6), map.written(1)], [None; 3]);
        assert_eq!(map.written(9), Some(1), "region 0 was written again since");
        assert_eq!((map.fine_regions(), map.oldest()), (2, Some(0)));
        map.check();
    }

    #[test]
    fn a_region_rewritten_in_order_gives_its_table_back_for_nothing() {
        let mut map = small();
        map.written(5);
        (4..7).for_each(|unit| assert_eq!(map.written(unit), None));
        assert_eq!(map.fine_regions(), 1);
        map.written(7);
        assert_eq!(map.fine_regions(), 0);
        [12, 14, 12, 13, 14].into_iter().for_each(|unit| _ = map.written(unit));
        assert_eq!(map.fine_regions(), 0, "the last region has three units");
        map.check();
    }

    #[test]
    fn regions_within_a_range_are_those_that_lie_in_it_wholly() {
        let map = small();
        assert_eq!(
            [map.regions_within(0..15), map.regions_within(1..12), map.regions_within(1..14)],
            [0..4, 1..3, 1..3]
        );
    }
}
