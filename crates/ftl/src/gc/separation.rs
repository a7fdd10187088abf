//! Hot and cold data go to different open blocks. The age of the replaced copy decides which data is hot.
//!
//! ```text
//!   host writes unit 7            written_at of the block it lies in      younger than hot_age
//!   --------------------> copy in block B ----------------------> age ---------------------------> hot, else cold
//!   survivors of a victim V   ----------------------------------> age of V -----------------------> likewise
//! ```
//!
//! A controller has to keep only one stamp per block: how many units the host had placed when the block was opened.
//! Moved data keeps its age, because its new block takes over the stamp of the youngest block it came from (as the
//! segments of Rosenblum and Ousterhout do). A unit without an old copy is cold.
//! Not modelled here: counters per unit, more than two classes, hints from the host.

use serde::{Deserialize, Serialize};

/// The stream of cold data, and of all data when nothing is separated.
pub const COLD: usize = 0;
/// The stream of hot data.
pub const HOT: usize = 1;
/// The number of streams.
pub const STREAMS: usize = 2;

/// The stamps of all blocks.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ages {
    hot_age_units: u64,
    written_at_units: Vec<u64>,
}

impl Ages {
    /// Stamps for `block_count` blocks; data is hot below `hot_age_units` units of host writes.
    pub fn new(block_count: u32, hot_age_units: u64) -> Self {
        Self { hot_age_units, written_at_units: vec![0; block_count as usize] }
    }

    /// The stream of data that lies in `block`, when the host has placed `placed_units` units.
    #[inline]
    pub fn stream(&self, block: u32, placed_units: u64) -> usize {
        let age = placed_units.saturating_sub(self.written_at_units[block as usize]);
        if age < self.hot_age_units { HOT } else { COLD }
    }

    /// A block is opened for host data.
    pub fn opened_for_host(&mut self, block: u32, placed_units: u64) {
        self.written_at_units[block as usize] = placed_units;
    }

    /// A block is opened for moved data: it gets the age of the first data moved to it.
    pub fn opened_for_moved(&mut self, block: u32) {
        self.written_at_units[block as usize] = 0;
    }

    /// A block takes in data from another.
    pub fn moved(&mut self, from_block: u32, to_block: u32) {
        let youngest = self.written_at_units[from_block as usize].max(self.written_at_units[to_block as usize]);
        self.written_at_units[to_block as usize] = youngest;
    }

    /// The stamp of each block [units of host writes].
    pub fn written_at_units(&self) -> &[u64] {
        &self.written_at_units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_is_hot_one_unit_before_its_age_and_cold_at_it() {
        let mut ages = Ages::new(2, 100);
        ages.opened_for_host(1, 50);
        assert_eq!(ages.stream(1, 149), HOT);
        assert_eq!(ages.stream(1, 150), COLD);
    }

    #[test]
    fn moved_data_keeps_the_age_of_the_youngest_it_lies_with() {
        let mut ages = Ages::new(4, 100);
        ages.opened_for_host(0, 500);
        ages.opened_for_host(1, 300);
        ages.opened_for_moved(3);
        ages.moved(1, 3);
        assert_eq!(ages.written_at_units()[3], 300);
        ages.moved(0, 3);
        ages.moved(1, 3);
        assert_eq!(ages.written_at_units()[3], 500);
    }
}
