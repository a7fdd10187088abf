//! Merging the ends of buffered writes: the first and the last unit, where a write covers only part of them.
//!
//! ```text
//!                 being merged              being programmed
//!   write ----->  [ head ] [ tail ]  -----> [ head ] [ tail ] -----> flash
//!     answered when it is here;             at once, in pages of their own
//!     old data is read here
//! ```
//!
//! The controller has memory for two writes' ends: one whose old data is being read, one that is being
//! programmed. Head and tail are read and programmed side by side, on different banks. The next write that
//! has ends waits until the first place is free; writes without ends pass through the buffer as ever, unless
//! they stand behind one that waits. So a stream of writes that straddle units goes at one program time
//! each, though each is answered early.
//!
//! Assumed: both places keep their data until it is on flash, and take room in the buffer.
//! Not modelled here: ends that meet in one unit while they are merged are not joined; a read of an end whose
//! old data is still being read finds the unit on flash, not in memory.

use super::Ssd;
use super::under_way::{Modify, Owner};
use flashscope_ftl::mapping::is_slot;

impl Ssd {
    /// Let an end of a write, whose room is taken, be merged; false when the first place is not free.
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

    /// Send what is merged to flash if that place is free; true when the first place has become free.
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
