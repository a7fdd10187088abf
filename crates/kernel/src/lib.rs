//! Simulated time, resource timelines, agendas and named random streams. Knows nothing of flash.
//!
//! Reading order: [`time`], [`timeline`], [`agenda`], [`schedule`], [`random`], [`ranges`], [`divide`], [`large_table`].

pub mod agenda;
pub mod divide;
pub mod large_table;
pub mod random;
pub mod ranges;
pub mod schedule;
pub mod time;
pub mod timeline;
