//! Programs go on until they have to wait: for a core, for data, for requests, for a file record, for room.

use super::FileRun;
use super::state::{Asker, Event, State};
use crate::direction::Kind;
use crate::file_work::reader::Reader;
use crate::file_work::trace::{Operation, Part, Place};
use flashscope_drive::{Drive, Request, RequestKind};

/// Metadata are kept in memory by pages of this size.
const PAGE_BYTES: u64 = 4096;

impl FileRun {
    /// Lets a program go on until it has to wait.
    pub(super) fn go_on<D: Drive>(&mut self, drive: &mut D, program: usize) {
        if self.programs[program].state == State::Over {
            return;
        }
        self.programs[program].state = State::Going;
        while self.programs[program].state == State::Going {
            let Some(&operation) = self.trace.programs[program].get(self.programs[program].next) else {
                return self.end(program);
            };
            self.programs[program].next += 1;
            match operation {
                Operation::Compute(0) => {}
                Operation::Compute(needs_ns) => {
                    self.programs[program].state = State::Computing;
                    self.compute(program as u32, needs_ns);
                }
                Operation::Read(part) => self.read(drive, program, part),
                Operation::Write(part) => self.write(drive, program, part),
                Operation::ReadDirect(part) => self.directly(drive, program, Kind::Read, part),
                Operation::WriteDirect(part) => self.directly(drive, program, Kind::Write, part),
                Operation::LockRecords => {
                    if self.record_under_way {
                        self.programs[program].state = State::Locked;
                        self.totals.locked_count += 1;
                        self.locked.push(program as u32);
                    }
                }
                Operation::ChangeMetadata(kind, place) => {
                    self.metadata.change(kind, place);
                    self.remember(place);
                    self.expect_pass();
                }
                Operation::ReadMetadata(place) => {
                    if self.remember(place) {
                        self.totals.metadata_read_bytes += place.length;
                        let count = self.ask(drive, Kind::Read, place, 0, Asker::Program(program as u32));
                        self.programs[program].state = State::Waiting(count);
                    }
                }
                Operation::Trim(place) => {
                    let request = Request {
                        kind: RequestKind::Trim,
                        offset_bytes: place.offset,
                        length_bytes: place.length,
                        compressible: 0,
                    };
                    self.submit(drive, Some(Kind::Trim), request, Asker::Nobody);
                }
            }
        }
    }

    fn end(&mut self, program: usize) {
        let elapsed_ns = self.now_ns - self.start_ns;
        (self.programs[program].state, self.programs[program].ended_ns) = (State::Over, elapsed_ns);
        self.live_count -= 1;
        self.totals.programs_ended_ns = elapsed_ns;
        self.totals.programs_ended_count += 1;
    }

    pub(super) fn compute(&mut self, program: u32, needs_ns: u64) {
        if self.free_cores == 0 {
            return self.waiting_for_core.push_back((program, needs_ns));
        }
        self.free_cores -= 1;
        self.totals.computed_ns += needs_ns;
        self.at(self.now_ns + needs_ns, Event::Computed(program));
    }

    fn read<D: Drive>(&mut self, drive: &mut D, program: usize, part: Part) {
        let end = part.from + part.length;
        let length = self.trace.files[part.file as usize].length;
        if self.is_in_memory(part.file, length) {
            return;
        }
        let this = &mut self.programs[program];
        let goes_on = this.reader.as_ref().is_some_and(|it| it.file == part.file && it.read_to == part.from);
        if !goes_on {
            this.generations += 1;
            this.reader = Some(Reader::new(part.file, part.from, this.generations));
        }
        let mut reader = this.reader.take().expect("set just above");
        reader.read_to = end;
        let ahead_to = (end + self.host.read_ahead_bytes.max(part.length)).min(length);
        // Read-ahead goes in whole steps, so that a program with many small reads does not cause many small requests.
        let step = self.host.read_ahead_request_bytes.max(part.length);
        while reader.submitted_to < end || reader.submitted_to + step <= ahead_to || self.near_end(&reader, ahead_to) {
            let step_end = (reader.submitted_to + step).min(length);
            while reader.submitted_to < step_end {
                let most = (step_end - reader.submitted_to).min(self.host.transfer_bytes_max);
                let place = self.trace.files[part.file as usize].locate(reader.submitted_to, most);
                let until = reader.submit(place.length);
                let asker = Asker::Reader { program: program as u32, generation: reader.generation, end: until };
                self.totals.data_read_bytes += place.length;
                self.ask(drive, Kind::Read, place, 0, asker);
            }
        }
        if reader.arrived_to < end {
            self.programs[program].state = State::Reading(end);
        }
        self.programs[program].reader = Some(reader);
    }

    /// The last piece of a file is requested although it is shorter than a step.
    fn near_end(&self, reader: &Reader, ahead_to: u64) -> bool {
        reader.submitted_to < ahead_to && ahead_to == self.trace.files[reader.file as usize].length
    }

    fn is_in_memory(&self, file: u32, length: u64) -> bool {
        let at = self.written_at[file as usize];
        at > 0 && self.written_bytes - at + length <= self.host.cache_bytes
    }

    fn write<D: Drive>(&mut self, drive: &mut D, program: usize, part: Part) {
        if self.dirty_bytes > 0 && self.dirty_bytes + part.length > self.host.dirty_limit_bytes {
            self.totals.held_back_count += 1;
            self.programs[program].state = State::HeldBack(part);
            self.held_back.push_back(program as u32);
            return self.feed_lazy_writer(drive);
        }
        self.make_dirty(part);
    }

    fn make_dirty(&mut self, part: Part) {
        self.data.add(part);
        self.written_bytes += part.length;
        self.written_at[part.file as usize] = self.written_bytes;
        self.dirty_bytes += part.length;
        self.dirtied_since_pass_bytes += part.length;
        self.totals.dirty_max_bytes = self.totals.dirty_max_bytes.max(self.dirty_bytes);
        self.expect_pass();
    }

    /// Programs that were held back go on as far as there is room, in the order in which they came.
    pub(super) fn let_go<D: Drive>(&mut self, drive: &mut D) {
        while let Some(&program) = self.held_back.front() {
            let State::HeldBack(part) = self.programs[program as usize].state else {
                self.held_back.pop_front();
                continue;
            };
            if self.dirty_bytes > 0 && self.dirty_bytes + part.length > self.host.dirty_limit_bytes {
                return;
            }
            self.held_back.pop_front();
            self.make_dirty(part);
            self.go_on(drive, program as usize);
        }
    }

    fn directly<D: Drive>(&mut self, drive: &mut D, program: usize, kind: Kind, part: Part) {
        let count = self.transfer(drive, kind, part, Asker::Program(program as u32));
        self.programs[program].state = State::Waiting(count);
    }

    /// Requests a part of a file, all its pieces at once; returns the number of requests.
    pub(super) fn transfer<D: Drive>(&mut self, drive: &mut D, kind: Kind, part: Part, asker: Asker) -> u32 {
        let (mut from, end) = (part.from, part.from + part.length);
        let mut count = 0;
        while from < end {
            let file = &self.trace.files[part.file as usize];
            let (place, compressible) = (file.locate(from, end - from), file.compressible);
            from += place.length;
            count += self.ask(drive, kind, place, compressible, asker);
        }
        let total =
            if kind == Kind::Read { &mut self.totals.data_read_bytes } else { &mut self.totals.data_written_bytes };
        *total += part.length;
        count
    }

    /// Notes that the metadata is in memory now; true when one of its pages was not in memory before.
    fn remember(&mut self, place: Place) -> bool {
        let pages = place.offset / PAGE_BYTES..=(place.offset + place.length - 1) / PAGE_BYTES;
        let mut news = false;
        for page in pages {
            news |= self.metadata_in_memory.insert(page);
        }
        news
    }
}
