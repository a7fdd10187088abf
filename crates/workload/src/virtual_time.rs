//! The virtual-time runner: passes the requests of all jobs to a drive in the order of time.
//!
//! ```text
//! group 0:  job 0  --+
//!           job 1  --+-- earliest first (ties: lower index) --> drive --> completion --> its job
//! group 1:  starts at the last completion of group 0
//! ```
//!
//! On a host where requests cost time, a request goes to the drive later than it begins, and its job sees the answer later
//! than the drive gives it (`host_thread.rs`).
//!
//! A request is submitted when no request under way in the drive completes before its time.
//! The runner reads no clock. A run can be cut into slices of any number of requests or events; the result is the same.

mod answers;

use std::ops::Range;

use flashscope_drive::{Completion, Drive, NoEventsLeft, Request, RequestKind, Status};
use flashscope_kernel::signs_of_life::alive;

use crate::by_job::{ByJob, Track};
use crate::check::check_all;
use crate::direction::Kind;
use crate::host_thread::{Answer, HostCosts, Stepped};
use crate::job::Job;
use crate::job_error::JobError;
use crate::job_in_time::JobInTime;
use crate::repeating::{Answered, Books, Search};
use crate::request_stream::Ask;
use crate::result::{Ledger, WorkloadResult};

/// A run of some jobs, between its first and its last request.
#[derive(Clone, Debug)]
pub struct Run {
    /// Jobs in the order of groups; within a group in the order of the list.
    jobs: Vec<JobInTime>,
    /// The jobs of the current group; empty before the first group.
    running: Range<usize>,
    /// Requests under way, by tag.
    under_way: Vec<UnderWay>,
    under_way_count: usize,
    /// Requests that the drive has answered and whose jobs have not seen it yet.
    unseen_count: usize,
    /// Time of the last submission or completion [ns].
    now_ns: u64,
    ledger: Ledger,
    /// What each job does over time, when asked for.
    by_job: Option<Box<ByJob>>,
    /// What the job file calls each job, in the order of `jobs`.
    names: Vec<String>,
    /// Repetitions of the drive, while a single job writes in order.
    search: Option<Box<Search>>,
    passes_over: bool,
    /// Requests that were passed over.
    passed_over: u64,
}

/// Events in the drive after which there is a sign of life, and their work in its unit.
const EVENTS_IN_A_ROW: u64 = 1 << 14;
const WORK_IN_A_ROW: u64 = 16 * EVENTS_IN_A_ROW;
/// A call returns early after so many rows of events: about a tenth of a second of work, or 256 events for each request.
const ROWS_AT_LEAST: u64 = 16;
const REQUESTS_PER_ROW: u64 = EVENTS_IN_A_ROW / 256;

/// The length that marks a flush among the requests under way; no other request has it.
const FLUSH_BYTES: u64 = 0;

/// What the runner keeps of a request while the drive has it.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    submitted_ns: u64,
    length_bytes: u64,
    job: u32,
    kind: Kind,
}

/// What one call may still do.
struct Budget {
    requests: u64,
    events: u64,
}

/// Where taking completions ended.
enum Taken {
    /// There is none left up to the time asked for.
    All,
    /// After one that has more consequences than the next request of its job.
    OneThatChanges,
    /// In the middle: all events of the budget have happened.
    NoEventsLeft,
}

/// How far a run has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Requests submitted.
    pub requests: u64,
    /// Bytes of the requests that were done.
    pub bytes_done: u64,
    /// From the start to the last completion so far [ns].
    pub elapsed_ns: u64,
}

impl Run {
    /// A run of these jobs on a drive of `user_bytes` with sectors of `sector_bytes`.
    ///
    /// seed: of the run; the same seed and jobs give the same requests. sample_interval_ns: of the series.
    /// Errors: `JobError` says which job cannot be run and why; nothing has been done then.
    pub fn new(
        jobs_in_list: &[Job],
        seed: u64,
        sample_interval_ns: u64,
        user_bytes: u64,
        sector_bytes: u64,
    ) -> Result<Self, JobError> {
        check_all(jobs_in_list, sample_interval_ns, user_bytes, sector_bytes)?;
        let mut tag_count = 0;
        let mut jobs: Vec<JobInTime> = Vec::with_capacity(jobs_in_list.len());
        for (index, job) in jobs_in_list.iter().enumerate() {
            jobs.push(JobInTime::new(job, index, seed, user_bytes, tag_count));
            tag_count += job.queue_depth;
        }
        jobs.sort_by_key(|job| job.group);
        Ok(Self {
            names: jobs.iter().map(|job| jobs_in_list[job.index].name.clone()).collect(),
            jobs,
            running: 0..0,
            under_way: vec![
                UnderWay { submitted_ns: 0, length_bytes: 0, job: 0, kind: Kind::Read };
                tag_count as usize
            ],
            under_way_count: 0,
            unseen_count: 0,
            now_ns: 0,
            ledger: Ledger::new(sample_interval_ns),
            by_job: None,
            search: None,
            passes_over: true,
            passed_over: 0,
        })
    }

    /// Keeps what each job does over time from now on, in rows of `interval_ns`; to be called before the first request.
    pub fn keep_jobs(&mut self, interval_ns: u64) {
        let names = self.names.iter().map(String::as_str);
        self.by_job = Some(Box::new(ByJob::new(names, interval_ns)));
    }

    /// Makes the requests on a host with these costs, one thread for each job; to be called before the first request.
    ///
    /// Nothing is passed over then: the runner plays every request.
    pub fn run_on(&mut self, costs: HostCosts) {
        self.jobs.iter_mut().for_each(|job| job.run_on(costs));
    }

    /// Plays every request, also where the drive repeats itself; to be called before the first request. The results are
    /// the same, so this is of use only to compare.
    pub fn play_all(&mut self) {
        self.passes_over = false;
    }

    /// Requests that were not played, because the drive repeated itself.
    pub fn passed_over(&self) -> u64 {
        self.passed_over
    }

    /// What each job did, as [`ByJob::tracks`] says it, if that was asked for.
    pub fn jobs_over_time(&self) -> Option<(Vec<Track>, u64)> {
        self.by_job.as_ref().map(|by_job| by_job.tracks())
    }

    /// Submits up to `budget_requests` requests; returns true when all jobs are over.
    ///
    /// Returns earlier when the drive has had far more events than such requests should cause: one request may take
    /// hours of work.
    /// Every call must get the same drive, and nothing else may use it in between.
    pub fn advance<D: Drive>(&mut self, drive: &mut D, budget_requests: u64) -> bool {
        let mut budget = Budget { requests: budget_requests, events: EVENTS_IN_A_ROW };
        let mut rows_left = (budget_requests / REQUESTS_PER_ROW).max(ROWS_AT_LEAST);
        loop {
            let (next_at_ns, place) = self.earliest();
            // Completions up to that time come first; at the present moment nothing can come in between.
            if next_at_ns > self.now_ns {
                match self.take_completions(drive, next_at_ns, &mut budget) {
                    Taken::All => {}
                    Taken::OneThatChanges => continue,
                    Taken::NoEventsLeft if rows_left == 0 => return false,
                    Taken::NoEventsLeft => {
                        rows_left -= 1;
                        budget.events = EVENTS_IN_A_ROW;
                        alive(WORK_IN_A_ROW);
                        continue;
                    }
                }
            }
            if next_at_ns == u64::MAX {
                if self.start_next_group(drive) {
                    continue;
                }
                return true;
            }
            if budget.requests == 0 {
                return false;
            }
            let began_ns = match self.jobs[place].step_thread() {
                None => next_at_ns,
                Some(Stepped::Prepared { began_ns }) => began_ns,
                Some(Stepped::Began) => continue,
                Some(Stepped::Seen(answer)) => {
                    self.see(drive, next_at_ns, answer);
                    continue;
                }
            };
            budget.requests -= 1;
            let job = &mut self.jobs[place];
            let compressible = job.compressible;
            let (tag, ask) = job.take_next();
            if job.has_news() {
                job.announce(|offsets_bytes| drive.expect(offsets_bytes));
            }
            self.under_way_count += 1;
            self.submit(drive, next_at_ns, tag, place as u32, ask, compressible);
            self.under_way[tag as usize].submitted_ns = began_ns;
        }
    }

    /// Ends all jobs now: nothing more is submitted; requests that the drive has under way are waited for and counted.
    ///
    /// Afterwards the drive is free for another run.
    pub fn stop<D: Drive>(&mut self, drive: &mut D) {
        self.jobs.iter_mut().for_each(JobInTime::stop);
        self.running.end = self.jobs.len();
        loop {
            let mut budget = Budget { requests: 0, events: EVENTS_IN_A_ROW };
            match self.take_completions(drive, u64::MAX, &mut budget) {
                Taken::All if self.unseen_count == 0 => return,
                Taken::All => self.see_next(drive),
                Taken::OneThatChanges => {}
                Taken::NoEventsLeft => alive(WORK_IN_A_ROW),
            }
        }
    }

    /// Takes completions up to `until_ns` as long as the job of each submits its next request at once; returns after
    /// the first one with any other consequence.
    #[inline]
    fn take_completions<D: Drive>(&mut self, drive: &mut D, until_ns: u64, budget: &mut Budget) -> Taken {
        if self.under_way_count == 0 && until_ns == u64::MAX {
            return Taken::All;
        }
        loop {
            let completion = match drive.next_completion_within(until_ns, &mut budget.events) {
                Ok(Some(completion)) => completion,
                Ok(None) => break,
                Err(NoEventsLeft) => return Taken::NoEventsLeft,
            };
            let Completion { tag, at_ns, status } = completion;
            let request = self.under_way[tag as usize];
            let UnderWay { submitted_ns, length_bytes, job: place, .. } = request;
            self.now_ns = at_ns;
            if self.jobs[place as usize].has_thread() && length_bytes != FLUSH_BYTES {
                self.jobs[place as usize].leave_to_thread(Answer { tag, answered_ns: at_ns, status });
                self.under_way_count -= 1;
                self.unseen_count += 1;
                return Taken::OneThatChanges;
            }
            self.book(completion, request);
            let job = &mut self.jobs[place as usize];
            // At `until_ns` itself another job is due, and the job with the lower index goes first.
            let ask = if at_ns < until_ns && budget.requests > 0 { job.refill(at_ns) } else { None };
            let Some(ask) = ask else {
                self.under_way_count -= 1;
                self.search.iter_mut().for_each(|search| search.forget());
                job.completed(tag, at_ns);
                if let Some(tag) = job.take_flush() {
                    self.flush(drive, at_ns, tag, place);
                }
                return Taken::OneThatChanges;
            };
            budget.requests -= 1;
            if job.has_news() {
                job.announce(|offsets_bytes| drive.expect(offsets_bytes));
            }
            let compressible = job.compressible;
            self.submit(drive, at_ns, tag, place, ask, compressible);
            if self.search.is_some() {
                self.pass_over_repetitions(drive, place as usize, Answered { submitted_ns, at_ns }, status, budget);
            }
        }
        assert!(until_ns < u64::MAX, "the drive never completes {} requests", self.under_way_count);
        Taken::All
    }

    /// After an answer and the request that follows it: passes over what repeats itself from here on.
    #[inline(never)]
    fn pass_over_repetitions<D: Drive>(
        &mut self,
        drive: &mut D,
        place: usize,
        answered: Answered,
        status: Status,
        budget: &mut Budget,
    ) {
        let Some(search) = &mut self.search else { return };
        if status != Status::Done {
            return search.forget();
        }
        let under_way = &self.under_way;
        let books = Books { ledger: &mut self.ledger, by_job: self.by_job.as_deref_mut(), place };
        let submitted_ns = |tag: u32| under_way[tag as usize].submitted_ns;
        let job = &mut self.jobs[place];
        if let Some(passed) = search.look(drive, job, answered, budget.requests, &submitted_ns, books) {
            budget.requests -= passed.requests;
            self.now_ns += passed.by_ns;
            self.passed_over += passed.requests;
            self.under_way.iter_mut().for_each(|request| request.submitted_ns += passed.by_ns);
        }
    }

    /// Submits one request of the job at `place` to the drive.
    #[inline(always)]
    fn submit<D: Drive>(&mut self, drive: &mut D, at_ns: u64, tag: u32, place: u32, ask: Ask, compressible: u8) {
        let Ask { kind, offset_bytes, length_bytes } = ask;
        self.under_way[tag as usize] = UnderWay { submitted_ns: at_ns, length_bytes, job: place, kind };
        self.now_ns = at_ns;
        drive.submit(at_ns, tag, Request { kind: kind.into(), offset_bytes, length_bytes, compressible });
    }

    /// Sends the flush that ends the job at `place`, so that everything is on the medium.
    #[cold]
    fn flush<D: Drive>(&mut self, drive: &mut D, at_ns: u64, tag: u32, place: u32) {
        self.under_way[tag as usize] =
            UnderWay { submitted_ns: at_ns, length_bytes: FLUSH_BYTES, job: place, kind: Kind::Write };
        self.under_way_count += 1;
        let flush = Request { kind: RequestKind::Flush, offset_bytes: 0, length_bytes: 0, compressible: 0 };
        drive.submit(at_ns, tag, flush);
    }

    /// How far the run has come.
    pub fn progress(&self) -> Progress {
        Progress {
            requests: self.ledger.requests() + (self.under_way_count + self.unseen_count) as u64,
            bytes_done: self.ledger.bytes_done(),
            elapsed_ns: self.ledger.elapsed_ns(),
        }
    }

    /// What was measured so far; after an interrupted run as valid as after a complete one.
    pub fn result(&self) -> WorkloadResult {
        let out_of_time = self.jobs.iter().filter(|job| job.ran_out_of_time()).count() as u64;
        WorkloadResult { out_of_time, ..self.ledger.result() }
    }

    /// Time and place of the job that submits next; `u64::MAX` when all wait or are over.
    #[inline]
    fn earliest(&self) -> (u64, usize) {
        let due = |place: usize| (self.jobs[place].next_at_ns, place);
        self.running.clone().map(due).min().unwrap_or((u64::MAX, 0))
    }

    /// Starts the jobs of the next group; false when there is none.
    fn start_next_group(&mut self, drive: &impl Drive) -> bool {
        let first = self.running.end;
        let Some(group) = self.jobs.get(first).map(|job| job.group) else { return false };
        self.now_ns = drive.now_ns().max(self.now_ns);
        if first == 0 {
            self.ledger.start(self.now_ns);
        }
        let count = self.jobs[first..].iter().take_while(|job| job.group == group).count();
        self.running = first..first + count;
        self.jobs[self.running.clone()].iter_mut().for_each(|job| job.start(self.now_ns));
        let in_order = count == 1 && self.passes_over && self.jobs[first].may_be_in_order();
        self.search = in_order.then(|| Box::new(Search::new()));
        true
    }
}
