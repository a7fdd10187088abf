//! When a job may submit its next request: rate limits and think time.
//!
//! A rate is a schedule from the job's start, as in fio: after n bytes (or requests) of a kind, the next one is
//! due n / rate after the start. A job that is late catches up. When one kind of a mixed job is ahead of its schedule,
//! the job submits the other kind instead, or waits for the kind that is due first.
//!
//! ```text
//!   linear    | . . . . . . . .      1 / rate apart
//!   poisson   | .  ..    . . ...     exponential gaps of that mean, drawn when the request before is issued
//! ```
//!
//! With Poisson arrivals a request that is due waits only for a free place in the job's queue. So a queue that is deep
//! enough makes an open system: requests come whether or not earlier ones were answered.
//!
//! Think time, as in fio: when `thinktime_blocks` more requests have completed, the job waits for everything
//! outstanding and then pauses.
//!
//! Not modelled: fio waits for everything outstanding before it sleeps for a rate.

use flashscope_kernel::random::{Stream, unit_interval};

use crate::direction::{Kind, Turns};
use crate::job::{Direction, Job, RateProcess};

const NS_PER_SECOND: u128 = 1_000_000_000;

/// Arrivals at random, one Poisson process for each kind of request.
#[derive(Clone, Debug)]
struct Arrivals {
    streams: [Stream; 3],
    /// When the next request of each kind arrives [ns after the job's start].
    next_ns: [u64; 3],
}

impl Arrivals {
    /// The arrival that follows one of this kind, at this mean rate [requests/s].
    fn draw_next(&mut self, kind: Kind, rate: u64) {
        if rate > 0 {
            let gap = -libm::log(unit_interval(&mut self.streams[kind as usize]));
            // Rounded half up, so that the mean is kept.
            let gap_ns = (gap * NS_PER_SECOND as f64 / rate as f64 + 0.5) as u64;
            let next_ns = &mut self.next_ns[kind as usize];
            *next_ns = next_ns.saturating_add(gap_ns);
        }
    }
}

/// The schedule of the kinds of one job.
#[derive(Clone, Debug)]
pub(crate) struct Rates {
    bytes_per_second: [u64; 3],
    requests_per_second: [u64; 3],
    issued_bytes: [u64; 3],
    issued_requests: [u64; 3],
    limited: bool,
    /// Requests arrive at random; otherwise at equal intervals.
    arrivals: Option<Box<Arrivals>>,
    /// A trimwrite is paced by the rate of its writes; the trims before them have no rate of their own.
    writes_only: bool,
}

impl Rates {
    /// The schedule of a job; `stream` returns the random stream for a purpose.
    pub fn new(job: &Job, stream: impl Fn(&str) -> Stream) -> Self {
        let (bytes_per_second, requests_per_second) = (job.rate_bytes_per_second, job.rate_requests_per_second);
        Self {
            bytes_per_second,
            requests_per_second,
            issued_bytes: [0; 3],
            issued_requests: [0; 3],
            limited: bytes_per_second.iter().chain(&requests_per_second).any(|&rate| rate > 0),
            arrivals: (job.rate_process == RateProcess::Poisson).then(|| {
                let streams = ["arrivals of reads", "arrivals of writes", "arrivals of trims"].map(stream);
                Box::new(Arrivals { streams, next_ns: [0; 3] })
            }),
            writes_only: matches!(job.direction, Direction::TrimWrite | Direction::RandTrimWrite),
        }
    }

    /// True when any rate is limited.
    pub fn limits(&self) -> bool {
        self.limited
    }

    /// True when the next kind may differ from the kind whose turn it is.
    pub fn may_change(&self, turns: &Turns) -> bool {
        self.limited && turns.stand_in(Kind::Read).is_some()
    }

    /// The kind to submit when it is the turn of `kind` and the job is ready at `ready_ns` after its start.
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
            if let Some(arrivals) = &mut self.arrivals {
                arrivals.draw_next(kind, self.requests_per_second[kind as usize]);
            }
        }
    }

    /// When the next request of a kind is due [ns after the job's start].
    fn due_ns(&self, kind: Kind) -> u64 {
        let due = |done: u64, rate: u64| {
            if rate == 0 { 0 } else { u128::from(done) * NS_PER_SECOND / u128::from(rate) }
        };
        let by_bytes = due(self.issued_bytes[kind as usize], self.bytes_per_second[kind as usize]);
        let by_requests = match &self.arrivals {
            Some(arrivals) => u128::from(arrivals.next_ns[kind as usize]),
            None => due(self.issued_requests[kind as usize], self.requests_per_second[kind as usize]),
        };
        u64::try_from(by_bytes.max(by_requests)).unwrap_or(u64::MAX)
    }
}

/// The pauses of one job.
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

    /// True when a pause has to follow, now that `completed` requests of the job have completed in all.
    #[inline]
    pub fn is_due(&mut self, completed: u64) -> bool {
        if self.rest_ns == 0 || completed < self.next_rest_at {
            return false;
        }
        self.next_rest_at = completed.saturating_add(self.blocks);
        true
    }

    /// When a pause that begins at `now_ns` is over [ns].
    pub fn over_ns(&self, now_ns: u64) -> u64 {
        now_ns.saturating_add(self.rest_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    fn stream(name: &str) -> Stream {
        Streams::new(1).stream(name)
    }

    fn poisson(direction: Direction, rates: [u64; 3]) -> Rates {
        let job = Job { rate_requests_per_second: rates, ..Job::new("j", direction) };
        Rates::new(&Job { rate_process: RateProcess::Poisson, ..job }, stream)
    }

    #[test]
    fn poisson_gaps_are_exponential_with_the_mean_of_the_rate() {
        let mut rates = poisson(Direction::RandRead, [1000, 0, 0]);
        let (mut before_ns, mut short, count) = (0, 0, 100_000);
        assert_eq!(rates.due_from(Kind::Read, 0), 0, "the first request goes at once, as in fio");
        let mut squares = 0.0;
        for _ in 0..count {
            rates.issued(Kind::Read, 4096);
            let due_ns = rates.due_from(Kind::Read, 0);
            let gap_ns = (due_ns - before_ns) as f64;
            short += u32::from(gap_ns < 1e6);
            squares += gap_ns * gap_ns;
            before_ns = due_ns;
        }
        // The limit is five standard deviations: of the mean 1/sqrt(n), of the mean square sqrt(5/n), of the share
        // below the mean.
        let mean_ns = before_ns as f64 / f64::from(count);
        assert!((mean_ns / 1e6 - 1.0).abs() < 0.016, "{mean_ns}");
        assert!((squares / f64::from(count) / 2e12 - 1.0).abs() < 0.036, "an exponential has twice its mean squared");
        assert!((f64::from(short) / f64::from(count) - 0.632_12).abs() < 0.008, "{short} gaps below the mean");
    }

    #[test]
    fn each_kind_arrives_on_a_stream_of_its_own() {
        let times = |rates: [u64; 3]| {
            let mut rates = poisson(Direction::RandRw, rates);
            (0..100)
                .map(|_| {
                    rates.issued(Kind::Write, 4096);
                    rates.issued(Kind::Read, 4096);
                    rates.due_from(Kind::Write, 0)
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(times([5, 1000, 0]), times([0, 1000, 0]), "reads at a rate change nothing for writes");
    }

    #[test]
    fn equal_intervals_draw_nothing() {
        let job = Job { rate_requests_per_second: [10, 0, 0], ..Job::new("j", Direction::Read) };
        let mut rates = Rates::new(&job, |_| unreachable!("drawn"));
        rates.issued(Kind::Read, 4096);
        assert_eq!(rates.due_from(Kind::Read, 0), 100_000_000);
    }

    fn mixed() -> (Job, Turns) {
        let job = Job { rate_bytes_per_second: [4096, 1024, 0], ..Job::new("j", Direction::RandRw) };
        let turns = Turns::new(&job, Streams::new(1).stream("mix"));
        (job, turns)
    }

    #[test]
    fn a_kind_ahead_of_its_rate_lets_the_other_go_first_or_waits_for_the_earlier() {
        let (job, turns) = mixed();
        let mut rates = Rates::new(&job, stream);
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
        // When both kinds are behind their schedules, the drawn kind goes.
        assert_eq!(choice(&rates, Kind::Write, 9_000_000_000), (Kind::Write, 9_000_000_000));
    }

    #[test]
    fn without_limits_a_job_goes_when_it_is_ready() {
        let (_, turns) = mixed();
        let mut rates = Rates::new(&Job::new("j", Direction::RandRw), stream);
        rates.issued(Kind::Read, 4096);
        assert_eq!(rates.due_from(Kind::Read, 7), 7);
        assert!(!rates.may_change(&turns));
    }

    #[test]
    fn a_trimwrite_goes_at_the_rate_of_its_writes() {
        let rates = [1, 4096, 0];
        let mut rates =
            Rates::new(&Job { rate_bytes_per_second: rates, ..Job::new("j", Direction::TrimWrite) }, stream);
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
