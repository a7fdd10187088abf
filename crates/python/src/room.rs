//! Whether a drive's tables fit into the memory there is, asked before they are made.
//!
//! A table that cannot be had ends a Rust program at once (SIGABRT); one that can be had and is larger than the machine
//! ends it later, when it is written to. Both are told beforehand: a process may be limited (`ulimit -v`), and
//! `/proc/meminfo` says what the machine has to give.
//!
//! Not done: the limits of control groups, which the kernel does not count in `MemAvailable`.

use crate::errors::Refusal;

/// What the rest of a run takes besides the tables of a drive: its series, its columns, the page of its report.
const REST_BYTES: u64 = 128 << 20;

/// Refuse `table_bytes` of tables that the process may not have or the machine does not.
pub fn check_room(table_bytes: u64) -> Result<(), Refusal> {
    let wanted_bytes = table_bytes.saturating_add(REST_BYTES);
    if let Some(room_bytes) = available_bytes().filter(|&room_bytes| wanted_bytes > room_bytes) {
        return Err(Refusal::NoRoom { wanted_bytes, room: format!("the machine has {room_bytes} B to give") });
    }
    // Reserved and given back untouched: that asks the system about its limits, and takes nothing.
    let length = usize::try_from(wanted_bytes).unwrap_or(usize::MAX);
    Vec::<u8>::new()
        .try_reserve_exact(length)
        .map_err(|_| Refusal::NoRoom { wanted_bytes, room: "this process may not have that much (ulimit -v)".into() })
}

/// Memory that programs can have without others giving theirs up [bytes]; `None` where the system does not say.
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
