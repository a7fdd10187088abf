//! What is known of a load that has settled; `settled.rs` measures it and uses it to skip.

use super::stretch::Stretch;
use serde::{Deserialize, Serialize};

/// What is known of a settled load.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Settled {
    pub chosen: bool,
    /// The load has settled, so a single stretch is enough to measure its rates again.
    pub known: bool,
    /// The stretch that is being written.
    pub stretch: Option<Stretch>,
    /// By how much the variance of erase counts grows per erase of a block [cycles].
    pub drift: f64,
    /// Write amplification of the last stretch, while the load is settling.
    pub amplification: Option<f64>,
    pub stretches: u32,
    /// Rounds written in a row so that the drive comes to a block at its end.
    pub rounds_waited: u32,
    /// Per block: true when it was not erased because its data is cold.
    pub lies_still: Vec<bool>,
    /// Per pool: erases of a block in use per slot that the drive fills.
    pub erases_per_unit: Vec<f64>,
    /// Per block: how often it is erased for each erase of its pool's blocks on average.
    pub paces: Vec<f64>,
    /// Per block: fraction of an erase that is left over from the last skip.
    pub owed: Vec<f64>,
    /// Blocks that were usable when the rates were measured.
    pub usable_blocks: u32,
}

impl Settled {
    /// True when a load in order turned out not to make a log.
    pub fn is_chosen(&self) -> bool {
        self.chosen
    }

    pub fn choose(&mut self) {
        self.chosen = true;
    }
}
