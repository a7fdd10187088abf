//! Reads: from memory where the data still is, from flash otherwise, page by page.
//!
//! Units that lie side by side in one page are read with it once. Each page is sent to the host as soon as
//! it is there; the answer follows the last one.
//!
//! Not modelled here: read-ahead, a read cache, sectors of a page that need not be carried out.

use super::writes::Piece;
use super::{Ssd, Token};
use crate::request::Request;
use flashscope_ftl::mapping::NOWHERE;
use flashscope_nand::Operation;

/// A page being put together from neighbouring units.
struct PageRead {
    page: u32,
    slot: u32,
    flash_bytes: u32,
    host_bytes: u32,
}

impl Ssd {
    pub(super) fn read(&mut self, number: u32, request: Request) {
        self.host.add_part(number);
        let end_bytes = request.offset_bytes + request.length_bytes;
        let mut offset_bytes = request.offset_bytes;
        let mut from_memory_bytes = 0;
        let mut open: Option<PageRead> = None;
        while offset_bytes < end_bytes {
            let piece = self.piece(offset_bytes, end_bytes);
            offset_bytes += piece.bytes;
            let slot = self.translation.slot(piece.unit);
            if !self.lies_on_flash(slot, piece) {
                from_memory_bytes += piece.bytes;
                continue;
            }
            let page = self.translation.page_of_slot(slot);
            if let Some(read) = open.as_mut().filter(|read| read.page == page) {
                read.flash_bytes += self.config.mapping.unit_bytes;
                read.host_bytes += piece.bytes as u32;
                continue;
            }
            let flash_bytes = self.config.mapping.unit_bytes;
            let next = PageRead { page, slot, flash_bytes, host_bytes: piece.bytes as u32 };
            if let Some(read) = open.replace(next) {
                self.read_page(number, &read);
            }
        }
        if let Some(read) = open {
            self.read_page(number, &read);
        }
        if from_memory_bytes > 0 {
            self.host.send(number, self.now_ns, from_memory_bytes);
        }
        self.host.end_part(number, self.now_ns);
    }

    /// False for data in the write buffer, on its way to flash, or never written.
    fn lies_on_flash(&self, slot: u32, piece: Piece) -> bool {
        let in_buffer = self.buffer.covered(piece.unit) & piece.sectors == piece.sectors;
        slot != NOWHERE && !in_buffer && self.translation.is_programmed(slot)
    }

    fn read_page(&mut self, number: u32, read: &PageRead) {
        self.host.add_part(number);
        self.counters.host_read_pages += 1;
        self.bit_errors.read(u64::from(read.host_bytes) * 8, self.translation.erase_count_at(read.slot));
        let bank = self.bank_of_slot(read.slot);
        let token = Token::HostRead { request: number, bytes: read.host_bytes };
        self.array.enqueue(bank, self.now_ns, Operation::Read { bytes: read.flash_bytes, token });
    }

    pub(super) fn bank_of_slot(&self, slot: u32) -> u32 {
        let (pool, page_index) = self.translation.place_of_slot(slot);
        self.config.geometry.bank_of_page(pool, page_index)
    }

    pub(super) fn host_data_read(&mut self, number: u32, bytes: u32) {
        self.host.send(number, self.now_ns, bytes.into());
        self.host.end_part(number, self.now_ns);
    }
}
