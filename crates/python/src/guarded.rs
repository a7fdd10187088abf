//! A drive behind the border: who may use it, how far its time goes, and whether it can be trusted.
//!
//! ```text
//!   Run A  advance --> has requests in the drive ----------------> advance to its end, or stop
//!   Run B              advance: refused             advance: refused             advance
//!   idle, trim ...     refused                      refused                      done
//! ```
//!
//! Requests under way belong to the run that sent them; any other run that took their answers would count them as its
//! own. So a run holds its drive from its first request to its end.
//!
//! Work that Python ended in the middle leaves a drive in no state at all: all that is asked of it later raises an
//! exception like the one that ended it.
//!
//! The snapshot of a restored drive may have been made up: its bytes can pass every check and still contradict
//! themselves in a way that no check covers. When work on such a drive comes to an assertion, the bytes are at fault
//! and are refused; on any other drive it is a fault of ours and is reported as one.

use crate::errors::{OutOfTime, SnapshotRefused};
use crate::fault::{caught, watched};
use crate::listening::{ended_by, heard};
use flashscope_drive::stamps::Stamps;
use flashscope_drive::{Drive as _, END_NS, VirtualDrive, YEAR_NS};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::atomic::{AtomicU64, Ordering};

static NEXT_NUMBER: AtomicU64 = AtomicU64::new(1);

fn next_number() -> u64 {
    NEXT_NUMBER.fetch_add(1, Ordering::Relaxed)
}

/// What a run needs to show before it may work with a drive.
#[derive(Debug)]
pub struct Ticket {
    drive: u64,
    run: u64,
}

/// See the module's header.
pub struct Guarded {
    drive: VirtualDrive,
    /// What was written with stamps since anything else was done to the drive.
    stamps: Stamps,
    seed: u64,
    number: u64,
    /// The run that has requests under way in the drive.
    held_by: Option<u64>,
    is_restored: bool,
    /// Work on the drive came to an assertion: nothing that it reports can be trusted any more.
    is_broken: bool,
    /// Work on the drive was ended in the middle by this exception: the drive is in no state at all.
    ended_by: Option<PyErr>,
}

impl Guarded {
    /// A drive that no run holds.
    pub fn new(drive: VirtualDrive, seed: u64, is_restored: bool) -> Self {
        Self {
            drive,
            stamps: Stamps::default(),
            seed,
            number: next_number(),
            held_by: None,
            is_restored,
            is_broken: false,
            ended_by: None,
        }
    }

    /// The seed of the drive, and of its workloads.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// For reading values that cannot fail.
    pub fn facts(&self) -> &VirtualDrive {
        &self.drive
    }

    /// Access for a run that is to be started on this drive.
    pub fn ticket(&self) -> Ticket {
        Ticket { drive: self.number, run: next_number() }
    }

    /// Read from the drive without changing it.
    pub fn look<T: Send>(&self, python: Python<'_>, look: impl FnOnce(&VirtualDrive) -> T + Send) -> PyResult<T> {
        self.check_trust(python)?;
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
        self.stamps.forget();
        self.act(python, |drive, _| work(drive))
    }

    /// Write or read with stamps, on a drive that no run holds. Anything else that is done to the drive forgets them.
    pub fn stamped<T: Send>(
        &mut self,
        python: Python<'_>,
        work: impl FnOnce(&mut VirtualDrive, &mut Stamps) -> T + Send,
    ) -> PyResult<T> {
        self.check_free()?;
        self.check_time(0)?;
        self.act(python, work)
    }

    /// Let a run work. `work` returns whether the run is over; until then the run holds the drive.
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
        self.stamps.forget();
        let is_over = self.act(python, |drive, _| work(drive))?;
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

    fn check_trust(&self, python: Python<'_>) -> PyResult<()> {
        match &self.ended_by {
            Some(error) => Err(alike(python, error)),
            None if self.is_broken => Err(contradicts_itself()),
            None => Ok(()),
        }
    }

    fn act<T: Send>(
        &mut self,
        python: Python<'_>,
        act: impl FnOnce(&mut VirtualDrive, &mut Stamps) -> T + Send,
    ) -> PyResult<T> {
        self.check_trust(python)?;
        let (drive, stamps, seed, is_restored) = (&mut self.drive, &mut self.stamps, self.seed, self.is_restored);
        let outcome = python.detach(|| {
            let work = |drive: &mut VirtualDrive| heard(|| act(drive, stamps));
            if is_restored { caught(|| work(drive)) } else { Ok(watched(drive, seed, work)) }
        });
        match outcome {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(stopped)) => {
                let error = ended_by(stopped);
                self.ended_by = Some(alike(python, &error));
                Err(error)
            }
            Err(_) => {
                self.is_broken = true;
                Err(contradicts_itself())
            }
        }
    }
}

/// An exception of the same kind and words. The raised one knows the frames that it passed, and through them the drive:
/// a drive that kept it would never be given back.
fn alike(python: Python<'_>, error: &PyErr) -> PyErr {
    let arguments = error.value(python).getattr("args").and_then(|arguments| Ok(arguments.cast_into::<PyTuple>()?));
    match arguments.and_then(|arguments| error.get_type(python).call1(arguments)) {
        Ok(again) => PyErr::from_value(again),
        Err(_) => PyRuntimeError::new_err(error.value(python).to_string()),
    }
}

fn contradicts_itself() -> PyErr {
    SnapshotRefused::new_err(
        "the snapshot that this drive was restored from contradicts itself, which showed only at work; make the drive \
         again from its part and its seed",
    )
}
