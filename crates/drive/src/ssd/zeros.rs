//! Units of zeros: a drive that looks for them notes them in its map, and no page is filled.
//!
//! ```text
//!   unit of zeros --> noted       a page does not follow, so nothing comes back to say that
//!                       '-------> whoever owned it is done, and its room in the buffer is free at once
//! ```
//!
//! Writes that wait for room, and flushes, are looked at when the event that noted the unit is over.
//! Assumed: what is noted is as safe as the map.
//! Not modelled here: the time to look.

use super::Ssd;
use super::under_way::Owner;

impl Ssd {
    /// Note a unit if it is all zeros and the drive looks for them; false when it has to be placed.
    #[inline]
    pub(super) fn note_zeros(&mut self, unit: u32, owner: Owner, compressible: u8) -> bool {
        if compressible != u8::MAX {
            return false;
        }
        let noted = self.translation.note_zeros(unit, compressible);
        if noted && matches!(owner, Owner::Buffer | Owner::Merge) {
            self.buffer.give_back(1);
            self.room_came_back = true;
        }
        noted
    }
}
