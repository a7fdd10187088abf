//! The flash translation layer: where a unit of host data lies, and how room is made for the next one.
//!
//! Purely logical: nothing here knows time. A decision is made at once and complete (the map already shows
//! where moved data went); what it costs in time is returned as work for the flash array.
//!
//! Reading order: [`mapping`], [`blocks`], [`pool`], [`gc`], [`wear_leveling`], [`pslc`], [`compression`],
//! [`translation`], [`log_block`], [`TranslationLayer`], [`buffer`].

pub mod blocks;
pub mod buffer;
pub mod compression;
pub mod gc;
mod layer;
pub mod log_block;
pub mod mapping;
pub mod pool;
pub mod pslc;
pub mod translation;
pub mod wear_leveling;

pub use compression::Compression;
pub use gc::{Collected, GcSettings, IdleCollection, MovedData, Pacing, Separation, VictimRule};
pub use layer::TranslationLayer;
pub use log_block::{Association, LogBlockSettings, LogBlockTranslation, MergeTally};
pub use mapping::fine_map::{FineMap, FineMapSettings};
pub use pslc::{Pslc, WhenFull};
pub use translation::ageing::{AgeRefusal, AgedBy, AgedState, Habits, Overwrites};
pub use translation::{FtlSettings, OpenPage, Parity, Placed, Reason, Refusal, Shape, Translation};
pub use wear_leveling::{FreeBlock, WearLeveling};
