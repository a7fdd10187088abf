//! A disk: platters that turn, an arm that moves, and memory in front of them.
//!
//! ```text
//!   host side (`host/`)             engine.rs                     mechanism.rs
//!   queue -> controller  --------> read segments, write cache -> arm -> platters
//!            and link  <---------- pieces of data <------------- sectors pass the head
//! ```
//!
//! Events at the same nanosecond: the engine first, then arrivals from the host; completions last. Nothing is random:
//! the requests and their times determine the disk's behaviour.
//!
//! Reading order: `config`, `layout`, `mechanism`, `segments`, `write_cache`, `engine`, this file.
//!
//! Not modelled here: spinning up and down, media errors and retries, remapped sectors, power cuts, shingled
//! tracks, TRIM (accepted and counted, it changes nothing).

pub mod config;
mod counters;
pub(crate) mod engine;
mod geometry;
mod layout;
mod mechanism;
mod segments;
#[cfg(test)]
pub(crate) mod tests;
mod write_cache;

pub use config::Config;
pub use counters::Counters;

use crate::config_error::ConfigError;
use crate::host::HostSide;
use crate::machine::{Machine, Space};
use crate::request::SECTOR_BYTES;
use crate::request::{Completion, Request};
use crate::smart::Attribute;
use engine::Engine;
use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// A virtual disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Disk {
    config: Config,
    now_ns: u64,
    host: HostSide,
    engine: Engine,
}

impl Disk {
    /// A new disk, its arm on the first track, its platters at angle 0 at time 0.
    pub fn new(config: Config) -> Result<Self, ConfigError> {
        config.check()?;
        Ok(Self { now_ns: 0, host: HostSide::new(&config.link), engine: Engine::new(&config), config })
    }

    /// What the disk was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// True when no request of the host is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.host.is_idle()
    }

    /// All counts of the disk.
    pub fn counters(&self) -> Counters {
        self.engine.counters()
    }

    /// Bytes that are acknowledged and not yet on the platters.
    pub fn dirty_bytes(&self) -> u64 {
        self.engine.dirty_bytes()
    }

    /// The disk's SMART attributes, those that disks of all makers have.
    pub fn smart_attributes(&self) -> Vec<Attribute> {
        crate::smart::disk::attributes(self.now_ns / (3600 * SECOND_NS))
    }

    /// Check every invariant. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        self.engine.check();
        let counters = self.counters();
        let dirty = self.dirty_bytes();
        assert!(dirty <= counters.host.written_bytes, "no more waits than the host wrote");
        assert!(dirty <= self.config.write_cache.bytes, "no more waits than there is room for");
    }
}

impl Machine for Disk {
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
        self.host.submit(at_ns, tag, request, self.config.user_bytes);
    }

    fn next_event_ns(&self) -> u64 {
        self.engine.next_event_ns().min(self.host.next_arrival_ns())
    }

    fn happen(&mut self, at_ns: u64) {
        if self.engine.next_event_ns() <= at_ns {
            self.engine.step(self.now_ns, &mut self.host);
        } else if let Some((number, _)) = self.host.arrived(at_ns) {
            let request = self.host.get_mut(number).request;
            self.engine.arrive(number, request, self.now_ns, &mut self.host);
        }
    }

    fn next_answer_ns(&self) -> u64 {
        self.host.next_answer_ns()
    }

    fn answer(&mut self) -> Option<Completion> {
        self.host.answer()
    }
}
