//! Which slot of flash holds which unit of host data.
//!
//! A *unit* is the smallest piece of host address space the drive maps on its own (the mapping unit). A
//! *slot* is a place on flash that holds one unit; a programmed page has one or more slots. In hot loops
//! units and slots are plain `u32` numbers; [`NOWHERE`] is neither.

pub mod fine_map;
mod page_mapped;

pub use page_mapped::PageMap;

/// The number for "no unit" and "no slot".
pub const NOWHERE: u32 = u32::MAX;

/// In place of a slot: the unit is known to hold nothing but zeros, and takes no place on flash.
pub const ZERO: u32 = NOWHERE - 1;

/// True for a slot, false for `NOWHERE` and `ZERO`.
#[inline]
pub fn is_slot(slot: u32) -> bool {
    slot < ZERO
}
