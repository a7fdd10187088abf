//! The write buffer at work: taking data in, sending it on, and what a full buffer does.
//!
//! ```text
//!   stalled writes --> room? --> arrival: whole units on at once, partial ones wait
//!      ^                |        sorted:  all wait; a sweep sends them on by address
//!      |                no
//!      '-- until there is room / until it is drained
//! ```
//!
//! A unit that leaves the buffer incomplete is completed with its old data, which is read first. A sweep sends units as
//! fast as the flash takes them; a flush, or idle time, sends everything at once.
//!
//! Not modelled here: a flush that waits only for older data; here it is answered when the buffer is empty, newer data
//! included.

use super::Ssd;
use super::under_way::{Modify, OpenPageUse, Owner};
use super::writes::Piece;
use crate::ssd::config::SubUnitWrites;
use flashscope_ftl::buffer::Waiting;
use flashscope_ftl::gc::separation::COLD;
use flashscope_kernel::time::NEVER_NS;

impl Ssd {
    /// A write whose data goes through the buffer has arrived.
    pub(super) fn write_to_buffer(&mut self, number: u32) {
        self.host.add_part(number);
        self.stalled.push_back(number);
        self.fill_buffer();
        self.counters.buffer_stalls += u64::from(self.stalled.back() == Some(&number));
    }

    /// A flush has arrived: everything in the buffer goes to flash.
    pub(super) fn flush(&mut self, number: u32) {
        self.host.add_part(number);
        self.flushing.push(number);
        self.write_out_buffer();
        self.answer_flushes();
    }

    /// Take the data of waiting writes into the buffer as far as there is room.
    pub(super) fn fill_buffer(&mut self) {
        while let Some(&number) = self.stalled.front() {
            if self.buffer.is_closed() {
                return;
            }
            let accepted = self.host.get_mut(number);
            let request = accepted.request;
            let end_bytes = request.offset_bytes + request.length_bytes;
            let mut offset_bytes = request.offset_bytes + accepted.taken_bytes;
            let mut fits = true;
            while fits && offset_bytes < end_bytes {
                let run_bytes = self.take_run(offset_bytes, end_bytes, request.compressible);
                if run_bytes > 0 {
                    offset_bytes += run_bytes;
                    continue;
                }
                let piece = self.piece(offset_bytes, end_bytes);
                fits = self.take_into_buffer(number, piece, request.compressible);
                offset_bytes += if fits { piece.bytes } else { 0 };
            }
            if fits {
                self.stalled.pop_front();
                self.host.end_part(number, self.now_ns);
                self.merges.close();
                self.advance_merges();
            } else {
                self.host.get_mut(number).taken_bytes = offset_bytes - request.offset_bytes;
                if !self.advance_merges() {
                    return;
                }
            }
        }
    }

    /// Take what follows of a long request up to the last unit of the page being filled, if nothing else has to be asked
    /// about these units; returns the bytes taken.
    #[inline]
    fn take_run(&mut self, offset_bytes: u64, end_bytes: u64, compressible: u8) -> u64 {
        if !self.is_run(offset_bytes, end_bytes) || self.buffer.is_sorted() {
            return 0;
        }
        let units = self.place_run(offset_bytes, end_bytes, self.buffer.free_units(), compressible);
        self.buffer.take_all(units);
        self.open_pages[COLD].buffered_units += units;
        u64::from(units) << self.unit_shift
    }

    /// Take one piece of a request into the buffer; false when there is no room yet.
    fn take_into_buffer(&mut self, number: u32, piece: Piece, compressible: u8) -> bool {
        let waiting = self.buffer.waiting(piece.unit);
        if waiting.is_none() && !self.buffer.take() {
            self.make_room_in_buffer();
            // Units that the flash refuses free their room at once.
            if self.buffer.is_closed() || !self.buffer.take() {
                return false;
            }
        }
        if self.merges_ends && !piece.whole && waiting.is_none() {
            let admitted = self.merge_end(number, piece.unit, compressible);
            if !admitted {
                self.buffer.give_back(1);
            }
            self.counters.partial_unit_writes += u64::from(admitted);
            return admitted;
        }
        if self.buffer.is_sorted() {
            self.counters.partial_unit_writes += u64::from(!piece.whole);
            self.buffer.add(piece.unit, piece.covers(self.buffer.full()), compressible);
            self.sweep();
            return true;
        }
        let joined = waiting.unwrap_or_default().joined(piece.covers(self.buffer.full()), compressible);
        if joined.covered == self.buffer.full() {
            self.buffer.remove(piece.unit);
            self.place(piece.unit, Owner::Buffer, joined.compressible);
        } else {
            self.counters.partial_unit_writes += 1;
            self.buffer.add(piece.unit, piece.sectors, compressible);
            // Half of the buffer may wait for the rest of its units; the other half is on its way.
            if self.buffer.waiting_units() > self.buffer.room_units() / 2 {
                self.evict();
            }
        }
        true
    }

    /// The buffer is full: make sure that some of it is on its way to flash.
    #[cold]
    fn make_room_in_buffer(&mut self) {
        self.buffer.found_full();
        if self.buffer.is_sorted() {
            self.sweep();
            self.pad_if_nothing_else_is_under_way();
        } else if self.buffer.is_closed() {
            self.write_out_buffer();
        } else if self.pages.is_empty() && self.modifies.is_empty() && !self.evict() {
            self.pad_page();
        }
    }

    /// Units of the buffer that lie in pages being filled.
    #[inline]
    fn units_in_open_pages(&self) -> u32 {
        self.open_pages.iter().map(|page| page.buffered_units).sum()
    }

    fn pad_if_nothing_else_is_under_way(&mut self) {
        if self.buffer.under_way_units() == self.units_in_open_pages() {
            self.pad_page();
        }
    }

    /// Send the unit whose turn it is on its way; false when none waits.
    fn evict(&mut self) -> bool {
        match self.buffer.remove_next() {
            Some((unit, waiting)) => {
                self.write_back(unit, waiting);
                true
            }
            None => false,
        }
    }

    /// Send the units that the sweep has selected.
    #[inline]
    fn sweep(&mut self) {
        while let Some((unit, waiting)) = self.buffer.sweep() {
            self.write_back(unit, waiting);
        }
    }

    fn write_back(&mut self, unit: u32, waiting: Waiting) {
        if waiting.covered == self.buffer.full() {
            self.place(unit, Owner::Buffer, waiting.compressible);
        } else {
            self.modify(Modify { unit, owner: Owner::Buffer, compressible: waiting.compressible });
        }
    }

    /// A unit from the buffer has been completed with its old data and placed.
    pub(super) fn buffered_unit_completed(&mut self) {
        // A write that waits for room may have waited for this unit only, and a flush may have waited for a refused
        // unit.
        self.fill_buffer();
        if !self.flushing.is_empty() {
            self.write_out_buffer();
            self.answer_flushes();
        } else if self.buffer.is_closed() {
            self.keep_draining();
        }
    }

    /// A page with units from the buffer is on flash.
    pub(super) fn buffered_page_programmed(&mut self, page: OpenPageUse) {
        self.buffer.give_back(page.buffered_units);
        if page.has_merged {
            self.merges.page_programmed();
            self.advance_merges();
        }
        self.buffer_has_room();
    }

    /// Units left the buffer without a page, so no page reports it: continue the requests that wait for room or for an
    /// empty buffer.
    #[cold]
    pub(super) fn use_room(&mut self) {
        while std::mem::take(&mut self.room_came_back) {
            self.advance_merges();
            self.buffer_has_room();
        }
    }

    /// The buffer has more room than before.
    pub(super) fn buffer_has_room(&mut self) {
        self.fill_buffer();
        self.sweep();
        if self.buffer.is_closed() {
            self.keep_draining();
        }
        self.answer_flushes();
    }

    /// While no write is taken in, no new data completes a page: pad the page that would hold up the draining.
    #[cold]
    fn keep_draining(&mut self) {
        self.sweep();
        if self.modifies.is_empty() {
            self.pad_if_nothing_else_is_under_way();
        }
    }

    /// When an idle drive writes out the rest of its buffer, `NEVER_NS` when nothing is left.
    #[inline]
    pub(super) fn idle_flush_due_ns(&self) -> u64 {
        if !self.buffer.exists() || (self.buffer.waiting_units() == 0 && self.units_in_open_pages() == 0) {
            return NEVER_NS;
        }
        if self.buffer.is_sorted() && !self.modifies.is_empty() {
            return NEVER_NS; // units that are being completed will still enter the page
        }
        (self.last_arrival_ns + self.config.buffer.idle_flush_ns).max(self.now_ns)
    }

    /// Send everything in the buffer on its way to flash.
    pub(super) fn write_out_buffer(&mut self) {
        while self.evict() {}
        if !self.buffer.is_sorted() || self.modifies.is_empty() {
            self.pad_page();
        }
    }

    fn answer_flushes(&mut self) {
        if self.buffer.used_units() == 0 && self.stalled.is_empty() {
            for number in std::mem::take(&mut self.flushing) {
                self.host.end_part(number, self.now_ns);
            }
        }
    }

    /// Drop the buffered data of a unit, and free its room; returns the data.
    #[inline]
    pub(super) fn drop_from_buffer(&mut self, unit: u32) -> Option<Waiting> {
        let waiting = self.buffer.remove(unit)?;
        self.buffer.give_back(1);
        Some(waiting)
    }

    /// Check the counts of the buffer and of the requests that wait for it. Panics when they contradict each other.
    pub(super) fn check_buffer(&self) {
        self.buffer.check();
        let in_pages: u32 = self.pages.iter().chain(&self.open_pages).map(|page| page.buffered_units).sum();
        let of_buffer = |modify: &&Modify| matches!(modify.owner, Owner::Buffer | Owner::Merge);
        let in_modifies = self.modifies.iter().filter(of_buffer).count() as u32;
        let held = in_pages + in_modifies + self.merges.merged_units() + self.buffer.waiting_units();
        assert_eq!(self.buffer.used_units(), held, "room in the buffer adds up");
        let open = self.units_in_open_pages();
        let moving = self.buffer.under_way_units() > open;
        assert!(self.stalled.is_empty() || moving, "a write waits for room that nothing will give back");
        assert!(!self.buffer.is_closed() || !self.stalled.is_empty(), "closed, though nobody waits");
        if self.buffer.exists()
            && self.buffer.is_sorted()
            && self.config.buffer.sub_unit_writes == SubUnitWrites::Buffered
            && self.config.buffer.past_from_bytes == u64::MAX
        {
            let layer = self.translation.tally();
            let placed =
                layer.placed_units - self.counters.gathered_units + layer.zero_units + self.counters.refused_units;
            let tally = self.buffer.tally();
            let flushed = tally.flushed_units - tally.lost_units;
            assert_eq!(flushed, placed + u64::from(in_modifies), "all units on flash came from the buffer");
        }
    }
}
