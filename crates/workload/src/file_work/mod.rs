//! Programs that work on files, run by a model of a host over any virtual drive.
//!
//! ```text
//! trace     what each program does, as block operations of a file system that has decided where all lies
//! host      the settings of the host: cores, read-ahead, write-behind, request sizes
//! reader    one program's way through a file, with what was asked for ahead of it
//! dirty     what the cache holds that the drive does not have yet: data by file, metadata by place
//! run       the clock: programs, lazy writer and drive, event by event
//! ```
//!
//! Closed loop: a program goes on when what it waits for has happened. The same trace, settings and drive give the same
//! result, in slices of any size. All time is integer nanoseconds.

mod dirty;
mod host;
mod reader;
mod run;
mod trace;

pub use host::Host;
pub use run::{FileRun, FileTotals};
pub use trace::{Columns, Metadata, Operation, OperationKind, Trace, TraceError};
