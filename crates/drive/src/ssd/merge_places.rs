//! The two places for the ends of buffered writes that are completed with their old data; see `merges.rs`.

use serde::{Deserialize, Serialize};

/// The two places.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct MergePlaces {
    /// The write whose ends may still enter the first place.
    pub request: Option<u32>,
    /// Units there whose old data is being read.
    pub reading_units: u32,
    /// Units there that are complete.
    pub merged: Vec<(u32, u8)>,
    /// Pages from the second place that are not on flash yet.
    pub programming_pages: u32,
}

impl MergePlaces {
    /// True when an end of this write may take the first place.
    pub fn admits(&self, number: u32) -> bool {
        self.request == Some(number) || (self.reading_units == 0 && self.merged.is_empty())
    }

    /// True when both places are free.
    pub fn is_idle(&self) -> bool {
        self.request.is_none() && self.reading_units + self.programming_pages == 0 && self.merged.is_empty()
    }

    /// All ends of the write are in the first place.
    pub fn close(&mut self) {
        self.request = None;
    }

    /// A page with merged units goes to flash.
    pub fn page_sent(&mut self) {
        self.programming_pages += 1;
    }

    /// A page with merged units is on flash.
    pub fn page_programmed(&mut self) {
        self.programming_pages -= 1;
    }

    /// Units that are complete and wait for the second place.
    pub fn merged_units(&self) -> u32 {
        self.merged.len() as u32
    }
}
