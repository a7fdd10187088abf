//! What a host may ask of a drive, and what it gets back.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

/// Smallest piece of address space a host can name [bytes].
pub const SECTOR_BYTES: u64 = 512;

/// The kind of a host request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RequestKind {
    /// Read the range.
    Read,
    /// Write the range.
    Write,
    /// Say that the range holds no data any more.
    Trim,
    /// Have everything acknowledged so far on the medium before this completes; the range is ignored.
    Flush,
}

/// One host request. Offsets and lengths are whole sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is asked.
    pub kind: RequestKind,
    /// First byte of the range.
    pub offset_bytes: u64,
    /// Length of the range in bytes.
    pub length_bytes: u64,
    /// Share of the data that a compressor could take out, in 1/255 (0: random data, 255: zeros).
    pub compressible: u8,
}

impl Request {
    /// True if the range lies on whole sectors inside the drive; a flush has none.
    pub(crate) fn lies_within(&self, user_bytes: u64, sector_bytes: u64) -> bool {
        if self.kind == RequestKind::Flush {
            return true;
        }
        let whole_sectors =
            self.offset_bytes.is_multiple_of(sector_bytes) && self.length_bytes.is_multiple_of(sector_bytes);
        let end = self.offset_bytes.checked_add(self.length_bytes);
        whole_sectors && self.length_bytes > 0 && end.is_some_and(|end| end <= user_bytes)
    }
}

choice! {
    /// How a request ended. Anything but `Done` is data about the drive, not a fault of the program.
    pub enum Status {
        /// As asked.
        Done = "done",
        /// The range does not lie on sectors inside the drive; nothing was changed.
        OutOfRange = "out-of-range",
        /// No free block is left to write to; nothing was changed from this point on.
        NoFreeBlock = "no-free-block",
        /// The drive takes no writes any more, for good: it has used up its spare blocks.
        ReadOnly = "read-only",
        /// The drive answers nothing any more.
        Dead = "dead",
        /// Data could not be read: more bits were wrong than the code corrects.
        Unreadable = "unreadable",
        /// The drive does not know the command.
        NotSupported = "not-supported",
    }
}

impl Status {
    /// True when the same request will never succeed again on this drive, so that a host gives up.
    pub fn is_final(self) -> bool {
        matches!(self, Self::NoFreeBlock | Self::ReadOnly | Self::Dead | Self::NotSupported)
    }
}

/// The answer to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// What the host called the request when it submitted it.
    pub tag: u32,
    /// Simulated time at which the host sees the answer [ns].
    pub at_ns: u64,
    /// How it ended.
    pub status: Status,
}

/// A drive as its host sees it: requests and a time go in, completions come out.
///
/// It opens no socket and reads no clock. A request that is under way can still be overtaken or delayed by
/// a later one (they share dies and channels), so a completion is only known once the host has said that
/// nothing more comes before it: that is what `until_ns` means.
///
/// A closed loop at queue depth `q` therefore reads: submit `q` requests; then, for ever, take
/// `next_completion(u64::MAX)` and submit the next request at its time under its tag. A host that wants to
/// submit at a later time of its own (pacing) first drains `next_completion(that time)` until `None`.
pub trait Drive {
    /// Capacity shown to the host in bytes.
    fn user_bytes(&self) -> u64;
    /// Smallest addressable unit in bytes.
    fn sector_bytes(&self) -> u64;
    /// Simulated time: of the last submission or of the last completion handed out, whichever is later [ns].
    fn now_ns(&self) -> u64;
    /// Hand over one request at `at_ns`, which is not before `now_ns()`. `tag` comes back with its
    /// completion; the host keeps tags of outstanding requests apart, small (an index into its own table).
    fn submit(&mut self, at_ns: u64, tag: u32, request: Request);
    /// A hint: requests that begin at these places will be submitted soon. A drive may use it to have what it
    /// knows of them in the processor's caches by then; nothing that can be observed may change.
    fn expect(&mut self, _offsets_bytes: &[u64]) {}
    /// The next completion in time order, if it happens at or before `until_ns`; `None` when no outstanding
    /// request completes by then. Simulated time passes up to that completion, no further. A host asks before each
    /// later request, with nothing outstanding too: a drive can begin work of its own only while it has no request.
    fn next_completion(&mut self, until_ns: u64) -> Option<Completion>;
}
