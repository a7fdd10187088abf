//! Units of zeros: a drive that detects them marks them in its map, and fills no page with them.
//!
//! ```text
//!   unit of zeros --> noted       a page does not follow, so nothing comes back to say that
//!                       '-------> whoever owned it is done, and its room in the buffer is free at once
//! ```
//!
//! Writes that wait for room, and flushes, are continued after the event that marked the unit.
//! Assumed: these marks are as safe as the map.
//! Not modelled here: the time to detect zeros.

use super::Ssd;
use super::under_way::Owner;

impl Ssd {
    /// Mark a unit if it is all zeros and the drive detects them; false when it has to be placed.
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
