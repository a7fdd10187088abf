//! Where programs, the threads of the lazy writer and the requests stand.

use crate::direction::Kind;
use crate::file_work::reader::Reader;
use crate::file_work::trace::Part;

/// What a program does at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// Goes on.
    Going,
    /// Waits for a core or computes.
    Computing,
    /// Waits until its reader has arrived here.
    Reading(u64),
    /// Waits for so many requests.
    Waiting(u32),
    /// Waits until a file record has been written: meanwhile none is given out.
    Locked,
    /// Waits until dirty data become fewer.
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

/// Who is told of an answer.
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

/// What happens without the drive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    Computed(u32),
    LazyPass,
}
