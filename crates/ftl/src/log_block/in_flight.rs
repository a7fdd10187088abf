//! Pages that were handed out and are not on flash yet.
//!
//! ```text
//!   block   [p . p w w . .]     p = programmed, . = skipped or erased, w = on its way
//!   bits     0 0 0 1 1 0 0
//! ```
//!
//! A page of a block may be skipped. In a superblock, banks overtake each other, so pages are programmed in another
//! order than they were handed out. So a count per block is not enough: a bit for each page says whether it is on its
//! way.

use serde::{Deserialize, Serialize};

/// A bit for every page of every block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InFlight {
    bits: Vec<u64>,
    words_per_block: u32,
}

impl InFlight {
    /// No page is on its way.
    pub fn new(block_count: u32, pages_per_block: u32) -> Self {
        let words_per_block = pages_per_block.div_ceil(64);
        Self { bits: vec![0; words_per_block as usize * block_count as usize], words_per_block }
    }

    #[inline]
    fn word(&self, block: u32, page_index: u32) -> usize {
        block as usize * self.words_per_block as usize + (page_index / 64) as usize
    }

    /// A page was handed out.
    #[inline]
    pub fn begin(&mut self, block: u32, page_index: u32) {
        let word = self.word(block, page_index);
        self.bits[word] |= 1 << (page_index % 64);
    }

    /// A page is on flash.
    #[inline]
    pub fn end(&mut self, block: u32, page_index: u32) {
        let word = self.word(block, page_index);
        self.bits[word] &= !(1 << (page_index % 64));
    }

    /// True while a page is on its way.
    #[inline]
    pub fn contains(&self, block: u32, page_index: u32) -> bool {
        self.bits[self.word(block, page_index)] >> (page_index % 64) & 1 == 1
    }

    /// A block is erased as soon as its pages on their way have arrived. Their arrival is then ignored: they belong to
    /// the cycle before.
    pub fn erase(&mut self, block: u32) {
        let start = self.word(block, 0);
        self.bits[start..start + self.words_per_block as usize].fill(0);
    }

    /// No page is on its way any more.
    pub fn clear(&mut self) {
        self.bits.fill(0);
    }

    /// Bytes of memory the table takes.
    pub fn memory_bytes(&self) -> usize {
        8 * self.bits.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_arrive_in_any_order_whatever_was_skipped() {
        let mut in_flight = InFlight::new(2, 200);
        for page in [0, 3, 70, 199] {
            in_flight.begin(1, page);
        }
        for page in [70, 0, 199, 3] {
            assert!(in_flight.contains(1, page));
            in_flight.end(1, page);
            assert!(!in_flight.contains(1, page));
        }
        assert!(!in_flight.contains(0, 0));
    }

    #[test]
    fn an_erased_block_has_nothing_on_its_way() {
        let mut in_flight = InFlight::new(2, 4);
        in_flight.begin(0, 0);
        in_flight.begin(1, 0);
        in_flight.erase(0);
        assert!(!in_flight.contains(0, 0) && in_flight.contains(1, 0));
    }
}
