//! TRIM: carried out at once, or noted and carried out when the drive has been idle for a while.
//!
//! ```text
//!   trim [a..b) --> noted ----idle for `delay`----> units forgotten, their slots stale
//!                     ^
//!   write inside it removes its range from the note
//! ```
//!
//! Until then the collector moves trimmed data as if it were still valid.
//! Not modelled here: the time to carry it out (the controller's work on its map), reads of trimmed data that return
//! zeros before the trim is carried out.

use super::Ssd;
use crate::request::Request;
use flashscope_kernel::signs_of_life::alive;
use flashscope_kernel::time::NEVER_NS;

/// Units after which a long trim gives a sign of life.
const UNITS_IN_A_ROW: u32 = 1 << 12;

impl Ssd {
    pub(super) fn trim(&mut self, number: u32, request: Request) {
        self.host.add_part(number);
        let range = request.offset_bytes..request.offset_bytes + request.length_bytes;
        if self.config.trim.delay_ns == 0 {
            self.forget_range(range.start, range.end);
        } else {
            self.noted_trims.insert(range);
        }
        self.host.end_part(number, self.now_ns);
    }

    /// Time at which an idle drive carries out the noted trims, `NEVER_NS` when there are none.
    #[inline]
    pub(super) fn trim_due_ns(&self) -> u64 {
        if self.noted_trims.is_empty() { NEVER_NS } else { self.last_arrival_ns + self.config.trim.delay_ns }
    }

    /// Carry out all noted trims.
    pub(super) fn look_at_trims(&mut self) {
        let mut noted = std::mem::take(&mut self.noted_trims);
        for range in noted.take_all() {
            self.forget_range(range.start, range.end);
        }
    }

    /// Forget every unit that lies completely in the range.
    fn forget_range(&mut self, mut offset_bytes: u64, end_bytes: u64) {
        let unit_bytes = 1 << self.unit_shift;
        let until = if end_bytes == self.config.capacity.user_bytes {
            end_bytes.div_ceil(unit_bytes)
        } else {
            end_bytes / unit_bytes
        };
        self.forget_fine_tables(offset_bytes.div_ceil(unit_bytes) as u32, until as u32);
        while offset_bytes < end_bytes {
            let piece = self.piece(offset_bytes, end_bytes);
            offset_bytes += piece.bytes;
            if piece.unit.is_multiple_of(UNITS_IN_A_ROW) {
                alive(8 * u64::from(UNITS_IN_A_ROW));
            }
            if piece.whole {
                self.drop_from_buffer(piece.unit);
                self.translation.trim(piece.unit);
            }
        }
    }
}
