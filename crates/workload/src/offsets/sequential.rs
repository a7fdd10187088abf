//! One request after the other, from the start of the span to its end.
//!
//! In a mixed job each kind has its own position, as in fio.

use super::placement::Placement;
use crate::direction::Kind;

/// The positions of the three kinds.
#[derive(Clone, Debug)]
pub(crate) struct Sequential {
    next_bytes: [u64; 3],
    span_bytes: u64,
}

impl Sequential {
    pub fn new(span_bytes: u64) -> Self {
        Self { next_bytes: [0; 3], span_bytes }
    }

    /// Where the next request of a kind starts, in this pass.
    pub fn next_bytes(&self, kind: Kind) -> u64 {
        self.next_bytes[kind as usize]
    }
}

impl Placement for Sequential {
    #[inline]
    fn next(&mut self, kind: Kind) -> Option<u64> {
        let start_bytes = self.next_bytes[kind as usize];
        (start_bytes < self.span_bytes).then_some(start_bytes)
    }

    #[inline]
    fn take(&mut self, kind: Kind, start_bytes: u64, length_bytes: u64) -> u64 {
        self.next_bytes[kind as usize] = start_bytes + length_bytes;
        length_bytes
    }

    fn begin_pass(&mut self, kind: Kind) {
        self.next_bytes[kind as usize] = 0;
    }
}
