//! A drive as bytes, and back: everything, requests under way included.
//!
//! The state lies in an [`Envelope`], so bytes that were cut, changed or written by another version are refused before
//! they are used. [`restore_at_rest`] also checks the content: a drive that contradicts itself is refused, even with a
//! correct checksum.
//!
//! Not done: reading older formats. A drive of an older version has to be made again from its part and its seed.

mod contradiction;
mod envelope;

pub use envelope::{Envelope, SnapshotError};

use crate::virtual_drive::VirtualDrive;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Format 5 had no length and no checksum.
const DRIVE: Envelope = Envelope { magic: b"flashscope drive", what: "drive", format: 7 };

/// The complete state of a drive of any kind as bytes.
pub fn take(drive: &impl Serialize) -> Vec<u8> {
    DRIVE.seal(|head| postcard::to_extend(drive, head).expect("a drive's state always has a form as bytes"))
}

/// The drive whose state `bytes` hold. It must be of the requested kind.
pub fn restore<D: DeserializeOwned>(bytes: &[u8]) -> Result<D, SnapshotError> {
    let (drive, rest) =
        postcard::take_from_bytes(DRIVE.open(bytes)?).map_err(|error| SnapshotError::Damaged(error.to_string()))?;
    if rest.is_empty() {
        return Ok(drive);
    }
    Err(SnapshotError::Damaged(format!("{} bytes follow behind the drive", rest.len())))
}

/// The drive whose state `bytes` hold, taken while no request was under way. Every invariant of the drive holds.
pub fn restore_at_rest(bytes: &[u8]) -> Result<VirtualDrive, SnapshotError> {
    let drive: VirtualDrive = restore(bytes)?;
    // The checks are written for faults of the program, which end in a panic. Here it is the bytes that are wrong.
    match catch_unwind(AssertUnwindSafe(|| contradiction::contradiction_of(&drive))) {
        Ok(None) => Ok(drive),
        Ok(Some(contradiction)) => Err(SnapshotError::Damaged(contradiction)),
        Err(panic) => Err(SnapshotError::Damaged(words_of(panic.as_ref()))),
    }
}

/// The message of an assertion.
fn words_of(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic.downcast_ref::<String>().map(String::as_str);
    let words = words.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("the drive contradicts itself");
    words.lines().next().unwrap_or_default().to_owned()
}
