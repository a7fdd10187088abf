//! The states of programs, of the threads of the lazy writer and of the requests.

use crate::direction::Kind;
use crate::file_work::reader::Reader;
use crate::file_work::trace::Part;

/// What a program is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Goes on.
    Going,
    /// Waits for a core or computes.
    Computing,
    /// Waits until its reader has arrived at this byte.
    Reading(u64),
    /// Waits for this number of requests.
    Waiting(u32),
    /// Waits until a file record has been written; until then none can be taken.
    Locked,
    /// Waits until there is less dirty data.
    HeldBack(Part),
    Over,
}

/// One program on its way through its operations.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub next: usize,
    pub state: State,
    pub reader: Option<Reader>,
    pub generations: u32,
    pub ended_ns: u64,
}

/// What gets the answer.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asker {
    Reader { program: u32, generation: u32, end: u64 },
    Program(u32),
    LazyWriter { thread: u32 },
    MetadataWriter,
    Nobody,
}

/// A request that the drive has.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    pub asker: Asker,
    /// `None` for the flush at the end.
    pub kind: Option<Kind>,
    pub length_bytes: u64,
    pub submitted_ns: u64,
}

/// A thread of the lazy writer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Thread {
    pub file: Option<u32>,
    /// Requests of its transfer that are under way.
    pub under_way: u32,
}

/// Events that happen without the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    Computed(u32),
    LazyPass,
}
