//! The arm: what it does next, and what follows when that is done.
//!
//! ```text
//!   free --> 1 rest of a request   2 waiting request   3 pressed write cache   4 look-ahead   5 quiet write cache
//!     ^      6 background                               (2 and 3 in turn while writes stall)
//!     |                          |
//!     +---- finished, or -- work within one track: its end is known when it starts
//!           broken off
//! ```
//!
//! Reading ahead and reading in the background are broken off when a request needs the arm, but not before the data
//! that was already promised to a request has passed. A write of a part of a physical sector first reads that sector
//! and writes it one revolution later, whatever the length of the part.
//!
//! Not modelled here: decisions made while the arm is still busy (the disk needs no time to decide).

use super::{Engine, PIECE_SECTORS, Purpose, Waiting, Work};
use crate::disk::config::QueueOrder;
use crate::host::HostSide;
use crate::request::SECTOR_BYTES;

impl Engine {
    /// Break off reading that no request waits for.
    pub(super) fn break_off(&mut self, now_ns: u64) {
        let Some(work) = &mut self.work else { return };
        if !matches!(work.purpose, Purpose::LookAhead | Purpose::Background) {
            return;
        }
        let first = work.start / self.per;
        let all = work.end.div_ceil(self.per) - first;
        let promised = work.promised.div_ceil(self.per).saturating_sub(first);
        let count = work.pass.passed_count(now_ns, all).max(promised);
        let end_ns = if count == 0 { work.pass.on_track_ns } else { work.pass.passed_ns(count) };
        work.end = work.end.min((first + count) * self.per).max(work.start);
        work.end_ns = end_ns.max(now_ns).min(work.end_ns);
        if work.end_ns <= now_ns {
            // No promised data is on its way: what has passed is kept, and the arm is free at once.
            let work = *work;
            self.keep(&work);
            self.work = None;
        }
    }

    /// Data that was read ahead goes into its segment; data that was read in the background is dropped.
    fn keep(&mut self, work: &Work) {
        let bytes = (work.end - work.start) * SECTOR_BYTES;
        match work.purpose {
            Purpose::LookAhead => {
                self.segments.add(work.start, work.end, false);
                self.counters.media_look_ahead_bytes += bytes;
            }
            Purpose::Background => self.counters.media_background_bytes += bytes,
            Purpose::Request | Purpose::WriteOut => {}
        }
    }

    /// The arm's work has ended. Returns true when the background read is complete.
    pub(super) fn finish(&mut self, now_ns: u64, host: &mut HostSide) -> bool {
        let Some(work) = self.work.take() else { return false };
        let physical_bytes = self.physical_count(work.start, work.end) * self.per * SECTOR_BYTES;
        match work.purpose {
            Purpose::Request => self.finish_piece(&work, physical_bytes, now_ns, host),
            Purpose::WriteOut => {
                self.counters.media_written_bytes += physical_bytes;
                self.cache.written(work.end - work.start);
                self.take_writes(now_ns, host);
                let cache = &self.cache;
                self.flushing.retain(|&(age, number)| {
                    let waits = cache.holds_older_than(age);
                    if !waits {
                        host.end_part(number, now_ns);
                    }
                    waits
                });
            }
            Purpose::LookAhead => self.keep(&work),
            Purpose::Background => {
                self.keep(&work);
                // The request may have changed while the arm was still moving.
                if let Some((start, end)) = self.background.filter(|&(start, _)| start == work.start) {
                    debug_assert!(start <= work.end);
                    self.background = (work.end < end).then_some((work.end, end));
                    return self.background.is_none();
                }
            }
        }
        false
    }

    fn finish_piece(&mut self, work: &Work, physical_bytes: u64, now_ns: u64, host: &mut HostSide) {
        let Some(mut request) = self.under_way.take() else { return };
        if request.is_write {
            self.counters.media_written_bytes += physical_bytes;
        } else {
            self.counters.media_read_bytes += physical_bytes;
            let start = work.start - work.start % self.per;
            self.segments.add(start, (start + physical_bytes / SECTOR_BYTES).min(self.end_of_disk), true);
            host.send(request.number, now_ns, (work.end - work.start) * SECTOR_BYTES);
        }
        request.start = work.end;
        if request.start == request.end {
            host.end_part(request.number, now_ns);
        } else {
            self.under_way = Some(request);
        }
    }

    /// Start the arm's next work, if the arm is free and there is work.
    pub(super) fn start(&mut self, now_ns: u64) {
        if self.work.is_some() {
            return;
        }
        if let Some(request) = self.under_way {
            return self.start_request(request, now_ns);
        }
        let pressed = self.cache_is_pressed();
        let urgent = pressed && (!self.stalled.is_empty() || !self.flushing.is_empty());
        let is_turn_of_writes = urgent && !self.wrote_out_last;
        if !self.waiting.is_empty() && !is_turn_of_writes {
            let request = self.waiting.remove(self.choose_waiting(now_ns));
            self.wrote_out_last = false;
            return self.start_request(request, now_ns);
        }
        if pressed {
            return self.start_writing_out(now_ns);
        }
        if let Some((start, end)) = self.segments.look_ahead() {
            let end = end.min(self.end_of_disk);
            if start < end {
                return self.start_reading(Purpose::LookAhead, start, end, now_ns);
            }
        }
        if self.cache.has_waiting() && now_ns >= self.last_arrival_ns + self.idle_flush_ns {
            self.start_writing_out(now_ns);
        } else if let Some((start, end)) = self.background {
            self.start_reading(Purpose::Background, start, end, now_ns);
        }
    }

    /// The index of the waiting request that is served next.
    fn choose_waiting(&self, now_ns: u64) -> usize {
        let oldest_waited_ns = self.waiting.first().map_or(0, |request| now_ns - request.since_ns);
        if self.order == QueueOrder::Arrival || oldest_waited_ns > self.longest_wait_ns {
            return 0;
        }
        let reached_ns = |&index: &usize| {
            let request = &self.waiting[index];
            self.mechanism.positioning_ns(now_ns, request.start / self.per, request.is_write)
        };
        (0..self.waiting.len()).min_by_key(reached_ns).unwrap_or(0)
    }

    fn start_request(&mut self, request: Waiting, now_ns: u64) {
        self.under_way = Some(request);
        self.segments.stop_look_ahead();
        if request.is_write {
            self.start_writing(Purpose::Request, request.start, request.end, now_ns);
        } else {
            self.start_reading(Purpose::Request, request.start, request.end, now_ns);
        }
    }

    fn start_writing_out(&mut self, now_ns: u64) {
        let older_than = self.flushing.first().map(|&(age, _)| age);
        let Some((start, end)) = self.cache.choose(now_ns, &self.mechanism, self.per, older_than) else { return };
        self.wrote_out_last = true;
        self.segments.stop_look_ahead();
        let end = self.start_writing(Purpose::WriteOut, start, end, now_ns);
        self.cache.start_writing(start, end);
    }

    /// Start reading from `start` on, one piece at most.
    fn start_reading(&mut self, purpose: Purpose, start: u64, end: u64, now_ns: u64) {
        let end = end.min(start + PIECE_SECTORS);
        let first = start / self.per;
        let end = end.min((first + self.mechanism.left_on_track(first)) * self.per);
        let pass = self.mechanism.go(now_ns, first, false);
        let end_ns = pass.passed_ns(self.physical_count(start, end));
        self.work = Some(Work { purpose, pass, start, end, end_ns, promised: start });
    }

    /// Start writing from `start` on, to the end of the track at most; returns the end of what is written.
    fn start_writing(&mut self, purpose: Purpose, start: u64, end: u64, now_ns: u64) -> u64 {
        let first = start / self.per;
        let end = end.min((first + self.mechanism.left_on_track(first)) * self.per);
        let pass = self.mechanism.go(now_ns, first, true);
        let count = self.physical_count(start, end);
        let in_part = !start.is_multiple_of(self.per) || !end.is_multiple_of(self.per);
        let end_ns = if in_part { pass.passed_again_ns(count) } else { pass.passed_ns(count) };
        self.counters.read_modify_write_revolutions += u64::from(in_part);
        self.work = Some(Work { purpose, pass, start, end, end_ns, promised: start });
        end
    }
}
