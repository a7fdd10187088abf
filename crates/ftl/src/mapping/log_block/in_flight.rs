//! Pages handed out and not yet on flash.
//!
//! ```text
//!   block   [p . p w w . .]     p = programmed, . = skipped or erased, w = on its way
//!   bits     0 0 0 1 1 0 0
//! ```
//!
//! A page of a block may be skipped and a block may be merged away while its last pages are still on their way, so
//! counting per block is not enough: a bit says which pages are under way, and a block that is erased remembers how
//! many reports it has still to let pass.
//!
//! Assumed: the pages of a block are programmed in order. In a superblock, where banks overtake each other, the
//! lowest page under way is taken to be the one that was finished.

use serde::{Deserialize, Serialize};

/// A bit for every page of every block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct InFlight {
    bits: Vec<u64>,
    words_per_block: u32,
    /// Word of each block below which no bit is set.
    first_word: Vec<u16>,
    /// Reports still to come for pages that were on their way when the block was erased.
    late: Vec<u32>,
}

impl InFlight {
    /// Nothing is under way.
    pub fn new(block_count: u32, pages_per_block: u32) -> Self {
        let words_per_block = pages_per_block.div_ceil(64);
        Self {
            bits: vec![0; words_per_block as usize * block_count as usize],
            words_per_block,
            first_word: vec![0; block_count as usize],
            late: vec![0; block_count as usize],
        }
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
        let first = &mut self.first_word[block as usize];
        *first = (*first).min((page_index / 64) as u16);
    }

    /// The next page of a block is on flash.
    #[inline]
    pub fn end(&mut self, block: u32) {
        if self.late[block as usize] > 0 {
            self.late[block as usize] -= 1;
            return;
        }
        let start = self.word(block, 0);
        for index in u32::from(self.first_word[block as usize])..self.words_per_block {
            let word = &mut self.bits[start + index as usize];
            if *word != 0 {
                *word &= *word - 1;
                self.first_word[block as usize] = index as u16;
                return;
            }
        }
    }

    /// True while a page is on its way.
    #[inline]
    pub fn contains(&self, block: u32, page_index: u32) -> bool {
        self.bits[self.word(block, page_index)] >> (page_index % 64) & 1 == 1
    }

    /// A block is erased as soon as what is on its way has arrived.
    pub fn erase(&mut self, block: u32) {
        let start = self.word(block, 0);
        for word in &mut self.bits[start..start + self.words_per_block as usize] {
            self.late[block as usize] += word.count_ones();
            *word = 0;
        }
        self.first_word[block as usize] = 0;
    }

    /// Nothing is on its way any more.
    pub fn clear(&mut self) {
        self.bits.fill(0);
        self.first_word.fill(0);
        self.late.fill(0);
    }

    /// Bytes of memory the tables take.
    pub fn memory_bytes(&self) -> usize {
        8 * self.bits.capacity() + 2 * self.first_word.capacity() + 4 * self.late.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_arrive_in_order_whatever_was_skipped() {
        let mut in_flight = InFlight::new(2, 200);
        for page in [0, 3, 70, 199] {
            in_flight.begin(1, page);
        }
        for page in [0, 3, 70, 199] {
            assert!(in_flight.contains(1, page));
            in_flight.end(1);
            assert!(!in_flight.contains(1, page));
        }
        in_flight.end(1);
        assert!(!in_flight.contains(0, 0), "a report too many changes nothing");
    }

    #[test]
    fn what_was_on_its_way_when_the_block_was_erased_is_not_taken_for_new_pages() {
        let mut in_flight = InFlight::new(1, 4);
        in_flight.begin(0, 0);
        in_flight.begin(0, 1);
        in_flight.erase(0);
        in_flight.begin(0, 0);
        in_flight.end(0);
        in_flight.end(0);
        assert!(in_flight.contains(0, 0), "two reports were for the pages from before");
        in_flight.end(0);
        assert!(!in_flight.contains(0, 0));
    }
}
