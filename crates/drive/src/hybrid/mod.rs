//! A hybrid: a disk that copies data that is read often into its own flash while the host sends no requests.
//!
//! ```text
//!              in memory? ---yes--> link
//!   read --->  stream or large? --> platters (engine of the disk)     every read counts for its lines
//!              all in flash? -yes-> controller -> channels -> link
//!              otherwise ---------> platters
//!   write -->  its lines are given up; the disk takes it as any disk does
//!   quiet for a while: candidates, in the order of addresses: platters -> memory -> flash
//! ```
//!
//! A fill reads at the speed of the arm and is broken off when a request comes; the line is then read again later.
//! Writes gain nothing, because flash never holds anything that the platters do not hold. Large reads gain nothing,
//! because a few channels are no faster than the platters once the arm is in place.
//!
//! Events at the same nanosecond: disk, flash, arrivals, fills; completions last.
//!
//! Not modelled here: erasing and wear of the flash, programs that are interrupted for reads (a read waits behind them
//! on its channel), data pinned at start-up, loss of the table of lines in a power cut, reads with only a part in flash
//! (they go to the platters completely).

mod config;
mod lines;
#[cfg(test)]
mod tests;

pub use config::{Admission, Config, Flash};

use crate::config_error::ConfigError;
use crate::counts::counts;
use crate::disk::engine::Engine;
use crate::host::HostSide;
use crate::machine::{Machine, Space};
use crate::request::SECTOR_BYTES;
use crate::request::{Completion, Request, RequestKind};
use crate::smart::Attribute;
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::time::{NEVER_NS, SECOND_NS, transfer_ns};
use flashscope_kernel::timeline::Timeline;
use lines::Lines;
use serde::{Deserialize, Serialize};

counts! {
    /// Counts since the hybrid was built: those of its disk, and those of its flash.
    pub struct Counters {
        ..disk: crate::disk::Counters,
        /// Reads served from flash.
        flash_hit_requests,
        /// Bytes that the host got from flash.
        flash_hit_bytes,
        /// Reads whose data was in flash but that went to the platters because they were part of a stream.
        flash_bypassed_streams,
        /// Reads whose data was in flash but that went to the platters because of their size.
        flash_bypassed_large,
        /// Lines copied into flash.
        flash_filled_lines,
        /// Fills broken off because of a request.
        flash_interrupted_fills,
        /// Lines dropped because the host wrote to them.
        flash_invalidated_lines,
        /// Lines dropped to make room for others.
        flash_evicted_lines,
        /// Bytes programmed to flash.
        nand_written_bytes,
    }
}

/// A virtual hybrid.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Hybrid {
    config: Config,
    now_ns: u64,
    host: HostSide,
    engine: Engine,
    lines: Lines,
    controller: Timeline,
    channels: Vec<Timeline>,
    /// Pages on their way from flash: request, and its bytes for the host.
    pages: Schedule<(u32, u64)>,
    /// Lines that are being programmed at the moment, with the number of the fill.
    programmed: Schedule<(u64, u64)>,
    /// The line that is being read to be copied into flash.
    filling: Option<u64>,
    fill_due_ns: u64,
    /// Where the latest read ended [bytes].
    stream_end_bytes: u64,
    counters: Counters,
}

impl Hybrid {
    /// A new hybrid with nothing in its flash.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            now_ns: 0,
            host: HostSide::new(&config.disk.link),
            engine: Engine::new(&config.disk),
            lines: Lines::new(config.line_count(), config.admission.admit_after_reads),
            controller: Timeline::default(),
            channels: vec![Timeline::default(); config.flash.channels as usize],
            pages: Schedule::default(),
            programmed: Schedule::default(),
            filling: None,
            fill_due_ns: NEVER_NS,
            stream_end_bytes: u64::MAX,
            counters: Counters::default(),
            config,
        })
    }

    /// What the hybrid was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// True when no request of the host is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.host.is_idle()
    }

    /// All counts of the hybrid.
    pub fn counters(&self) -> Counters {
        Counters { disk: self.engine.counters(), flash_evicted_lines: self.lines.evicted_count, ..self.counters }
    }

    /// Bytes of the disk that are in flash.
    pub fn cached_bytes(&self) -> u64 {
        self.lines.cached_count() * self.config.admission.line_bytes
    }

    /// The hybrid's SMART attributes: those of its disk.
    pub fn smart_attributes(&self) -> Vec<Attribute> {
        crate::smart::disk::attributes(self.now_ns / (3600 * SECOND_NS))
    }

    /// Check every invariant. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        self.engine.check();
        self.lines.check();
        let counters = self.counters();
        assert!(self.cached_bytes() <= self.config.flash.bytes, "no more is cached than flash holds");
        let filled_bytes = counters.flash_filled_lines * self.config.admission.line_bytes;
        assert_eq!(counters.nand_written_bytes, filled_bytes, "flash is written by fills alone");
    }

    fn arrive(&mut self, number: u32) {
        self.stop_fill();
        let request = self.host.get_mut(number).request;
        let in_flash = match request.kind {
            RequestKind::Read => self.is_read_from_flash(&request),
            RequestKind::Write | RequestKind::Trim => {
                for line in self.lines_of(&request) {
                    self.counters.flash_invalidated_lines += u64::from(self.lines.forget(line));
                }
                false
            }
            RequestKind::Flush => false,
        };
        if in_flash {
            self.engine.pass_by(&request, self.now_ns);
            self.read_flash(number, &request);
        } else {
            self.engine.arrive(number, request, self.now_ns, &mut self.host);
        }
    }

    fn lines_of(&self, request: &Request) -> std::ops::Range<u64> {
        let line_bytes = self.config.admission.line_bytes;
        request.offset_bytes / line_bytes..(request.offset_bytes + request.length_bytes).div_ceil(line_bytes)
    }

    /// Count a read for its lines, and return whether flash is to answer it.
    fn is_read_from_flash(&mut self, request: &Request) -> bool {
        let end_bytes = request.offset_bytes + request.length_bytes;
        let goes_on = request.offset_bytes == self.stream_end_bytes;
        self.stream_end_bytes = end_bytes;
        let lines = self.lines_of(request);
        let all_there = lines.clone().all(|line| self.lines.is_cached(line));
        lines.for_each(|line| self.lines.read(line));
        if !all_there || self.engine.memory_holds(request.offset_bytes / SECTOR_BYTES, end_bytes / SECTOR_BYTES) {
            return false;
        }
        let admission = &self.config.admission;
        let bypasses_as_stream = goes_on && admission.streams_bypass;
        let is_large = request.length_bytes > admission.largest_cached_request_bytes;
        self.counters.flash_bypassed_streams += u64::from(bypasses_as_stream);
        self.counters.flash_bypassed_large += u64::from(is_large && !bypasses_as_stream);
        !bypasses_as_stream && !is_large
    }

    fn read_flash(&mut self, number: u32, request: &Request) {
        let flash = &self.config.flash;
        let page_bytes = u64::from(flash.page_bytes);
        self.counters.flash_hit_requests += 1;
        self.counters.flash_hit_bytes += request.length_bytes;
        let known_ns = self.controller.reserve(self.now_ns, flash.command_cost_ns) + flash.command_cost_ns;
        let page_ns = flash.read_latency_ns + transfer_ns(page_bytes, flash.bus_bytes_per_second);
        let (mut offset, end) = (request.offset_bytes, request.offset_bytes + request.length_bytes);
        while offset < end {
            let page = offset / page_bytes;
            let next = end.min((page + 1) * page_bytes);
            let channel = &mut self.channels[(page % u64::from(flash.channels)) as usize];
            let done_ns = channel.reserve(known_ns, page_ns) + page_ns;
            self.host.add_part(number);
            self.pages.add(done_ns, (number, next - offset));
            offset = next;
        }
    }

    fn start_fill(&mut self) {
        self.fill_due_ns = NEVER_NS;
        let Some(line) = self.lines.next_candidate() else { return };
        let sectors = self.config.admission.line_bytes / SECTOR_BYTES;
        let end_of_disk = self.config.disk.user_bytes / SECTOR_BYTES;
        self.filling = Some(line);
        self.engine.set_background(Some((line * sectors, ((line + 1) * sectors).min(end_of_disk))), self.now_ns);
    }

    fn stop_fill(&mut self) {
        self.fill_due_ns = NEVER_NS;
        if self.filling.take().is_some() {
            self.counters.flash_interrupted_fills += 1;
            self.engine.set_background(None, self.now_ns);
        }
    }

    /// A line has come from the platters: it is programmed into flash, and the next line is read meanwhile.
    fn program_line(&mut self) {
        let Some(line) = self.filling.take() else { return };
        let fill = self.lines.start_filling(line);
        let (flash, line_bytes) = (&self.config.flash, self.config.admission.line_bytes);
        let page_bytes = u64::from(flash.page_bytes);
        let page_ns = flash.program_latency_ns + transfer_ns(page_bytes, flash.bus_bytes_per_second);
        let first_page = line * (line_bytes / page_bytes);
        let mut done_ns = self.now_ns;
        for page in first_page..first_page + line_bytes / page_bytes {
            let channel = &mut self.channels[(page % u64::from(flash.channels)) as usize];
            done_ns = done_ns.max(channel.reserve(self.now_ns, page_ns) + page_ns);
        }
        self.programmed.add(done_ns, (line, fill));
        self.counters.flash_filled_lines += 1;
        self.counters.nand_written_bytes += line_bytes;
        self.start_fill();
    }
}

impl Machine for Hybrid {
    fn space(&self) -> Space {
        Space { user_bytes: self.config.disk.user_bytes, sector_bytes: SECTOR_BYTES }
    }

    fn clock_ns(&self) -> u64 {
        self.now_ns
    }

    fn set_clock(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    fn take(&mut self, at_ns: u64, tag: u32, request: Request) {
        self.host.submit(at_ns, tag, request, self.config.disk.user_bytes);
    }

    fn next_event_ns(&self) -> u64 {
        let own_ns = self.pages.next_ns().min(self.programmed.next_ns()).min(self.fill_due_ns);
        own_ns.min(self.engine.next_event_ns()).min(self.host.next_arrival_ns())
    }

    fn happen(&mut self, at_ns: u64) {
        if self.engine.next_event_ns() <= at_ns {
            if self.engine.step(self.now_ns, &mut self.host) {
                self.program_line();
            }
        } else if self.pages.next_ns() <= at_ns {
            if let Some((_, (number, bytes))) = self.pages.take() {
                self.host.send(number, at_ns, bytes);
                self.host.end_part(number, at_ns);
            }
        } else if self.programmed.next_ns() <= at_ns {
            if let Some((_, (line, fill))) = self.programmed.take() {
                self.lines.filled(line, fill);
            }
        } else if self.host.next_arrival_ns() <= at_ns {
            if let Some((number, _)) = self.host.arrived(at_ns) {
                self.arrive(number);
            }
        } else {
            self.start_fill();
        }
    }

    fn next_answer_ns(&self) -> u64 {
        self.host.next_answer_ns()
    }

    fn answer(&mut self) -> Option<Completion> {
        let answer = self.host.answer()?;
        if self.host.is_idle() {
            self.fill_due_ns = answer.at_ns + self.config.admission.idle_fill_delay_ns;
        }
        Some(answer)
    }
}
