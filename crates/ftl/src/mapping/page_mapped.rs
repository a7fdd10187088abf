//! Page-level mapping: any unit may lie in any slot.
//!
//! ```text
//!   slot_of_unit   unit  0  1  2  3            unit_of_slot   slot  0  1  2  3  4
//!                        4  -  0  2                                 2  0  3  1  0
//! ```
//!
//! Slot 1 still says unit 0, but unit 0 says slot 4: so slot 1 is stale. A slot is valid when both tables
//! agree, so overwriting data does not change the second table's old entry. The tables take eight bytes per unit.
//!
//! The slot of a unit is stored plus one, so that zero means "nowhere": the memory of a new table is all zeros, and the
//! system provides it only when it is first written. So a drive of a terabyte is built at once, and takes memory only
//! for the part in use.

use super::{NOWHERE, ZERO};
use flashscope_kernel::large_table::LargeTable;
use serde::{Deserialize, Serialize};

/// The two tables of a page-mapped drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PageMap {
    /// Plus one, wrapping: see above.
    slot_of_unit: LargeTable,
    /// For a slot that holds no unit, any number: that unit does not point back.
    unit_of_slot: LargeTable,
}

impl PageMap {
    /// Tables without any unit mapped.
    pub fn new(unit_count: u32, slot_count: u32) -> Self {
        Self { slot_of_unit: LargeTable::new(unit_count as usize), unit_of_slot: LargeTable::new(slot_count as usize) }
    }

    /// Units the host can address.
    pub fn unit_count(&self) -> u32 {
        self.slot_of_unit.len() as u32
    }

    /// Where a unit lies; `NOWHERE` when it was never written or was trimmed, `ZERO` when it is only recorded as zeros.
    #[inline]
    pub fn slot(&self, unit: u32) -> u32 {
        self.slot_of_unit[unit as usize].wrapping_sub(1)
    }

    /// The same, and `NOWHERE` for a unit that does not exist.
    #[inline]
    pub fn slot_if_any(&self, unit: u32) -> u32 {
        self.slot_of_unit.get(unit as usize).map_or(NOWHERE, |next| next.wrapping_sub(1))
    }

    /// Map a unit to a slot; returns the slot it was in before, or `NOWHERE`.
    #[inline]
    pub fn place(&mut self, unit: u32, slot: u32) -> u32 {
        self.note_unit(slot, unit);
        self.point(unit, slot)
    }

    /// Map units that follow each other to slots that follow each other; `left` gets the slot that each was in before,
    /// or `NOWHERE`.
    #[inline]
    pub fn place_run(&mut self, first_unit: u32, first_slot: u32, count: u32, mut left: impl FnMut(u32)) {
        let held = self.unit_of_slot.run_mut(first_slot as usize, count as usize);
        held.iter_mut().zip(first_unit..).for_each(|(held, unit)| *held = unit);
        let places = self.slot_of_unit.run_mut(first_unit as usize, count as usize);
        for (place, slot) in places.iter_mut().zip(first_slot..) {
            left(std::mem::replace(place, slot.wrapping_add(1)).wrapping_sub(1));
        }
    }

    /// The first half of `place`: what the slot holds.
    #[inline]
    pub fn note_unit(&mut self, slot: u32, unit: u32) {
        self.unit_of_slot.set(slot as usize, unit);
    }

    /// The second half of `place`: where the unit lies; returns the slot it was in before, or `NOWHERE`.
    #[inline]
    pub fn point(&mut self, unit: u32, slot: u32) -> u32 {
        self.slot_of_unit.replace(unit as usize, slot.wrapping_add(1)).wrapping_sub(1)
    }

    /// Record that a unit holds only zeros and takes no slot; returns the slot it was in before, `NOWHERE` or
    /// `ZERO`.
    #[inline]
    pub fn note_zeros(&mut self, unit: u32) -> u32 {
        self.point(unit, ZERO)
    }

    /// Unmap a unit; returns the slot it was in, or `NOWHERE`.
    #[inline]
    pub fn forget(&mut self, unit: u32) -> u32 {
        self.point(unit, NOWHERE)
    }

    /// Record that a slot was programmed with padding and holds no unit.
    #[inline]
    pub fn leave_empty(&mut self, slot: u32) {
        self.unit_of_slot.set(slot as usize, NOWHERE);
    }

    /// Append the units that are valid in `slots` to `units`, in slot order; returns the number of pages of
    /// `slots_per_page` slots that hold them. `units` has room for all slots of the range.
    pub fn valid_units(&self, slots: std::ops::Range<u32>, slots_per_page: u32, units: &mut Vec<u32>) -> u32 {
        let first_slot = slots.start;
        let before = units.len();
        units.resize(before + slots.len(), NOWHERE);
        let found = &mut units[before..];
        let mut count = 0;
        let mut pages = 0;
        let range = slots.start as usize..slots.end as usize;
        if slots_per_page == 1 {
            for (offset, &unit) in self.unit_of_slot[range].iter().enumerate() {
                // Always written, but kept only when valid: the order of valid and stale slots is too irregular for a
                // branch.
                found[count] = unit;
                let slot = first_slot + offset as u32;
                count += usize::from(self.slot_of_unit.get(unit as usize) == Some(&(slot + 1)));
            }
            pages = count as u32;
        } else {
            for (page, units_of_page) in self.unit_of_slot[range].chunks(slots_per_page as usize).enumerate() {
                let before_page = count;
                let first_slot = first_slot + page as u32 * slots_per_page;
                for (offset, &unit) in units_of_page.iter().enumerate() {
                    found[count] = unit;
                    let slot = first_slot + offset as u32;
                    count += usize::from(self.slot_of_unit.get(unit as usize) == Some(&(slot + 1)));
                }
                pages += u32::from(count > before_page);
            }
        }
        units.truncate(before + count);
        pages
    }

    /// Map `units` to the slots from `first_slot` on. For moves: the old slots are about to be erased.
    #[inline]
    pub fn move_to(&mut self, units: &[u32], first_slot: u32) {
        self.unit_of_slot.set_all(first_slot as usize, units);
        for (slot, &unit) in (first_slot..).zip(units) {
            self.slot_of_unit.set_again(unit as usize, slot + 1);
        }
    }

    /// Unmap all units.
    pub fn clear(&mut self) {
        self.slot_of_unit.clear();
        self.unit_of_slot.clear();
    }

    /// Bytes of memory the tables take.
    pub fn memory_bytes(&self) -> usize {
        4 * (self.slot_of_unit.len() + self.unit_of_slot.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_is_valid_only_while_its_unit_points_back_at_it() {
        let mut map = PageMap::new(4, 8);
        assert_eq!(map.place(0, 1), NOWHERE);
        map.place(2, 0);
        map.place(3, 2);
        map.place(1, 3);
        assert_eq!(map.place(0, 4), 1, "unit 0 moved on and slot 1 is stale");
        let mut units = vec![];
        assert_eq!(map.valid_units(0..4, 2, &mut units), 2);
        assert_eq!(units, [2, 3, 1]);
        assert_eq!(map.forget(3), 2);
        map.place(1, 5);
        units.clear();
        assert_eq!(map.valid_units(0..4, 2, &mut units), 1, "the second page has nothing valid left");
        assert_eq!(units, [2]);
        units.clear();
        assert_eq!(map.valid_units(0..4, 1, &mut units), 1);
        map.move_to(&[2], 6);
        assert_eq!(map.slot(2), 6);
    }
}
