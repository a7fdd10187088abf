//! Whether this process may have the memory for a drive, asked before the drive is made.
//!
//! When the system refuses the memory for a table, a Rust program ends at once (SIGABRT). `ulimit -v` and its like are
//! the usual reason, so the memory is asked for once and given back untouched: that makes the system check its limits,
//! and uses no memory. How much the machine has to give is asked before (`drives/virtual/room.py`).
//!
//! Not done: memory that a run takes later, beyond what is set aside here.

use crate::errors::Refusal;

/// What a run needs besides its drive: its series, its columns, the page of its report.
const REST_BYTES: u64 = 128 << 20;

/// Refuse a drive of `needed_bytes` when this process may not have them.
pub fn check_room(needed_bytes: u64) -> Result<(), Refusal> {
    let wanted_bytes = needed_bytes.saturating_add(REST_BYTES);
    let length = usize::try_from(wanted_bytes).unwrap_or(usize::MAX);
    Vec::<u8>::new()
        .try_reserve_exact(length)
        .map_err(|_| Refusal::NoRoom { wanted_bytes, room: "this process may not have that much (ulimit -v)".into() })
}
