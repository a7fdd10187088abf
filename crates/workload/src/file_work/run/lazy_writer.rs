//! The lazy writer: each pass writes a part of the dirty data and all dirty metadata.

use super::FileRun;
use super::state::{Asker, Event};
use crate::direction::Kind;
use crate::file_work::trace::Metadata;
use flashscope_drive::Drive;

impl FileRun {
    pub(super) fn expect_pass(&mut self) {
        if !self.pass_is_due {
            self.pass_is_due = true;
            self.at(self.now_ns + self.host.lazy_pass_ns, Event::LazyPass);
        }
    }

    pub(super) fn lazy_pass<D: Drive>(&mut self, drive: &mut D) {
        self.pass_is_due = false;
        let part = self.data.waiting_bytes.div_ceil(self.host.lazy_pass_divisor);
        self.allowance_bytes = part.max(self.dirtied_since_pass_bytes);
        self.dirtied_since_pass_bytes = 0;
        self.metadata.begin_pass();
        self.feed_metadata_writer(drive);
        self.feed_lazy_writer(drive);
        if self.data.waiting_bytes > 0 || !self.metadata.is_clean() {
            self.expect_pass();
        }
    }

    /// Gives every idle thread its next transfer, as far as the pass allows.
    pub(super) fn feed_lazy_writer<D: Drive>(&mut self, drive: &mut D) {
        let without_rest = self.live_count == 0 || !self.held_back.is_empty();
        for index in 0..self.threads.len() {
            while self.threads[index].under_way == 0 && (without_rest || self.allowance_bytes > 0) {
                let Some(file) = self.threads[index].file.or_else(|| self.data.next_file()) else { break };
                let part = self.data.take(file, self.host.lazy_write_bytes);
                self.threads[index].file = part.map(|_| file);
                if let Some(part) = part {
                    self.allowance_bytes = self.allowance_bytes.saturating_sub(part.length);
                    let asker = Asker::LazyWriter { thread: index as u32 };
                    self.threads[index].under_way = self.transfer(drive, Kind::Write, part, asker);
                }
            }
        }
    }

    pub(super) fn feed_metadata_writer<D: Drive>(&mut self, drive: &mut D) {
        if self.metadata_under_way > 0 {
            return;
        }
        let Some((kind, place)) = self.metadata.take(self.host.lazy_write_bytes) else { return };
        self.totals.metadata_written_bytes += place.length;
        self.totals.journal_written_bytes += if kind == Metadata::Journal { place.length } else { 0 };
        self.totals.record_write_count += u64::from(kind == Metadata::Record);
        self.record_under_way = kind == Metadata::Record;
        self.metadata_under_way = self.ask(drive, Kind::Write, place, 0, Asker::MetadataWriter);
    }
}
