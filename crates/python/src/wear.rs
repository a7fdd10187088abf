//! Wearing a virtual drive out.

use crate::drive::Drive;
use crate::errors::Refusal;
use flashscope_drive::SnapshotError;
use flashscope_drive::snapshot::Envelope;
use flashscope_workload::wear::{Goal, Wear as CoreWear, WearLoad};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

/// The format of the snapshot of a life, around its state. Format 1 was JSON without an envelope.
const WEAR: Envelope = Envelope { magic: b"flashscope wear ", what: "drive being worn out", format: 2 };

/// A drive being worn out; advanced in slices, so that a user can watch and interrupt. Slices change no result.
#[pyclass(module = "flashscope._core")]
pub struct Wear {
    wear: CoreWear,
}

#[pymethods]
impl Wear {
    /// Begin to wear out a solid-state drive. `load`: JSON of pattern, block sizes, queue depth, share of static data.
    ///
    /// skips: when true, stretches in which nothing happens are added to the drive's state without being written.
    #[new]
    fn new(drive: &Drive, load: &str, seed: u64, skips: bool) -> PyResult<Self> {
        let load: WearLoad = serde_json::from_str(load).map_err(Refusal::ConfigText)?;
        let ssd = drive.guarded.facts().ssd().ok_or_else(not_solid_state)?;
        Ok(Self { wear: CoreWear::new(&load, ssd, seed, skips).map_err(Refusal::Load)? })
    }

    /// Go on until one of the goals or the end of the drive is reached, or for about `budget_requests` requests.
    ///
    /// Returns "reached", "working", "read-only", "dead" or "no-free-block". A goal below 0 means no goal.
    fn advance(
        &mut self,
        python: Python<'_>,
        drive: &mut Drive,
        host_written_bytes: i64,
        erase_count_mean: f64,
        budget_requests: u64,
    ) -> PyResult<&'static str> {
        let goal = Goal {
            host_written_bytes: u64::try_from(host_written_bytes).ok(),
            erase_count_mean: (erase_count_mean >= 0.0).then_some(erase_count_mean),
        };
        self.wear.check_drive(drive.guarded.facts().ssd().ok_or_else(not_solid_state)?).map_err(Refusal::Load)?;
        let wear = &mut self.wear;
        let pause = drive
            .guarded
            .work(python, 0, |drive| drive.ssd_mut().map(|ssd| wear.advance(ssd, goal, budget_requests)))?;
        Ok(pause.ok_or_else(not_solid_state)?.name())
    }

    /// Bytes of the host that were skipped, and the number of skips.
    fn skipped(&self) -> (u64, u64) {
        (self.wear.skipped_bytes(), self.wear.skips_count())
    }

    /// The state as bytes; the drive has a snapshot of its own.
    fn snapshot<'py>(&self, python: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let state = serde_json::to_vec(&self.wear).map_err(Refusal::ConfigText)?;
        Ok(PyBytes::new(python, &WEAR.seal(|head| [head, state].concat())))
    }

    /// The run whose state `snapshot` holds.
    #[staticmethod]
    fn restore(snapshot: &[u8]) -> PyResult<Self> {
        let state = WEAR.open(snapshot).map_err(Refusal::Snapshot)?;
        let damaged = |error: serde_json::Error| Refusal::Snapshot(SnapshotError::Damaged(error.to_string()));
        Ok(Self { wear: serde_json::from_slice(state).map_err(damaged)? })
    }
}

/// How a solid-state drive has worn: life of its blocks, law of its errors.
///
/// Columns per block: `erase_counts`, `states`, `opened_ago_s` (equivalent time since it was opened, 0 where not kept),
/// `valid_slots`; `retired_blocks` in the order in which they went bad.
pub(crate) fn worn<'py>(python: Python<'py>, drive: &Drive) -> PyResult<Bound<'py, PyDict>> {
    let ssd = drive.guarded.facts().ssd().ok_or_else(not_solid_state)?;
    let dict = PyDict::new(python);
    let inside = ssd.inside();
    let retired = ssd.layer_of_like_blocks().map_or(&[][..], |layer| layer.retired_blocks());
    dict.set_item("erase_counts", PyArray1::from_vec(python, inside.erase_counts))?;
    dict.set_item("states", PyArray1::from_vec(python, inside.states))?;
    dict.set_item("valid_slots", PyArray1::from_vec(python, inside.valid_slots))?;
    dict.set_item("opened_ago_s", PyArray1::from_vec(python, ssd.block_ages_s()))?;
    dict.set_item("block_factors", PyArray1::from_vec(python, ssd.block_factors()))?;
    dict.set_item("retired_blocks", PyArray1::from_vec(python, retired.to_vec()))?;
    dict.set_item("slot_bytes", ssd.config().mapping.unit_bytes)?;
    Ok(dict)
}

fn not_solid_state() -> PyErr {
    PyValueError::new_err("only a solid-state drive wears out")
}
