//! First in, first out: the unit that has waited longest leaves the buffer first.
//!
//! Units that left for another reason (completed by the host, trimmed) are removed from the list only when they
//! reach its front; a unit that left and was written again has its older place in the list.
//! Not modelled here: a unit's age is that of its first sector, later ones do not make it younger.

use super::waiting::Waiting;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// See the module's header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ByAge {
    /// Oldest first; may still contain units that have left the buffer.
    units: VecDeque<u32>,
}

impl ByAge {
    /// A unit that was not in the buffer has been added.
    pub fn enter(&mut self, unit: u32, waiting: &BTreeMap<u32, Waiting>) {
        while self.units.front().is_some_and(|oldest| !waiting.contains_key(oldest)) {
            self.units.pop_front();
        }
        self.units.push_back(unit);
    }

    /// The unit that leaves next.
    pub fn next(&mut self, waiting: &BTreeMap<u32, Waiting>) -> Option<u32> {
        while let Some(unit) = self.units.pop_front() {
            if waiting.contains_key(&unit) {
                return Some(unit);
            }
        }
        None
    }
}
