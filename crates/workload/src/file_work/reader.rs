//! One program's way through a file: what it has requested from the drive, and how much of that has arrived.
//!
//! ```text
//! file  [=========|=====.==..|                ]
//!       read      arrived    submitted          . = not there yet
//! ```
//!
//! Read-ahead starts at the first byte, as for a file that is opened for reading in sequence.

use std::collections::VecDeque;

/// A file that is being read.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub file: u32,
    /// Distinguishes its requests from those for an earlier file of the same program.
    pub generation: u32,
    /// Up to here the program has read.
    pub read_to: u64,
    pub submitted_to: u64,
    pub arrived_to: u64,
    /// Requests from `arrived_to` on: the end of each, and whether it has arrived.
    under_way: VecDeque<(u64, bool)>,
}

impl Reader {
    pub fn new(file: u32, from: u64, generation: u32) -> Self {
        Self { file, generation, read_to: from, submitted_to: from, arrived_to: from, under_way: VecDeque::new() }
    }

    /// Adds a request that starts where the submitted part ends, and returns where it ends.
    pub fn submit(&mut self, length: u64) -> u64 {
        self.submitted_to += length;
        self.under_way.push_back((self.submitted_to, false));
        self.submitted_to
    }

    /// Marks the request that ends at `end` as arrived.
    pub fn arrive(&mut self, end: u64) {
        let place = self.under_way.iter().position(|&(other, _)| other == end);
        self.under_way[place.expect("a request of this reader")].1 = true;
        while let Some(&(end, true)) = self.under_way.front() {
            self.arrived_to = end;
            self.under_way.pop_front();
        }
    }
}
