//! Rows of comma-separated text, cut to the columns that are wanted.
//!
//! ```text
//!   date,serial,model,...215 columns...     -->     place,date,serial,...17 columns...
//!   a database reads every column of every row, wanted or not; what it is given to read is a seventh of the text
//! ```
//!
//! Only text without any surprise is cut: printable ASCII and line feeds, no quotation marks. Of other text
//! [`Cutter::is_plain`] says so, and it is to be read as it is. Nothing is judged here: a line with a wrong number of
//! columns keeps a wrong number of them, so that whoever reads the cut text rejects it as he would have rejected the
//! line.
//!
//! Knows nothing of files, drives or numbers.

mod cutter;
mod surprises;
mod words;

pub use cutter::{Cutter, LINE_BYTES_MAX};
