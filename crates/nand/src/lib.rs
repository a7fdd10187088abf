//! The medium: its layout, its times, its bit errors and its endurance.
//!
//! Reading order: [`geometry`], [`timing`], [`flash_array`], [`bit_errors`], [`endurance`].

pub mod bit_errors;
mod cell_mode;
pub mod endurance;
pub mod flash_array;
pub mod geometry;
pub mod timing;

pub use bit_errors::{Arrhenius, BitErrorLaw, BitErrors, BlockState, EccSettings, ErrorCounts, ReadOutcome};
pub use cell_mode::CellMode;
pub use endurance::{BlockLives, EnduranceLaw};
pub use flash_array::{FlashArray, Operation, Scheduling};
pub use geometry::{Geometry, SuperblockOf};
pub use timing::{PslcTiming, Timing};
