//! Reads: from memory if the data is still there, otherwise from flash, page by page.
//!
//! Units that are neighbours in one page are read together, with one read of the page. Each page is sent to the host as
//! soon as it has been read; the answer follows the last one.
//!
//! Only the requested sectors cross the bus. Errors that a read finds are handled after the reads of all its pages are
//! queued: handling one block must not move data of a page that is still to be read.
//!
//! A controller without memory of its own keeps waiting data in the registers of the flash. A read needs these
//! registers, so the waiting data is written first; incomplete units are completed with their old data.
//!
//! Not modelled here: read-ahead, a read cache, reading a complete codeword for a part of it, read retries.

use super::Ssd;
use super::life::Life;
use super::under_way::Token;
use super::writes::Piece;
use crate::request::{Request, Status};
use flashscope_ftl::mapping::is_slot;
use flashscope_kernel::signs_of_life::alive;
use flashscope_nand::Operation;

/// Units after which a long read gives a sign of life.
const UNITS_IN_A_ROW: u32 = 1 << 12;

/// A page read that is being put together from neighbouring units.
struct PageRead {
    page: u32,
    slot: u32,
    bytes: u32,
}

/// A block in which a read found too many errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Harmed {
    block: u32,
    unreadable: bool,
}

impl Ssd {
    pub(super) fn read(&mut self, number: u32, request: Request) {
        if self.config.buffer.emptied_by_reads {
            self.write_out_buffer();
        }
        self.host.add_part(number);
        let end_bytes = request.offset_bytes + request.length_bytes;
        let mut offset_bytes = request.offset_bytes;
        let mut from_memory_bytes = 0;
        let mut open: Option<PageRead> = None;
        let mut harmed = Vec::new();
        while offset_bytes < end_bytes {
            let piece = self.piece(offset_bytes, end_bytes);
            offset_bytes += piece.bytes;
            if piece.unit.is_multiple_of(UNITS_IN_A_ROW) {
                alive(16 * u64::from(UNITS_IN_A_ROW));
            }
            let slot = self.translation.slot(piece.unit);
            if !self.lies_on_flash(slot, piece) {
                from_memory_bytes += piece.bytes;
                continue;
            }
            let page = self.translation.page_of_slot(slot);
            if let Some(read) = open.as_mut().filter(|read| read.page == page) {
                read.bytes += piece.bytes as u32;
                continue;
            }
            let bytes = piece.bytes as u32;
            let next = PageRead { page, slot, bytes };
            if let Some(read) = open.replace(next) {
                harmed.extend(self.read_page(number, &read));
            }
        }
        if let Some(read) = open {
            harmed.extend(self.read_page(number, &read));
        }
        self.tend(&harmed);
        if from_memory_bytes > 0 {
            self.host.send(number, self.now_ns, from_memory_bytes);
        }
        self.host.end_part(number, self.now_ns);
    }

    /// False for data in the write buffer, on its way to flash, only marked as zeros, or never written.
    fn lies_on_flash(&self, slot: u32, piece: Piece) -> bool {
        let in_buffer = self.buffer.covered(piece.unit) & piece.sectors == piece.sectors;
        is_slot(slot) && !in_buffer && self.translation.is_programmed(slot)
    }

    fn read_page(&mut self, number: u32, read: &PageRead) -> Option<Harmed> {
        self.host.add_part(number);
        self.counters.host_read_pages += 1;
        let mode = self.translation.mode_of_slot(read.slot);
        let bank = self.bank_of_slot(read.slot);
        let token = Token::HostRead { request: number, bytes: read.bytes };
        let operation = Operation::Read { bytes: read.bytes, mode, token };
        self.array.enqueue(bank, self.now_ns, operation);
        let harmed = self.meet_errors(read.bytes, read.slot);
        if harmed.is_some_and(|harmed| harmed.unreadable) {
            self.host.get_mut(number).status = Status::Unreadable;
        }
        harmed
    }

    /// Count the errors in `bytes` that are read from a slot; returns the block if it must be rewritten or retired.
    pub(super) fn meet_errors(&mut self, bytes: u32, slot: u32) -> Option<Harmed> {
        let block = self.translation.block_of_slot(slot);
        let state = self.state_of_block(block);
        let outcome = self.bit_errors.read(u64::from(bytes) * 8, state);
        let unreadable = outcome.is_uncorrectable();
        (outcome.refresh || unreadable).then_some(Harmed { block, unreadable })
    }

    /// A block that could not be read is retired at its next collection, one near the limit is rewritten; both happen
    /// at once if the block is closed.
    pub(super) fn tend(&mut self, harmed: &[Harmed]) {
        for harmed in harmed.iter().filter(|harmed| harmed.unreadable) {
            self.translation.retire_after_read_failure(harmed.block);
        }
        for (place, &Harmed { block, .. }) in harmed.iter().enumerate() {
            let is_done = harmed[..place].iter().any(|before| before.block == block);
            if !is_done {
                self.rewrite(block);
            }
        }
    }

    #[cold]
    fn rewrite(&mut self, block: u32) {
        if self.life != Life::Good {
            return; // a drive at the end of its life only reads
        }
        self.set_date();
        if let Some((pool, work)) = self.translation.refresh_step(block, self.now_ns) {
            self.counters.refreshed_blocks += 1;
            self.collect(pool, work);
        }
    }

    pub(super) fn bank_of_slot(&self, slot: u32) -> u32 {
        let (pool, page_index) = self.translation.place_of_slot(slot);
        self.config.geometry.bank_of_page(pool, self.parity.place(page_index))
    }

    pub(super) fn host_data_read(&mut self, number: u32, bytes: u32) {
        if self.host.is_idle() {
            return; // the power was cut, so no request waits; capacitors let the flash end its work
        }
        self.host.send(number, self.now_ns, bytes.into());
        self.host.end_part(number, self.now_ns);
    }
}
