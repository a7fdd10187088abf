//! Jobs under way on a virtual drive.

use crate::drive::Drive;
use crate::errors::Refusal;
use crate::guarded::{Guarded, Ticket};
use flashscope_drive::{Drive as _, with_drive};
use flashscope_workload::{Cell, HostCosts, Kind, LatencyHistogram, Series, Track, WorkloadResult, read_jobs};
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
    pub(crate) fn new(
        jobs: &str,
        sample_interval_ns: u64,
        seed: u64,
        host: Option<&str>,
        guarded: &Guarded,
    ) -> PyResult<Self> {
        let jobs = read_jobs(jobs).map_err(Refusal::Job)?;
        let drive = guarded.facts();
        let (user_bytes, sector_bytes) = (drive.user_bytes(), drive.sector_bytes());
        let mut run = flashscope_workload::Run::new(&jobs, seed, sample_interval_ns, user_bytes, sector_bytes)
            .map_err(Refusal::Job)?;
        if let Some(host) = host {
            run.run_on(HostCosts::read(host).map_err(Refusal::Job)?);
        }
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

    /// Keep what each job does over time, in rows of `interval_ns`; before the first request.
    fn keep_jobs(&mut self, interval_ns: u64) {
        self.run.keep_jobs(interval_ns.max(1));
    }

    /// What all jobs together did, then each one, when that was kept: name, columns over time, latencies.
    fn jobs_over_time<'py>(&self, python: Python<'py>) -> PyResult<Vec<JobOverTime<'py>>> {
        let Some((tracks, interval_ns)) = self.run.jobs_over_time() else { return Ok(Vec::new()) };
        let duration_ns = self.run.progress().elapsed_ns;
        tracks.into_iter().map(|track| job_over_time(python, track, interval_ns, duration_ns)).collect()
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
    let latency = latencies(python, result.latency_by_kind())?;
    Ok((duration_ns, series_columns(python, result.series)?, latency, totals))
}

fn latencies<'py, 'a>(
    python: Python<'py>,
    by_kind: impl Iterator<Item = (&'static str, &'a LatencyHistogram)>,
) -> PyResult<Bound<'py, PyDict>> {
    let latency = PyDict::new(python);
    for (kind, histogram) in by_kind {
        let (buckets, counts): (Vec<u64>, Vec<u64>) =
            histogram.counts().map(|(bucket, count)| (bucket as u64, count)).unzip();
        let arrays = (PyArray1::from_vec(python, buckets), PyArray1::from_vec(python, counts));
        let exact = (histogram.sum_ns(), histogram.min_ns(), histogram.max_ns());
        latency.set_item(kind, (arrays.0, arrays.1, exact.0, exact.1, exact.2))?;
    }
    Ok(latency)
}

/// Name of a job (empty: all together), its columns over time, its latencies by kind.
type JobOverTime<'py> = (String, Bound<'py, PyDict>, Bound<'py, PyDict>);

/// Names of the columns of latencies, and the share of the requests that each says.
const SHARES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p999", 0.999)];

/// One job in columns. Latencies of an interval are numbers of buckets, -1 where no request ended; the longest is in ns.
fn job_over_time(python: Python<'_>, track: Track, interval_ns: u64, duration_ns: u64) -> PyResult<JobOverTime<'_>> {
    let columns = PyDict::new(python);
    let ends = (1..=track.rows.len() as u64).map(|row| (row * interval_ns).min(duration_ns)).collect();
    columns.set_item("elapsed_ns", PyArray1::from_vec(python, ends))?;
    let by_kind = Kind::ALL.iter().zip(&track.latency).filter(|(_, histogram)| histogram.total() > 0);
    for (kind, _) in by_kind.clone() {
        let column = |value: &dyn Fn(&Cell) -> u64| -> Vec<u64> {
            track.rows.iter().map(|row| value(&row[*kind as usize])).collect()
        };
        let name = kind.name();
        columns.set_item(format!("{name}_bytes"), PyArray1::from_vec(python, column(&|cell| cell.bytes)))?;
        columns.set_item(format!("{name}_requests"), PyArray1::from_vec(python, column(&|cell| cell.requests)))?;
        columns.set_item(format!("{name}_max"), PyArray1::from_vec(python, column(&|cell| cell.max_ns)))?;
        for (share_name, share) in SHARES {
            let buckets: Vec<i32> =
                track.rows.iter().map(|row| row[*kind as usize].bucket_at(share).map_or(-1, i32::from)).collect();
            columns.set_item(format!("{name}_{share_name}"), PyArray1::from_vec(python, buckets))?;
        }
    }
    let latency = latencies(python, by_kind.map(|(kind, histogram)| (kind.name(), histogram)))?;
    Ok((track.name.clone(), columns, latency))
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
