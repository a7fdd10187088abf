//! The reference twin: a slow, obvious solid-state drive. The fast one must be equal to it in everything.
//!
//! ```text
//!   operations --+--> Ssd   tables, keys, tournament trees --> counters, states, decisions, times --.
//!                |                                                                                  equal?
//!                '--> Twin  lists and maps, looked through  --> counters, states, decisions, times --'
//! ```
//!
//! The twin is written from the documents (docs/reference/collection.md, host-side.md, flash.md) and stores nothing
//! that it can compute: it counts valid slots by looking at all slots, and finds the emptiest block by looking at all
//! blocks. Random numbers come from the same named streams. Whole drives are compared: every counter and the clock
//! after every operation, every block, bank, channel and decision after every sixteenth.
//!
//! Reading order: `flash`, `stripes`, `pool`, `victims`, `collection`, `wear`, `failing`, `placing`, `banks`,
//! `sending`, `requests`, `idle`, `power`, `twin`. Tests: `mechanisms`, `timing`, `random`, and `disagreements` of
//! earlier versions.
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
