//! Writes, trims and flushes: from the host's data to programmed pages.
//!
//! ```text
//!   request --> units --buffer (buffering.rs)--------> page being filled --> bank
//!                  \--through--> partial: read old data --^
//! ```
//!
//! Not modelled here: merging of two requests that change parts of one unit at the same time; each reads and writes the
//! unit.

use super::Ssd;
use super::under_way::{Modify, Owner, Token};
use crate::request::{Request, RequestKind, Status};
use flashscope_ftl::buffer::Covered;
use flashscope_ftl::gc::FromPslc;
use flashscope_ftl::gc::separation::COLD;
use flashscope_ftl::mapping::is_slot;
use flashscope_ftl::{Collected, OpenPage, Pacing, Placed, Refusal};
use flashscope_nand::{CellMode, Operation};

/// The part of a request that lies in one unit.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub unit: u32,
    pub bytes: u64,
    /// Sectors of the unit that are covered.
    pub sectors: Covered,
    pub whole: bool,
}

impl Piece {
    /// Sectors without old data after this write: all for a complete unit, also for one that the capacity cuts short.
    pub fn covers(&self, full: Covered) -> Covered {
        if self.whole { full } else { self.sectors }
    }
}

impl Ssd {
    pub(super) fn request_arrived(&mut self, number: u32, kind: RequestKind) {
        let request = self.host.get_mut(number).request;
        self.counters.count(&request);
        match kind {
            RequestKind::Read => self.read(number, request),
            RequestKind::Write if self.goes_through(&request) => self.write_through(number, request),
            RequestKind::Write => self.write_to_buffer(number),
            RequestKind::Trim => self.trim(number, request),
            RequestKind::Flush => self.flush(number),
        }
    }

    /// True when a write is acknowledged only when it is on flash.
    fn goes_through(&self, request: &Request) -> bool {
        let unit_mask = u64::from(self.config.mapping.unit_bytes) - 1;
        let end_bytes = request.offset_bytes + request.length_bytes;
        // The capacity may cut the last unit short; a write to the end of the drive still covers this unit completely.
        let ends_within = end_bytes & unit_mask != 0 && end_bytes != self.config.capacity.user_bytes;
        let has_partial = request.offset_bytes & unit_mask != 0 || ends_within;
        let is_large = request.length_bytes >= self.config.buffer.past_from_bytes;
        !self.buffer.exists() || is_large || (has_partial && request.length_bytes < self.through_below_bytes)
    }

    /// The piece of a request that begins at `offset_bytes`.
    pub(super) fn piece(&self, offset_bytes: u64, end_bytes: u64) -> Piece {
        let unit_bytes = 1_u64 << self.unit_shift;
        let within = offset_bytes & (unit_bytes - 1);
        let bytes = (unit_bytes - within).min(end_bytes - offset_bytes);
        // The capacity may cut the last unit of the drive short.
        let whole = within == 0 && (bytes == unit_bytes || offset_bytes + bytes == self.config.capacity.user_bytes);
        let first_sector = within / 512;
        let sector_count = bytes / 512;
        let ones = if sector_count == 128 { Covered::MAX } else { (1 << sector_count) - 1 };
        Piece { unit: (offset_bytes >> self.unit_shift) as u32, bytes, sectors: ones << first_sector, whole }
    }

    /// Write without the buffer: the answer waits for every page.
    fn write_through(&mut self, number: u32, request: Request) {
        self.host.add_part(number);
        if self.open_pages.iter().any(|page| page.buffered_units > 0 || page.request.is_some()) {
            self.pad_page();
        }
        let full = self.buffer.full();
        let end_bytes = request.offset_bytes + request.length_bytes;
        let mut offset_bytes = request.offset_bytes;
        while offset_bytes < end_bytes {
            let run_bytes = self.place_run_through(number, offset_bytes, end_bytes, request.compressible);
            if run_bytes > 0 {
                offset_bytes += run_bytes;
                continue;
            }
            let piece = self.piece(offset_bytes, end_bytes);
            offset_bytes += piece.bytes;
            let waiting = self.drop_from_buffer(piece.unit).unwrap_or_default();
            let joined = waiting.joined(piece.covers(full), request.compressible);
            self.counters.partial_unit_writes += u64::from(!piece.whole);
            self.merge_run_of(piece.unit);
            if joined.covered == full {
                self.place(piece.unit, Owner::Request(number), joined.compressible);
            } else {
                let owner = Owner::Request(number);
                self.modify(Modify { unit: piece.unit, owner, compressible: joined.compressible });
            }
        }
        self.pad_page();
        self.host.end_part(number, self.now_ns);
    }

    /// Place what follows of a long request up to the last unit of the page being filled, if nothing else has to be asked
    /// about these units; returns the bytes placed.
    #[inline]
    fn place_run_through(&mut self, number: u32, offset_bytes: u64, end_bytes: u64, compressible: u8) -> u64 {
        if !self.is_run(offset_bytes, end_bytes) || self.open_run.units_per_run > 0 {
            return 0;
        }
        let units = self.place_run(offset_bytes, end_bytes, u32::MAX, compressible);
        if units > 0 {
            self.open_pages[COLD].request = Some(number);
        }
        u64::from(units) << self.unit_shift
    }

    /// True when a stretch begins with a unit and is longer than one, so that the units may be placed page by page.
    #[inline]
    pub(super) fn is_run(&self, offset_bytes: u64, end_bytes: u64) -> bool {
        let unit_bytes = 1_u64 << self.unit_shift;
        end_bytes - offset_bytes > unit_bytes && offset_bytes & (unit_bytes - 1) == 0
    }

    /// Put whole units, `most` at most, into the page being filled, all but the one that completes it; returns their
    /// number. 0 where each unit has to be looked at: zeros, compression, hot and cold apart, regions with tables, old
    /// data of partial writes that waits; and where a block has to be opened.
    #[inline(never)]
    pub(super) fn place_run(&mut self, offset_bytes: u64, end_bytes: u64, most: u32, compressible: u8) -> u32 {
        if compressible == u8::MAX || self.fine_map.is_some() || self.buffer.waiting_units() > 0 {
            return 0;
        }
        let first = (offset_bytes >> self.unit_shift) as u32;
        let whole = ((end_bytes - offset_bytes) >> self.unit_shift) as u32;
        let placed = self.translation.fill_page(first..first + whole.min(most));
        if placed > 0 {
            self.set_date();
        }
        placed
    }

    /// Complete a partly written unit: read its old data, unless it has none or the data is still in memory.
    pub(super) fn modify(&mut self, modify: Modify) {
        let slot = self.translation.slot(modify.unit);
        if !is_slot(slot) || !self.translation.is_programmed(slot) {
            self.place(modify.unit, modify.owner, modify.compressible);
            return;
        }
        self.counters.modify_read_pages += 1;
        if let Owner::Request(number) = modify.owner {
            self.host.add_part(number);
        }
        let bank = self.bank_of_slot(slot);
        let bytes = self.config.mapping.unit_bytes;
        let mode = self.translation.mode_of_slot(slot);
        let token = Token::Modify(self.modifies.insert(modify));
        self.array.enqueue(bank, self.now_ns, Operation::Read { bytes, mode, token });
        let harmed = self.meet_errors(bytes, slot);
        self.tend(harmed.as_slice());
    }

    pub(super) fn old_data_read(&mut self, modify: u32) {
        let mut modify = self.modifies.remove(modify);
        if self.config.compression.is_some() {
            // The rest of the old data is part of the unit too.
            modify.compressible = modify.compressible.min(self.translation.compressible(modify.unit));
        }
        match modify.owner {
            Owner::Merge => self.end_merged(modify.unit, modify.compressible),
            Owner::Buffer => {
                self.place(modify.unit, Owner::Buffer, modify.compressible);
                self.buffered_unit_completed();
            }
            Owner::Request(number) => {
                self.place(modify.unit, modify.owner, modify.compressible);
                self.pad_page();
                self.host.end_part(number, self.now_ns);
            }
            Owner::Nobody => {
                self.place(modify.unit, modify.owner, modify.compressible);
                self.pad_page();
            }
        }
    }

    /// Put a unit into the page being filled, unless it is all zeros and the drive only marks zeros in the map.
    pub(super) fn place(&mut self, unit: u32, owner: Owner, compressible: u8) {
        if self.note_zeros(unit, owner, compressible) {
            return;
        }
        self.set_date();
        self.take_fine_table(unit);
        let placed = match self.translation.place(unit, compressible, self.now_ns) {
            Ok(placed) => placed,
            Err(refusal) => return self.unit_refused(refusal, owner),
        };
        self.add_collection(&placed);
        let page = &mut self.open_pages[usize::from(placed.stream)];
        match owner {
            Owner::Request(number) => page.request = Some(number),
            Owner::Nobody => {}
            Owner::Buffer => page.buffered_units += 1,
            Owner::Merge => {
                page.buffered_units += 1;
                page.has_merged = true;
            }
        }
        if let Some(page) = placed.complete {
            self.program(page);
        }
    }

    /// Queue the collection that made room for a unit, now or spread over the pages to come.
    #[inline]
    pub(super) fn add_collection(&mut self, placed: &Placed) {
        if let Some(work) = placed.collected {
            match self.config.gc.pacing {
                Pacing::Blocking => self.collect(placed.pool, work),
                Pacing::Spread => {
                    let erase_blocks = self.config.geometry.erase_blocks_per_pool_block();
                    self.owed[placed.pool as usize].add(work.with_erase_blocks(erase_blocks));
                }
            }
        }
    }

    /// Before a page is programmed, do its share of the spread collection.
    #[inline]
    pub(super) fn do_owed_collection(&mut self, page: &OpenPage) {
        if self.config.gc.pacing == Pacing::Spread {
            let mode = self.translation.mode_of_block(page.block);
            let pages_left = self.translation.pages_per_block(mode) - page.page_index;
            if let Some(share) = self.owed[page.pool as usize].take_share(pages_left) {
                let place = self.parity.place(page.page_index);
                self.collect_on(self.config.geometry.bank_of_page(page.pool, place), share);
            }
        }
    }

    /// There is no block for a unit: pass the error to what waits for it.
    #[cold]
    fn unit_refused(&mut self, refusal: Refusal, owner: Owner) {
        self.counters.refused_units += 1;
        let status = match refusal {
            Refusal::NoFreeBlock => Status::NoFreeBlock,
            Refusal::SparesExhausted => self.end_life(),
        };
        match owner {
            Owner::Request(number) => self.host.get_mut(number).status = status,
            Owner::Nobody => {}
            Owner::Buffer | Owner::Merge => {
                self.buffer.give_back(1);
                self.room_came_back = true;
                if let Some(&number) = self.stalled.front() {
                    self.host.get_mut(number).status = status;
                }
            }
        }
    }

    /// Let the banks of a pool do the work of a collection, each an equal share.
    pub(super) fn collect(&mut self, pool: u32, work: Collected) {
        let mut work = work.with_erase_blocks(self.config.geometry.erase_blocks_per_pool_block());
        let banks = self.config.geometry.banks_per_pool();
        for position in 0..banks {
            if let Some(share) = work.take_share(banks - position) {
                self.collect_on(self.config.geometry.bank_of_page(pool, position), share);
            }
        }
    }

    fn collect_on(&mut self, bank: u32, share: Collected) {
        if share.from_pslc == FromPslc::default() {
            return self.collect_from(bank, share, CellMode::Native);
        }
        let (native, pslc) = share.by_source();
        if !native.is_nothing() {
            self.collect_from(bank, native, CellMode::Native);
        }
        self.collect_from(bank, pslc, CellMode::Pslc);
    }

    /// Let a bank do work whose source blocks are all of one mode; moved data always goes to native blocks.
    fn collect_from(&mut self, bank: u32, share: Collected, source: CellMode) {
        let Collected { reads, programs, page_index, erases, .. } = share;
        let page_index = self.config.geometry.page_in_erase_block(page_index);
        let target = CellMode::Native;
        self.array.enqueue(
            bank,
            self.now_ns,
            Operation::Collect { reads, programs, page_index, erases, source, target },
        );
    }

    /// Send the pages being filled to flash, padded.
    pub(super) fn pad_page(&mut self) {
        while let Some(page) = self.translation.pad_page() {
            self.program(page);
        }
    }

    fn program(&mut self, page: OpenPage) {
        let mut page_use = std::mem::take(&mut self.open_pages[usize::from(page.stream)]);
        page_use.page = Some(page);
        if let Some(request) = page_use.request {
            self.host.add_part(request);
        }
        if page_use.has_merged {
            self.merges.page_sent();
        }
        self.do_owed_collection(&page);
        let token = Token::Page(self.pages.insert(page_use));
        self.program_place(&page, self.parity.place(page.page_index), token);
        if page.ends_stripe {
            self.program_parity(page);
        }
    }

    /// Program the parity of the stripe that ends with this page, after the page.
    #[cold]
    pub(super) fn program_parity(&mut self, page: OpenPage) {
        self.program_place(&page, self.parity.place(page.page_index) + 1, Token::Parity);
    }

    /// Program a place in the block of a page.
    #[inline]
    fn program_place(&mut self, page: &OpenPage, place: u32, token: Token) {
        let geometry = &self.config.geometry;
        let bank = geometry.bank_of_page(page.pool, place);
        let page_index = geometry.page_in_erase_block(place);
        let mode = self.translation.mode_of_block(page.block);
        self.array.enqueue(bank, self.now_ns, Operation::Program { page_index, mode, token });
    }

    pub(super) fn page_programmed(&mut self, page: u32) {
        let page = self.pages.remove(page);
        if let Some(programmed) = page.page {
            self.translation.page_programmed(programmed);
        }
        if let Some(request) = page.request {
            self.host.end_part(request, self.now_ns);
        }
        if page.buffered_units > 0 {
            self.buffered_page_programmed(page);
        }
    }
}
