//! Whether this process may have the memory for a drive, asked before the drive is made.
//!
//! When the system refuses the memory for a table, a Rust program ends at once (SIGABRT). `ulimit -v` and its like are
//! the usual reason, so the memory is asked for once and given back untouched: that makes the system check its limits,
//! and uses no memory. How much the machine has to give is asked before (`drives/virtual/room.py`).
//!
//! Not done: memory that a run takes later, beyond what is set aside here.

use crate::errors::Refusal;
use flashscope_kernel::large_table::give_back_kept_memory;
use pyo3::prelude::*;

/// What a run needs besides its drive: its series, its columns, the page of its report.
const REST_BYTES: u64 = 128 << 20;

/// Refuse a drive of `needed_bytes` when this process may not have them.
pub fn check_room(needed_bytes: u64) -> Result<(), Refusal> {
    let wanted_bytes = needed_bytes.saturating_add(REST_BYTES);
    let length = usize::try_from(wanted_bytes).unwrap_or(usize::MAX);
    let has_room = || Vec::<u8>::new().try_reserve_exact(length).is_ok();
    if has_room() {
        return Ok(());
    }
    give_back_kept_memory();
    if has_room() {
        return Ok(());
    }
    Err(Refusal::NoRoom { wanted_bytes, room: "this process may not have that much (ulimit -v)".into() })
}

/// Give the memory that is kept of earlier drives for later ones back to the system.
#[pyfunction]
pub fn give_back_memory(python: Python<'_>) {
    python.detach(give_back_kept_memory);
}
