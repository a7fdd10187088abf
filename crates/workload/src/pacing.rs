//! When a job may go on: rate limits and think time.
//!
//! A rate is a schedule from the job's start, as in fio: after n bytes (or requests) of a kind, the next one is
//! due n / rate after the start. A job that fell behind catches up. A mixed job whose kind is ahead of
//! its schedule does the other kind instead, or waits for whichever is due first.
//!
//! Think time, as in fio: once `thinktime_blocks` more requests have completed, everything outstanding is
//! waited for and the job rests.
//!
//! Not modelled: fio waits for everything outstanding before it sleeps for a rate.

use crate::direction::{Kind, Turns};
use crate::job::{Direction, Job};

const NS_PER_SECOND: u128 = 1_000_000_000;

/// The schedule of the kinds of one job.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    bytes_per_second: [u64; 3],
    requests_per_second: [u64; 3],
    issued_bytes: [u64; 3],
    issued_requests: [u64; 3],
    limited: bool,
    /// A trimwrite goes at the rate of its writes; the trims before them have none of their own.
    writes_only: bool,
}

impl Rates {
    pub fn new(job: &Job) -> Self {
        let (bytes_per_second, requests_per_second) = (job.rate_bytes_per_second, job.rate_requests_per_second);
        Self {
            bytes_per_second,
            requests_per_second,
            issued_bytes: [0; 3],
            issued_requests: [0; 3],
            limited: bytes_per_second.iter().chain(&requests_per_second).any(|&rate| rate > 0),
            writes_only: matches!(job.direction, Direction::TrimWrite | Direction::RandTrimWrite),
        }
    }

    /// True when any rate is limited.
    pub fn limits(&self) -> bool {
        self.limited
    }

    /// True when the kind that goes on may differ from the one whose turn it is.
    pub fn may_change(&self, turns: &Turns) -> bool {
        self.limited && turns.stand_in(Kind::Read).is_some()
    }

    /// The kind to go on with when `kind` has its turn and the job is ready at `ready_ns` after its start.
    pub fn choose(&self, turns: &Turns, kind: Kind, ready_ns: u64) -> Kind {
        let due_ns = self.due_ns(kind);
        match turns.stand_in(kind) {
            Some(other) if due_ns > ready_ns && self.due_ns(other) < due_ns => other,
            _ => kind,
        }
    }

    /// When a request of this kind may go, if the job is ready at `ready_ns` after its start [ns].
    #[inline]
    pub fn due_from(&self, kind: Kind, ready_ns: u64) -> u64 {
        if !self.limited {
            return ready_ns;
        }
        self.due_ns(if self.writes_only { Kind::Write } else { kind }).max(ready_ns)
    }

    /// Notes that a request was issued.
    #[inline]
    pub fn issued(&mut self, kind: Kind, length_bytes: u64) {
        if self.limited {
            self.issued_bytes[kind as usize] += length_bytes;
            self.issued_requests[kind as usize] += 1;
        }
    }

    /// When the next request of a kind is due [ns after the job's start].
    fn due_ns(&self, kind: Kind) -> u64 {
        let due = |done: u64, rate: u64| {
            if rate == 0 { 0 } else { u128::from(done) * NS_PER_SECOND / u128::from(rate) }
        };
        let due_ns = due(self.issued_bytes[kind as usize], self.bytes_per_second[kind as usize])
            .max(due(self.issued_requests[kind as usize], self.requests_per_second[kind as usize]));
        u64::try_from(due_ns).unwrap_or(u64::MAX)
    }
}

/// The rests of one job.
#[derive(Clone, Debug)]
pub(crate) struct ThinkTime {
    rest_ns: u64,
    blocks: u64,
    next_rest_at: u64,
}

impl ThinkTime {
    pub fn new(job: &Job) -> Self {
        Self { rest_ns: job.thinktime_ns, blocks: job.thinktime_blocks, next_rest_at: job.thinktime_blocks }
    }

    /// True when a rest has to follow, now that `completed` requests of the job have completed in all.
    #[inline]
    pub fn is_due(&mut self, completed: u64) -> bool {
        if self.rest_ns == 0 || completed < self.next_rest_at {
            return false;
        }
        self.next_rest_at = completed + self.blocks;
        true
    }

    /// When a rest that begins at `now_ns` is over [ns].
    pub fn over_ns(&self, now_ns: u64) -> u64 {
        now_ns.saturating_add(self.rest_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    fn mixed() -> (Job, Turns) {
        let job = Job { rate_bytes_per_second: [4096, 1024, 0], ..Job::new("j", Direction::RandRw) };
        let turns = Turns::new(&job, Streams::new(1).stream("mix"));
        (job, turns)
    }

    #[test]
    fn a_kind_ahead_of_its_rate_lets_the_other_go_first_or_waits_for_the_earlier() {
        let (job, turns) = mixed();
        let mut rates = Rates::new(&job);
        assert!(rates.may_change(&turns));
        let choice = |rates: &Rates, kind, ready_ns| {
            let kind = rates.choose(&turns, kind, ready_ns);
            (kind, rates.due_from(kind, ready_ns))
        };
        assert_eq!(choice(&rates, Kind::Read, 0), (Kind::Read, 0));
        rates.issued(Kind::Read, 4096);
        // The next read is due at 1 s; a write may go at once, and only then is it due at 4 s.
        assert_eq!(choice(&rates, Kind::Read, 10), (Kind::Write, 10));
        rates.issued(Kind::Write, 4096);
        assert_eq!(choice(&rates, Kind::Write, 10), (Kind::Read, 1_000_000_000));
        assert_eq!(choice(&rates, Kind::Read, 10), (Kind::Read, 1_000_000_000));
        // Behind both schedules the drawn kind goes.
        assert_eq!(choice(&rates, Kind::Write, 9_000_000_000), (Kind::Write, 9_000_000_000));
    }

    #[test]
    fn without_limits_a_job_goes_when_it_is_ready() {
        let (_, turns) = mixed();
        let mut rates = Rates::new(&Job::new("j", Direction::RandRw));
        rates.issued(Kind::Read, 4096);
        assert_eq!(rates.due_from(Kind::Read, 7), 7);
        assert!(!rates.may_change(&turns));
    }

    #[test]
    fn a_trimwrite_goes_at_the_rate_of_its_writes() {
        let rates = [1, 4096, 0];
        let mut rates = Rates::new(&Job { rate_bytes_per_second: rates, ..Job::new("j", Direction::TrimWrite) });
        rates.issued(Kind::Trim, 4096);
        assert_eq!(rates.due_from(Kind::Write, 7), 7);
        rates.issued(Kind::Write, 4096);
        assert_eq!(rates.due_from(Kind::Trim, 7), 1_000_000_000);
    }

    #[test]
    fn a_rest_is_due_after_each_so_many_completions() {
        let mut think_time =
            ThinkTime::new(&Job { thinktime_ns: 50, thinktime_blocks: 4, ..Job::new("j", Direction::Read) });
        let due: Vec<u64> = (1..=12).filter(|&completed| think_time.is_due(completed)).collect();
        assert_eq!(due, vec![4, 8, 12]);
        assert_eq!(think_time.over_ns(100), 150);
    }
}
