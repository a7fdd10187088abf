//! Wear levelling: which free block is filled next, and when data that never changes is moved.
//!
//! ```text
//!   erase counts, one bar per block            with a static spread
//!   #                    #  # #
//!   # #  hot blocks      #  # #                # # # # # # # #
//!   # # . . . . . . . .  #  # #                # # # # # # # #     most - least <= spread (+ what is under way)
//!       cold blocks: never erased              cold data moves to a worn block, its own block is used
//! ```
//!
//! Dynamic levelling chooses only among free blocks, so a block full of data that is never overwritten does not wear.
//! Static levelling moves such data; these moves gain no room.

mod dynamic;
mod static_spread;

pub use dynamic::{take_free_block, take_most_worn};
use flashscope_kernel::choice;
pub use static_spread::StaticSpread;

use serde::{Deserialize, Serialize};

choice! {
    /// Which of the free blocks is opened.
    #[derive(Default)]
    pub enum FreeBlock {
        /// The one erased longest ago.
        #[default]
        OldestErased = "oldest-erased",
        /// The one erased least often; among equals the one erased longest ago.
        LeastWorn = "least-worn",
    }
}

/// Wear levelling of one drive; the default is a drive without wear levelling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WearLeveling {
    /// Which free block is opened.
    #[serde(default)]
    pub free_block: FreeBlock,
    /// Largest difference of erase counts in a pool; above it, the data of the least worn block is moved. Without this
    /// setting there is no limit [cycles].
    #[serde(default)]
    pub static_spread_cycles: Option<u32>,
}
