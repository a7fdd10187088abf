//! Parity: the last page of every stripe of pages of a block.
//!
//! ```text
//!   places in a block    0 1 2 3 | 4 5 6 7 | 8 9        stripes of 4 pages, a block of 10
//!                        d d d P | d d d P | d P
//!   data pages           0 1 2   | 3 4 5   | 6          the map knows these only
//! ```
//!
//! The map, the frontiers and the policies see blocks of data pages. A *place* counts all pages of a block, as the
//! flash does. The parity of a stripe is programmed as soon as its last data page is sent, the host's and collection's
//! alike; the last stripe of a block may be shorter, and a page that would be the only one of its stripe stays empty.
//!
//! Not modelled here: recovering an unreadable page from the rest of its stripe, parity of a stripe that a power cut
//! leaves unfinished, stripes over more than one block of a pool.

use serde::{Deserialize, Serialize};

/// The length of the stripes of a drive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parity {
    /// Data pages of a stripe; 0 without parity.
    data_pages_per_stripe: u32,
}

impl Parity {
    /// Stripes of this many pages, one of them parity: 2 or more; 0 for a drive without parity.
    pub fn new(stripe_pages: u32) -> Self {
        Self { data_pages_per_stripe: stripe_pages.saturating_sub(1) }
    }

    /// True for a drive with parity.
    #[inline]
    pub fn is_on(self) -> bool {
        self.data_pages_per_stripe > 0
    }

    /// Data pages after which the stripes of a block repeat: 1 without parity.
    #[inline]
    pub fn data_pages_per_stripe(self) -> u32 {
        self.data_pages_per_stripe.max(1)
    }

    /// Pages for data in a block of `pages` pages.
    pub fn data_pages(self, pages: u32) -> u32 {
        if self.is_on() { pages - pages.div_ceil(self.data_pages_per_stripe + 1) } else { pages }
    }

    /// The place in its block of the data page of that number.
    #[inline]
    pub fn place(self, page_index: u32) -> u32 {
        if self.is_on() { page_index + page_index / self.data_pages_per_stripe } else { page_index }
    }

    /// True when the parity page of a stripe follows this data page; the last of its block always ends one.
    #[inline]
    pub fn ends_stripe(self, page_index: u32, is_last: bool) -> bool {
        self.is_on() && (is_last || (page_index + 1).is_multiple_of(self.data_pages_per_stripe))
    }

    /// Parity pages that are programmed with `count` data pages of a block from `page_index` on. Of these, `is_last`
    /// says that the block ends with them.
    #[inline]
    pub fn parity_pages(self, page_index: u32, count: u32, is_last: bool) -> u32 {
        if !self.is_on() || count == 0 {
            return 0;
        }
        let ends_short = is_last && !(page_index + count).is_multiple_of(self.data_pages_per_stripe);
        self.place(page_index + count) - self.place(page_index) - count + u32::from(ends_short)
    }

    /// Parity pages for this many data pages in blocks that have `data_pages_per_block` [pages, a mean].
    pub(super) fn pages_for(self, data_pages: u64, data_pages_per_block: u32) -> f64 {
        let of_block = self.parity_pages(0, data_pages_per_block, true);
        data_pages as f64 * f64::from(of_block) / f64::from(data_pages_per_block)
    }
}

#[cfg(test)]
mod tests {
    use super::Parity;

    #[test]
    fn data_and_parity_pages_fill_the_places_of_a_block_each_once() {
        for stripe_pages in 2..12 {
            let parity = Parity::new(stripe_pages);
            for pages in stripe_pages..40 {
                let data_pages = parity.data_pages(pages);
                let mut places = vec![];
                for page in 0..data_pages {
                    places.push(parity.place(page));
                    if parity.ends_stripe(page, page + 1 == data_pages) {
                        places.push(parity.place(page) + 1);
                    }
                }
                let left_empty = u32::from(pages % stripe_pages == 1);
                assert!(places.iter().copied().eq(0..pages - left_empty), "{stripe_pages} in {pages}: {places:?}");
                for first in 0..data_pages {
                    for end in first..=data_pages {
                        let due = (first..end).filter(|&page| parity.ends_stripe(page, page + 1 == data_pages)).count();
                        assert_eq!(parity.parity_pages(first, end - first, end == data_pages), due as u32);
                    }
                }
            }
        }
    }

    #[test]
    fn without_parity_every_page_takes_data() {
        let none = Parity::new(0);
        assert_eq!((none.data_pages(10), none.place(7), none.parity_pages(0, 10, true)), (10, 7, 0));
        assert!(!none.ends_stripe(9, true));
    }
}
