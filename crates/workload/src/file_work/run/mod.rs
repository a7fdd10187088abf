//! The clock of file work: programs, the lazy writer and the drive, event by event.
//!
//! ```text
//! program 0 --+  compute        +-- cores, first come first served
//! program 1 --+- read, wait  ---+-- cache: read-ahead --+
//! program 2 --+  write          +-- cache: dirty -------+-- lazy writer, once a second --+-- drive
//!                write directly, wait ---------------------------------------------------+
//! ```
//!
//! A program goes on until it has to wait. The lazy writer passes at fixed intervals: it takes a part of the dirty
//! data, or as much as became dirty since its last pass, and all dirty metadata, the journal first. While it writes a
//! file record, no file record can be taken, so a program that creates a file waits for it. At the dirty limit programs
//! are held back, and the lazy writer writes without pause. When all programs have ended, the rest is written and the
//! drive is flushed.

mod ending;
mod lazy_writer;
mod programs;
mod requests;
mod state;
mod totals;

pub use totals::FileTotals;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use flashscope_drive::Drive;

use super::dirty::{DirtyData, DirtyMetadata};
use super::host::Host;
use super::trace::{Columns, Trace, TraceError};
use crate::result::{Ledger, WorkloadResult};
use crate::virtual_time::Progress;
use state::{Event, Program, State, Thread, UnderWay};

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
    /// Dirty bytes, including those on their way to the drive.
    dirty_bytes: u64,
    dirtied_since_pass_bytes: u64,
    /// Bytes that the lazy writer may still take in this pass.
    allowance_bytes: u64,
    pass_is_due: bool,
    threads: Vec<Thread>,
    metadata: DirtyMetadata,
    metadata_under_way: u32,
    /// A file record is being written to the drive; programs that need a new one wait in `locked`.
    record_under_way: bool,
    locked: Vec<u32>,
    metadata_in_memory: BTreeSet<u64>,
    /// For each file: how many bytes had been cached in all when its last part was written.
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
    /// Errors: what in the trace or the host does not fit the drive; nothing has been done then.
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

    /// Submits at least one request and about `budget_requests`; returns true when all is done and on the drive's
    /// medium.
    ///
    /// Every call must get the same drive, and nothing else may use it in between.
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

    /// Ends all programs now: dirty data is given up; requests that the drive has under way are waited for and counted.
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

    /// What was measured so far; the duration ends when everything was on the drive's medium.
    pub fn result(&self) -> WorkloadResult {
        self.ledger.result()
    }

    /// The totals besides those of the requests.
    pub fn file_totals(&self) -> FileTotals {
        self.totals
    }

    /// When each program ended, since the start [ns]; 0 for a program that has not ended.
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

    /// Handles the next event: an answer of the drive, or an event of the host. Answers come first.
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
}
