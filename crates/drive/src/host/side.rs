//! The way of a request from the host to the controller, and of the answer back.
//!
//! ```text
//!   submit --> waiting (queue full) --> held (gathering) --> controller --> link (data of writes) --> arrived
//!                                                                       '-> link (data of reads)  --> answer
//! ```
//!
//! **Gathering.** A controller that sorts or merges commands works better when it has several at once. When it is idle,
//! it may hold the first command back until enough commands have come or a time limit has passed; then all start. A
//! command that comes while others are under way is never held.
//!
//! ```text
//!   gather 3 commands or 100 us      0    20    40                     at 40: all three start
//!                                    #1   #2    #3
//!                                    0          40         100         at 100: both start
//!                                    #1         #2          |
//! ```
//!
//! **One link or two.** On SATA the data of reads and writes take turns; full duplex has one link for each.
//!
//! Assumed: the link is reserved for a write's data when its command starts, in the order of the commands. A read's
//! data that is ready while write data is still to come waits behind it.
//!
//! **Streaming.** A large write may begin when its first page has arrived; the rest arrives while the flash works, and
//! the answer waits for both. Assumed: the flash bus takes data no faster than the link delivers it.
//!
//! Not modelled here: a drive that stops the host's data while its buffer is full (here the data crosses the link and
//! then waits, so a stalled drive has received up to a full queue more data than its buffer holds), priorities, several
//! queues, flushes that may not be queued together with other commands.

use super::link::Link;
use crate::request::{Completion, Request, RequestKind, SECTOR_BYTES, Status};
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::slab::Slab;
use flashscope_kernel::time::transfer_ns;
use flashscope_kernel::timeline::Timeline;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A request that the drive has accepted and not yet answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Accepted {
    pub tag: u32,
    pub request: Request,
    pub status: Status,
    /// Flash operations that must end before the answer.
    pub parts_left: u32,
    /// Bytes of a write that are already in the buffer.
    pub taken_bytes: u64,
    /// When the last data has crossed the link: of a read, or of a write that begins before that.
    pub data_done_ns: u64,
}

/// The entry among the arrivals for the end of gathering.
pub(super) const GATHERING_ENDS: u32 = u32::MAX;

/// A request that is held back to gather others.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Held {
    at_ns: u64,
    tag: u32,
    request: Request,
    status: Status,
}

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct HostSide {
    pub(super) controller: Timeline,
    /// The link for data of writes; without full duplex also for data of reads.
    pub(super) link: Timeline,
    /// The link for data of reads, with full duplex.
    pub(super) link_out: Timeline,
    full_duplex: bool,
    bytes_per_second: u64,
    command_cost_ns: u64,
    queue_depth: u32,
    /// Writes of this size and more [bytes] begin before all of their data has arrived; `u64::MAX` when none do.
    streamed_from_bytes: u64,
    /// The amount of data with which they begin [bytes].
    streamed_piece_bytes: u64,
    gather_ns: u64,
    /// Number of requests at which gathering ends; 0 when the controller does not gather.
    gather_requests: u32,
    pub(super) held: Vec<Held>,
    /// Requests in the queue: held back or accepted.
    pub(super) outstanding: u32,
    pub(super) waiting: VecDeque<(u32, Request, Status)>,
    pub(super) accepted: Slab<Accepted>,
    pub(super) arrivals: Schedule<u32>,
    pub(super) answers: Schedule<u32>,
}

impl HostSide {
    pub fn new(link: &Link) -> Self {
        Self {
            controller: Timeline::default(),
            link: Timeline::default(),
            link_out: Timeline::default(),
            full_duplex: link.full_duplex,
            bytes_per_second: link.bytes_per_second,
            command_cost_ns: link.command_cost_ns,
            queue_depth: link.queue_depth,
            streamed_from_bytes: u64::MAX,
            streamed_piece_bytes: 0,
            gather_ns: link.gather_ns,
            gather_requests: link.gather_requests,
            held: Vec::new(),
            outstanding: 0,
            waiting: VecDeque::new(),
            accepted: Slab::default(),
            arrivals: Schedule::default(),
            answers: Schedule::default(),
        }
    }

    /// Begin writes of `from_bytes` and more as soon as `piece_bytes` of their data have arrived.
    pub fn streaming(self, from_bytes: u64, piece_bytes: u64) -> Self {
        Self { streamed_from_bytes: from_bytes, streamed_piece_bytes: piece_bytes, ..self }
    }

    /// True when no request is under way.
    pub fn is_idle(&self) -> bool {
        self.outstanding == 0 && self.waiting.is_empty()
    }

    pub fn submit(&mut self, at_ns: u64, tag: u32, request: Request, user_bytes: u64) {
        let status = if request.lies_within(user_bytes, SECTOR_BYTES) { Status::Done } else { Status::OutOfRange };
        if self.outstanding == self.queue_depth {
            self.waiting.push_back((tag, request, status));
            return;
        }
        self.outstanding += 1;
        if self.gather_requests > 0 && (self.outstanding == 1 || !self.held.is_empty()) {
            self.hold(Held { at_ns, tag, request, status });
        } else {
            self.accept(at_ns, tag, request, status);
        }
    }

    /// Hold a request back. Nothing else is under way then, so the end of gathering is the only event to wait for.
    fn hold(&mut self, held: Held) {
        if self.held.is_empty() {
            self.arrivals.add(held.at_ns.saturating_add(self.gather_ns), GATHERING_ENDS);
        }
        self.held.push(held);
        if self.held.len() as u32 == self.gather_requests {
            let ends = self.arrivals.take();
            debug_assert_eq!(ends.map(|ends| ends.1), Some(GATHERING_ENDS));
            self.stop_gathering(held.at_ns);
        }
    }

    fn stop_gathering(&mut self, at_ns: u64) {
        let mut all = std::mem::take(&mut self.held);
        for held in all.drain(..) {
            self.accept(at_ns.max(held.at_ns), held.tag, held.request, held.status);
        }
        self.held = all;
    }

    fn accept(&mut self, at_ns: u64, tag: u32, request: Request, status: Status) {
        let known_ns = self.controller.reserve(at_ns, self.command_cost_ns) + self.command_cost_ns;
        let accepted = Accepted { tag, request, status, parts_left: 0, taken_bytes: 0, data_done_ns: 0 };
        let number = self.accepted.insert(accepted);
        if status != Status::Done {
            self.answers.add(known_ns, number);
        } else if request.kind == RequestKind::Write {
            let duration_ns = transfer_ns(request.length_bytes, self.bytes_per_second);
            let begun_ns = self.link.reserve(known_ns, duration_ns);
            let arrived_ns = begun_ns + duration_ns;
            if request.length_bytes < self.streamed_from_bytes {
                self.arrivals.add(arrived_ns, number);
            } else {
                let piece_ns = transfer_ns(self.streamed_piece_bytes, self.bytes_per_second);
                self.accepted.get_mut(number).data_done_ns = arrived_ns;
                self.arrivals.add(arrived_ns.min(begun_ns + piece_ns), number);
            }
        } else {
            self.arrivals.add(known_ns, number);
        }
    }

    #[inline]
    pub fn next_arrival_ns(&self) -> u64 {
        self.arrivals.next_ns()
    }

    /// The request that has arrived by `now_ns`, if any: its number and kind. Also `None` when only gathering has ended
    /// by then.
    #[inline]
    pub fn arrived(&mut self, now_ns: u64) -> Option<(u32, RequestKind)> {
        if self.arrivals.next_ns() > now_ns {
            return None;
        }
        let (at_ns, number) = self.arrivals.take()?;
        if number == GATHERING_ENDS {
            self.stop_gathering(at_ns);
            return None;
        }
        Some((number, self.accepted.get_mut(number).request.kind))
    }

    /// Let a request that has arrived come back at `until_ns`.
    pub fn arrive_again(&mut self, number: u32, until_ns: u64) {
        self.arrivals.add(until_ns, number);
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut Accepted {
        self.accepted.get_mut(number)
    }

    /// Send `bytes` of a read to the host from `now_ns` on.
    pub fn send(&mut self, number: u32, now_ns: u64, bytes: u64) {
        let duration_ns = transfer_ns(bytes, self.bytes_per_second);
        let link = if self.full_duplex { &mut self.link_out } else { &mut self.link };
        let sent_ns = link.reserve(now_ns, duration_ns) + duration_ns;
        self.accepted.get_mut(number).data_done_ns = sent_ns;
    }

    /// One more flash operation must end before the answer.
    #[inline]
    pub fn add_part(&mut self, number: u32) {
        self.accepted.get_mut(number).parts_left += 1;
    }

    /// A flash operation has ended; after the last one the answer is sent.
    #[inline]
    pub fn end_part(&mut self, number: u32, now_ns: u64) {
        let accepted = self.accepted.get_mut(number);
        accepted.parts_left -= 1;
        if accepted.parts_left == 0 {
            let at_ns = now_ns.max(accepted.data_done_ns);
            self.answers.add(at_ns, number);
        }
    }

    #[inline]
    pub fn next_answer_ns(&self) -> u64 {
        self.answers.next_ns()
    }

    /// Take the earliest answer; a waiting request gets its place in the queue.
    #[inline]
    pub fn answer(&mut self) -> Option<Completion> {
        let (at_ns, number) = self.answers.take()?;
        let accepted = self.accepted.remove(number);
        self.outstanding -= 1;
        if let Some((tag, request, status)) = self.waiting.pop_front() {
            self.outstanding += 1;
            self.accept(at_ns, tag, request, status);
        }
        Some(Completion { tag: accepted.tag, at_ns, status: accepted.status })
    }

    /// Check the queue. Panics when its counts contradict each other: then the program has a fault.
    pub fn check(&self) {
        let accepted = self.accepted.iter().count() as u32;
        let held = self.held.len() as u32;
        assert_eq!(self.outstanding, accepted + held, "requests in the queue add up");
        assert!(self.outstanding <= self.queue_depth, "{} requests in the queue", self.outstanding);
        assert!(self.waiting.is_empty() || self.outstanding == self.queue_depth, "nobody waits for a free place");
        assert!(held == 0 || (held < self.gather_requests && accepted == 0), "{held} held, {accepted} at work");
    }
}
