//! What a drive does on its own when the host leaves it alone.
//!
//! ```text
//!   last arrival ---- buffer.idle_flush ----> the rest of the buffer is written out
//!                ---- trim.delay -----------> what was trimmed is looked at
//! ```
//!
//! Each has its own delay; the next arrival ends it all.

use super::Ssd;

impl Ssd {
    /// When there is something to do in idle time, `NEVER_NS` when there is nothing.
    #[inline]
    pub(super) fn idle_due_ns(&self) -> u64 {
        let flush_ns = self.idle_flush_due_ns();
        if self.gated { flush_ns.min(self.trim_due_ns().max(self.now_ns)) } else { flush_ns }
    }

    /// Do what is due.
    pub(super) fn idle_work(&mut self) {
        if self.idle_flush_due_ns() <= self.now_ns {
            self.write_out_buffer();
        } else {
            self.look_at_trims();
        }
    }
}
