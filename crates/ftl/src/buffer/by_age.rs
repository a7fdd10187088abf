//! First in, first out: the unit that has waited longest leaves first.
//!
//! Units that left another way (completed by the host, trimmed) are only dropped from the list when they
//! come to its front; a unit that left and came back is found under its older place.
//! Not modelled here: a unit's age is that of its first sector, later ones do not make it younger.

use super::waiting::Waiting;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// See the module's header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct ByAge {
    /// Oldest first; may still name units that are gone.
    units: VecDeque<u32>,
}

impl ByAge {
    /// A unit that was not here has come.
    pub fn enter(&mut self, unit: u32, waiting: &BTreeMap<u32, Waiting>) {
        while self.units.front().is_some_and(|oldest| !waiting.contains_key(oldest)) {
            self.units.pop_front();
        }
        self.units.push_back(unit);
    }

    /// Who leaves next.
    pub fn next(&mut self, waiting: &BTreeMap<u32, Waiting>) -> Option<u32> {
        while let Some(unit) = self.units.pop_front() {
            if waiting.contains_key(&unit) {
                return Some(unit);
            }
        }
        None
    }
}
