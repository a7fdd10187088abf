//! What programs do, as block operations: files with their addresses, and for each program a list of operations.
//!
//! A file system has decided where everything lies. The trace comes as columns of numbers, so that it can be stored
//! (`src/flashscope/workloads/file_system/trace.py` describes the columns and the file).

use flashscope_kernel::choice;
use flashscope_kernel::time::YEAR_NS;
use thiserror::Error;

/// A trace that cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct TraceError(pub String);

/// One thing a program does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Uses a core for this time [ns].
    Compute(u64),
    /// Reads a part of a file through the cache, with read-ahead.
    Read(Part),
    /// Writes a part of a file into the cache.
    Write(Part),
    /// Reads a part of a file from the drive itself, and waits.
    ReadDirect(Part),
    /// Writes a part of a file to the drive itself, and waits.
    WriteDirect(Part),
    /// Changes metadata in memory; the lazy writer writes it.
    ChangeMetadata(Metadata, Place),
    /// Needs metadata, and waits for the drive unless it is in memory.
    ReadMetadata(Place),
    /// Tells the drive that a range holds no data any more, without waiting.
    Trim(Place),
    /// Takes or gives back a file record, and waits while one is being written.
    LockRecords,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of the file.
    pub file: u32,
    /// From this byte of the file.
    pub from: u64,
    /// Length [bytes].
    pub length: u64,
}

/// A range of the drive [bytes].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// First byte.
    pub offset: u64,
    /// Length.
    pub length: u64,
}

choice! {
    /// Kinds of metadata, by the code in a trace. The journal is written first; file records are written one by one,
    /// the other kinds as ranges that are as long as they are contiguous.
    #[derive(PartialOrd, Ord)]
    pub enum Metadata {
        /// Pages of the journal.
        Journal = "journal",
        /// File records.
        Record = "record",
        /// Blocks of directories.
        Index = "index",
        /// Pages of allocation maps.
        Bitmap = "bitmap",
    }
}

choice! {
    /// Kinds of [`Operation`], by the code in a trace.
    pub enum OperationKind {
        /// See [`Operation::Compute`].
        Compute = "compute",
        /// See [`Operation::Read`].
        Read = "read",
        /// See [`Operation::Write`].
        Write = "write",
        /// See [`Operation::ReadDirect`].
        ReadDirect = "read-direct",
        /// See [`Operation::WriteDirect`].
        WriteDirect = "write-direct",
        /// See [`Operation::ChangeMetadata`].
        ChangeMetadata = "change-metadata",
        /// See [`Operation::ReadMetadata`].
        ReadMetadata = "read-metadata",
        /// See [`Operation::Trim`].
        Trim = "trim",
        /// See [`Operation::LockRecords`].
        LockRecords = "lock-records",
    }
}

/// The value of that code. A code without a value is refused.
fn of_code<T: Copy>(all: &[T], code: u64, what: &str) -> Result<T, TraceError> {
    let found = usize::try_from(code).ok().and_then(|code| all.get(code)).copied();
    found.ok_or_else(|| TraceError(format!("no {what} of kind {code}; accepted: 0 to {}", all.len() - 1)))
}

/// A file: its addresses, and how compressible its data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceFile {
    /// Its pieces, in the order of the file.
    pub extents: Vec<Place>,
    /// Length of all pieces [bytes].
    pub length: u64,
    /// Share that a compressor could remove, in 1/255.
    pub compressible: u8,
}

impl TraceFile {
    /// The range of the drive that holds the file from `from` on, at most `most` bytes and not beyond one piece.
    pub fn locate(&self, from: u64, most: u64) -> Place {
        let mut skip = from;
        for extent in &self.extents {
            if skip < extent.length {
                return Place { offset: extent.offset + skip, length: most.min(extent.length - skip) };
            }
            skip -= extent.length;
        }
        unreachable!("a part beyond the end of its file")
    }
}

/// What programs do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// All files that the programs use.
    pub files: Vec<TraceFile>,
    /// For each program its operations in order.
    pub programs: Vec<Vec<Operation>>,
}

/// A trace as columns of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// For each program the number of operations up to its end, those of earlier programs included.
    pub program_ends: &'a [u64],
    /// Four numbers for each operation: kind, file or kind of metadata, from, length.
    pub operations: &'a [u64],
    /// For each file the number of extents up to its end, those of earlier files included.
    pub file_ends: &'a [u64],
    /// Two numbers for each extent: offset on the drive, length.
    pub extents: &'a [u64],
    /// For each file the compressible share in 1/255.
    pub compressible: &'a [u8],
}

impl Trace {
    /// A trace from its columns, for a drive of this size and sector.
    pub fn new(columns: &Columns<'_>, user_bytes: u64, sector_bytes: u64) -> Result<Self, TraceError> {
        let room = Room { user_bytes, sector_bytes };
        let files = files(columns, &room)?;
        let read = |number: &[u64]| operation(number, &files, &room);
        let all: Result<Vec<Operation>, TraceError> = columns.operations.chunks_exact(4).map(read).collect();
        let all = all?;
        let computed_ns = all.iter().fold(0_u64, |sum, operation| match operation {
            Operation::Compute(needs_ns) => sum.saturating_add(*needs_ns),
            _ => sum,
        });
        if computed_ns > YEAR_NS {
            return Err(TraceError(format!("the programs compute {computed_ns} ns; accepted: a year, {YEAR_NS} ns")));
        }
        let program = |(from, to): (usize, usize)| {
            let own = all.get(from..to).ok_or_else(|| TraceError("a program ends beyond the operations".into()))?;
            Ok(own.to_vec())
        };
        let programs: Result<Vec<_>, TraceError> = spans(columns.program_ends).map(program).collect();
        Ok(Self { programs: programs?, files })
    }
}

/// The capacity and the sector size that a trace must fit.
struct Room {
    user_bytes: u64,
    sector_bytes: u64,
}

impl Room {
    /// The range, if it lies on whole sectors inside the drive.
    fn holds(&self, place: Place, what: &str) -> Result<Place, TraceError> {
        let Self { user_bytes, sector_bytes } = *self;
        let end = place.offset.checked_add(place.length);
        if self.is_whole(place.offset, place.length) && end.is_some_and(|end| end <= user_bytes) {
            return Ok(place);
        }
        Err(TraceError(format!(
            "{what} lies at {} and is {} B long; accepted: whole sectors of {sector_bytes} B inside {user_bytes} B",
            place.offset, place.length
        )))
    }

    fn is_whole(&self, from: u64, length: u64) -> bool {
        from.is_multiple_of(self.sector_bytes) && length.is_multiple_of(self.sector_bytes) && length > 0
    }
}

/// The files of a trace, with their extents.
fn files(columns: &Columns<'_>, room: &Room) -> Result<Vec<TraceFile>, TraceError> {
    let extents: Vec<Place> =
        columns.extents.chunks(2).map(|pair| Place { offset: pair[0], length: pair[pair.len() - 1] }).collect();
    if columns.file_ends.len() != columns.compressible.len() {
        return Err(TraceError("the columns of the files differ in length".into()));
    }
    let mut files = Vec::with_capacity(columns.file_ends.len());
    for ((from, to), &compressible) in spans(columns.file_ends).zip(columns.compressible) {
        let own = extents.get(from..to).ok_or_else(|| TraceError("a file ends beyond the extents".into()))?;
        for &extent in own {
            room.holds(extent, "an extent")?;
        }
        let length = own.iter().map(|extent| extent.length).sum();
        files.push(TraceFile { extents: own.to_vec(), length, compressible });
    }
    Ok(files)
}

/// One operation, built from its four numbers.
fn operation(number: &[u64], files: &[TraceFile], room: &Room) -> Result<Operation, TraceError> {
    let part = || part(number, files, room);
    let place = || room.holds(Place { offset: number[2], length: number[3] }, "metadata or a trim");
    Ok(match of_code(OperationKind::ALL, number[0], "operation")? {
        OperationKind::Compute => Operation::Compute(number[3]),
        OperationKind::Read => Operation::Read(part()?),
        OperationKind::Write => Operation::Write(part()?),
        OperationKind::ReadDirect => Operation::ReadDirect(part()?),
        OperationKind::WriteDirect => Operation::WriteDirect(part()?),
        OperationKind::ChangeMetadata => {
            Operation::ChangeMetadata(of_code(Metadata::ALL, number[1], "metadata")?, place()?)
        }
        OperationKind::ReadMetadata => Operation::ReadMetadata(place()?),
        OperationKind::Trim => Operation::Trim(place()?),
        OperationKind::LockRecords => Operation::LockRecords,
    })
}

/// The part of a file that an operation names, if it lies on whole sectors inside the file.
fn part(number: &[u64], files: &[TraceFile], room: &Room) -> Result<Part, TraceError> {
    let part = Part { file: number[1] as u32, from: number[2], length: number[3] };
    let length = files.get(number[1] as usize).map_or(0, |file: &TraceFile| file.length);
    let end = part.from.checked_add(part.length);
    if room.is_whole(part.from, part.length) && end.is_some_and(|end| end <= length) {
        return Ok(part);
    }
    Err(TraceError(format!("bytes {} to {end:?} of file {}, which has {length}", part.from, part.file)))
}

/// First index and end of each list, from the column of ends.
fn spans(ends: &[u64]) -> impl Iterator<Item = (usize, usize)> + '_ {
    let begins = std::iter::once(0).chain(ends.iter().copied());
    begins.zip(ends).map(|(from, &to)| (from as usize, to as usize))
}
