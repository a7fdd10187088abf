//! Simulated time, resource timelines, agendas, named random streams and named choices. Contains nothing about flash.
//!
//! Reading order: [`time`], [`timeline`], [`agenda`], [`schedule`], [`random`], [`ranges`], [`divide`],
//! [`large_table`], [`slab`], [`choice`], [`signs_of_life`].

pub mod agenda;
pub mod choice;
pub mod divide;
pub mod large_table;
pub mod random;
pub mod ranges;
pub mod schedule;
pub mod signs_of_life;
pub mod slab;
pub mod time;
pub mod timeline;
