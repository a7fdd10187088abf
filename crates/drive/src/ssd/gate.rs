//! Checks of a request before it is carried out, on drives with one of these mechanisms: end of life, life-time
//! throttling, addresses beyond the real end of a counterfeit drive, TRIM that is unknown or delayed.
//!
//! ```text
//!   arrived --> alive? --> known command? --> allowed now? --> really there? --> carried out where it lies
//!                 | no         | no               | not yet        | no
//!               refused      refused         comes back later   acknowledged, and nothing is done
//! ```
//!
//! On a drive with none of these, requests skip this file. What lies beyond a counterfeit drive's real end:
//! `config/capacity.rs`.
//! Not modelled here: a wrapped request across the real end, which is moved back to end there.

use super::Ssd;
use super::life::Life;
use crate::request::{RequestKind, Status};
use crate::ssd::config::EndOfLife;

impl Ssd {
    /// True when requests must pass these checks.
    pub(super) fn needs_gate(&self) -> bool {
        self.life != Life::Good
            || self.config.throttle.is_some()
            || self.config.capacity.is_counterfeit()
            || self.config.trim.delay_ns > 0
            || !self.config.trim.supported
    }

    #[cold]
    pub(super) fn pass_gate(&mut self, number: u32, kind: RequestKind) {
        let unknown = kind == RequestKind::Trim && !self.config.trim.supported;
        let refused = self.life.refuses(kind).or(unknown.then_some(Status::NotSupported));
        if let Some(status) = refused {
            return self.refuse(number, status);
        }
        if kind == RequestKind::Write
            && let Some(throttle) = &self.config.throttle
        {
            let allowed_ns = throttle.allowed_from_ns(self.counters().nand_written_bytes, self.lifetime_bytes());
            if allowed_ns > self.now_ns {
                self.counters.throttled_writes += 1;
                return self.host.arrive_again(number, allowed_ns);
            }
        }
        if self.config.capacity.is_counterfeit() && kind != RequestKind::Flush && !self.is_really_there(number, kind) {
            return;
        }
        if kind == RequestKind::Write {
            let request = self.host.get_mut(number).request;
            self.noted_trims.remove(request.offset_bytes..request.offset_bytes + request.length_bytes);
        }
        self.request_arrived(number, kind);
    }

    /// Reduce a request to a counterfeit drive to what it really reaches; what a read asks for beyond that crosses the
    /// link all the same. False when nothing is reached: then the request is acknowledged as if it had been carried out.
    fn is_really_there(&mut self, number: u32, kind: RequestKind) -> bool {
        let request = &mut self.host.get_mut(number).request;
        let asked = *request;
        let asked_bytes = asked.length_bytes;
        (request.offset_bytes, request.length_bytes) = self.config.capacity.reached(request.offset_bytes, asked_bytes);
        let there_bytes = request.length_bytes;
        if kind == RequestKind::Read && there_bytes < asked_bytes {
            self.host.send(number, self.now_ns, asked_bytes - there_bytes);
        }
        if there_bytes > 0 {
            self.counters.host.count_rest(kind, asked_bytes - there_bytes);
        } else {
            self.counters.count(&asked);
            self.host.add_part(number);
            self.host.end_part(number, self.now_ns);
        }
        there_bytes > 0
    }

    fn refuse(&mut self, number: u32, status: Status) {
        self.host.get_mut(number).status = status;
        self.host.add_part(number);
        self.host.end_part(number, self.now_ns);
    }

    /// Bytes that all flash can take before every block has used its rated cycles.
    fn lifetime_bytes(&self) -> u128 {
        u128::from(self.config.geometry.raw_bytes()) * u128::from(self.config.timing.rated_pe_cycles)
    }

    /// The last spare block is used up: the drive now does what its family does. Returns how a write ends from now on.
    pub(super) fn end_life(&mut self) -> Status {
        self.gated = true;
        match self.config.end_of_life {
            EndOfLife::ReadOnly => {
                self.life = Life::ReadOnly;
                Status::ReadOnly
            }
            EndOfLife::Failed => {
                self.life = Life::Dead;
                Status::Dead
            }
        }
    }

    /// What is left of the drive's life.
    pub fn life(&self) -> Life {
        self.life
    }
}
