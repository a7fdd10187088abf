//! Where data and parity lie in a block: the pages of a block in order, each marked.
//!
//! ```text
//!   stripes of 3   d d P d d P d P        the last page of a block ends its stripe
//! ```

use crate::twin::Twin;
use flashscope_drive::Config;

/// For each page of a block whether it is parity.
pub fn is_parity(config: &Config) -> Vec<bool> {
    let (stripe, pages) = (config.parity.stripe_pages, config.geometry.pages_per_pool_block());
    (1..=pages).map(|page| stripe > 0 && (page.is_multiple_of(stripe) || page == pages)).collect()
}

/// Data pages of a block.
pub fn data_pages(config: &Config) -> usize {
    is_parity(config).iter().filter(|&&parity| !parity).count()
}

impl Twin {
    /// Where the data page of that number lies in its block.
    pub fn place_of(&self, page: usize) -> usize {
        let pages = is_parity(&self.config).into_iter().enumerate();
        pages.filter(|&(_, parity)| !parity).nth(page).expect("the block has so many data pages").0
    }

    /// Where the parity lies that is programmed behind this data page, if it is.
    pub fn parity_behind(&self, page: usize) -> Option<usize> {
        let next = self.place_of(page) + 1;
        is_parity(&self.config).get(next).is_some_and(|&parity| parity).then_some(next)
    }
}
