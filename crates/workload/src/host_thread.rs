//! What a request costs on the host: the processor's time of the thread that makes it, and the way back to that thread.
//!
//! ```text
//!   thread   |submission|  pages  |                         wake-up  |completion|
//!   drive                         |---- the drive's time ----|
//!            began                given to the drive         answered           seen
//! ```
//!
//! A job is one thread. It does one thing at a time: it prepares a request when one is due, else it takes the answer that
//! waits longest. So a thread makes no more requests in a second than its processor can prepare and take back, however
//! many the drive could answer, and the answers wait meanwhile. Latencies count from `began` to `seen`, as a program
//! measures them.
//!
//! A thread that waits must be woken; one that is busy finds the answer when it is done with what it does, and nobody
//! wakes it. A thread that polls is never asleep: its wake-up takes no time.
//!
//! Not modelled here: fewer processors than threads, answers taken several at a time for less than each alone, the
//! interrupt's own share of the processor, locks between threads, a request that the host cuts into several.

use std::collections::VecDeque;

use flashscope_drive::Status;
use serde::Deserialize;

use crate::job_error::JobError;

/// Bytes of one page of the host's memory: what is mapped for the drive at a time.
const PAGE_BYTES: u64 = 4096;
/// Longest time that any of the costs may take [ns].
const COST_MAX_NS: u64 = 1_000_000_000;

/// The costs of a request on a host, the same for every drive: a data sheet of `parts/hosts/` in base units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostCosts {
    /// Processor time until a request is with the drive, whatever its size [ns].
    pub submission_ns: u64,
    /// Processor time for each page of a request's data, to map or to copy it [ns].
    pub page_ns: u64,
    /// From the drive's answer until the waiting thread runs again [ns].
    pub wake_up_ns: u64,
    /// Processor time to take an answer [ns].
    pub completion_ns: u64,
    /// Requests that one thread can keep under way; 0 means that nothing but the job limits them.
    pub requests_under_way_max: u32,
}

impl HostCosts {
    /// Reads the JSON object of Python's `Host.settings_json`.
    ///
    /// Errors: `JobError::NotAHost` when a field is unknown, missing, of the wrong type or longer than a second.
    pub fn read(json: &str) -> Result<Self, JobError> {
        let costs: Self = serde_json::from_str(json).map_err(|error| JobError::NotAHost(error.to_string()))?;
        let named = [
            ("submission_ns", costs.submission_ns),
            ("page_ns", costs.page_ns),
            ("wake_up_ns", costs.wake_up_ns),
            ("completion_ns", costs.completion_ns),
        ];
        match named.iter().find(|(_, cost_ns)| *cost_ns > COST_MAX_NS) {
            Some((name, cost_ns)) => Err(JobError::NotAHost(format!("{name} is {cost_ns}, at most {COST_MAX_NS}"))),
            None => Ok(costs),
        }
    }
}

/// An answer of the drive that the thread has not taken yet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    pub tag: u32,
    pub answered_ns: u64,
    pub status: Status,
}

/// What the thread does until it is free.
#[derive(Clone, Copy, Debug)]
enum Doing {
    /// It sleeps, or is about to begin something.
    Nothing,
    /// It prepares the next request of its job.
    Preparing,
    /// It takes an answer.
    Taking(Answer),
}

/// What a step of the thread was.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stepped {
    /// It began something, which ends later.
    Began,
    /// The next request is prepared, and goes to the drive now. began_ns: when its preparation began.
    Prepared { began_ns: u64 },
    /// The program has seen this answer now.
    Seen(Answer),
}

/// A thread, what it does, and the answers that wait for it.
#[derive(Clone, Debug)]
pub(crate) struct HostThread {
    costs: HostCosts,
    doing: Doing,
    /// When it ends what it does, or ended what it did last [ns].
    free_at_ns: u64,
    began_ns: u64,
    answers: VecDeque<Answer>,
}

impl HostThread {
    pub fn new(costs: HostCosts) -> Self {
        Self { costs, doing: Doing::Nothing, free_at_ns: 0, began_ns: 0, answers: VecDeque::new() }
    }

    /// The drive has answered a request.
    pub fn answered(&mut self, answer: Answer) {
        self.answers.push_back(answer);
    }

    /// The request that it may prepare is not wanted any more.
    pub fn drop_preparation(&mut self) {
        if matches!(self.doing, Doing::Preparing) {
            self.doing = Doing::Nothing;
        }
    }

    /// When its next step is, if the job's next request is due at `due_ns` [ns]; `u64::MAX` for never.
    pub fn next_ns(&self, due_ns: u64) -> u64 {
        match self.doing {
            Doing::Nothing => self.begins_ns(due_ns).min(self.takes_ns()),
            Doing::Preparing | Doing::Taking(_) => self.free_at_ns,
        }
    }

    /// The step at `now_ns`, which is `next_ns`. A request that is due goes before an answer that waits.
    /// data_bytes: of the next request.
    pub fn step(&mut self, now_ns: u64, due_ns: u64, data_bytes: u64) -> Stepped {
        match std::mem::replace(&mut self.doing, Doing::Nothing) {
            Doing::Preparing => return Stepped::Prepared { began_ns: self.began_ns },
            Doing::Taking(answer) => return Stepped::Seen(answer),
            Doing::Nothing => {}
        }
        let cost_ns = if self.begins_ns(due_ns) <= now_ns {
            self.doing = Doing::Preparing;
            self.costs.submission_ns + data_bytes.div_ceil(PAGE_BYTES).saturating_mul(self.costs.page_ns)
        } else if let Some(answer) = self.answers.pop_front() {
            self.doing = Doing::Taking(answer);
            self.costs.completion_ns
        } else {
            0
        };
        self.began_ns = now_ns;
        self.free_at_ns = now_ns.saturating_add(cost_ns);
        Stepped::Began
    }

    /// When it can begin a request that is due at `due_ns`, if it takes no answer before [ns].
    fn begins_ns(&self, due_ns: u64) -> u64 {
        due_ns.max(self.free_at_ns)
    }

    /// When it can take the first answer that waits; a thread that slept must be woken for it [ns].
    fn takes_ns(&self) -> u64 {
        let Some(first) = self.answers.front() else { return u64::MAX };
        if self.free_at_ns > first.answered_ns {
            self.free_at_ns
        } else {
            first.answered_ns.saturating_add(self.costs.wake_up_ns)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COSTS: HostCosts =
        HostCosts { submission_ns: 100, page_ns: 10, wake_up_ns: 1000, completion_ns: 50, requests_under_way_max: 0 };

    const NEVER: u64 = u64::MAX;

    fn answer(answered_ns: u64) -> Answer {
        Answer { tag: 0, answered_ns, status: Status::Done }
    }

    #[test]
    fn a_thread_that_waits_is_woken_and_one_that_is_busy_is_not() {
        let mut thread = HostThread::new(COSTS);
        assert_eq!(thread.next_ns(500), 500);
        assert!(matches!(thread.step(500, 500, 8192), Stepped::Began));
        thread.answered(answer(600));
        assert_eq!(thread.next_ns(NEVER), 620, "two pages");
        assert!(matches!(thread.step(620, NEVER, 0), Stepped::Prepared { began_ns: 500 }));
        assert_eq!(thread.next_ns(NEVER), 620, "busy when the answer came, so nobody wakes it");
        assert!(matches!(thread.step(620, NEVER, 0), Stepped::Began));
        assert!(matches!(thread.step(670, NEVER, 0), Stepped::Seen(_)));
        thread.answered(answer(5000));
        assert_eq!(thread.next_ns(NEVER), 6000);
        assert_eq!(thread.next_ns(5500), 5500, "a request that is due meanwhile");
    }

    #[test]
    fn a_request_that_is_due_goes_before_an_answer_that_waits() {
        let mut thread = HostThread::new(COSTS);
        thread.answered(answer(0));
        assert_eq!(thread.next_ns(1000), 1000);
        assert!(matches!(thread.step(1000, 1000, 512), Stepped::Began));
        assert_eq!(thread.next_ns(NEVER), 1110, "a part of a page is a page");
        assert!(matches!(thread.step(1110, NEVER, 0), Stepped::Prepared { .. }));
    }

    #[test]
    fn a_host_is_read_field_by_field_and_an_impossible_one_is_refused_by_name() {
        let text = r#"{"submission_ns": 100, "page_ns": 10, "wake_up_ns": 1000, "completion_ns": 50,
                       "requests_under_way_max": 0}"#;
        assert_eq!(HostCosts::read(text).unwrap(), COSTS);
        let refused = |from: &str, to: &str| HostCosts::read(&text.replace(from, to)).unwrap_err().to_string();
        assert!(refused("page_ns", "pages_ns").contains("pages_ns"));
        assert!(refused("1000", "1000000001").contains("wake_up_ns"));
        assert!(refused("1000", "-1").contains("-1"));
    }
}
