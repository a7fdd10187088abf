//! Which slot of flash holds which unit of host data.
//!
//! A *unit* is the smallest piece of host address space the drive maps on its own (the mapping unit). A
//! *slot* is a place on flash that holds one unit; a programmed page has one or more slots. In hot loops
//! units and slots are plain `u32` numbers, [`NOWHERE`] being neither.

pub mod fine_map;
mod page_mapped;

pub use page_mapped::PageMap;

/// Not a unit, and not a slot.
pub const NOWHERE: u32 = u32::MAX;

/// In place of a slot: the unit is known to hold nothing but zeros, and lies nowhere on flash.
pub const ZERO: u32 = NOWHERE - 1;

/// True for a slot, false for what stands in place of one.
#[inline]
pub fn is_slot(slot: u32) -> bool {
    slot < ZERO
}
