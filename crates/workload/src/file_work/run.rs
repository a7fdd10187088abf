//! The clock of file work: programs, the lazy writer and the drive, event by event.
//!
//! ```text
//! program 0 --+  compute        +-- cores, first come first served
//! program 1 --+- read, wait  ---+-- cache: read-ahead --+
//! program 2 --+  write          +-- cache: dirty -------+-- lazy writer, once a second --+-- drive
//!                write directly, wait ---------------------------------------------------+
//! ```
//!
//! A program goes on until it has to wait. The lazy writer passes at fixed intervals: it takes a part of the dirty data
//! or as much as became dirty since its last pass, and all dirty metadata, the journal first. While it writes a file
//! record none is given out, so a program that creates a file waits for it. At the dirty limit programs are held back, and
//! it writes without rest. When all programs have ended, the rest is written and the drive
//! is asked to have everything on its medium.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use flashscope_drive::{Completion, Drive, Request, RequestKind, Status};

use super::dirty::{DirtyData, DirtyMetadata};
use super::host::Host;
use super::reader::Reader;
use super::trace::{Columns, Metadata, Operation, Part, Place, Trace, TraceError};
use crate::direction::Kind;
use crate::result::{Ledger, WorkloadResult};
use crate::virtual_time::Progress;

/// Metadata are kept in memory by pages of this size.
const PAGE_BYTES: u64 = 4096;

/// What a program does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Going,
    /// Waits for a core or computes.
    Computing,
    /// Waits until its reader has arrived here.
    Reading(u64),
    /// Waits for so many requests.
    Waiting(u32),
    /// Waits until a file record has been written: meanwhile none is given out.
    Locked,
    /// Waits until dirty data become fewer.
    HeldBack(Part),
    Over,
}

#[derive(Clone, Debug)]
struct Program {
    next: usize,
    state: State,
    reader: Option<Reader>,
    generations: u32,
    ended_ns: u64,
}

/// Who is told of an answer.
#[derive(Clone, Copy, Debug)]
enum Asker {
    Reader { program: u32, generation: u32, end: u64 },
    Program(u32),
    LazyWriter { thread: u32 },
    MetadataWriter,
    Nobody,
}

#[derive(Clone, Copy, Debug)]
struct UnderWay {
    asker: Asker,
    /// `None` for the flush at the end.
    kind: Option<Kind>,
    length_bytes: u64,
    submitted_ns: u64,
}

/// A thread of the lazy writer.
#[derive(Clone, Copy, Debug, Default)]
struct Thread {
    file: Option<u32>,
    /// Requests of its transfer that are under way.
    under_way: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    Computed(u32),
    LazyPass,
}

/// What else was counted, under the names of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileTotals {
    /// From the start to the end of the last program [ns].
    pub programs_ended_ns: u64,
    /// From the start until the drive had everything on its medium [ns].
    pub synced_ns: u64,
    /// Programs ended.
    pub programs_ended_count: u64,
    /// Data of files read from the drive [bytes].
    pub data_read_bytes: u64,
    /// Data of files written to the drive [bytes].
    pub data_written_bytes: u64,
    /// Metadata read from the drive [bytes].
    pub metadata_read_bytes: u64,
    /// Metadata written, the journal included [bytes].
    pub metadata_written_bytes: u64,
    /// Of these the journal's [bytes].
    pub journal_written_bytes: u64,
    /// File records written, one request each.
    pub record_write_count: u64,
    /// How often a program was held back at the dirty limit.
    pub held_back_count: u64,
    /// How often a program waited for a file record to be written.
    pub locked_count: u64,
    /// Most data that was dirty at a time [bytes].
    pub dirty_max_bytes: u64,
    /// Time that cores computed, of all programs together [ns].
    pub computed_ns: u64,
}

/// Programs under way on a drive.
#[derive(Clone, Debug)]
pub struct FileRun {
    trace: Trace,
    host: Host,
    programs: Vec<Program>,
    live_count: usize,
    free_cores: u32,
    waiting_for_core: VecDeque<(u32, u64)>,
    held_back: VecDeque<u32>,
    events: BinaryHeap<Reverse<(u64, u64, Event)>>,
    event_count: u64,
    now_ns: u64,
    start_ns: u64,
    started: bool,
    data: DirtyData,
    /// Dirty data, those on their way to the drive included [bytes].
    dirty_bytes: u64,
    dirtied_since_pass_bytes: u64,
    /// What the lazy writer may still take in this pass [bytes].
    allowance_bytes: u64,
    pass_is_due: bool,
    threads: Vec<Thread>,
    metadata: DirtyMetadata,
    metadata_under_way: u32,
    /// A file record is on its way to the drive; those who want a new one wait in `locked`.
    record_under_way: bool,
    locked: Vec<u32>,
    metadata_in_memory: BTreeSet<u64>,
    /// For each file: cached bytes written when its last part was.
    written_at: Vec<u64>,
    written_bytes: u64,
    under_way: Vec<UnderWay>,
    free_tags: Vec<u32>,
    under_way_count: usize,
    submitted: u64,
    flushed: bool,
    given_up: bool,
    ledger: Ledger,
    totals: FileTotals,
}

impl FileRun {
    /// A run of a trace by a host, on a drive of `user_bytes` with sectors of `sector_bytes`.
    ///
    /// Errors: what of the trace or the host does not fit the drive; nothing has happened then.
    pub fn new(
        columns: &Columns<'_>,
        host: Host,
        sample_interval_ns: u64,
        user_bytes: u64,
        sector_bytes: u64,
    ) -> Result<Self, TraceError> {
        if let Some(fault) = host.fault(sector_bytes) {
            return Err(TraceError(fault));
        }
        if sample_interval_ns == 0 {
            return Err(TraceError("sample_interval_ns is 0; accepted: 1 or more".into()));
        }
        let trace = Trace::new(columns, user_bytes, sector_bytes)?;
        let program = || Program { next: 0, state: State::Going, reader: None, generations: 0, ended_ns: 0 };
        Ok(Self {
            programs: trace.programs.iter().map(|_| program()).collect(),
            live_count: trace.programs.len(),
            free_cores: host.core_count,
            waiting_for_core: VecDeque::new(),
            held_back: VecDeque::new(),
            events: BinaryHeap::new(),
            event_count: 0,
            now_ns: 0,
            start_ns: 0,
            started: false,
            data: DirtyData::new(trace.files.len()),
            dirty_bytes: 0,
            dirtied_since_pass_bytes: 0,
            allowance_bytes: 0,
            pass_is_due: false,
            threads: vec![Thread::default(); host.lazy_writer_count as usize],
            metadata: DirtyMetadata::default(),
            metadata_under_way: 0,
            record_under_way: false,
            locked: Vec::new(),
            metadata_in_memory: BTreeSet::new(),
            written_at: vec![0; trace.files.len()],
            written_bytes: 0,
            under_way: Vec::new(),
            free_tags: Vec::new(),
            under_way_count: 0,
            submitted: 0,
            flushed: false,
            given_up: false,
            ledger: Ledger::new(sample_interval_ns),
            totals: FileTotals::default(),
            trace,
            host,
        })
    }

    /// Submits at least one and about `budget_requests` requests; returns true when all is done and on the drive.
    ///
    /// The drive must be the same one in every call, and nobody else may use it in between.
    pub fn advance<D: Drive>(&mut self, drive: &mut D, budget_requests: u64) -> bool {
        self.start(drive);
        let stop_at = self.submitted.saturating_add(budget_requests);
        loop {
            if self.live_count == 0 && self.finish(drive) {
                return true;
            }
            if self.submitted >= stop_at {
                return false;
            }
            self.step(drive);
        }
    }

    /// Ends all programs now: what was dirty is given up, what the drive has under way is taken and counted.
    pub fn stop<D: Drive>(&mut self, drive: &mut D) {
        self.start(drive);
        self.give_up();
        while !self.finish(drive) {
            self.step(drive);
        }
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        Progress {
            requests: self.submitted,
            bytes_done: self.ledger.bytes_done(),
            elapsed_ns: self.now_ns - self.start_ns,
        }
    }

    /// What was measured so far; the duration is that until everything was on the drive.
    pub fn result(&self) -> WorkloadResult {
        self.ledger.result()
    }

    /// What else was counted so far.
    pub fn file_totals(&self) -> FileTotals {
        self.totals
    }

    /// When each program ended, since the start [ns]; 0 for one that has not.
    pub fn ended_ns(&self) -> Vec<u64> {
        self.programs.iter().map(|program| program.ended_ns).collect()
    }

    fn start<D: Drive>(&mut self, drive: &mut D) {
        if !self.started {
            self.started = true;
            (self.now_ns, self.start_ns) = (drive.now_ns(), drive.now_ns());
            self.ledger.start(self.now_ns);
            for program in 0..self.programs.len() {
                self.go_on(drive, program);
            }
        }
    }

    /// Lets the next thing happen: an answer of the drive, or an event of the host. Answers go first.
    fn step<D: Drive>(&mut self, drive: &mut D) {
        let event_ns = self.events.peek().map_or(u64::MAX, |&Reverse((at_ns, ..))| at_ns);
        if let Some(completion) = drive.next_completion(event_ns) {
            self.now_ns = completion.at_ns;
            return self.answered(drive, completion);
        }
        let Some(Reverse((at_ns, _, event))) = self.events.pop() else {
            unreachable!("programs wait for nothing");
        };
        self.now_ns = at_ns;
        match event {
            Event::Computed(program) => {
                self.free_cores += 1;
                if let Some((next, needs_ns)) = self.waiting_for_core.pop_front() {
                    self.compute(next, needs_ns);
                }
                self.go_on(drive, program as usize);
            }
            Event::LazyPass => self.lazy_pass(drive),
        }
    }

    fn at(&mut self, at_ns: u64, event: Event) {
        self.events.push(Reverse((at_ns, self.event_count, event)));
        self.event_count += 1;
    }

    // --- programs ---

    /// Lets a program go on until it has to wait.
    fn go_on<D: Drive>(&mut self, drive: &mut D, program: usize) {
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

    fn compute(&mut self, program: u32, needs_ns: u64) {
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
        // Ahead goes in whole steps, so that a program that reads little by little does not ask for little by little.
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

    /// The last piece of a file is asked for although it is shorter than a step.
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

    /// Programs that were held back go on as far as there is room, first come first served.
    fn let_go<D: Drive>(&mut self, drive: &mut D) {
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

    /// Asks for a part of a file, piece by piece, all at once; returns the number of requests.
    fn transfer<D: Drive>(&mut self, drive: &mut D, kind: Kind, part: Part, asker: Asker) -> u32 {
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

    /// Notes that metadata are in memory now; true when a page of them was not.
    fn remember(&mut self, place: Place) -> bool {
        let pages = place.offset / PAGE_BYTES..=(place.offset + place.length - 1) / PAGE_BYTES;
        let mut news = false;
        for page in pages {
            news |= self.metadata_in_memory.insert(page);
        }
        news
    }

    // --- the lazy writer ---

    fn expect_pass(&mut self) {
        if !self.pass_is_due {
            self.pass_is_due = true;
            self.at(self.now_ns + self.host.lazy_pass_ns, Event::LazyPass);
        }
    }

    fn lazy_pass<D: Drive>(&mut self, drive: &mut D) {
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
    fn feed_lazy_writer<D: Drive>(&mut self, drive: &mut D) {
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

    fn feed_metadata_writer<D: Drive>(&mut self, drive: &mut D) {
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

    // --- the drive ---

    /// Hands a range over in requests as long as the driver makes them; returns their number.
    fn ask<D: Drive>(&mut self, drive: &mut D, kind: Kind, place: Place, compressible: u8, asker: Asker) -> u32 {
        let (mut offset_bytes, end) = (place.offset, place.offset + place.length);
        let mut count = 0;
        while offset_bytes < end {
            let length_bytes = self.host.transfer_bytes_max.min(end - offset_bytes);
            self.submit(
                drive,
                Some(kind),
                Request { kind: kind.into(), offset_bytes, length_bytes, compressible },
                asker,
            );
            offset_bytes += length_bytes;
            count += 1;
        }
        count
    }

    fn submit<D: Drive>(&mut self, drive: &mut D, kind: Option<Kind>, request: Request, asker: Asker) {
        let entry = UnderWay { asker, kind, length_bytes: request.length_bytes, submitted_ns: self.now_ns };
        let tag = self.free_tags.pop().unwrap_or(self.under_way.len() as u32);
        if tag as usize == self.under_way.len() {
            self.under_way.push(entry);
        } else {
            self.under_way[tag as usize] = entry;
        }
        self.under_way_count += 1;
        self.submitted += 1;
        drive.submit(self.now_ns, tag, request);
    }

    fn answered<D: Drive>(&mut self, drive: &mut D, completion: Completion) {
        let UnderWay { asker, kind, length_bytes, submitted_ns } = self.under_way[completion.tag as usize];
        self.free_tags.push(completion.tag);
        self.under_way_count -= 1;
        let Some(kind) = kind else {
            self.ledger.pass(completion.at_ns);
            return;
        };
        self.ledger.book(kind, length_bytes, submitted_ns, completion);
        if completion.status != Status::Done && completion.status.is_final() && kind != Kind::Trim {
            self.ledger.book_ended(0, completion.at_ns, completion.status);
            self.give_up();
        }
        match asker {
            Asker::Nobody => {}
            Asker::Reader { program, generation, end } => {
                let this = &mut self.programs[program as usize];
                if let Some(reader) = this.reader.as_mut().filter(|reader| reader.generation == generation) {
                    reader.arrive(end);
                    let arrived_to = reader.arrived_to;
                    if matches!(this.state, State::Reading(until) if until <= arrived_to) {
                        self.go_on(drive, program as usize);
                    }
                }
            }
            Asker::Program(program) => match self.programs[program as usize].state {
                State::Waiting(1) => self.go_on(drive, program as usize),
                State::Waiting(count) => self.programs[program as usize].state = State::Waiting(count - 1),
                _ => {}
            },
            Asker::LazyWriter { thread } => {
                self.threads[thread as usize].under_way -= 1;
                self.dirty_bytes -= length_bytes;
                self.let_go(drive);
                self.feed_lazy_writer(drive);
            }
            Asker::MetadataWriter => {
                self.metadata_under_way -= 1;
                if self.metadata_under_way == 0 {
                    self.record_under_way = false;
                    for program in std::mem::take(&mut self.locked) {
                        self.go_on(drive, program as usize);
                    }
                    self.feed_metadata_writer(drive);
                }
            }
        }
    }

    // --- the end ---

    /// Writes what is left when all programs have ended; true when nothing is left and the drive has all of it.
    fn finish<D: Drive>(&mut self, drive: &mut D) -> bool {
        if !self.given_up {
            self.feed_lazy_writer(drive);
            // The journal of what the data writes changed goes last.
            if self.dirty_bytes == 0 && self.metadata_under_way == 0 {
                self.metadata.begin_pass();
                self.feed_metadata_writer(drive);
            }
        }
        if self.under_way_count > 0 {
            return false;
        }
        if !self.flushed {
            self.flushed = true;
            self.events.clear();
            let request = Request { kind: RequestKind::Flush, offset_bytes: 0, length_bytes: 0, compressible: 0 };
            self.submit(drive, None, request, Asker::Nobody);
            return false;
        }
        self.totals.synced_ns = self.ledger.elapsed_ns();
        true
    }

    /// The drive will not do more, or nobody wants it to: nothing new is begun.
    fn give_up(&mut self) {
        self.given_up = true;
        for program in &mut self.programs {
            program.state = State::Over;
        }
        self.live_count = 0;
        self.held_back.clear();
        self.locked.clear();
        self.waiting_for_core.clear();
        self.events.clear();
        self.metadata.forget();
        self.data = DirtyData::new(self.trace.files.len());
        self.threads.iter_mut().for_each(|thread| thread.file = None);
        self.allowance_bytes = 0;
    }
}
