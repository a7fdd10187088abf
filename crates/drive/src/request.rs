//! What a host may request of a drive, and the answers.

use crate::course::{Course, InOrder};
use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

/// Smallest unit of the address space [bytes].
pub const SECTOR_BYTES: u64 = 512;

/// The kind of a host request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RequestKind {
    /// Read the range.
    Read,
    /// Write the range.
    Write,
    /// Tell the drive that the range holds no data any more.
    Trim,
    /// Bring everything acknowledged so far to the medium before this request completes; the range is ignored.
    Flush,
}

/// One host request. Offsets and lengths are whole sectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// What is requested.
    pub kind: RequestKind,
    /// First byte of the range.
    pub offset_bytes: u64,
    /// Length of the range in bytes.
    pub length_bytes: u64,
    /// Share of the data that a compressor could remove, in 1/255 (0: random data, 255: zeros).
    pub compressible: u8,
}

impl Request {
    /// True if the range lies on whole sectors inside the drive; true for a flush, which has no range.
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
    /// How a request ended. Anything but `Done` describes the drive, not a fault of the program.
    pub enum Status {
        /// Carried out.
        Done = "done",
        /// The range does not lie on sectors inside the drive; nothing was changed.
        OutOfRange = "out-of-range",
        /// No free block is left to write to; from this point on nothing was changed.
        NoFreeBlock = "no-free-block",
        /// The drive takes no writes any more, for good: it has used up its spare blocks.
        ReadOnly = "read-only",
        /// The drive answers no requests any more.
        Dead = "dead",
        /// Data could not be read: it has more wrong bits than the code corrects.
        Unreadable = "unreadable",
        /// The drive does not know the command.
        NotSupported = "not-supported",
    }
}

impl Status {
    /// True when the same request will never succeed again on this drive, so that the host gives up.
    pub fn is_final(self) -> bool {
        matches!(self, Self::NoFreeBlock | Self::ReadOnly | Self::Dead | Self::NotSupported)
    }
}

/// The answer to one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The tag that the host gave the request when it submitted it.
    pub tag: u32,
    /// Simulated time at which the host sees the answer [ns].
    pub at_ns: u64,
    /// How it ended.
    pub status: Status,
}

/// All events that a call was allowed have happened, and the drive is not where the caller wants it yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoEventsLeft;

/// A drive as its host sees it: requests and a time go in, completions come out.
///
/// It opens no socket and reads no clock. A later request can still overtake or delay a request that is under way (they
/// share dies and channels). So a completion is known only when the host has declared that no other request comes
/// before it: `until_ns` declares this.
///
/// A host that runs a closed loop at queue depth `q` therefore submits `q` requests. Then it repeats: take
/// `next_completion(u64::MAX)` and submit the next request at its time under its tag. A host that wants to submit at a
/// later time of its own (pacing) first calls `next_completion(that time)` until it returns `None`.
pub trait Drive {
    /// Capacity shown to the host [bytes].
    fn user_bytes(&self) -> u64;
    /// Smallest addressable unit [bytes].
    fn sector_bytes(&self) -> u64;
    /// Simulated time: of the last submission or of the last completion handed out, whichever is later [ns].
    fn now_ns(&self) -> u64;
    /// Submit one request at `at_ns`, which is not before `now_ns()`. The completion carries the same `tag`. The tags
    /// of outstanding requests are different and small: they are indices into the host's own table.
    fn submit(&mut self, at_ns: u64, tag: u32, request: Request);
    /// A hint: requests that begin at these offsets will be submitted soon. A drive may use it to load its tables for
    /// them into the processor's caches; the hint must change nothing that can be observed.
    fn expect(&mut self, _offsets_bytes: &[u64]) {}
    /// The next completion in time order, if it happens at or before `until_ns`; `None` when no outstanding
    /// request completes by then. Simulated time passes up to that completion, no further. A host must call this before
    /// each later request, even with nothing outstanding: a drive can begin work of its own only while it has no
    /// request.
    fn next_completion(&mut self, until_ns: u64) -> Option<Completion>;
    /// The same, unless more than `events` events happen in the drive before it: then call again. A request can cause
    /// any number of them. Those that happened are subtracted from `events`.
    fn next_completion_within(&mut self, until_ns: u64, _events: &mut u64) -> Result<Option<Completion>, NoEventsLeft> {
        Ok(self.next_completion(until_ns))
    }
    /// A number that is the same, at least, whenever writes in order are at the same point of a repetition.
    fn point_in_order(&self) -> u64 {
        0
    }
    /// The drive's state while it has only these writes under way, each submitted at the time that `submitted_ns` gives
    /// for its tag. `None` when there is other work, or the kind of drive has no such view of itself.
    fn course(&self, _writes: InOrder, _submitted_ns: &dyn Fn(u32) -> u64) -> Option<Course> {
        None
    }
    /// How many periods surely follow that are like the one from `earlier` to `now`, which is the present state; `None`
    /// when the states differ.
    fn periods_ahead(&self, _earlier: &Course, _now: &Course) -> Option<u64> {
        None
    }
    /// Pass over `periods` of them: the same state, but for the numbers of the requests under way, as when they had been
    /// carried out one by one. No more than `periods_ahead`.
    fn pass_over(&mut self, _earlier: &Course, _now: &Course, _periods: u64) {}
}
