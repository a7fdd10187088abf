//! The run of addresses that is being rewritten in native blocks; see `run_merges.rs`.

use crate::ssd::config::Config;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The run that is being rewritten.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenRun {
    /// Units of a run; with 0 nothing is ever merged.
    pub units_per_run: u32,
    /// Units of the run that are still to be written, by the host in order or else by copying.
    pub rest: Range<u32>,
}

impl OpenRun {
    /// No open run.
    pub fn new(config: &Config) -> Self {
        let merge_bytes = config.fine_map.map_or(0, |fine| fine.merge_bytes);
        Self { units_per_run: (merge_bytes / u64::from(config.mapping.unit_bytes)) as u32, rest: 0..0 }
    }

    /// Runs of this many units in all have been written in order; the open one is as far as it was.
    pub fn move_on(&mut self, units: u32, unit_count: u32) {
        if !self.rest.is_empty() {
            self.rest = self.rest.start + units..(self.rest.end + units).min(unit_count);
        }
    }

    /// The power or all data is gone: no run is open.
    pub fn forget(&mut self) {
        self.rest = 0..0;
    }
}
