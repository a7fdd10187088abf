//! A virtual drive as Python holds it; what can be done with it is in `verbs.rs`.

use crate::guarded::Guarded;
use flashscope_drive::VirtualDrive;
use pyo3::prelude::*;

/// A virtual drive of any kind, in virtual time.
#[pyclass(module = "flashscope._core")]
pub struct Drive {
    pub(crate) guarded: Guarded,
}

impl Drive {
    /// A drive that was just built.
    pub(crate) fn of(drive: VirtualDrive, seed: u64) -> Self {
        Self { guarded: Guarded::new(drive, seed, false) }
    }
}
