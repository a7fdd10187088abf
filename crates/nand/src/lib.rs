//! The medium: how it is laid out, how long it takes, how it errs.
//!
//! Reading order: [`geometry`], [`timing`], [`flash_array`], [`bit_errors`], [`endurance`].

pub mod bit_errors;
pub mod endurance;
pub mod flash_array;
pub mod geometry;
pub mod timing;

pub use bit_errors::{BitErrorLaw, BitErrors};
pub use endurance::{BlockLives, EnduranceLaw};
pub use flash_array::{FlashArray, Operation};
pub use geometry::Geometry;
pub use timing::Timing;
