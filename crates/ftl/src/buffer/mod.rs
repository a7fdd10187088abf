//! What the drive holds in memory before it is on flash.

mod write_back;

pub use write_back::{Covered, WriteBack};
