//! The way of a request from the host to the controller, and of the answer back.
//!
//! ```text
//!   submit --> waiting (queue full) --> controller --> link (data of writes) --> arrived
//!                                                       link (data of reads)  --> answer
//! ```
//!
//! Not modelled here: a drive that stops the host's data while its buffer is full (the data crosses the
//! link and waits behind it), gathering delay, priorities, a link that is busy in both directions at once.

use crate::config::{Link, SECTOR_BYTES};
use crate::request::{Completion, Request, RequestKind, Status};
use crate::ssd::slab::Slab;
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::time::transfer_ns;
use flashscope_kernel::timeline::Timeline;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// A request that the drive has accepted and not yet answered.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Accepted {
    pub tag: u32,
    pub request: Request,
    pub status: Status,
    /// Flash operations that must end before the answer.
    pub parts_left: u32,
    /// Bytes of a write already in the buffer.
    pub taken_bytes: u64,
    /// When the last data of a read has crossed the link.
    pub data_out_ns: u64,
}

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct HostSide {
    controller: Timeline,
    link: Timeline,
    bytes_per_second: u64,
    command_cost_ns: u64,
    queue_depth: u32,
    outstanding: u32,
    waiting: VecDeque<(u32, Request, Status)>,
    accepted: Slab<Accepted>,
    arrivals: Schedule<u32>,
    answers: Schedule<u32>,
}

impl HostSide {
    pub fn new(link: &Link) -> Self {
        Self {
            controller: Timeline::default(),
            link: Timeline::default(),
            bytes_per_second: link.bytes_per_second,
            command_cost_ns: link.command_cost_ns,
            queue_depth: link.queue_depth,
            outstanding: 0,
            waiting: VecDeque::new(),
            accepted: Slab::default(),
            arrivals: Schedule::default(),
            answers: Schedule::default(),
        }
    }

    /// True when no request is under way.
    pub fn is_idle(&self) -> bool {
        self.outstanding == 0 && self.waiting.is_empty()
    }

    pub fn submit(&mut self, at_ns: u64, tag: u32, request: Request, user_bytes: u64) {
        let status = if is_in_range(&request, user_bytes) { Status::Done } else { Status::OutOfRange };
        if self.outstanding < self.queue_depth {
            self.accept(at_ns, tag, request, status);
        } else {
            self.waiting.push_back((tag, request, status));
        }
    }

    fn accept(&mut self, at_ns: u64, tag: u32, request: Request, status: Status) {
        self.outstanding += 1;
        let known_ns = self.controller.reserve(at_ns, self.command_cost_ns) + self.command_cost_ns;
        let accepted = Accepted { tag, request, status, parts_left: 0, taken_bytes: 0, data_out_ns: 0 };
        let number = self.accepted.insert(accepted);
        if status != Status::Done {
            self.answers.add(known_ns, number);
        } else if request.kind == RequestKind::Write {
            let duration_ns = transfer_ns(request.length_bytes, self.bytes_per_second);
            let arrived_ns = self.link.reserve(known_ns, duration_ns) + duration_ns;
            self.arrivals.add(arrived_ns, number);
        } else {
            self.arrivals.add(known_ns, number);
        }
    }

    #[inline]
    pub fn next_arrival_ns(&self) -> u64 {
        self.arrivals.next_ns()
    }

    /// The request that has arrived by `now_ns`, if any: its number and kind.
    #[inline]
    pub fn arrived(&mut self, now_ns: u64) -> Option<(u32, RequestKind)> {
        if self.arrivals.next_ns() > now_ns {
            return None;
        }
        let (_, number) = self.arrivals.take()?;
        Some((number, self.accepted.get_mut(number).request.kind))
    }

    /// Let a request that has arrived arrive once more, at `until_ns`.
    pub fn hold(&mut self, number: u32, until_ns: u64) {
        self.arrivals.add(until_ns, number);
    }

    #[inline]
    pub fn get_mut(&mut self, number: u32) -> &mut Accepted {
        self.accepted.get_mut(number)
    }

    /// Send `bytes` of a read to the host from `now_ns` on.
    pub fn send(&mut self, number: u32, now_ns: u64, bytes: u64) {
        let duration_ns = transfer_ns(bytes, self.bytes_per_second);
        let sent_ns = self.link.reserve(now_ns, duration_ns) + duration_ns;
        self.accepted.get_mut(number).data_out_ns = sent_ns;
    }

    /// One more flash operation must end before the answer.
    #[inline]
    pub fn add_part(&mut self, number: u32) {
        self.accepted.get_mut(number).parts_left += 1;
    }

    /// A flash operation has ended; with the last one the answer goes out.
    #[inline]
    pub fn end_part(&mut self, number: u32, now_ns: u64) {
        let accepted = self.accepted.get_mut(number);
        accepted.parts_left -= 1;
        if accepted.parts_left == 0 {
            let at_ns = now_ns.max(accepted.data_out_ns);
            self.answers.add(at_ns, number);
        }
    }

    #[inline]
    pub fn next_answer_ns(&self) -> u64 {
        self.answers.next_ns()
    }

    /// Take the earliest answer; a waiting request moves up.
    #[inline]
    pub fn answer(&mut self) -> Option<Completion> {
        let (at_ns, number) = self.answers.take()?;
        let accepted = self.accepted.remove(number);
        self.outstanding -= 1;
        if let Some((tag, request, status)) = self.waiting.pop_front() {
            self.accept(at_ns, tag, request, status);
        }
        Some(Completion { tag: accepted.tag, at_ns, status: accepted.status })
    }
}

fn is_in_range(request: &Request, user_bytes: u64) -> bool {
    if request.kind == RequestKind::Flush {
        return true;
    }
    let whole_sectors =
        request.offset_bytes.is_multiple_of(SECTOR_BYTES) && request.length_bytes.is_multiple_of(SECTOR_BYTES);
    let end = request.offset_bytes.checked_add(request.length_bytes);
    whole_sectors && request.length_bytes > 0 && end.is_some_and(|end| end <= user_bytes)
}
