//! Several drives as one (RAID 0).
//!
//! ```text
//!   address    0        1        2        3        4        5        chunks
//!   member     0        1        2        0        1        2
//!
//!   request -> one part per member (its chunks lie side by side there) -> slowest part -> answer
//!
//!   part    -> | cost | command at the member |              one after the other, each no longer than a command may be
//!                     | its data on the bus | cost | ...
//! ```
//!
//! Data crosses the host's bus while the members work: a command ends when the member has ended it and its data has
//! crossed the bus, whichever is later. So large requests run at the sum of the members' rates, up to the limit of the
//! bus or of the host's time per command.
//!
//! All members share one virtual time: the one whose next event comes first goes first, so that no member is ever ahead
//! of a request that is still to be passed to it. At the same nanosecond parts are passed to members before other
//! events in them, and the member with the lower number goes first.
//!
//! Not modelled here: redundancy, a controller with a cache of its own, a bus that is reserved only when the data is
//! ready (with seeks this changes the order of its transfers, but not their total), several commands of one part under
//! way at a member that queues, a member that fails for good.

mod config;
mod nesting;
#[cfg(test)]
mod tests;

pub use config::{Config, Host};

use crate::config_error::ConfigError;
use crate::counts::counts;
use crate::host::HostCounts;
use crate::machine::{Machine, Space};
use crate::member::Member;
use crate::request::SECTOR_BYTES;
use crate::request::{Completion, Drive, Request, RequestKind, Status};
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::slab::Slab;
use flashscope_kernel::time::{NEVER_NS, transfer_ns};
use flashscope_kernel::timeline::Timeline;
use serde::{Deserialize, Serialize};

/// A request of the host, between submission and answer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Striped {
    tag: u32,
    parts_left: u32,
    /// End of the latest of its parts that have ended [ns].
    ended_ns: u64,
    status: Status,
}

/// The part of a request for one member.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Part {
    /// The request.
    striped: u32,
    member: u32,
    /// The rest that is still to be passed to the member.
    rest: Request,
    /// When the data of the command under way has crossed the host's bus.
    bus_ns: u64,
}

counts! {
    /// Counts since the stripe was built.
    pub struct Counters {
        ..host: HostCounts,
        /// Flush commands.
        host_flush_requests,
        /// Commands passed to members.
        member_requests,
        /// Requests that touched more than one member.
        split_requests,
        /// Commands that a member did not carry out.
        failed_member_requests,
    }
}

/// A virtual RAID 0 of drives of one kind; for mixed kinds let `D` be a box or an enum.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(deserialize = "D: Deserialize<'de>"))]
pub struct Stripe<D> {
    config: Config,
    #[serde(deserialize_with = "nesting::members")]
    members: Vec<D>,
    user_bytes: u64,
    now_ns: u64,
    controller: Timeline,
    bus: Timeline,
    requests: Slab<Striped>,
    parts: Slab<Part>,
    /// Commands that the controller will pass on: part, member, command.
    to_members: Schedule<(u32, u32, Request)>,
    answers: Schedule<u32>,
    counters: Counters,
}

impl<D: Member> Stripe<D> {
    /// A stripe over these drives, which all have the same time and no outstanding requests.
    pub fn new(config: Config, members: Vec<D>) -> Result<Self, ConfigError> {
        config.check(&members)?;
        let smallest = members.iter().map(Drive::user_bytes).min().unwrap_or(0);
        let user_bytes = smallest / config.chunk_bytes * config.chunk_bytes * members.len() as u64;
        let now_ns = members.iter().map(Drive::now_ns).max().unwrap_or(0);
        Ok(Self {
            config,
            members,
            user_bytes,
            now_ns,
            controller: Timeline::default(),
            bus: Timeline::default(),
            requests: Slab::default(),
            parts: Slab::default(),
            to_members: Schedule::default(),
            answers: Schedule::default(),
            counters: Counters::default(),
        })
    }

    /// What it was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// True when no request of the host is under way.
    pub fn is_idle(&self) -> bool {
        self.requests.is_empty()
    }

    /// The drives inside.
    pub fn members(&self) -> &[D] {
        &self.members
    }

    /// The member that an address falls to, and the address there [bytes].
    pub fn member_at(&self, offset_bytes: u64) -> (usize, u64) {
        let (chunk, count) = (self.config.chunk_bytes, self.members.len() as u64);
        let (number, within) = (offset_bytes / chunk, offset_bytes % chunk);
        ((number % count) as usize, number / count * chunk + within)
    }

    /// The address of the stripe that falls to an address of a member [bytes]: the other way round.
    pub fn address_of(&self, member: usize, member_bytes: u64) -> u64 {
        let (chunk, count) = (self.config.chunk_bytes, self.members.len() as u64);
        let (row, within) = (member_bytes / chunk, member_bytes % chunk);
        (row * count + member as u64) * chunk + within
    }

    /// Do something to each member that is not I/O (a secure erase) while nothing is outstanding; members that needed
    /// less time then wait for the one that needed most.
    pub fn for_each_member(&mut self, mut act: impl FnMut(&mut D)) {
        assert!(self.requests.is_empty(), "members are taken aside with requests outstanding");
        self.members.iter_mut().for_each(&mut act);
        let latest_ns = self.members.iter().map(Drive::now_ns).max().unwrap_or(self.now_ns);
        self.idle(latest_ns.saturating_sub(self.now_ns));
    }

    /// All counts of the stripe itself; the members have their own.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Check every invariant of the stripe itself. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        let parts: u32 = self.requests.iter().map(|request| request.parts_left).sum();
        assert_eq!(parts as usize, self.parts.iter().count(), "every part that is left is known");
        assert!(self.members.iter().all(|member| member.now_ns() <= self.now_ns), "no member is ahead");
    }

    /// Go on with the next command of a part, or end it.
    fn command_ended(&mut self, completion: Completion) {
        self.counters.failed_member_requests += u64::from(completion.status != Status::Done);
        let part = *self.parts.get_mut(completion.tag);
        let ended_ns = completion.at_ns.max(part.bus_ns);
        let striped = self.requests.get_mut(part.striped);
        striped.status = worse(striped.status, completion.status);
        if part.rest.length_bytes > 0 {
            return self.hand_over(completion.tag, ended_ns);
        }
        striped.parts_left -= 1;
        // The last of several parts to end is not always the last to have crossed the bus.
        striped.ended_ns = striped.ended_ns.max(ended_ns);
        if striped.parts_left == 0 {
            self.answers.add(striped.ended_ns, part.striped);
        }
        self.parts.remove(completion.tag);
    }

    /// Let the controller pass the next command of a part to its member, from `from_ns` on.
    fn hand_over(&mut self, number: u32, from_ns: u64) {
        let Host { bytes_per_second, command_cost_ns, command_bytes_max } = self.config.host;
        let part = self.parts.get_mut(number);
        let known_ns = self.controller.reserve(from_ns, command_cost_ns) + command_cost_ns;
        let length_bytes = match part.rest.kind {
            RequestKind::Read | RequestKind::Write if command_bytes_max > 0 => {
                // Up to where a command that begins a chunk would end: none has data of two chunks it need not have.
                part.rest.length_bytes.min(command_bytes_max - part.rest.offset_bytes % command_bytes_max)
            }
            _ => part.rest.length_bytes,
        };
        let command = Request { length_bytes, ..part.rest };
        part.rest.offset_bytes += length_bytes;
        part.rest.length_bytes -= length_bytes;
        let carried_bytes = match command.kind {
            RequestKind::Read | RequestKind::Write => length_bytes,
            RequestKind::Trim | RequestKind::Flush => 0,
        };
        let duration_ns = transfer_ns(carried_bytes, bytes_per_second);
        part.bus_ns = self.bus.reserve(known_ns, duration_ns) + duration_ns;
        self.to_members.add(known_ns, (number, part.member, command));
        self.counters.member_requests += 1;
    }

    /// The part of a request that falls to `member`, if any.
    fn part(&self, request: &Request, member: u64) -> Option<Request> {
        if request.kind == RequestKind::Flush {
            return Some(*request);
        }
        // How much of the addresses below `address` lies on this member.
        let below = |address: u64| {
            let (chunk, count) = (self.config.chunk_bytes, self.members.len() as u64);
            let (row, within) = (address / (chunk * count), address % (chunk * count));
            row * chunk + within.saturating_sub(member * chunk).min(chunk)
        };
        let offset_bytes = below(request.offset_bytes);
        let length_bytes = below(request.offset_bytes + request.length_bytes) - offset_bytes;
        (length_bytes > 0).then_some(Request { offset_bytes, length_bytes, ..*request })
    }
}

/// The worse of two outcomes: the declaration lists them from good to bad.
fn worse(one: Status, other: Status) -> Status {
    if other as u8 > one as u8 { other } else { one }
}

impl<D: Member> Machine for Stripe<D> {
    fn space(&self) -> Space {
        let sector_bytes = self.members.iter().map(Drive::sector_bytes).max().unwrap_or(SECTOR_BYTES);
        Space { user_bytes: self.user_bytes, sector_bytes }
    }

    fn clock_ns(&self) -> u64 {
        self.now_ns
    }

    fn set_clock(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    fn take(&mut self, at_ns: u64, tag: u32, request: Request) {
        if !request.lies_within(self.user_bytes, self.sector_bytes()) {
            let cost_ns = self.config.host.command_cost_ns;
            let known_ns = self.controller.reserve(at_ns, cost_ns) + cost_ns;
            let number =
                self.requests.insert(Striped { tag, parts_left: 0, ended_ns: known_ns, status: Status::OutOfRange });
            self.answers.add(known_ns, number);
            return;
        }
        self.counters.host.count(&request);
        self.counters.host_flush_requests += u64::from(request.kind == RequestKind::Flush);
        let number = self.requests.insert(Striped { tag, parts_left: 0, ended_ns: 0, status: Status::Done });
        let mut part_count = 0;
        for member in 0..self.members.len() {
            if let Some(rest) = self.part(&request, member as u64) {
                part_count += 1;
                let part = self.parts.insert(Part { striped: number, member: member as u32, rest, bus_ns: 0 });
                self.hand_over(part, at_ns);
            }
        }
        self.requests.get_mut(number).parts_left = part_count;
        self.counters.split_requests += u64::from(request.kind != RequestKind::Flush && part_count > 1);
    }

    fn next_event_ns(&self) -> u64 {
        let members_ns = self.members.iter().map(Member::next_ns).min().unwrap_or(NEVER_NS);
        members_ns.min(self.to_members.next_ns())
    }

    fn happen(&mut self, at_ns: u64) {
        if self.to_members.next_ns() <= at_ns {
            if let Some((due_ns, (number, member, request))) = self.to_members.take() {
                self.members[member as usize].submit(due_ns, number, request);
            }
            return;
        }
        let Some(member) = self.members.iter_mut().find(|member| member.next_ns() <= at_ns) else { return };
        if let Some(completion) = member.next_completion(at_ns) {
            self.command_ended(completion);
        }
    }

    fn next_answer_ns(&self) -> u64 {
        self.answers.next_ns()
    }

    fn answer(&mut self) -> Option<Completion> {
        let (at_ns, number) = self.answers.take()?;
        let request = self.requests.remove(number);
        Some(Completion { tag: request.tag, at_ns, status: request.status })
    }

    /// The members' own work goes on.
    fn idled(&mut self, until_ns: u64) {
        for member in &mut self.members {
            member.idle(until_ns.saturating_sub(member.now_ns()));
        }
    }
}
