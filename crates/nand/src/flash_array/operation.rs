//! What a bank can be asked to do.
//!
//! Each operation names the mode of the cells it touches, because a block used as pSLC (one bit in a cell that
//! could hold two to four) has its own times for sensing, programming and erasing. A collection reads and erases its
//! *source* and programs its *target*, so folding of pSLC data into native blocks is also a collection.
//!
//! Not modelled here: copyback (data is copied inside the die), partial page programs.

use crate::cell_mode::CellMode;
use serde::{Deserialize, Serialize};

/// Work for one bank. `T` is the type of the token that the caller gets back when the operation is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Operation<T> {
    /// Read one page and transfer `bytes` of it to the controller.
    Read {
        /// Bytes transferred over the bus.
        bytes: u32,
        /// Cell mode of the block that is read.
        mode: CellMode,
        /// Handed back at the end.
        token: T,
    },
    /// Transfer one programmed page to the bank and program it.
    Program {
        /// Place of the page in its block, which determines its program time.
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
        /// Cell mode of the blocks that are read and erased.
        source: CellMode,
        /// Cells of the block that is programmed.
        target: CellMode,
    },
}
