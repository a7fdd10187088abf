//! Writes, trims and flushes: from the host's data to programmed pages.
//!
//! ```text
//!   request --> units --whole----------------------> page being filled --> bank
//!                  \--partial--> buffer / through --> read old data --^
//! ```
//!
//! Not modelled here: two requests that change parts of one unit at the same moment are not merged; each
//! reads and writes the unit.

use super::{Ssd, Token};
use crate::request::{Request, RequestKind, Status};
use flashscope_ftl::buffer::Covered;
use flashscope_ftl::mapping::NOWHERE;
use flashscope_ftl::{Collected, OpenPage, Pacing};
use flashscope_kernel::time::NEVER_NS;
use flashscope_nand::Operation;
use serde::{Deserialize, Serialize};

/// Whose data is in a page.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenPageUse {
    pub block: u32,
    /// Units whose room in the buffer is given back when the page is programmed.
    pub buffered_units: u32,
    /// The request that waits for the page.
    pub request: Option<u32>,
}

/// A partly written unit whose old data is being read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Modify {
    pub unit: u32,
    /// The request that waits for it; none when it was in the buffer.
    pub request: Option<u32>,
}

/// The part of a request that lies in one unit.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub unit: u32,
    pub bytes: u64,
    /// Sectors of the unit that are covered.
    pub sectors: Covered,
    pub whole: bool,
}

impl Ssd {
    pub(super) fn request_arrived(&mut self, number: u32, kind: RequestKind) {
        let request = self.host.get_mut(number).request;
        self.counters.count(&request);
        match kind {
            RequestKind::Read => self.read(number, request),
            RequestKind::Write if self.goes_through(&request) => self.write_through(number, request),
            RequestKind::Write => {
                self.host.add_part(number);
                self.stalled.push_back(number);
                self.fill_buffer();
                self.counters.buffer_stalls += u64::from(self.stalled.back() == Some(&number));
            }
            RequestKind::Trim => self.trim(number, request),
            RequestKind::Flush => {
                self.host.add_part(number);
                self.flushing.push(number);
                self.write_out_buffer();
                self.answer_flushes();
            }
        }
    }

    /// True when a write is not acknowledged before it is on flash.
    fn goes_through(&self, request: &Request) -> bool {
        let unit_mask = u64::from(self.config.mapping.unit_bytes) - 1;
        let has_partial = (request.offset_bytes | (request.offset_bytes + request.length_bytes)) & unit_mask != 0;
        !self.buffer.exists() || (self.sub_unit_through && has_partial)
    }

    /// The piece of a request that begins at `offset_bytes`.
    pub(super) fn piece(&self, offset_bytes: u64, end_bytes: u64) -> Piece {
        let unit_bytes = 1_u64 << self.unit_shift;
        let within = offset_bytes & (unit_bytes - 1);
        let bytes = (unit_bytes - within).min(end_bytes - offset_bytes);
        // The last unit of the drive may be cut short by its capacity.
        let whole = within == 0 && (bytes == unit_bytes || offset_bytes + bytes == self.config.capacity.user_bytes);
        let first_sector = within / 512;
        let sector_count = bytes / 512;
        let ones = if sector_count == 128 { Covered::MAX } else { (1 << sector_count) - 1 };
        Piece { unit: (offset_bytes >> self.unit_shift) as u32, bytes, sectors: ones << first_sector, whole }
    }

    /// Write without the buffer: the answer waits for every page.
    fn write_through(&mut self, number: u32, request: Request) {
        self.host.add_part(number);
        if self.open_page.buffered_units > 0 || self.open_page.request.is_some() {
            self.pad_page();
        }
        let end_bytes = request.offset_bytes + request.length_bytes;
        let mut offset_bytes = request.offset_bytes;
        while offset_bytes < end_bytes {
            let piece = self.piece(offset_bytes, end_bytes);
            offset_bytes += piece.bytes;
            if self.buffer.remove(piece.unit) {
                self.buffer.give_back(1);
            }
            if piece.whole {
                self.place(piece.unit, Some(number));
            } else {
                self.counters.partial_unit_writes += 1;
                self.modify(Modify { unit: piece.unit, request: Some(number) });
            }
        }
        self.pad_page();
        self.host.end_part(number, self.now_ns);
    }

    /// Take the data of waiting writes into the buffer as far as there is room.
    pub(super) fn fill_buffer(&mut self) {
        while let Some(&number) = self.stalled.front() {
            let accepted = self.host.get_mut(number);
            let request = accepted.request;
            let end_bytes = request.offset_bytes + request.length_bytes;
            let mut offset_bytes = request.offset_bytes + accepted.taken_bytes;
            while offset_bytes < end_bytes {
                let piece = self.piece(offset_bytes, end_bytes);
                if !self.take_into_buffer(piece) {
                    self.host.get_mut(number).taken_bytes = offset_bytes - request.offset_bytes;
                    return;
                }
                offset_bytes += piece.bytes;
            }
            self.stalled.pop_front();
            self.host.end_part(number, self.now_ns);
        }
    }

    /// Take one piece into the buffer; false when there is no room yet.
    fn take_into_buffer(&mut self, piece: Piece) -> bool {
        let here = self.buffer.covered(piece.unit) != 0;
        if !here && !self.buffer.take() {
            self.make_room_in_buffer();
            return false;
        }
        let full: Covered = match 1_u32 << (self.unit_shift - 9) {
            128 => Covered::MAX,
            sectors => (1 << sectors) - 1,
        };
        if piece.whole || (here && self.buffer.covered(piece.unit) | piece.sectors == full) {
            self.buffer.remove(piece.unit);
            self.place(piece.unit, None);
        } else {
            self.counters.partial_unit_writes += 1;
            self.buffer.add(piece.unit, piece.sectors);
            // Half of the buffer may wait for the rest of its units; the other half is on its way.
            if self.buffer.partial_units() > self.buffer.room_units() / 2 {
                self.evict_oldest();
            }
        }
        true
    }

    /// The buffer is full: see to it that some of it is on its way to flash.
    fn make_room_in_buffer(&mut self) {
        if self.pages.is_empty() && self.modifies.is_empty() && !self.evict_oldest() {
            self.pad_page();
        }
    }

    fn evict_oldest(&mut self) -> bool {
        match self.buffer.remove_oldest() {
            Some(unit) => {
                self.modify(Modify { unit, request: None });
                true
            }
            None => false,
        }
    }

    /// Complete a partly written unit: read its old data, unless it has none or it is still in memory.
    fn modify(&mut self, modify: Modify) {
        let slot = self.translation.slot(modify.unit);
        if slot == NOWHERE || !self.translation.is_programmed(slot) {
            self.place(modify.unit, modify.request);
            return;
        }
        self.counters.modify_read_pages += 1;
        if let Some(request) = modify.request {
            self.host.add_part(request);
        }
        let bank = self.bank_of_slot(slot);
        let bytes = self.config.mapping.unit_bytes;
        self.bit_errors.read(u64::from(bytes) * 8, self.translation.erase_count_at(slot));
        let token = Token::Modify(self.modifies.insert(modify));
        self.array.enqueue(bank, self.now_ns, Operation::Read { bytes, token });
    }

    pub(super) fn old_data_read(&mut self, modify: u32) {
        let modify = self.modifies.remove(modify);
        self.place(modify.unit, modify.request);
        if let Some(request) = modify.request {
            self.pad_page();
            self.host.end_part(request, self.now_ns);
        } else if !self.flushing.is_empty() {
            self.write_out_buffer();
        }
    }

    /// Put a unit into the page being filled. `request` waits for it; without one its room in the buffer is
    /// given back when it is on flash.
    fn place(&mut self, unit: u32, request: Option<u32>) {
        let Ok(placed) = self.translation.place(unit, self.now_ns) else {
            self.counters.refused_units += 1;
            match request {
                Some(number) => self.host.get_mut(number).status = Status::NoFreeBlock,
                None => {
                    self.buffer.give_back(1);
                    if let Some(&number) = self.stalled.front() {
                        self.host.get_mut(number).status = Status::NoFreeBlock;
                    }
                }
            }
            return;
        };
        if let Some(work) = placed.collected {
            match self.config.gc.pacing {
                Pacing::Blocking => self.collect(placed.pool, work),
                Pacing::Spread => {
                    let erase_blocks = self.config.geometry.erase_blocks_per_pool_block();
                    self.owed[placed.pool as usize].add(Collected { erases: work.erases * erase_blocks, ..work });
                }
            }
        }
        match request {
            Some(_) => self.open_page.request = request,
            None => self.open_page.buffered_units += 1,
        }
        if let Some(page) = placed.complete {
            self.program(page);
        }
    }

    /// Let the banks of a pool do the work of a collection, each the same share.
    fn collect(&mut self, pool: u32, mut work: Collected) {
        work.erases *= self.config.geometry.erase_blocks_per_pool_block();
        let banks = if self.config.geometry.superblock { self.config.geometry.bank_count() } else { 1 };
        for position in 0..banks {
            if let Some(share) = work.take_share(banks - position) {
                self.collect_on(self.config.geometry.bank_of_page(pool, position), share);
            }
        }
    }

    fn collect_on(&mut self, bank: u32, share: Collected) {
        let Collected { reads, programs, page_index, erases } = share;
        let page_index = self.config.geometry.page_in_erase_block(page_index);
        self.array.enqueue(bank, self.now_ns, Operation::Collect { reads, programs, page_index, erases });
    }

    /// Send the page being filled to flash as it is.
    fn pad_page(&mut self) {
        if let Some(page) = self.translation.pad_page() {
            self.program(page);
        }
    }

    fn program(&mut self, page: OpenPage) {
        let mut page_use = std::mem::take(&mut self.open_page);
        page_use.block = page.block;
        if let Some(request) = page_use.request {
            self.host.add_part(request);
        }
        let geometry = &self.config.geometry;
        let bank = geometry.bank_of_page(page.pool, page.page_index);
        let page_index = geometry.page_in_erase_block(page.page_index);
        if self.config.gc.pacing == Pacing::Spread {
            let pages_left = geometry.pages_per_pool_block() - page.page_index;
            if let Some(share) = self.owed[page.pool as usize].take_share(pages_left) {
                self.collect_on(bank, share);
            }
        }
        let token = Token::Page(self.pages.insert(page_use));
        self.array.enqueue(bank, self.now_ns, Operation::Program { page_index, token });
    }

    pub(super) fn page_programmed(&mut self, page: u32) {
        let page = self.pages.remove(page);
        self.translation.page_programmed(page.block);
        if let Some(request) = page.request {
            self.host.end_part(request, self.now_ns);
        }
        if page.buffered_units > 0 {
            self.buffer.give_back(page.buffered_units);
            self.fill_buffer();
            self.answer_flushes();
        }
    }

    /// When an idle drive writes out what is left in its buffer, `NEVER_NS` when nothing is left.
    #[inline]
    pub(super) fn idle_flush_due_ns(&self) -> u64 {
        if !self.buffer.exists() || (self.open_page.buffered_units == 0 && self.buffer.partial_units() == 0) {
            return NEVER_NS;
        }
        (self.last_arrival_ns + self.config.buffer.idle_flush_ns).max(self.now_ns)
    }

    /// Send everything in the buffer on its way to flash.
    pub(super) fn write_out_buffer(&mut self) {
        while self.evict_oldest() {}
        self.pad_page();
    }

    fn answer_flushes(&mut self) {
        if self.buffer.used_units() == 0 && self.stalled.is_empty() {
            for number in std::mem::take(&mut self.flushing) {
                self.host.end_part(number, self.now_ns);
            }
        }
    }
}
