//! Simulated time, resource timelines, agendas and named random streams. Knows nothing of flash.
//!
//! Reading order: [`time`], [`timeline`], [`agenda`], [`schedule`], [`random`], [`ranges`], [`divide`].

pub mod agenda;
pub mod divide;
pub mod random;
pub mod ranges;
pub mod schedule;
pub mod time;
pub mod timeline;
