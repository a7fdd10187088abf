//! Which block is collected next. A policy answers one question, once per erased block.
//!
//! To add one: a file beside these with a type that implements [`VictimPolicy`], a line in [`VictimRule`]
//! and one in [`Victims`].

mod d_choices;
mod fifo;
mod greedy;
mod work;

pub use d_choices::DChoices;
pub use fifo::Fifo;
pub use greedy::Greedy;
pub use work::Collected;

use crate::blocks::Blocks;
use flashscope_kernel::random::Stream;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The rule by which a drive chooses victims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VictimRule {
    /// The closed block with the fewest valid slots.
    Greedy,
    /// The block closed longest ago.
    Fifo,
    /// The best of a few blocks drawn at random.
    DChoices,
    /// A block drawn at random.
    Random,
}

/// When the work of a collection is done, once it was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pacing {
    /// At once: the host's next page of this pool waits for all of it.
    Blocking,
    /// Spread evenly over the host's pages that fill the block it made room for.
    Spread,
}

/// Garbage collection of one drive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GcSettings {
    /// How the victim is chosen.
    pub policy: VictimRule,
    /// Blocks looked at by `d-choices`; the other rules do not use it.
    pub choices: u32,
    /// Collection of a pool starts when the host needs a block and this many, or fewer, are free.
    pub low_water_blocks: u32,
    /// It goes on until this many are free.
    pub high_water_blocks: u32,
    /// When its work is done.
    pub pacing: Pacing,
}

/// The role of a garbage collection policy.
pub trait VictimPolicy {
    /// A closed block out of `pool`, or `None` when none is closed.
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>) -> Option<u32>;

    /// A block was closed.
    fn closed(&mut self, _block: u32) {}

    /// All blocks were erased.
    fn forget(&mut self) {}
}

/// One pool's policy with its memory.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Victims {
    /// See [`Greedy`].
    Greedy(Greedy),
    /// See [`Fifo`].
    Fifo(Fifo),
    /// See [`DChoices`]; a single choice is the random rule.
    DChoices(DChoices),
}

impl Victims {
    /// The policy that `settings` ask for; `stream` is its own source of chance.
    pub fn new(settings: &GcSettings, stream: Stream) -> Self {
        match settings.policy {
            VictimRule::Greedy => Self::Greedy(Greedy::default()),
            VictimRule::Fifo => Self::Fifo(Fifo::default()),
            VictimRule::DChoices => Self::DChoices(DChoices::new(settings.choices, stream)),
            VictimRule::Random => Self::DChoices(DChoices::new(1, stream)),
        }
    }

    /// The policy itself.
    pub fn policy(&mut self) -> &mut dyn VictimPolicy {
        match self {
            Self::Greedy(policy) => policy,
            Self::Fifo(policy) => policy,
            Self::DChoices(policy) => policy,
        }
    }
}
