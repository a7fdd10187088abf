//! Whether and when a drive carries out TRIM.

use serde::{Deserialize, Serialize};

/// Whether and when a drive carries out TRIM.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Trim {
    /// False for a drive that does not know TRIM.
    pub supported: bool,
    /// Idle time after which trims are carried out [ns]; 0 = at once.
    pub delay_ns: u64,
}

impl Default for Trim {
    fn default() -> Self {
        Self { supported: true, delay_ns: 0 }
    }
}
