//! Records which of the units that are moved are not on flash yet, and handles them; see `unsettled.rs`.

use super::Translation;
use super::unsettled::Source;

impl Translation {
    /// The units in `victim`, about to be moved, that are not on flash yet, and the pages that they wait for.
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

    /// Record that these units have been moved and wait.
    pub(super) fn note_unsettled(&mut self, units: Vec<(u32, Source)>) {
        for (unit, source) in units {
            self.unsettled.by_slot.insert(self.map.slot(unit), (unit, source));
        }
    }

    /// Power cut: unmap the units that wait; returns how many.
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
