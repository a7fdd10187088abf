//! Jobs under way on a virtual drive.

use crate::drive::Drive;
use crate::errors::Refusal;
use crate::guarded::{Guarded, Ticket};
use flashscope_drive::{Drive as _, with_drive};
use flashscope_workload::{Kind, Series, WorkloadResult, read_jobs};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Duration [ns], series, latencies by kind, totals.
pub(crate) type Measured<'py> = (u64, Bound<'py, PyDict>, Bound<'py, PyDict>, Bound<'py, PyDict>);

/// Jobs under way; advanced in slices, so that a user can watch and interrupt. Slices change no result.
#[pyclass(module = "flashscope._core")]
pub struct Run {
    run: flashscope_workload::Run,
    ticket: Ticket,
}

impl Run {
    pub(crate) fn new(jobs: &str, sample_interval_ns: u64, seed: u64, guarded: &Guarded) -> PyResult<Self> {
        let jobs = read_jobs(jobs).map_err(Refusal::Job)?;
        let drive = guarded.facts();
        let (user_bytes, sector_bytes) = (drive.user_bytes(), drive.sector_bytes());
        let run = flashscope_workload::Run::new(&jobs, seed, sample_interval_ns, user_bytes, sector_bytes)
            .map_err(Refusal::Job)?;
        Ok(Self { run, ticket: guarded.ticket() })
    }
}

#[pymethods]
impl Run {
    /// Submit at most `budget_requests` requests to the drive the run was started on; True when all is done.
    fn advance(&mut self, python: Python<'_>, drive: &mut Drive, budget_requests: u64) -> PyResult<bool> {
        let run = &mut self.run;
        drive.guarded.run(
            python,
            &self.ticket,
            |drive| with_drive!(drive, inner => run.advance(&mut **inner, budget_requests)),
        )
    }

    /// End the jobs now: nothing more is submitted, and requests under way are waited for.
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

    /// What was measured so far: duration [ns], series, latencies by kind, totals.
    ///
    /// The series has one row per sampling interval: name -> column. A latency is (bucket numbers, counts, sum [ns],
    /// min [ns], max [ns]).
    fn result<'py>(&self, python: Python<'py>) -> PyResult<Measured<'py>> {
        measured(python, self.run.result())
    }
}

/// What a run measured, as Python objects.
pub(crate) fn measured(python: Python<'_>, result: WorkloadResult) -> PyResult<Measured<'_>> {
    let duration_ns = result.duration_ns;
    let totals = PyDict::new(python);
    for (name, value) in result.totals() {
        totals.set_item(name, value)?;
    }
    let latency = PyDict::new(python);
    for (kind, histogram) in result.latency_by_kind() {
        let (buckets, counts): (Vec<u64>, Vec<u64>) =
            histogram.counts().map(|(bucket, count)| (bucket as u64, count)).unzip();
        let arrays = (PyArray1::from_vec(python, buckets), PyArray1::from_vec(python, counts));
        let exact = (histogram.sum_ns(), histogram.min_ns(), histogram.max_ns());
        latency.set_item(kind, (arrays.0, arrays.1, exact.0, exact.1, exact.2))?;
    }
    Ok((duration_ns, series_columns(python, result.series)?, latency, totals))
}

fn series_columns(python: Python<'_>, series: Series) -> PyResult<Bound<'_, PyDict>> {
    let columns = PyDict::new(python);
    columns.set_item("elapsed_ns", PyArray1::from_vec(python, series.elapsed_ns))?;
    for (name, column) in ["read_bytes", "written_bytes", "trimmed_bytes"].into_iter().zip(series.bytes) {
        columns.set_item(name, PyArray1::from_vec(python, column))?;
    }
    for (kind, column) in Kind::ALL.iter().zip(series.requests) {
        columns.set_item(format!("{}_requests", kind.name()), PyArray1::from_vec(python, column))?;
    }
    Ok(columns)
}
