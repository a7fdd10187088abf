//! A write-back buffer: room for a number of units, and the units that are not complete yet.
//!
//! ```text
//!   host --> [ partial units, oldest first ] --complete--> page being filled --> on its way to flash
//!            '------------------------- room_units -------------------------------------------'
//! ```
//!
//! Whole units go straight on to the page being filled, in arrival order. A unit of which only some sectors
//! were written waits until the host has written the rest, until room is needed, or until the drive is idle;
//! then the missing sectors are read from flash first (read-modify-write). Room is given back when the
//! program operation has ended.
//! Not modelled here: sorting into contiguous runs, merging of whole units that are overwritten while they wait.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// Sectors of one unit that are in the buffer, one bit each (a unit has at most 128).
pub type Covered = u128;

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WriteBack {
    room_units: u32,
    used_units: u32,
    partial: BTreeMap<u32, Covered>,
    /// Partial units by age; may still name units that have become whole.
    by_age: VecDeque<u32>,
}

impl WriteBack {
    /// A buffer with room for `room_units` units; 0 means there is no buffer.
    pub fn new(room_units: u32) -> Self {
        Self { room_units, used_units: 0, partial: BTreeMap::new(), by_age: VecDeque::new() }
    }

    /// True when the drive buffers writes at all.
    pub fn exists(&self) -> bool {
        self.room_units > 0
    }

    /// Units that fit.
    pub fn room_units(&self) -> u32 {
        self.room_units
    }

    /// Units held now.
    pub fn used_units(&self) -> u32 {
        self.used_units
    }

    /// Take room for one unit; false when the buffer is full.
    #[inline]
    pub fn take(&mut self) -> bool {
        let fits = self.used_units < self.room_units;
        self.used_units += u32::from(fits);
        fits
    }

    /// Give back the room of `units` units that are on flash now.
    #[inline]
    pub fn give_back(&mut self, units: u32) {
        debug_assert!(units <= self.used_units);
        self.used_units -= units;
    }

    /// The sectors of a unit that wait here, 0 when none do.
    pub fn covered(&self, unit: u32) -> Covered {
        if self.partial.is_empty() { 0 } else { self.partial.get(&unit).copied().unwrap_or(0) }
    }

    /// Add sectors to a unit, which takes no room (see `take`); returns all sectors now here.
    pub fn add(&mut self, unit: u32, sectors: Covered) -> Covered {
        while self.by_age.front().is_some_and(|oldest| !self.partial.contains_key(oldest)) {
            self.by_age.pop_front();
        }
        let covered = self.partial.entry(unit).or_insert_with(|| {
            self.by_age.push_back(unit);
            0
        });
        *covered |= sectors;
        *covered
    }

    /// Take a partial unit out; true when it was here.
    pub fn remove(&mut self, unit: u32) -> bool {
        !self.partial.is_empty() && self.partial.remove(&unit).is_some()
    }

    /// Take out the partial unit that has waited longest.
    pub fn remove_oldest(&mut self) -> Option<u32> {
        while let Some(unit) = self.by_age.pop_front() {
            if self.partial.remove(&unit).is_some() {
                return Some(unit);
            }
        }
        None
    }

    /// Partial units that wait.
    pub fn partial_units(&self) -> u32 {
        self.partial.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_collects_its_sectors_and_leaves_by_age() {
        let mut buffer = WriteBack::new(2);
        assert!(buffer.take() && buffer.take() && !buffer.take(), "room for two");
        assert_eq!(buffer.add(5, 0b0011), 0b0011);
        assert_eq!(buffer.add(9, 0b0001), 0b0001);
        assert_eq!(buffer.add(5, 0b1100), 0b1111);
        assert!(buffer.remove(5));
        assert_eq!(buffer.remove_oldest(), Some(9), "5 is gone already");
        assert_eq!(buffer.remove_oldest(), None);
        buffer.give_back(2);
        assert_eq!(buffer.used_units(), 0);
    }
}
