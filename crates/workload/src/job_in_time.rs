//! One job in virtual time: its queue, and when it will submit its next request.
//!
//! Closed loop, unless arrivals are drawn and the queue never fills: up to `queue_depth` requests are outstanding. When
//! the queue is full, the job waits for a completion. When a pause is due, it waits for all completions. Otherwise its
//! next request has a time.
//!
//! On a host whose requests cost time ([`crate::host_thread`]), a request that is due is first prepared by the job's
//! thread, and submitted when that is done.

use flashscope_drive::InOrder;
use flashscope_kernel::time::END_NS;

use crate::direction::Kind;
use crate::host_thread::{Answer, HostCosts, HostThread, Stepped};
use crate::job::Job;
use crate::pacing::{Rates, ThinkTime};
use crate::request_stream::{Ask, NO_ASK, RequestStream, stream_of};

/// Number of requests that are generated ahead of their time.
const AHEAD: usize = 64;

/// What a job waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waiting {
    /// The time of its next request.
    Time,
    /// A completion: the queue is full.
    Slot,
    /// All completions: the job pauses after them.
    Quiet,
    /// Nothing more; the job is over.
    Over,
}

/// A job, its queue and its next request.
#[derive(Clone, Debug)]
pub(crate) struct JobInTime {
    /// When the next request will be submitted, or the thread that makes it does its next step [ns]; `u64::MAX` while
    /// the job waits for something else.
    pub next_at_ns: u64,
    /// Index in the list of jobs.
    pub index: usize,
    /// Jobs of a group run together.
    pub group: u32,
    /// Share of the data that a compressor could remove, in 1/255.
    pub compressible: u8,
    waiting: Waiting,
    /// Neither rate nor think time is set, and the host takes no time.
    goes_on_at_once: bool,
    /// The thread that makes the requests, on a host where they cost time.
    thread: Option<HostThread>,
    /// On such a host, when the next request is due [ns]; `u64::MAX` while the job waits for something else.
    due_ns: u64,
    /// Requests generated ahead; the next one is at `ahead_at`.
    ahead: Box<[Ask]>,
    ahead_at: usize,
    ahead_count: usize,
    /// More requests were generated than were announced.
    has_news: bool,
    /// The stream has reported its end; it is not asked again.
    ran_out: bool,
    /// Tags of requests that are not outstanding; the first `free_count` are valid.
    free_tags: Box<[u32]>,
    free_count: usize,
    completed: u64,
    start_ns: u64,
    runtime_ns: u64,
    rates: Rates,
    think_time: ThinkTime,
    stream: RequestStream,
    /// A flush is still to be sent when the job is over.
    owes_flush: bool,
    /// Virtual time ends before the job's run time.
    time_ends_first: bool,
    /// The job ended because virtual time ended.
    ran_out_of_time: bool,
}

impl JobInTime {
    /// The `index`-th job of the run, checked, on a drive of `user_bytes`; its tags begin at `first_tag`.
    pub fn new(job: &Job, index: usize, run_seed: u64, user_bytes: u64, first_tag: u32) -> Self {
        let compressible_ratio = if job.zero_buffers { 1.0 } else { job.compressible_ratio };
        let stream = RequestStream::new(job, index, run_seed, user_bytes);
        let rates = Rates::new(job, |purpose| stream_of(job, index, run_seed, purpose));
        // When rates decide the kind, only the very next request can be generated ahead.
        let ahead = if rates.may_change(&stream.turns) { 1 } else { AHEAD };
        Self {
            next_at_ns: u64::MAX,
            index,
            group: job.group,
            compressible: (compressible_ratio * 255.0).round() as u8,
            waiting: Waiting::Over,
            goes_on_at_once: !rates.limits() && job.thinktime_ns == 0,
            thread: None,
            due_ns: u64::MAX,
            ahead: vec![NO_ASK; ahead].into_boxed_slice(),
            ahead_at: ahead,
            ahead_count: ahead,
            has_news: false,
            ran_out: false,
            free_tags: (first_tag..first_tag + job.queue_depth).rev().collect(),
            free_count: job.queue_depth as usize,
            completed: 0,
            start_ns: 0,
            runtime_ns: if job.runtime_ns == 0 { u64::MAX } else { job.runtime_ns },
            rates,
            think_time: ThinkTime::new(job),
            stream,
            owes_flush: job.end_fsync,
            time_ends_first: false,
            ran_out_of_time: false,
        }
    }

    /// Makes the requests by a thread of a host with these costs; to be called before the start.
    pub fn run_on(&mut self, costs: HostCosts) {
        self.goes_on_at_once = false;
        self.thread = Some(HostThread::new(costs));
        if costs.requests_under_way_max > 0 {
            let kept = self.free_count.min(costs.requests_under_way_max as usize);
            self.free_tags = self.free_tags[self.free_count - kept..].into();
            self.free_count = kept;
        }
    }

    /// Starts the job at this time [ns]. The job's time ends when virtual time does.
    pub fn start(&mut self, at_ns: u64) {
        self.start_ns = at_ns;
        let left_ns = END_NS.saturating_sub(at_ns);
        self.time_ends_first = left_ns < self.runtime_ns;
        self.runtime_ns = self.runtime_ns.min(left_ns);
        self.plan(at_ns);
    }

    /// True when the job had more to do after the end of virtual time.
    pub fn ran_out_of_time(&self) -> bool {
        self.ran_out_of_time
    }

    /// The request that replaces one that completes at `at_ns`, if the job goes on at once: its queue was full and
    /// neither rate nor think time is set. The result is the same as that of `completed` and then `take_next`.
    #[inline(always)]
    pub fn refill(&mut self, at_ns: u64) -> Option<Ask> {
        let ready_ns = at_ns - self.start_ns;
        if self.waiting != Waiting::Slot || !self.goes_on_at_once || ready_ns >= self.runtime_ns {
            return None;
        }
        if self.ahead_at == self.ahead_count && !self.look_ahead(ready_ns) {
            return None;
        }
        let ask = self.ahead[self.ahead_at];
        self.ahead_at += 1;
        Some(ask)
    }

    /// True for a job whose requests may be writes in order that follow each answer at once.
    pub fn may_be_in_order(&self) -> bool {
        self.goes_on_at_once && self.ahead.len() > 1 && self.stream.in_order().is_some()
    }

    /// Where the next request begins, and how many follow each other from there, when they are writes of one length in
    /// the order of addresses and the queue is full.
    pub fn in_order(&self) -> Option<(InOrder, u64)> {
        if self.waiting != Waiting::Slot {
            return None;
        }
        let (later, later_count) = self.stream.in_order()?;
        let generated = &self.ahead[self.ahead_at..self.ahead_count];
        let Some(first) = generated.first() else { return (!self.ran_out).then_some((later, later_count)) };
        let follows = |&(place, ask): &(usize, &Ask)| {
            ask.offset_bytes == first.offset_bytes + place as u64 * later.length_bytes
                && (ask.kind, ask.length_bytes) == (Kind::Write, later.length_bytes)
        };
        let count = generated.iter().enumerate().take_while(follows).count() as u64;
        let writes = InOrder { next_offset_bytes: first.offset_bytes, ..later };
        let goes_on = count == generated.len() as u64
            && !self.ran_out
            && first.offset_bytes + count * later.length_bytes == later.next_offset_bytes;
        (count > 0).then_some((writes, if goes_on { count + later_count } else { count }))
    }

    /// Passes over requests in order, no more than `in_order` counts.
    pub fn pass_over(&mut self, count: u64) {
        let generated = (self.ahead_count - self.ahead_at).min(count as usize);
        self.ahead_at += generated;
        if let Some((later, _)) = self.stream.in_order() {
            self.stream.pass_over(later, count - generated as u64);
        }
    }

    /// Time after `at_ns` in which the job still submits [ns].
    pub fn time_left_ns(&self, at_ns: u64) -> u64 {
        self.runtime_ns.saturating_sub(at_ns - self.start_ns).saturating_sub(1)
    }

    /// True on a host where requests cost time.
    #[inline(always)]
    pub fn has_thread(&self) -> bool {
        self.thread.is_some()
    }

    /// On a host where requests cost time: the step that its thread does at `next_at_ns`. `None` without such a host.
    #[inline(always)]
    pub fn step_thread(&mut self) -> Option<Stepped> {
        if self.thread.is_none() { None } else { self.step() }
    }

    #[inline(never)]
    fn step(&mut self) -> Option<Stepped> {
        let data_bytes = match self.ahead.get(self.ahead_at) {
            Some(ask) if ask.kind != Kind::Trim => ask.length_bytes,
            _ => 0,
        };
        let thread = self.thread.as_mut()?;
        let stepped = thread.step(self.next_at_ns, self.due_ns, data_bytes);
        if !matches!(stepped, Stepped::Prepared { .. }) {
            self.next_at_ns = thread.next_ns(self.due_ns);
        }
        Some(stepped)
    }

    /// Leaves an answer of the drive to the thread, which takes it when it can.
    #[inline(never)]
    pub fn leave_to_thread(&mut self, answer: Answer) {
        if let Some(thread) = &mut self.thread {
            thread.answered(answer);
            self.next_at_ns = thread.next_ns(self.due_ns);
        }
    }

    /// True when requests were generated that `announce` has not been told of.
    #[inline(always)]
    pub fn has_news(&self) -> bool {
        self.has_news
    }

    /// The offsets of the requests that are generated and not yet handed out, once for each batch.
    #[inline(never)]
    pub fn announce(&mut self, mut to: impl FnMut(&[u64])) {
        self.has_news = false;
        let mut offsets_bytes = [0; AHEAD];
        let upcoming = &self.ahead[self.ahead_at..self.ahead_count];
        for (offset_bytes, ask) in offsets_bytes.iter_mut().zip(upcoming) {
            *offset_bytes = ask.offset_bytes;
        }
        to(&offsets_bytes[..upcoming.len()]);
    }

    /// Hands out the next request with its tag, to be submitted at `next_at_ns` (which must be a time), and
    /// plans the one after it.
    #[inline]
    pub fn take_next(&mut self) -> (u32, Ask) {
        let ask = self.ahead[self.ahead_at];
        self.ahead_at += 1;
        self.free_count -= 1;
        let tag = self.free_tags[self.free_count];
        self.rates.issued(ask.kind, ask.length_bytes);
        self.plan(self.next_at_ns);
        (tag, ask)
    }

    /// Notes a completion at `at_ns`.
    #[inline]
    pub fn completed(&mut self, tag: u32, at_ns: u64) {
        self.free_tags[self.free_count] = tag;
        self.free_count += 1;
        self.completed += 1;
        match self.waiting {
            Waiting::Slot => self.plan(at_ns),
            Waiting::Quiet if self.is_quiet() => self.plan_request(self.think_time.over_ns(at_ns)),
            Waiting::Time | Waiting::Quiet | Waiting::Over => {}
        }
    }

    /// The tag of the flush that ends the job, once, when it is over and nothing of it is outstanding.
    #[inline]
    pub fn take_flush(&mut self) -> Option<u32> {
        if !self.owes_flush || self.waiting != Waiting::Over || !self.is_quiet() {
            return None;
        }
        self.owes_flush = false;
        self.free_count -= 1;
        Some(self.free_tags[self.free_count])
    }

    /// Ends the job; what is outstanding still completes, and nothing is flushed.
    pub fn stop(&mut self) {
        self.owes_flush = false;
        self.thread.iter_mut().for_each(HostThread::drop_preparation);
        self.wait_for(Waiting::Over);
    }

    #[inline]
    fn plan(&mut self, now_ns: u64) {
        if self.free_count == 0 {
            self.wait_for(Waiting::Slot);
        } else if !self.think_time.is_due(self.completed) {
            self.plan_request(now_ns);
        } else if self.is_quiet() {
            self.plan_request(self.think_time.over_ns(now_ns));
        } else {
            self.wait_for(Waiting::Quiet);
        }
    }

    /// Plans the next request for `ready_ns` or when its rate allows it.
    #[inline]
    fn plan_request(&mut self, ready_ns: u64) {
        let Some(at_ns) = self.next_with_time(ready_ns - self.start_ns) else {
            return self.wait_for(Waiting::Over);
        };
        self.waiting = Waiting::Time;
        self.set_due(self.start_ns.saturating_add(at_ns));
    }

    /// Puts the next request at `ahead_at`; returns its time since the job's start [ns], `None` at the end.
    #[inline]
    fn next_with_time(&mut self, ready_ns: u64) -> Option<u64> {
        if self.ahead_at == self.ahead_count && !self.look_ahead(ready_ns) {
            return None;
        }
        let kind = self.ahead[self.ahead_at].kind;
        let at_ns = self.rates.due_from(kind, ready_ns);
        if at_ns < self.runtime_ns {
            return Some(at_ns);
        }
        self.ran_out_of_time |= self.time_ends_first;
        None
    }

    /// Generates more requests; false when there are none.
    #[inline(never)]
    fn look_ahead(&mut self, ready_ns: u64) -> bool {
        if self.ran_out {
            return false;
        }
        self.ahead_at = 0;
        if self.ahead.len() > 1 {
            self.ahead_count = self.stream.fill(&mut self.ahead);
            self.has_news = true;
        } else {
            let turn = self.stream.turns.next();
            let kind = self.rates.choose(&self.stream.turns, turn, ready_ns);
            self.ahead_count = usize::from(self.stream.next_of(kind, &mut self.ahead[0]));
        }
        self.ran_out = self.ahead_count < self.ahead.len();
        self.ahead_count > 0
    }

    #[inline]
    fn wait_for(&mut self, what: Waiting) {
        self.waiting = what;
        self.set_due(u64::MAX);
    }

    /// The next request is due at this time [ns].
    #[inline]
    fn set_due(&mut self, due_ns: u64) {
        match &self.thread {
            None => self.next_at_ns = due_ns,
            Some(thread) => (self.due_ns, self.next_at_ns) = (due_ns, thread.next_ns(due_ns)),
        }
    }

    fn is_quiet(&self) -> bool {
        self.free_count == self.free_tags.len()
    }
}
