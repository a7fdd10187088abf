//! The reference twin: a slow, obvious solid-state drive, and the fast one must equal it in everything.
//!
//! ```text
//!   operations --+--> Ssd   tables, keys, tournament trees --> counters, states, decisions, times --.
//!                |                                                                                  equal?
//!                '--> Twin  lists and maps, looked through  --> counters, states, decisions, times --'
//! ```
//!
//! The twin is written from the documents (docs/reference/collection.md, host-side.md, flash.md) and keeps nothing
//! that could be looked up: valid slots are counted by looking at all slots, the emptiest block is found by looking
//! at all blocks. Chance comes from the same named streams. Whole drives are compared: every counter and the clock
//! after every operation, every block, bank, channel and decision after every sixteenth.
//!
//! Reading order: `flash`, `stripes`, `pool`, `victims`, `collection`, `wear`, `failing`, `placing`, `banks`, `sending`,
//! `requests`, `idle`, `power`, `twin`. Tests: `mechanisms`, `timing`, `random`, and what once did not hold:
//! `disagreements`.
//! Not modelled here: see `twin`.

mod banks;
mod collection;
mod configs;
mod disagreements;
mod factory;
mod failing;
mod flash;
mod idle;
mod mechanisms;
mod pair;
mod placing;
mod pool;
mod power;
mod random;
mod requests;
mod sending;
mod stripes;
mod timing;
mod twin;
mod victims;
mod wear;
mod work;
