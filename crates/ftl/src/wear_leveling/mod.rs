//! Wear levelling: which free block is filled next, and when data that never changes has to make place.
//!
//! ```text
//!   erase counts, one bar per block            with a static spread
//!   #                    #  # #
//!   # #  hot blocks      #  # #                # # # # # # # #
//!   # # . . . . . . . .  #  # #                # # # # # # # #     most - least <= spread (+ what is under way)
//!       cold blocks: never erased              cold data moves to a worn block, its own comes into use
//! ```
//!
//! Dynamic levelling only ever sees free blocks, so a block full of data that nobody overwrites stays as new as it
//! is. Static levelling pays for that with moves that gain no room.

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

/// Wear levelling of one drive; the default is what a drive without any does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WearLeveling {
    /// Which free block is opened.
    #[serde(default)]
    pub free_block: FreeBlock,
    /// Erase counts of a pool may be this far apart before its least worn block has to give up its data; without
    /// it they may be as far apart as the data makes them [cycles].
    #[serde(default)]
    pub static_spread_cycles: Option<u32>,
}
