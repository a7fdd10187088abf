//! Data that the drive holds in memory before it is on flash.
//!
//! ```text
//!   WriteBack: room, marks, stall ---> Waiting: the sectors of a unit that are in the buffer
//!       |
//!       '-- which unit leaves next: ByAge (arrival order) or Elevator (address order)
//! ```
//!
//! Reading order: [`BufferSettings`], [`Waiting`], [`WriteBack`], `by_age`, `elevator`.

mod by_age;
mod elevator;
mod settings;
mod waiting;
mod write_back;

pub use settings::{BufferSettings, FlushOrder, Stall};
pub use waiting::{Covered, Waiting};
pub use write_back::{BufferTally, WriteBack};
