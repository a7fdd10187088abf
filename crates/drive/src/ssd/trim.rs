//! TRIM: at once, or noted and looked at when the drive has been idle for a while.
//!
//! ```text
//!   trim [a..b) --> noted ----idle for `delay`----> units forgotten, their slots stale
//!                     ^
//!   write inside it takes its range back out
//! ```
//!
//! Until then the collector moves trimmed data as if it were still wanted.
//! Not modelled here: the time it takes to look (the controller's own work on its map), reads of trimmed data that
//! return zeros before it has.

use super::Ssd;
use crate::request::Request;
use flashscope_kernel::time::NEVER_NS;

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

    /// When an idle drive looks at what was trimmed, `NEVER_NS` when nothing was.
    #[inline]
    pub(super) fn trim_due_ns(&self) -> u64 {
        if self.noted_trims.is_empty() { NEVER_NS } else { self.last_arrival_ns + self.config.trim.delay_ns }
    }

    /// Look at everything noted.
    pub(super) fn look_at_trims(&mut self) {
        let mut noted = std::mem::take(&mut self.noted_trims);
        for range in noted.take_all() {
            self.forget_range(range.start, range.end);
        }
    }

    /// Forget every unit that lies wholly in the range.
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
            if piece.whole {
                self.drop_from_buffer(piece.unit);
                self.translation.trim(piece.unit);
            }
        }
    }
}
