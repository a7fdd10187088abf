//! What a bank can be asked to do.
//!
//! Each operation names the mode of the cells it touches, because a block used as pSLC (one bit in a cell that
//! could hold two to four) senses, programs and erases in times of its own. A collection reads and erases its
//! *source* and programs its *target*, so folding pSLC data into native blocks is a collection too.
//!
//! Not modelled here: copyback (data that never leaves the die), partial page programs.

use crate::cell_mode::CellMode;
use serde::{Deserialize, Serialize};

/// Work for one bank. `T` is what the caller wants back when it is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Operation<T> {
    /// Read one page and carry `bytes` of it out.
    Read {
        /// Bytes over the bus.
        bytes: u32,
        /// Cells of the block that is read.
        mode: CellMode,
        /// Handed back at the end.
        token: T,
    },
    /// Carry one programmed page in and program it.
    Program {
        /// Place of the page in its block, which sets its program time.
        page_index: u32,
        /// Cells of the block that is programmed.
        mode: CellMode,
        /// Handed back at the end.
        token: T,
    },
    /// Move pages within the bank through the controller, then erase.
    Collect {
        /// Pages to sense.
        reads: u32,
        /// Pages to program (less than `reads` when valid data is packed together).
        programs: u32,
        /// Place of the first programmed page in its block.
        page_index: u32,
        /// Blocks to erase at the end.
        erases: u32,
        /// Cells of the blocks that are read and erased.
        source: CellMode,
        /// Cells of the block that is programmed.
        target: CellMode,
    },
}
