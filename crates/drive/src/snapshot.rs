//! A drive as bytes, and back: everything, requests under way included.
//!
//! ```text
//!   "flashscope drive"   format number (4 bytes)   state (postcard)
//! ```

use serde::Serialize;
use serde::de::DeserializeOwned;

const MAGIC: &[u8; 16] = b"flashscope drive";
/// Raised whenever the state changes its form; older snapshots are then refused.
const FORMAT: u32 = 5;

/// Why bytes are not a drive.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// They do not begin as a snapshot does.
    #[error("this is not a snapshot of a drive")]
    NotASnapshot,
    /// They were written by another version.
    #[error("the snapshot has format {found}; this version reads format {accepted}")]
    OtherFormat {
        /// Format of the snapshot.
        found: u32,
        /// Format this version reads.
        accepted: u32,
    },
    /// They are cut short or changed.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// The whole state of a drive of any kind as bytes.
pub fn take(drive: &impl Serialize) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(FORMAT.to_le_bytes());
    postcard::to_extend(drive, bytes).expect("a drive's state always has a form as bytes")
}

/// The drive that `bytes` were taken from. Its kind must be the one that is asked for.
pub fn restore<D: DeserializeOwned>(bytes: &[u8]) -> Result<D, SnapshotError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(SnapshotError::NotASnapshot)?;
    let (format, state) = rest.split_first_chunk::<4>().ok_or(SnapshotError::NotASnapshot)?;
    let found = u32::from_le_bytes(*format);
    if found != FORMAT {
        return Err(SnapshotError::OtherFormat { found, accepted: FORMAT });
    }
    postcard::from_bytes(state).map_err(|error| SnapshotError::Damaged(error.to_string()))
}
