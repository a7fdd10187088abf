//! How the core's errors look in Python. The `match` has no wildcard arm: a new kind of error must get its place here.

use flashscope_drive::{ConfigError, SnapshotError};
use flashscope_workload::JobError;
use flashscope_workload::file_work::TraceError;
use flashscope_workload::wear::LoadError;
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;

pyo3::create_exception!(
    _core,
    ConfigRefused,
    PyValueError,
    "A drive cannot be built from these values; `args` are key, value found, what is accepted."
);
pyo3::create_exception!(_core, SnapshotRefused, PyValueError, "These bytes are not a drive; `args` is one sentence.");
pyo3::create_exception!(
    _core,
    OutOfTime,
    PyValueError,
    "What is asked for would take longer than virtual time goes on; `args` is one sentence."
);
pyo3::create_exception!(
    _core,
    NoRoom,
    PyMemoryError,
    "A drive's tables do not fit into memory; `args` are the bytes wanted and one clause that says why."
);
pyo3::create_exception!(
    _core,
    JobRefused,
    PyValueError,
    "A job cannot run on this drive; `args` are the job's name and one sentence."
);

/// Everything that can be refused at the border.
pub enum Refusal {
    /// The drive's configuration.
    Config(ConfigError),
    /// JSON that is not a configuration.
    ConfigText(serde_json::Error),
    /// A snapshot.
    Snapshot(SnapshotError),
    /// A job.
    Job(JobError),
    /// A trace of file work, or the host that is to run it.
    Trace(TraceError),
    /// A load that is to wear a drive out.
    Load(LoadError),
    /// Tables that do not fit into memory.
    NoRoom {
        /// What the tables and the rest of the run take [bytes].
        wanted_bytes: u64,
        /// Why this memory cannot be had.
        room: String,
    },
}

impl From<Refusal> for PyErr {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Config(error) => ConfigRefused::new_err((error.key, error.found, error.accepted)),
            Refusal::ConfigText(error) => {
                ConfigRefused::new_err(("configuration", error.to_string(), "the fields of a drive's configuration"))
            }
            Refusal::Snapshot(error @ (SnapshotError::NotASnapshot(_) | SnapshotError::Damaged(_))) => {
                SnapshotRefused::new_err(error.to_string())
            }
            Refusal::Snapshot(error @ SnapshotError::OtherFormat { .. }) => SnapshotRefused::new_err(format!(
                "{error}; restore it with the version that wrote it, or make the drive again from its part and seed"
            )),
            Refusal::Job(error) => JobRefused::new_err(error.to_string()),
            Refusal::Load(error) => ConfigRefused::new_err((error.key, error.found, error.accepted)),
            Refusal::Trace(error) => JobRefused::new_err(error.to_string()),
            Refusal::NoRoom { wanted_bytes, room } => NoRoom::new_err((wanted_bytes, room)),
        }
    }
}

/// Add the exceptions to the module.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let python = module.py();
    module.add("ConfigRefused", python.get_type::<ConfigRefused>())?;
    module.add("SnapshotRefused", python.get_type::<SnapshotRefused>())?;
    module.add("OutOfTime", python.get_type::<OutOfTime>())?;
    module.add("NoRoom", python.get_type::<NoRoom>())?;
    module.add("JobRefused", python.get_type::<JobRefused>())
}
