//! The flash translation layer: where a unit of host data lies, and how room is made for the next one.
//!
//! This crate contains no time. A decision takes effect at once and completely (the map already shows
//! the new place of moved data); its cost in time is returned as work for the flash array.
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
