//! The host's requests: each is cut into the parts that lie in one unit.
//!
//! ```text
//!   write   whole units --> the page being filled (through the buffer when there is one)
//!           a part      --> the unit's old data is read, the unit written anew
//!   read    units that lie side by side in a page are read with it, and only the sectors asked for
//! ```

use crate::banks::Stage;
use crate::flash::{Source, State};
use crate::placing::SentPage;
use crate::twin::{Purpose, Twin};
use flashscope_drive::{Request, RequestKind, Status};
use std::collections::VecDeque;

/// A request between submission and answer.
#[derive(Clone, Debug)]
pub struct UnderWay {
    pub request: Request,
    pub status: Status,
    /// What must end before the answer.
    pub parts: u32,
    /// When the last data of a read has crossed the link.
    pub data_out_ns: u64,
    /// When it is answered, once that is known.
    pub answer_ns: Option<u64>,
    /// Units that wait for room in the buffer.
    pub waiting: VecDeque<u32>,
}

impl UnderWay {
    pub fn new(request: Request) -> Self {
        Self { request, status: Status::Done, parts: 0, data_out_ns: 0, answer_ns: None, waiting: VecDeque::new() }
    }
}

/// The part of a request that lies in one unit.
struct Part {
    unit: u32,
    bytes: u64,
    whole: bool,
}

impl Twin {
    /// A request has arrived at the controller.
    pub fn arrived(&mut self) {
        let request = self.request().request;
        self.request().parts = 1;
        let changes = matches!(request.kind, RequestKind::Write | RequestKind::Trim);
        match self.life_over {
            Some(status) if changes || status == Status::Dead => self.request().status = status,
            _ => {
                self.count(&request);
                match request.kind {
                    RequestKind::Read => self.read(&request),
                    RequestKind::Write => return self.write(&request),
                    RequestKind::Trim => self.trim(&request),
                    RequestKind::Flush => return self.flush(),
                }
            }
        }
        self.end_part();
    }

    fn count(&mut self, request: &Request) {
        let counters = &mut self.counters;
        let (requests, bytes) = match request.kind {
            RequestKind::Read => (&mut counters.host.read_requests, &mut counters.host.read_bytes),
            RequestKind::Write => (&mut counters.host.write_requests, &mut counters.host.written_bytes),
            RequestKind::Trim => (&mut counters.host.trim_requests, &mut counters.host.trimmed_bytes),
            RequestKind::Flush => return,
        };
        *requests += 1;
        *bytes += request.length_bytes;
        let aligned = request.offset_bytes.is_multiple_of(4096) && request.length_bytes.is_multiple_of(4096);
        counters.unaligned_write_requests += u64::from(request.kind == RequestKind::Write && !aligned);
    }

    /// A part of the request has ended; with the last one it is answered.
    pub fn end_part(&mut self) {
        let now_ns = self.now_ns;
        let request = self.request();
        request.parts -= 1;
        if request.parts == 0 {
            request.answer_ns = Some(now_ns.max(request.data_out_ns));
        }
    }

    fn parts(&self, request: &Request) -> Vec<Part> {
        let unit_bytes = u64::from(self.config.mapping.unit_bytes);
        let (start, end) = (request.offset_bytes, request.offset_bytes + request.length_bytes);
        let part = |unit: u64| {
            let from = start.max(unit * unit_bytes);
            let to = end.min((unit + 1) * unit_bytes);
            // The last unit of the drive may be cut short by its capacity.
            let unit_end = ((unit + 1) * unit_bytes).min(self.config.capacity.user_bytes);
            Part { unit: unit as u32, bytes: to - from, whole: from == unit * unit_bytes && to == unit_end }
        };
        (start / unit_bytes..end.div_ceil(unit_bytes)).map(part).collect()
    }

    fn trim(&mut self, request: &Request) {
        for part in self.parts(request).iter().filter(|part| part.whole) {
            self.flash.map.remove(&part.unit);
        }
    }

    fn read(&mut self, request: &Request) {
        let mut from_memory_bytes = 0;
        let mut pages: Vec<(usize, usize, u64)> = vec![]; // block, page, bytes
        for part in self.parts(request) {
            if !self.flash.holds(part.unit) {
                from_memory_bytes += part.bytes;
                continue;
            }
            let (block, slot) = self.flash.map[&part.unit];
            let page = slot / self.flash.slots_per_page;
            match pages.last_mut() {
                Some(last) if (last.0, last.1) == (block, page) => last.2 += part.bytes,
                _ => pages.push((block, page, part.bytes)),
            }
        }
        for &(block, page, bytes) in &pages {
            self.counters.host_read_pages += 1;
            self.request().parts += 1;
            self.read_flash(block, page, bytes, Purpose::HostRead { bytes });
        }
        if self.reads_fail && !pages.is_empty() {
            self.request().status = Status::Unreadable;
            self.reads_failed(&pages.iter().map(|&(block, ..)| block).collect::<Vec<_>>());
        }
        if from_memory_bytes > 0 {
            self.send_to_host(from_memory_bytes);
        }
    }

    fn read_flash(&mut self, block: usize, page: usize, bytes: u64, purpose: Purpose) {
        let timing = &self.config.timing;
        let transfer_ns = timing.bus_transfer_ns(bytes, self.config.geometry.lockstep_packages);
        let stages = vec![Stage::Cells(timing.read_latency_ns), Stage::Channel(transfer_ns)];
        self.banks.enqueue(self.bank_of(block, page), self.now_ns, stages, Some(purpose));
    }

    /// Pages of these blocks could not be read: the blocks are rewritten and retired, at once if they are closed.
    fn reads_failed(&mut self, blocks: &[usize]) {
        self.counters.unreadable_reads += blocks.len() as u64;
        for &block in blocks {
            if self.flash.blocks[block].state.is_usable() && self.flash.blocks[block].state != State::Free {
                self.unreadable.insert(block);
            }
        }
        for &block in blocks {
            if self.life_over.is_some() {
                return;
            }
            let pool = self.pool_of(block);
            if let Some(work) = self.refresh(pool, block) {
                self.counters.refreshed_blocks += 1;
                self.do_work(pool, work);
            }
        }
    }

    fn write(&mut self, request: &Request) {
        let parts = self.parts(request);
        if self.buffer_room() > 0 && parts.iter().all(|part| part.whole) {
            self.request().waiting = parts.iter().map(|part| part.unit).collect();
            self.fill_buffer();
            self.counters.buffer_stalls += u64::from(self.waits_for_room());
            return;
        }
        if self.host_pages.iter().any(|page| page.buffered_units > 0) {
            self.pad_pages();
        }
        for part in parts {
            self.counters.partial_unit_writes += u64::from(!part.whole);
            if part.whole || !self.flash.holds(part.unit) {
                self.place_for_request(part.unit);
            } else {
                self.read_old_data(part.unit);
            }
        }
        self.pad_pages();
        self.end_part();
    }

    fn place_for_request(&mut self, unit: u32) {
        if let Err(refused) = self.place(unit, false) {
            let status = self.refused(refused);
            self.request().status = status;
        }
    }

    fn read_old_data(&mut self, unit: u32) {
        self.counters.modify_read_pages += 1;
        self.request().parts += 1;
        self.reading_old += 1;
        let (block, slot) = self.flash.map[&unit];
        let bytes = self.config.mapping.unit_bytes.into();
        self.read_flash(block, slot / self.flash.slots_per_page, bytes, Purpose::OldData { unit });
        if self.reads_fail {
            self.reads_failed(&[block]);
        }
    }

    /// The old data of a partly written unit is here.
    pub fn old_data_read(&mut self, unit: u32) {
        self.reading_old -= 1;
        self.place_for_request(unit);
        self.pad_pages();
        self.end_part();
    }

    /// True when the request under way has data that found no room in the buffer.
    fn waits_for_room(&self) -> bool {
        self.under_way.as_ref().is_some_and(|request| !request.waiting.is_empty())
    }

    /// Take units into the buffer as far as there is room; they go to the page being filled at once.
    fn fill_buffer(&mut self) {
        while let Some(&unit) = self.request().waiting.front() {
            if self.buffered_units == self.buffer_room() {
                if self.sent_pages == 0 && self.reading_old == 0 {
                    self.pad_pages();
                }
                return;
            }
            self.request().waiting.pop_front();
            self.buffered_units += 1;
            if let Err(refused) = self.place(unit, true) {
                self.buffered_units -= 1;
                let status = self.refused(refused);
                self.request().status = status;
            }
        }
        self.end_part();
    }

    fn flush(&mut self) {
        self.pad_pages();
        self.answer_flush();
    }

    fn answer_flush(&mut self) {
        let flushes = |request: &UnderWay| request.request.kind == RequestKind::Flush && request.parts > 0;
        if self.buffered_units == 0 && self.under_way.as_ref().is_some_and(flushes) {
            self.end_part();
        }
    }

    /// A page is on flash.
    pub fn page_programmed(&mut self, page: SentPage) {
        self.sent_pages -= 1;
        // It may have been collected and erased since.
        if self.flash.blocks[page.block].erases == page.erases {
            let slots = &mut self.flash.blocks[page.block].slots;
            let of_page = slots.iter_mut().skip(page.page * self.flash.slots_per_page).take(self.flash.slots_per_page);
            of_page.for_each(|slot| slot.on_flash = true);
        }
        self.flash.ended(&Source { block: page.block, erases: page.erases, page: page.page });
        if page.awaited {
            self.end_part();
        }
        if page.buffered_units > 0 {
            self.buffered_units -= page.buffered_units;
            if self.waits_for_room() {
                self.fill_buffer();
            }
            self.answer_flush();
        }
    }
}
