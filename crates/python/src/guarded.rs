//! A drive behind the border: who may work with it, how far its time goes, and whether it can be trusted.
//!
//! ```text
//!   Run A  advance --> has requests in the drive ----------------> advance to its end, or stop
//!   Run B              advance: refused             advance: refused             advance
//!   idle, trim ...     refused                      refused                      done
//! ```
//!
//! Requests under way belong to the run that sent them; whoever else took their answers would book them as his own. So a
//! drive is held by one run from its first request to its end.
//!
//! A drive that was restored may have been made up: its bytes pass every check there is and still contradict themselves
//! in a way nobody thought of. When work on such a drive comes to an assertion, the bytes are at fault and are refused;
//! on any other drive it is a fault of ours, and stays one.

use crate::errors::{OutOfTime, SnapshotRefused};
use crate::fault::{caught, watched};
use flashscope_drive::{Drive as _, END_NS, VirtualDrive, YEAR_NS};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

fn next_number() -> u64 {
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// What a run shows to work with a drive.
#[derive(Debug)]
pub struct Ticket {
    drive: u64,
    run: u64,
}

/// See the module's header.
pub struct Guarded {
    drive: VirtualDrive,
    seed: u64,
    number: u64,
    /// The run that has requests in the drive.
    held_by: Option<u64>,
    is_restored: bool,
    /// Work on it came to an assertion: nothing it says counts any more.
    is_broken: bool,
}

impl Guarded {
    /// A drive that nobody holds.
    pub fn new(drive: VirtualDrive, seed: u64, is_restored: bool) -> Self {
        Self { drive, seed, number: next_number(), held_by: None, is_restored, is_broken: false }
    }

    /// The seed of the drive, and of its workloads.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What cannot go wrong is read here.
    pub fn facts(&self) -> &VirtualDrive {
        &self.drive
    }

    /// For a run that is to be started on this drive.
    pub fn ticket(&self) -> Ticket {
        Ticket { drive: self.number, run: next_number() }
    }

    /// Look at the drive, which changes nothing.
    pub fn look<T: Send>(&self, python: Python<'_>, look: impl FnOnce(&VirtualDrive) -> T + Send) -> PyResult<T> {
        self.check_trust()?;
        let drive = &self.drive;
        if !self.is_restored {
            return Ok(python.detach(|| look(drive)));
        }
        python.detach(|| caught(|| look(drive))).map_err(|_| contradicts_itself())
    }

    /// Do something with a drive that no run holds, for `duration_ns` at most.
    pub fn work<T: Send>(
        &mut self,
        python: Python<'_>,
        duration_ns: u64,
        work: impl FnOnce(&mut VirtualDrive) -> T + Send,
    ) -> PyResult<T> {
        self.check_free()?;
        self.check_time(duration_ns)?;
        self.act(python, work)
    }

    /// Let a run work; `work` says whether it is over, and holds the drive until then.
    pub fn run(
        &mut self,
        python: Python<'_>,
        ticket: &Ticket,
        work: impl FnOnce(&mut VirtualDrive) -> bool + Send,
    ) -> PyResult<bool> {
        if ticket.drive != self.number {
            return Err(PyValueError::new_err("this run was started on another drive; give it that one"));
        }
        if self.held_by != Some(ticket.run) {
            self.check_free()?;
        }
        let is_over = self.act(python, work)?;
        self.held_by = (!is_over).then_some(ticket.run);
        Ok(is_over)
    }

    /// Refuse while a run has requests in the drive.
    pub fn check_free(&self) -> PyResult<()> {
        if self.held_by.is_none() {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "a run is under way on this drive; advance it to its end, or stop it, before anything else",
        ))
    }

    /// Refuse what would take the drive beyond the end of virtual time.
    pub fn check_time(&self, duration_ns: u64) -> PyResult<()> {
        let now_ns = self.drive.now_ns();
        if now_ns.checked_add(duration_ns).is_some_and(|end_ns| end_ns <= END_NS) {
            return Ok(());
        }
        Err(OutOfTime::new_err(format!(
            "virtual time ends after {} years: it is {now_ns} ns, and up to {duration_ns} ns more are asked for; accepted: \
             at most {} ns",
            END_NS / YEAR_NS,
            END_NS.saturating_sub(now_ns),
        )))
    }

    fn check_trust(&self) -> PyResult<()> {
        if self.is_broken { Err(contradicts_itself()) } else { Ok(()) }
    }

    fn act<T: Send>(&mut self, python: Python<'_>, act: impl FnOnce(&mut VirtualDrive) -> T + Send) -> PyResult<T> {
        self.check_trust()?;
        let (drive, seed) = (&mut self.drive, self.seed);
        if !self.is_restored {
            return Ok(python.detach(|| watched(drive, seed, act)));
        }
        python.detach(|| caught(|| act(drive))).map_err(|_| {
            self.is_broken = true;
            contradicts_itself()
        })
    }
}

fn contradicts_itself() -> PyErr {
    SnapshotRefused::new_err(
        "the snapshot that this drive was restored from contradicts itself, which showed only at work; make the drive \
         again from its part and its seed",
    )
}
