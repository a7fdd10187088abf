//! The result of placing a unit: a page to be programmed, and work that has to be done before.

use crate::gc::Collected;
use serde::{Deserialize, Serialize};

/// A page that is complete and can be programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPage {
    /// The pool of the page.
    pub pool: u32,
    /// Its block.
    pub block: u32,
    /// Its number among the data pages of the block; [`Parity::place`](super::Parity::place) says where that is.
    pub page_index: u32,
    /// The stream whose page it is; see [`Placed::stream`].
    pub stream: u8,
    /// The parity page of its stripe is to be programmed behind it.
    pub ends_stripe: bool,
    /// How often its block had been erased: a page that ends after its block was erased belongs to an earlier cycle.
    pub erase_count: u32,
}

/// The result of placing a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The pool it went to.
    pub pool: u32,
    /// The stream it belongs to: 0, or 1 for hot data when that is kept apart. Each has its page being filled.
    pub stream: u8,
    /// Work to be done by the pool's bank before the page can be programmed.
    pub collected: Option<Collected>,
    /// The page, when this unit completed it.
    pub complete: Option<OpenPage>,
}
