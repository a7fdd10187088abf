//! The end of file work: what is left is written and flushed, or given up.

use super::FileRun;
use super::state::{Asker, State};
use crate::file_work::dirty::DirtyData;
use flashscope_drive::{Drive, Request, RequestKind};

impl FileRun {
    /// Writes what is left when all programs have ended; true when nothing is left and the drive has everything on its
    /// medium.
    pub(super) fn finish<D: Drive>(&mut self, drive: &mut D) -> bool {
        if !self.given_up {
            self.feed_lazy_writer(drive);
            // The journal goes last, because the writes of data changed it.
            if self.dirty_bytes == 0 && self.metadata_under_way == 0 {
                self.metadata.begin_pass();
                self.feed_metadata_writer(drive);
            }
        }
        if self.under_way_count > 0 {
            return false;
        }
        if !self.flushed {
            self.flushed = true;
            self.events.clear();
            let request = Request { kind: RequestKind::Flush, offset_bytes: 0, length_bytes: 0, compressible: 0 };
            self.submit(drive, None, request, Asker::Nobody);
            return false;
        }
        self.totals.synced_ns = self.ledger.elapsed_ns();
        true
    }

    /// The drive refuses more work, or the user ended the run: nothing new is begun.
    pub(super) fn give_up(&mut self) {
        self.given_up = true;
        for program in &mut self.programs {
            program.state = State::Over;
        }
        self.live_count = 0;
        self.held_back.clear();
        self.locked.clear();
        self.waiting_for_core.clear();
        self.events.clear();
        self.metadata.forget();
        self.data = DirtyData::new(self.trace.files.len());
        self.threads.iter_mut().for_each(|thread| thread.file = None);
        self.allowance_bytes = 0;
    }
}
