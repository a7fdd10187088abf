//! The load that wears a drive: writes of one kind, without end.
//!
//! ```text
//!   | static data | everything else, written over and over                              |
//!     once, first   sequential: in order, round and round
//!                   random:     anywhere, in small blocks
//!                   mixed:      half of the bytes each way
//! ```
//!
//! Before anything else the drive is filled in order, once.

use flashscope_drive::{Request, RequestKind};
use flashscope_kernel::choice;
use flashscope_kernel::random::{Stream, Streams, below};
use serde::{Deserialize, Serialize};

choice! {
    /// Where writes go.
    pub enum Pattern {
        /// In order.
        Sequential = "sequential",
        /// Anywhere.
        Random = "random",
        /// Half of the bytes each way.
        Mixed = "mixed",
    }
}

/// The load.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WearLoad {
    /// Where writes go.
    pub pattern: Pattern,
    /// Size of writes in order [bytes].
    pub sequential_block_bytes: u64,
    /// Size of writes anywhere [bytes].
    pub random_block_bytes: u64,
    /// Requests outstanding.
    pub queue_depth: u32,
    /// Share of the space whose data is never overwritten.
    pub static_ratio: f64,
    /// How compressible the data is, in 1/255.
    #[serde(default)]
    pub compressible: u8,
}

/// Why a drive cannot be worn out by a load.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{key} is {found}; accepted: {accepted}")]
pub struct LoadError {
    /// The field that is wrong.
    pub key: &'static str,
    /// The value that was found.
    pub found: String,
    /// What would have been accepted.
    pub accepted: String,
}

impl WearLoad {
    /// Check it against a drive.
    pub fn check(&self, user_bytes: u64, sector_bytes: u64) -> Result<(), LoadError> {
        let wrong = |key, found: String, accepted: String| Err(LoadError { key, found, accepted });
        for (key, bytes) in
            [("sequential_block", self.sequential_block_bytes), ("random_block", self.random_block_bytes)]
        {
            if bytes == 0 || bytes % sector_bytes != 0 || bytes > user_bytes / 4 {
                let accepted = format!("whole sectors of {sector_bytes} B, at most a quarter of the drive");
                return wrong(key, format!("{bytes} B"), accepted);
            }
        }
        if !(0.0..=0.9).contains(&self.static_ratio) {
            return wrong("static_ratio", self.static_ratio.to_string(), "0 to 0.9".into());
        }
        if self.queue_depth == 0 || self.queue_depth > 1024 {
            return wrong("queue_depth", self.queue_depth.to_string(), "1 to 1024".into());
        }
        Ok(())
    }
}

/// The writes of a load, one after the other.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Writes {
    load: WearLoad,
    user_bytes: u64,
    static_bytes: u64,
    /// Where the next write in order goes.
    pub next_bytes: u64,
    filled: bool,
    sequential_bytes: u64,
    random_bytes: u64,
    stream: Stream,
}

impl Writes {
    /// See [`super::Wear::check_drive`].
    pub fn check_drive(&self, user_bytes: u64, sector_bytes: u64) -> Result<(), LoadError> {
        self.load.check(user_bytes, sector_bytes)?;
        let lies_inside = self.next_bytes < user_bytes && self.static_bytes < user_bytes;
        if self.user_bytes == user_bytes && lies_inside {
            return Ok(());
        }
        let accepted = format!("the one that this began on, of {} B", self.user_bytes);
        Err(LoadError { key: "drive", found: format!("one of {user_bytes} B"), accepted })
    }

    pub fn new(load: &WearLoad, user_bytes: u64, seed: u64) -> Self {
        let grain_bytes = load.sequential_block_bytes;
        let static_bytes = (user_bytes as f64 * load.static_ratio) as u64 / grain_bytes * grain_bytes;
        Self {
            load: load.clone(),
            user_bytes,
            static_bytes,
            next_bytes: 0,
            filled: false,
            sequential_bytes: 0,
            random_bytes: 0,
            stream: Streams::new(seed).stream("wear"),
        }
    }

    /// True when every write follows the previous one in address, over the whole drive.
    pub fn is_in_order(&self) -> bool {
        self.load.pattern == Pattern::Sequential && self.static_bytes == 0
    }

    /// Bytes from the host in one pass of the part that is in order; `None` when no part is in order.
    pub fn pass_bytes(&self) -> Option<u64> {
        let round_bytes = self.user_bytes - self.static_bytes;
        match self.load.pattern {
            Pattern::Sequential => Some(round_bytes),
            Pattern::Random => None,
            Pattern::Mixed => Some(2 * round_bytes),
        }
    }

    /// True once the whole drive has been written.
    pub fn is_filled(&self) -> bool {
        self.filled
    }

    /// Go on at another place, as if this many bytes had been written in order.
    pub fn forward(&mut self, bytes: u64) {
        self.next_bytes = (self.next_bytes + bytes) % self.user_bytes;
    }

    pub fn next(&mut self) -> Request {
        let goes_anywhere = self.filled
            && match self.load.pattern {
                Pattern::Sequential => false,
                Pattern::Random => true,
                Pattern::Mixed => self.random_bytes <= self.sequential_bytes,
            };
        let (offset_bytes, length_bytes) = if goes_anywhere { self.anywhere() } else { self.in_order() };
        Request { kind: RequestKind::Write, offset_bytes, length_bytes, compressible: self.load.compressible }
    }

    fn in_order(&mut self) -> (u64, u64) {
        let offset_bytes = self.next_bytes;
        let length_bytes = self.load.sequential_block_bytes.min(self.user_bytes - offset_bytes);
        self.next_bytes += length_bytes;
        if self.next_bytes == self.user_bytes {
            self.next_bytes = self.static_bytes;
            self.filled = true;
        }
        if self.filled {
            self.sequential_bytes += length_bytes;
        }
        (offset_bytes, length_bytes)
    }

    fn anywhere(&mut self) -> (u64, u64) {
        let length_bytes = self.load.random_block_bytes;
        let places = (self.user_bytes - self.static_bytes) / length_bytes;
        self.random_bytes += length_bytes;
        (self.static_bytes + below(&mut self.stream, places) * length_bytes, length_bytes)
    }
}
