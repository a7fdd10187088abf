//! A drive of memory chips: no seeks, no wear, no state. A RAM disk of the host, or a box of DIMMs behind a link.
//!
//! ```text
//!   without a link:  request ----------------------> server: command cost, then the copy --> answer
//!   with a link:     request -> controller -> link -> server: the same                    -> link -> answer
//! ```
//!
//! A server is a thread of the driver, or the controller's engine. Each byte crosses the memory bus `passes` times:
//! twice for a copy (read, write), three times for a copy whose destination the processor first reads into its cache.
//! Requests go to the server that is free first, in the order in which they came. Behind a link a server has one
//! buffer: it is busy with a request for as long as the request's data crosses the link. So a queue hides the time that
//! commands need to arrive, but not that of data.
//!
//! Not modelled here: servers that share one memory bus (each has the full rate; set the rate for one), caches
//! of the processor, refresh, batteries, loss of content.

mod config;
#[cfg(test)]
pub(crate) mod tests;

pub use config::Config;

use crate::config_error::ConfigError;
use crate::counts::counts;
use crate::host::{HostCounts, HostSide};
use crate::machine::{Machine, Space};
use crate::request::SECTOR_BYTES;
use crate::request::{Completion, Request, RequestKind, Status};
use flashscope_kernel::schedule::Schedule;
use flashscope_kernel::time::{NEVER_NS, transfer_ns};
use serde::{Deserialize, Serialize};

counts! {
    /// Counts since the drive was built.
    pub struct Counters {
        ..host: HostCounts,
        /// Flush commands.
        host_flush_requests,
        /// Working time of the servers, summed over all [ns].
        server_busy_ns,
    }
}

/// A virtual drive of memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Memory {
    config: Config,
    now_ns: u64,
    server_free_ns: Vec<u64>,
    /// Behind a link: the host side, and the requests that are being copied.
    host: Option<HostSide>,
    copied: Schedule<u32>,
    /// Without a link: the answers.
    answers: Schedule<(u32, Status)>,
    counters: Counters,
}

impl Memory {
    /// A new drive.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self {
            now_ns: 0,
            server_free_ns: vec![0; config.server_count as usize],
            host: config.link.as_ref().map(HostSide::new),
            copied: Schedule::default(),
            answers: Schedule::default(),
            counters: Counters::default(),
            config,
        })
    }

    /// What the drive was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// True when no request of the host is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.answers.next_ns() == NEVER_NS && self.host.as_ref().is_none_or(HostSide::is_idle)
    }

    /// All counts of the drive.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// Check every invariant. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        let servers = self.server_free_ns.len() as u64;
        let latest_ns = self.server_free_ns.iter().copied().max().unwrap_or(0);
        assert!(self.counters.server_busy_ns <= servers * latest_ns, "no server has worked longer than it could");
    }

    /// Let the server that is free first copy a request that has arrived at `at_ns`; returns when it is done.
    fn serve(&mut self, at_ns: u64, request: &Request) -> u64 {
        self.counters.host.count(request);
        self.counters.host_flush_requests += u64::from(request.kind == RequestKind::Flush);
        let passes = match request.kind {
            RequestKind::Read => self.config.read_passes,
            RequestKind::Write => self.config.write_passes,
            RequestKind::Trim | RequestKind::Flush => 0,
        };
        let crossing_bytes = request.length_bytes * u64::from(passes);
        let work_ns = self.config.command_cost_ns + transfer_ns(crossing_bytes, self.config.bytes_per_second);
        let link_ns = match &self.config.link {
            Some(link) if crossing_bytes > 0 => transfer_ns(request.length_bytes, link.bytes_per_second),
            _ => 0,
        };
        self.counters.server_busy_ns += work_ns + link_ns;
        let free_ns = self.server_free_ns.iter_mut().min().expect("the check asks for at least one server");
        // Data of a write has crossed the link by now; data of a read crosses it at the end.
        let (in_ns, out_ns) = if request.kind == RequestKind::Write { (link_ns, 0) } else { (0, link_ns) };
        let done_ns = (at_ns - in_ns).max(*free_ns) + in_ns + work_ns;
        *free_ns = done_ns + out_ns;
        done_ns
    }
}

impl Machine for Memory {
    fn space(&self) -> Space {
        Space { user_bytes: self.config.user_bytes, sector_bytes: SECTOR_BYTES }
    }

    fn clock_ns(&self) -> u64 {
        self.now_ns
    }

    fn set_clock(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    fn take(&mut self, at_ns: u64, tag: u32, request: Request) {
        if let Some(host) = &mut self.host {
            host.submit(at_ns, tag, request, self.config.user_bytes);
        } else if request.lies_within(self.config.user_bytes, SECTOR_BYTES) {
            let done_ns = self.serve(at_ns, &request);
            self.answers.add(done_ns, (tag, Status::Done));
        } else {
            self.answers.add(at_ns + self.config.command_cost_ns, (tag, Status::OutOfRange));
        }
    }

    fn next_event_ns(&self) -> u64 {
        self.host.as_ref().map_or(NEVER_NS, |host| host.next_arrival_ns().min(self.copied.next_ns()))
    }

    fn happen(&mut self, at_ns: u64) {
        let Some(host) = &mut self.host else { return };
        if self.copied.next_ns() <= at_ns {
            let Some((_, number)) = self.copied.take() else { return };
            let request = host.get_mut(number).request;
            if request.kind == RequestKind::Read {
                host.send(number, at_ns, request.length_bytes);
            }
            host.end_part(number, at_ns);
        } else if let Some((number, _)) = host.arrived(at_ns) {
            let request = host.get_mut(number).request;
            host.add_part(number);
            let done_ns = self.serve(at_ns, &request);
            self.copied.add(done_ns, number);
        }
    }

    fn next_answer_ns(&self) -> u64 {
        self.host.as_ref().map_or(self.answers.next_ns(), HostSide::next_answer_ns)
    }

    fn answer(&mut self) -> Option<Completion> {
        match &mut self.host {
            Some(host) => host.answer(),
            None => self.answers.take().map(|(at_ns, (tag, status))| Completion { tag, at_ns, status }),
        }
    }
}
