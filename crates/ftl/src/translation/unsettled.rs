//! Data that was moved while the page it came from was still on its way to flash.
//!
//! ```text
//!   host page on its way to block 7   [u]          block 7 is collected at once, u moved, block 7 erased in the books
//!   a power cut now                    u is lost: the bank had not even programmed what it was to copy
//!   the page ends                      u is safe: the bank copies it before it erases block 7
//! ```
//!
//! Rare: it takes a block that is filled and collected again within the time its pages wait at their banks. So nothing is
//! kept for units at large, only a list of those few.

use super::{OpenPage, Translation};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The page that has to end before a moved unit is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Source {
    block: u32,
    page_index: u32,
    erase_count: u32,
}

/// The units that wait for such pages, by the slot they were moved to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Unsettled {
    by_slot: BTreeMap<u32, (u32, Source)>,
}

impl Unsettled {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.by_slot.is_empty()
    }

    /// A page is on flash: what came from it is safe.
    #[cold]
    pub fn settle(&mut self, page: &OpenPage) {
        let OpenPage { block, page_index, erase_count, .. } = *page;
        let ended = Source { block, page_index, erase_count };
        self.by_slot.retain(|_, (_, source)| *source != ended);
    }

    /// Nothing lies in these slots any more.
    #[cold]
    pub fn forget(&mut self, slots: Range<u32>) {
        let gone: Vec<u32> = self.by_slot.range(slots).map(|(&slot, _)| slot).collect();
        for slot in gone {
            self.by_slot.remove(&slot);
        }
    }
}

impl Translation {
    /// Those of the units in `victim`, about to be moved, that are not on flash yet, and what they wait for.
    pub(super) fn unsettled_in(&self, victim: u32, units: &[u32]) -> Vec<(u32, Source)> {
        let filled = self.pages_per_block(self.mode_of_block(victim)) * self.slots_per_page;
        if self.unsettled.is_empty() && self.blocks.programmed_slots(victim) >= filled {
            return Vec::new();
        }
        let erase_count = self.blocks.erase_count(victim);
        let source_of = |unit: u32| {
            let slot = self.map.slot(unit);
            let page_index = (slot - self.blocks.first_slot(victim)) / self.slots_per_page;
            let moved_before = self.unsettled.by_slot.get(&slot).filter(|(waiting, _)| *waiting == unit);
            let on_its_way = Source { block: victim, page_index, erase_count };
            moved_before.map(|&(_, source)| source).or((!self.blocks.is_programmed(slot)).then_some(on_its_way))
        };
        units.iter().filter_map(|&unit| source_of(unit).map(|source| (unit, source))).collect()
    }

    /// These units have been moved and wait.
    pub(super) fn note_unsettled(&mut self, units: Vec<(u32, Source)>) {
        for (unit, source) in units {
            self.unsettled.by_slot.insert(self.map.slot(unit), (unit, source));
        }
    }

    /// The power goes: forget the units that wait; returns how many.
    pub(super) fn forget_unsettled(&mut self) -> u64 {
        let mut lost_units = 0;
        for (slot, (unit, _)) in std::mem::take(&mut self.unsettled).by_slot {
            if self.map.slot(unit) == slot {
                self.trim(unit);
                lost_units += 1;
            }
        }
        lost_units
    }
}
