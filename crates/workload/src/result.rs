//! What a run measured, in the shape of `flashscope.records.record.WorkloadResult`.

use flashscope_drive::{Completion, Status};

use crate::direction::Kind;
use crate::latency_histogram::LatencyHistogram;
use crate::series::{Rows, Series};

/// What a run measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadResult {
    /// From the start (the first submission) to the last completion [ns].
    pub duration_ns: u64,
    /// One row per sampling interval.
    pub series: Series,
    /// Latencies (submission to completion) of the requests that were done, by kind.
    pub latency: [LatencyHistogram; 3],
    /// Bytes done, by kind.
    pub bytes: [u64; 3],
    /// Requests done, by kind.
    pub requests: [u64; 3],
    /// Requests that ended with another status than `Done`; they are in none of the other numbers.
    pub failed_requests: u64,
    /// The requests among them whose data could not be read.
    pub unreadable_requests: u64,
    /// Jobs that the drive ended, in the order in which they ended.
    pub ended: Vec<Ended>,
    /// Jobs that had more to do when virtual time ended.
    pub out_of_time: u64,
}

/// A job that ended because the drive will never carry out its requests again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Index of the job in the list of jobs.
    pub job_index: usize,
    /// When the drive answered so, since the start of the run [ns].
    pub elapsed_ns: u64,
    /// The status that the drive returned.
    pub status: Status,
}

impl WorkloadResult {
    /// "read", "write" and "trim" with their latencies; a kind without requests is absent.
    pub fn latency_by_kind(&self) -> impl Iterator<Item = (&'static str, &LatencyHistogram)> {
        Kind::ALL.iter().map(|kind| kind.name()).zip(&self.latency).filter(|(_, histogram)| histogram.total() > 0)
    }

    /// The totals, with the field names of a record.
    pub fn totals(&self) -> [(&'static str, u64); 12] {
        let ended = |status| self.ended.iter().filter(|ended| ended.status == status).count() as u64;
        [
            ("read_bytes", self.bytes[0]),
            ("written_bytes", self.bytes[1]),
            ("trimmed_bytes", self.bytes[2]),
            ("read_requests", self.requests[0]),
            ("write_requests", self.requests[1]),
            ("trim_requests", self.requests[2]),
            ("failed_requests", self.failed_requests),
            ("unreadable_requests", self.unreadable_requests),
            ("jobs_out_of_space", ended(Status::NoFreeBlock)),
            ("jobs_ended_read_only", ended(Status::ReadOnly)),
            ("jobs_ended_dead", ended(Status::Dead)),
            ("jobs_out_of_time", self.out_of_time),
        ]
    }
}

/// The counts of a run while it is under way.
#[derive(Clone, Debug)]
pub(crate) struct Ledger {
    start_ns: u64,
    last_ns: u64,
    rows: Rows,
    latency: [LatencyHistogram; 3],
    failed_requests: u64,
    unreadable_requests: u64,
    ended: Vec<Ended>,
}

impl Ledger {
    pub fn new(sample_interval_ns: u64) -> Self {
        Self {
            start_ns: 0,
            last_ns: 0,
            rows: Rows::new(sample_interval_ns),
            latency: Default::default(),
            failed_requests: 0,
            unreadable_requests: 0,
            ended: Vec::new(),
        }
    }

    /// Sets the moment from which all times count [ns].
    pub fn start(&mut self, at_ns: u64) {
        (self.start_ns, self.last_ns) = (at_ns, at_ns);
    }

    /// Lets time pass to the end of something that is not counted [ns].
    pub fn pass(&mut self, at_ns: u64) {
        self.last_ns = at_ns;
    }

    /// Time from the start to the last completion so far [ns].
    pub fn elapsed_ns(&self) -> u64 {
        self.last_ns - self.start_ns
    }

    /// Bytes of all requests that were done.
    pub fn bytes_done(&self) -> u64 {
        self.rows.total_bytes()
    }

    /// Requests that were answered, failed ones included.
    pub fn requests(&self) -> u64 {
        self.rows.total_requests() + self.failed_requests
    }

    /// Counts one answered request. Completions come in the order of time.
    #[inline]
    pub fn book(&mut self, kind: Kind, length_bytes: u64, submitted_ns: u64, completion: Completion) {
        debug_assert!(completion.at_ns >= submitted_ns.max(self.last_ns), "a completion out of order");
        self.last_ns = completion.at_ns;
        if completion.status == Status::Done {
            self.rows.record(kind, length_bytes, completion.at_ns - self.start_ns);
            self.latency[kind as usize].record(completion.at_ns - submitted_ns);
        } else {
            self.failed_requests += 1;
            self.unreadable_requests += u64::from(completion.status == Status::Unreadable);
        }
    }

    /// Notes that the drive ended a job; only the first of the job's requests that fail so is noted.
    pub fn book_ended(&mut self, job_index: usize, at_ns: u64, status: Status) {
        if self.ended.iter().all(|ended| ended.job_index != job_index) {
            self.ended.push(Ended { job_index, elapsed_ns: at_ns - self.start_ns, status });
        }
    }

    /// What was measured so far.
    pub fn result(&self) -> WorkloadResult {
        let series = self.rows.columns(self.elapsed_ns());
        WorkloadResult {
            duration_ns: self.elapsed_ns(),
            bytes: std::array::from_fn(|kind| series.bytes[kind].iter().sum()),
            requests: std::array::from_fn(|kind| series.requests[kind].iter().sum()),
            series,
            latency: self.latency.clone(),
            failed_requests: self.failed_requests,
            unreadable_requests: self.unreadable_requests,
            ended: self.ended.clone(),
            out_of_time: 0,
        }
    }
}
