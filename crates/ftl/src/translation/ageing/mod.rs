//! Puts a drive at once into the state that it would have after long use.
//!
//! ```text
//!   wear.rs      erase counts; blocks that failed before that
//!   twin.rs      a small pool with the same policy, really written until it is steady
//!   sample.rs    its closed blocks in closing order, stretched and fitted to the units of a pool of the drive
//!   layout.rs    a block of the drive for each of them: valid slots at random places, units in random order
//!   scatter.rs   these units brought into the map, region by region
//!   books.rs     counters: the writes that would have led to this state
//! ```
//!
//! Nothing is assumed about the steady state of a policy: it is the one its twin reaches. What is sampled is how many
//! slots of a block are valid and how old the block is; *which* slots and *which* units is random, because under
//! uniform random writes every slot of a block is overwritten with the same probability.
//!
//! Only the stream `"aged state"` is drawn from, so that the other random streams of the drive are as for any drive of
//! its seed.
//!
//! Not modelled here: states left by skewed or sequential overwriting, static wear levelling and idle collection while
//! that state was written, trimmed ranges, age of the data at this moment.

mod books;
mod layout;
pub mod memory_needed;
mod permutation;
mod sample;
mod scatter;
mod twin;
mod wear;

use super::Translation;
use crate::gc::{Collected, GcSettings, MovedData};
use flashscope_kernel::choice;
use flashscope_kernel::random::{Stream, Streams, unit_interval};
use flashscope_kernel::signs_of_life::{begins, reached};
use serde::{Deserialize, Serialize};

/// Units after which a long fill says how far it is.
const UNITS_IN_A_ROW: u32 = 1 << 10;

choice! {
    /// How the data was written that an aged drive holds.
    #[derive(Default)]
    pub enum Overwrites {
        /// Once, in the order of addresses.
        #[default]
        None = "none",
        /// In the order of addresses, and then by uniform random writes of whole mapping units until the state is
        /// steady.
        Random = "random",
    }
}

/// The state that a drive is put into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgedState {
    /// Share of the user space that holds data, from address 0.
    pub fill_ratio: f64,
    /// How it was written.
    pub overwrites: Overwrites,
    /// Erase cycles that the usable blocks get on average, added to those they have; 0: as many as writing the state
    /// takes.
    pub erase_count_mean: u32,
    /// Standard deviation of these cycles, as a share of their mean; 0: as even as whole numbers allow.
    pub erase_count_spread_ratio: f64,
}

/// Why a drive cannot be put into a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgeRefusal {
    /// The name of the value that was refused.
    pub key: &'static str,
    /// The value found.
    pub found: String,
    /// The values that are accepted.
    pub accepted: String,
}

/// The writes that would have led to an aged state, in addition to the tally, and the work that is left to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgedBy {
    /// Units written in the order of addresses.
    pub sequential_units: u64,
    /// Units written at random after that.
    pub random_units: u64,
    /// Work per pool that was decided for the block the host is filling. When work is spread, it is done while the
    /// block is filled.
    pub owed: Vec<Collected>,
}

/// How the drive is written until it has its state.
#[derive(Clone, Copy, Debug)]
pub struct Habits<'a> {
    /// Its garbage collection.
    pub gc: &'a GcSettings,
    /// Every unit written at random is programmed in a page of its own, because there is no buffer to collect them.
    pub page_per_unit: bool,
}

impl Habits<'_> {
    /// All pools fill their host blocks in step: each gets a page in turn, and moved data goes elsewhere.
    fn in_step(&self) -> bool {
        self.gc.moved_data == MovedData::Apart
    }

    /// The same, and the pages written to each pool follow from the number of units that the host has written.
    fn one_stream_in_step(&self) -> bool {
        self.in_step() && self.gc.separation.is_none()
    }
}

impl AgedState {
    /// Refuses values that are impossible for any drive.
    pub fn check(&self) -> Result<(), AgeRefusal> {
        let refuse = |key, found: f64, accepted: &str| {
            Err(AgeRefusal { key, found: found.to_string(), accepted: accepted.into() })
        };
        if !(0.0..=1.0).contains(&self.fill_ratio) {
            return refuse("aged.fill_ratio", self.fill_ratio, "0 to 1");
        }
        if !(0.0..=1.0).contains(&self.erase_count_spread_ratio) {
            return refuse("aged.erase_count_spread_ratio", self.erase_count_spread_ratio, "0 to 1");
        }
        Ok(())
    }

    fn filled_units(&self, unit_count: u32) -> u32 {
        (libm::round(self.fill_ratio * f64::from(unit_count)) as u32).min(unit_count)
    }
}

impl Translation {
    /// Put a drive that holds no data into an aged state. A refusal leaves the drive as it was, except for
    /// [`Overwrites::None`] on a drive that cannot hold the data.
    pub fn age(&mut self, state: &AgedState, habits: &Habits<'_>, streams: &Streams) -> Result<AgedBy, AgeRefusal> {
        state.check()?;
        if !self.holds_nothing() {
            return Err(AgeRefusal {
                key: "aged",
                found: "a drive that holds data".into(),
                accepted: "a new drive, or one that was just secure-erased".into(),
            });
        }
        let mut chance = streams.stream("aged state");
        let filled_units = state.filled_units(self.map.unit_count());
        match state.overwrites {
            _ if filled_units == 0 => self.age_wear_only(state, &mut chance),
            Overwrites::None => self.age_sequentially(state, filled_units, &mut chance),
            Overwrites::Random => self.age_at_random(state, filled_units, habits, &mut chance),
        }
    }

    fn holds_nothing(&self) -> bool {
        let usable: u32 = self.pools.iter().map(|pool| pool.usable_blocks).sum();
        let free: usize = self.pools.iter().map(|pool| pool.free.len()).sum();
        free == usable as usize
    }

    fn nothing_owed(&self) -> Vec<Collected> {
        vec![Collected::default(); self.pools.len()]
    }

    fn age_wear_only(&mut self, state: &AgedState, chance: &mut Stream) -> Result<AgedBy, AgeRefusal> {
        let wear = self.draw_wear(state, f64::from(state.erase_count_mean), chance)?;
        self.wear_out(&wear);
        // All that was written in those cycles was erased again; it was written in order.
        let units = wear.erases() * u64::from(self.blocks.slots_per_block());
        self.count_sequential(units);
        Ok(AgedBy { sequential_units: units, random_units: 0, owed: self.nothing_owed() })
    }

    /// Writing in order is so fast that the layer really does it.
    fn age_sequentially(
        &mut self,
        state: &AgedState,
        filled_units: u32,
        chance: &mut Stream,
    ) -> Result<AgedBy, AgeRefusal> {
        let earlier = self.age_wear_only(state, chance)?;
        begins("filling in order", filled_units.into());
        let mut unit = 0;
        while unit < filled_units {
            if self.takes_runs() {
                let row_ends = (unit / UNITS_IN_A_ROW + 1).saturating_mul(UNITS_IN_A_ROW).min(filled_units);
                unit += self.place_run(unit..row_ends, true);
                if unit == row_ends {
                    reached(unit.into(), 2 * u64::from(UNITS_IN_A_ROW));
                    continue;
                }
            } else if unit.is_multiple_of(UNITS_IN_A_ROW) {
                reached(unit.into(), 8 * u64::from(UNITS_IN_A_ROW));
            }
            let placed = self.place(unit, 0, 0).map_err(|_| too_full(state))?;
            if let Some(page) = placed.complete {
                self.page_programmed(page);
            }
            unit += 1;
        }
        while let Some(page) = self.pad_page() {
            self.page_programmed(page);
        }
        let sequential_units = earlier.sequential_units + u64::from(filled_units);
        Ok(AgedBy { sequential_units, ..earlier })
    }
}

fn too_full(state: &AgedState) -> AgeRefusal {
    AgeRefusal {
        key: "aged.fill_ratio",
        found: state.fill_ratio.to_string(),
        accepted: "less: the blocks that are left cannot hold so much and still be written to".into(),
    }
}

/// A draw from the normal distribution of mean 0 and deviation 1 (Box and Muller 1958).
fn normal(chance: &mut Stream) -> f64 {
    let radius = libm::sqrt(-2.0 * libm::log(unit_interval(chance)));
    radius * libm::cos(2.0 * std::f64::consts::PI * unit_interval(chance))
}
