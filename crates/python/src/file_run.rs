//! Programs that work on files, under way on a virtual drive.

use crate::drive::Drive;
use crate::errors::Refusal;
use crate::guarded::{Guarded, Ticket};
use crate::run::{Measured, measured};
use flashscope_drive::{Drive as _, with_drive};
use flashscope_workload::file_work::{Columns, FileTotals, Host};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

/// A column of a trace.
pub(crate) type Column<'py, T> = PyReadonlyArray1<'py, T>;

/// Programs under way; advanced in slices, so that a user can watch and interrupt. Slices change no result.
#[pyclass(module = "flashscope._core")]
pub struct FileRun {
    run: flashscope_workload::file_work::FileRun,
    ticket: Ticket,
}

impl FileRun {
    pub(crate) fn new(columns: &Columns<'_>, host: &str, interval_ns: u64, guarded: &Guarded) -> PyResult<Self> {
        let drive = guarded.facts();
        let host: Host = serde_json::from_str(host).map_err(Refusal::ConfigText)?;
        let (user_bytes, sector_bytes) = (drive.user_bytes(), drive.sector_bytes());
        let run = flashscope_workload::file_work::FileRun::new(columns, host, interval_ns, user_bytes, sector_bytes);
        Ok(Self { run: run.map_err(Refusal::Trace)?, ticket: guarded.ticket() })
    }
}

#[pymethods]
impl FileRun {
    /// Submit about `budget_requests` requests to the drive the run was started on; True when all is on the drive.
    fn advance(&mut self, python: Python<'_>, drive: &mut Drive, budget_requests: u64) -> PyResult<bool> {
        let run = &mut self.run;
        drive.guarded.run(
            python,
            &self.ticket,
            |drive| with_drive!(drive, inner => run.advance(&mut **inner, budget_requests)),
        )
    }

    /// End the programs now: dirty data is given up, and requests under way are waited for.
    fn stop(&mut self, python: Python<'_>, drive: &mut Drive) -> PyResult<()> {
        let run = &mut self.run;
        drive.guarded.run(python, &self.ticket, |drive| {
            with_drive!(drive, inner => run.stop(&mut **inner));
            true
        })?;
        Ok(())
    }

    /// How far the run has come: requests, bytes done, virtual time since its start [ns].
    fn progress(&self) -> (u64, u64, u64) {
        let progress = self.run.progress();
        (progress.requests, progress.bytes_done, progress.elapsed_ns)
    }

    /// What was measured so far: as for `Run`, with the totals of file work added.
    fn result<'py>(&self, python: Python<'py>) -> PyResult<Measured<'py>> {
        let whole = measured(python, self.run.result())?;
        let FileTotals {
            programs_ended_ns,
            synced_ns,
            programs_ended_count,
            data_read_bytes,
            data_written_bytes,
            metadata_read_bytes,
            metadata_written_bytes,
            journal_written_bytes,
            record_write_count,
            held_back_count,
            locked_count,
            dirty_max_bytes,
            computed_ns,
        } = self.run.file_totals();
        for (name, value) in [
            ("programs_ended_ns", programs_ended_ns),
            ("synced_ns", synced_ns),
            ("programs_ended_count", programs_ended_count),
            ("data_read_bytes", data_read_bytes),
            ("data_written_bytes", data_written_bytes),
            ("metadata_read_bytes", metadata_read_bytes),
            ("metadata_written_bytes", metadata_written_bytes),
            ("journal_written_bytes", journal_written_bytes),
            ("record_write_count", record_write_count),
            ("held_back_count", held_back_count),
            ("locked_count", locked_count),
            ("dirty_max_bytes", dirty_max_bytes),
            ("computed_ns", computed_ns),
        ] {
            whole.3.set_item(name, value)?;
        }
        Ok(whole)
    }

    /// When each program ended, since the start [ns]; 0 for a program that has not ended.
    fn ended_ns<'py>(&self, python: Python<'py>) -> Bound<'py, PyArray1<u64>> {
        PyArray1::from_vec(python, self.run.ended_ns())
    }
}
