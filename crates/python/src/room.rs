//! Whether a drive's tables fit into memory, checked before they are made.
//!
//! When the system refuses the memory for a table, the Rust program ends at once (SIGABRT); when it grants more memory
//! than the machine has, the program ends later, when the table is written to. Both are checked beforehand: `ulimit -v`
//! may limit the process, and `/proc/meminfo` reports how much memory the machine has available.
//!
//! Not done: the limits of control groups, which the kernel does not count in `MemAvailable`.

use crate::errors::Refusal;

/// What a run needs besides the tables of its drive: its series, its columns, the page of its report.
const REST_BYTES: u64 = 128 << 20;

/// Refuse `table_bytes` of tables when the process may not have them or the machine does not have them.
pub fn check_room(table_bytes: u64) -> Result<(), Refusal> {
    let wanted_bytes = table_bytes.saturating_add(REST_BYTES);
    if let Some(room_bytes) = available_bytes().filter(|&room_bytes| wanted_bytes > room_bytes) {
        return Err(Refusal::NoRoom { wanted_bytes, room: format!("the machine has {room_bytes} B to give") });
    }
    // Memory is reserved and given back untouched: that makes the system check its limits, and uses no memory.
    let length = usize::try_from(wanted_bytes).unwrap_or(usize::MAX);
    Vec::<u8>::new()
        .try_reserve_exact(length)
        .map_err(|_| Refusal::NoRoom { wanted_bytes, room: "this process may not have that much (ulimit -v)".into() })
}

/// Memory that programs can have without taking it from others [bytes]; `None` where the system does not report it.
fn available_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
