//! Merging the ends of buffered writes: the first and the last unit, when a write covers them only in part.
//!
//! ```text
//!                 being merged              being programmed
//!   write ----->  [ head ] [ tail ]  -----> [ head ] [ tail ] -----> flash
//!     answered when it is here;             at once, in pages of their own
//!     old data is read here
//! ```
//!
//! The controller has memory for the ends of two writes: one write whose old data is being read, and one that is being
//! programmed. Head and tail are read and programmed in parallel, on different banks. The next write with ends waits
//! until the first place is free; writes without ends pass through the buffer as usual, unless they are behind one that
//! waits. So in a stream of writes that cross unit borders each write takes one program time, although each is answered
//! early.
//!
//! Assumed: both places keep their data until it is on flash, and take room in the buffer.
//! Not modelled here: joining ends that are in the same unit while they are merged; reading an end from memory while
//! its old data is still being read (here the unit is read from flash).

use super::Ssd;
use super::under_way::{Modify, Owner};
use flashscope_ftl::mapping::is_slot;

impl Ssd {
    /// Start merging an end of a write, which already has its room; false when the first place is not free.
    pub(super) fn merge_end(&mut self, number: u32, unit: u32, compressible: u8) -> bool {
        if !self.merges.admits(number) {
            return false;
        }
        self.merges.request = Some(number);
        let slot = self.translation.slot(unit);
        if !is_slot(slot) || !self.translation.is_programmed(slot) {
            self.merges.merged.push((unit, compressible));
        } else {
            self.merges.reading_units += 1;
            self.modify(Modify { unit, owner: Owner::Merge, compressible });
        }
        true
    }

    /// The old data of an end has been read.
    pub(super) fn end_merged(&mut self, unit: u32, compressible: u8) {
        self.merges.reading_units -= 1;
        self.merges.merged.push((unit, compressible));
        if self.advance_merges() {
            self.fill_buffer();
        }
    }

    /// Send the merged units to flash if the second place is free; true when the first place has become free.
    pub(super) fn advance_merges(&mut self) -> bool {
        let merges = &mut self.merges;
        if merges.merged.is_empty() || merges.reading_units > 0 || merges.programming_pages > 0 {
            return false;
        }
        let merged = std::mem::take(&mut merges.merged);
        merges.request = None;
        for (unit, compressible) in merged {
            self.place(unit, Owner::Merge, compressible);
        }
        self.pad_page();
        true
    }
}
