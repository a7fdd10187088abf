//! How a write buffer behaves: the order in which it is emptied, its marks, and what it does when it is full.
//!
//! ```text
//!   0 . . . . . low water . . . . . . . high water . . . . . room
//!               |<-- emptying stops     |<-- emptying starts |<-- full: writes wait
//! ```
//!
//! Not modelled here: water marks that change with the load, a part of the buffer reserved for reads.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// The order in which buffered units go to flash.
    #[derive(Default)]
    pub enum FlushOrder {
        /// Whole units at once, in the order in which the host wrote them; only partly written ones wait.
        #[default]
        Arrival = "arrival",
        /// All units wait and can be overwritten in place; they leave by address, in contiguous runs.
        Sorted = "sorted",
    }
}

choice! {
    /// How a full buffer handles the host's writes.
    #[derive(Default)]
    pub enum Stall {
        /// Each write waits until there is room for it.
        #[default]
        UntilRoom = "until-room",
        /// No write is accepted until the buffer is drained to its low water mark.
        UntilDrained = "until-drained",
    }
}

/// A write buffer; its sizes are in units of the map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BufferSettings {
    /// Units that fit; 0 means there is no buffer.
    pub room_units: u32,
    /// The order of emptying.
    pub flush_order: FlushOrder,
    /// What happens when it is full.
    pub stall: Stall,
    /// Sorted: emptying starts when more than this many units are held.
    pub high_water_units: u32,
    /// Emptying stops, and a stall ends, when this many or fewer are left.
    pub low_water_units: u32,
    /// Sorted: number of units on their way to flash at which emptying pauses; at least one programmed page.
    pub under_way_units: u32,
    /// Sectors of one unit.
    pub sectors_per_unit: u32,
}
