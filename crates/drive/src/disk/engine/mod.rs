//! Where requests wait for data, and data waits for the arm: the core of a disk, without its host side.
//!
//! ```text
//!   read  -- in a cache? --> answer
//!     |
//!     +--> waiting requests --+
//!   write --> write cache ----+--> arm (arm.rs): one work at a time
//!     +--> waiting requests --+    (no write cache)
//! ```
//!
//! A read that begins in a cache gets that part from the cache and the rest from the platters. Data that the arm is
//! reading ahead counts as cached: the answer follows when the data has passed under the head.
//!
//! Not modelled here: a read whose middle or end is in a cache (the arm reads these sectors again); old data in a cache
//! that saves the revolution of a write of a part of a sector.

mod arm;

use super::config::{Config, QueueOrder};
use super::counters::Counters;
use super::mechanism::{Mechanism, Pass};
use super::segments::Segments;
use super::write_cache::WriteCache;
use crate::host::HostSide;
use crate::request::SECTOR_BYTES;
use crate::request::{Request, RequestKind};
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::time::NEVER_NS;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Data goes to the link in pieces of this size while the rest is being read [logical sectors].
const PIECE_SECTORS: u64 = 128;

/// A request, or what is left of it, that needs the arm. Addresses are logical sectors.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Waiting {
    number: u32,
    start: u64,
    end: u64,
    is_write: bool,
    since_ns: u64,
}

/// What the arm works for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Purpose {
    Request,
    WriteOut,
    LookAhead,
    Background,
}

/// The arm's current work: sectors of one track.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Work {
    purpose: Purpose,
    pass: Pass,
    start: u64,
    end: u64,
    end_ns: u64,
    /// The arm must go on up to this sector, even if a request comes.
    promised: u64,
}

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Engine {
    mechanism: Mechanism,
    segments: Segments,
    cache: WriteCache,
    waiting: Vec<Waiting>,
    /// The request whose sectors are passing, with what is left of it.
    under_way: Option<Waiting>,
    work: Option<Work>,
    /// Data of hits that is still passing under the head: request and bytes.
    coming: Schedule<(u32, u64)>,
    /// Writes that wait for room in the cache, in order.
    stalled: VecDeque<u32>,
    /// Flushes that wait until everything older than an age is written.
    flushing: Vec<(u64, u32)>,
    /// What is left to be read in the background.
    background: Option<(u64, u64)>,
    wrote_out_last: bool,
    last_arrival_ns: u64,
    order: QueueOrder,
    longest_wait_ns: u64,
    idle_flush_ns: u64,
    /// Logical sectors in one physical sector.
    per: u64,
    end_of_disk: u64,
    counters: Counters,
}

impl Engine {
    pub fn new(config: &Config) -> Self {
        let read = &config.read_cache;
        Self {
            mechanism: Mechanism::new(config),
            segments: Segments::new(read.segment_count, read.segment_bytes / SECTOR_BYTES),
            cache: WriteCache::new(&config.write_cache),
            waiting: Vec::new(),
            under_way: None,
            work: None,
            coming: Schedule::default(),
            stalled: VecDeque::new(),
            flushing: Vec::new(),
            background: None,
            wrote_out_last: false,
            last_arrival_ns: 0,
            order: config.queue.order,
            longest_wait_ns: config.queue.longest_wait_ns,
            idle_flush_ns: config.write_cache.idle_flush_ns,
            per: config.sectors_per_physical(),
            end_of_disk: config.user_bytes / SECTOR_BYTES,
            counters: Counters::default(),
        }
    }

    pub fn counters(&self) -> Counters {
        Counters {
            seeks: self.mechanism.seek_count,
            head_switches: self.mechanism.head_switch_count,
            write_cache_absorbed_bytes: self.cache.absorbed_sectors * SECTOR_BYTES,
            ..self.counters
        }
    }

    /// Bytes that are acknowledged and not on the platters.
    pub fn dirty_bytes(&self) -> u64 {
        self.cache.dirty_sectors() * SECTOR_BYTES
    }

    /// Time of the next event here.
    pub fn next_event_ns(&self) -> u64 {
        let arm_ns = match &self.work {
            Some(work) => work.end_ns,
            None if self.cache.has_waiting() => self.last_arrival_ns + self.idle_flush_ns,
            None => NEVER_NS,
        };
        arm_ns.min(self.coming.next_ns())
    }

    /// Handle the next event. Returns true when the background read is complete.
    pub fn step(&mut self, now_ns: u64, host: &mut HostSide) -> bool {
        if self.coming.next_ns() <= now_ns {
            if let Some((_, (number, bytes))) = self.coming.take() {
                host.send(number, now_ns, bytes);
                host.end_part(number, now_ns);
            }
            return false;
        }
        let mut background_done = false;
        if self.work.as_ref().is_some_and(|work| work.end_ns <= now_ns) {
            background_done = self.finish(now_ns, host);
        }
        self.start(now_ns);
        background_done
    }

    /// Count a request, which may be answered elsewhere.
    pub fn pass_by(&mut self, request: &Request, now_ns: u64) {
        self.counters.count(request, self.per * SECTOR_BYTES);
        self.last_arrival_ns = now_ns;
    }

    /// A request has arrived at the controller.
    pub fn arrive(&mut self, number: u32, request: Request, now_ns: u64, host: &mut HostSide) {
        self.pass_by(&request, now_ns);
        let start = request.offset_bytes / SECTOR_BYTES;
        let end = start + request.length_bytes / SECTOR_BYTES;
        host.add_part(number);
        match request.kind {
            RequestKind::Read => self.read(number, start, end, now_ns, host),
            RequestKind::Write => {
                self.segments.forget(start, end);
                if self.cache.exists() {
                    self.stalled.push_back(number);
                    self.take_writes(now_ns, host);
                    self.counters.write_cache_stalls += u64::from(self.stalled.back() == Some(&number));
                } else {
                    self.waiting.push(Waiting { number, start, end, is_write: true, since_ns: now_ns });
                }
            }
            RequestKind::Trim => host.end_part(number, now_ns),
            RequestKind::Flush if self.cache.is_clean() && self.stalled.is_empty() => host.end_part(number, now_ns),
            RequestKind::Flush => self.flushing.push((self.cache.next_age(), number)),
        }
        if !self.waiting.is_empty() || self.cache_is_pressed() {
            self.break_off(now_ns);
        }
        self.start(now_ns);
    }

    /// Read these logical sectors when there is nothing else to do; `None`: read nothing more.
    pub fn set_background(&mut self, range: Option<(u64, u64)>, now_ns: u64) {
        if range.is_none() && self.work.as_ref().is_some_and(|work| work.purpose == Purpose::Background) {
            self.break_off(now_ns);
        }
        self.background = range;
        self.start(now_ns);
    }

    /// True if all of these sectors are in memory, so that nothing must be read from the platters.
    pub fn memory_holds(&self, start: u64, end: u64) -> bool {
        self.cache.covers(start, end) || self.segments.held_until(start).is_some_and(|held| held >= end)
    }

    fn read(&mut self, number: u32, start: u64, end: u64, now_ns: u64, host: &mut HostSide) {
        if self.cache.covers(start, end) {
            self.counters.write_cache_hit_requests += 1;
            host.send(number, now_ns, (end - start) * SECTOR_BYTES);
            host.end_part(number, now_ns);
            return;
        }
        let held = self.segments.held_until(start).unwrap_or(start).min(end);
        let mut coming = held;
        if let Some(work) = self.work.as_mut().filter(|work| work.purpose == Purpose::LookAhead)
            && work.start <= held
            && held < work.end
        {
            coming = work.end.min(end);
            work.promised = work.promised.max(coming);
        }
        if coming > start {
            self.segments.asked(start, end);
            let passing = self.work.filter(|_| coming > held);
            let ready_ns = passing.map_or(now_ns, |work| work.pass.passed_ns(self.physical_count(work.start, coming)));
            self.coming.add(ready_ns.max(now_ns), (number, (coming - start) * SECTOR_BYTES));
        }
        if coming == end {
            self.counters.read_cache_hit_requests += 1;
        } else {
            if coming > start {
                host.add_part(number);
            }
            self.waiting.push(Waiting { number, start: coming, end, is_write: false, since_ns: now_ns });
        }
    }

    /// Physical sectors from the one that holds `start` to the one that holds the sector before `end`.
    fn physical_count(&self, start: u64, end: u64) -> u64 {
        end.div_ceil(self.per) - start / self.per
    }

    /// Take waiting writes into the cache as far as there is room.
    fn take_writes(&mut self, now_ns: u64, host: &mut HostSide) {
        while let Some(&number) = self.stalled.front() {
            let accepted = host.get_mut(number);
            let (offset, length) = (accepted.request.offset_bytes, accepted.request.length_bytes);
            let start = (offset + accepted.taken_bytes) / SECTOR_BYTES;
            let taken = self.cache.take(start, (offset + length) / SECTOR_BYTES, self.per);
            accepted.taken_bytes += taken * SECTOR_BYTES;
            if accepted.taken_bytes == length {
                self.stalled.pop_front();
                host.end_part(number, now_ns);
            } else if taken == 0 {
                return;
            }
        }
    }

    fn cache_is_pressed(&self) -> bool {
        self.cache.has_waiting() && (!self.stalled.is_empty() || !self.flushing.is_empty() || self.cache.is_half_full())
    }

    /// Panics when the state contradicts itself.
    pub fn check(&self) {
        self.cache.check();
        self.segments.check();
        assert!(self.work.is_some() || self.under_way.is_none(), "a request under way has the arm");
        assert!(self.work.is_some() || self.waiting.is_empty(), "the arm does not rest while requests wait");
        assert!(
            self.flushing.is_empty() || !self.cache.is_clean() || !self.stalled.is_empty(),
            "a flush waits for data"
        );
    }
}
