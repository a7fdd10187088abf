//! Jobs under way on a virtual drive.

use crate::drive::Drive;
use crate::errors::Refusal;
use flashscope_drive::{Drive as _, Ssd};
use flashscope_workload::{KIND_NAMES, WorkloadResult, read_jobs};
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Jobs under way; advanced in slices, so that a person can watch and interrupt. Slices change no result.
#[pyclass(module = "flashscope._core")]
pub struct Run {
    run: flashscope_workload::Run,
}

impl Run {
    pub(crate) fn new(jobs: &str, sample_interval_ns: u64, seed: u64, ssd: &Ssd) -> PyResult<Self> {
        let jobs = read_jobs(jobs).map_err(Refusal::Job)?;
        let (user_bytes, sector_bytes) = (ssd.user_bytes(), ssd.sector_bytes());
        let run = flashscope_workload::Run::new(&jobs, seed, sample_interval_ns, user_bytes, sector_bytes)
            .map_err(Refusal::Job)?;
        Ok(Self { run })
    }

    fn result(&self) -> WorkloadResult {
        self.run.result()
    }
}

#[pymethods]
impl Run {
    /// Submit at most `budget_requests` requests to the drive the run was started on; True when all is done.
    fn advance(&mut self, python: Python<'_>, drive: &mut Drive, budget_requests: u64) -> bool {
        python.detach(|| self.run.advance(&mut drive.ssd, budget_requests))
    }

    /// End the jobs now: nothing more is submitted, and what is under way is waited for.
    fn stop(&mut self, python: Python<'_>, drive: &mut Drive) {
        python.detach(|| self.run.stop(&mut drive.ssd));
    }

    /// How far the run has come: requests, bytes done, virtual time since its start [ns].
    fn progress(&self) -> (u64, u64, u64) {
        let progress = self.run.progress();
        (progress.requests, progress.bytes_done, progress.elapsed_ns)
    }

    /// From the first submission to the last completion [ns].
    #[getter]
    fn duration_ns(&self) -> u64 {
        self.run.progress().elapsed_ns
    }

    /// Columns with one row per sampling interval.
    fn series<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let series = self.result().series;
        let dict = PyDict::new(python);
        dict.set_item("elapsed_ns", PyArray1::from_vec(python, series.elapsed_ns))?;
        for (name, column) in ["read_bytes", "written_bytes", "trimmed_bytes"].into_iter().zip(series.bytes) {
            dict.set_item(name, PyArray1::from_vec(python, column))?;
        }
        for (kind, column) in KIND_NAMES.into_iter().zip(series.requests) {
            dict.set_item(format!("{kind}_requests"), PyArray1::from_vec(python, column))?;
        }
        Ok(dict)
    }

    /// Latencies by kind of request: (bucket numbers, counts, sum [ns], min [ns], max [ns]).
    fn latency<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(python);
        for (kind, histogram) in self.result().latency_by_kind() {
            let (buckets, counts): (Vec<u64>, Vec<u64>) =
                histogram.counts().map(|(bucket, count)| (bucket as u64, count)).unzip();
            let arrays = (PyArray1::from_vec(python, buckets), PyArray1::from_vec(python, counts));
            let exact = (histogram.sum_ns(), histogram.min_ns(), histogram.max_ns());
            dict.set_item(kind, (arrays.0, arrays.1, exact.0, exact.1, exact.2))?;
        }
        Ok(dict)
    }

    /// Totals of the run: name -> value.
    fn totals(&self, python: Python<'_>) -> PyResult<Py<PyDict>> {
        let dict = PyDict::new(python);
        for (name, value) in self.result().totals() {
            dict.set_item(name, value)?;
        }
        Ok(dict.unbind())
    }
}
