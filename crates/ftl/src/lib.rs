//! The flash translation layer: where a unit of host data lies, and how room is made for the next one.
//!
//! Purely logical: nothing here knows time. A decision is made at once and complete (the map already shows
//! where moved data went); what it costs in time is returned as work for the flash array.
//!
//! Reading order: [`mapping`], [`blocks`], [`pool`], [`gc`], [`translation`], [`buffer`].

pub mod blocks;
pub mod buffer;
pub mod gc;
pub mod mapping;
pub mod pool;
pub mod translation;

pub use gc::{Collected, GcSettings, Pacing, VictimRule};
pub use mapping::log_block::{Association, LogBlockSettings, LogBlockTranslation, MergeTally};
pub use translation::{NoFreeBlock, OpenPage, Placed, Shape, Translation, TranslationLayer};
