//! Data that was moved while the page it came from was still on its way to flash.
//!
//! ```text
//!   host page on its way to block 7   [u]          block 7 is collected at once, u moved, block 7 erased in the books
//!   a power cut now                    u is lost: the bank had not even programmed what it was to copy
//!   the page ends                      u is safe: the bank copies it before it erases block 7
//! ```
//!
//! Rare: it takes a block that is filled and collected again within the time its pages wait at their banks. So only a
//! list of these few units is kept, and no record for each unit.

use super::open_page::OpenPage;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;

/// The page that has to end before a moved unit is safe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Source {
    pub block: u32,
    pub page_index: u32,
    pub erase_count: u32,
}

/// The units that wait for such pages, by the slot they were moved to.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Unsettled {
    pub by_slot: BTreeMap<u32, (u32, Source)>,
}

impl Unsettled {
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.by_slot.is_empty()
    }

    /// A page is on flash: what came from it is safe.
    #[cold]
    pub fn settle(&mut self, page: &OpenPage) {
        let OpenPage { block, page_index, erase_count, .. } = *page;
        let ended = Source { block, page_index, erase_count };
        self.by_slot.retain(|_, (_, source)| *source != ended);
    }

    /// These slots hold no data any more.
    #[cold]
    pub fn forget(&mut self, slots: Range<u32>) {
        let gone: Vec<u32> = self.by_slot.range(slots).map(|(&slot, _)| slot).collect();
        for slot in gone {
            self.by_slot.remove(&slot);
        }
    }
}
