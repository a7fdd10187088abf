//! Which block is collected next. A policy answers one question, once per erased block.
//!
//! To add one: a file beside these with a type that implements [`VictimPolicy`], a line in [`VictimRule`]
//! and one in [`Victims`].

mod cost_benefit;
mod d_choices;
mod fifo;
mod greedy;
pub mod separation;
mod settings;
mod work;

pub use cost_benefit::CostBenefit;
pub use d_choices::DChoices;
pub use fifo::Fifo;
pub use greedy::Greedy;
pub use settings::{GcSettings, IdleCollection, MovedData, Pacing, Separation, VictimRule};
pub use work::{Collected, FromPslc};

use crate::blocks::Blocks;
use flashscope_kernel::random::Stream;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// The role of a garbage collection policy. Its clock is what the host has placed [units].
pub trait VictimPolicy {
    /// A closed block out of `pool`, or `None` when none is closed. It stays closed until `collected` is called.
    fn choose(&mut self, blocks: &Blocks, pool: Range<u32>, placed_units: u64) -> Option<u32>;

    /// A block was closed.
    fn closed(&mut self, _block: u32, _placed_units: u64) {}

    /// A closed block was collected, whoever chose it.
    fn collected(&mut self, _block: u32) {}

    /// All blocks were erased.
    fn forget(&mut self) {}

    /// Panics when the policy's memory does not agree with the blocks.
    fn check(&self, _blocks: &Blocks, _pool: Range<u32>) {}
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
    /// See [`CostBenefit`].
    CostBenefit(CostBenefit),
}

impl Victims {
    /// The policy that `settings` ask for, for the blocks of one pool; `stream` is its own source of chance.
    pub fn new(settings: &GcSettings, pool: &Range<u32>, stream: Stream) -> Self {
        match settings.policy {
            VictimRule::Greedy => Self::Greedy(Greedy::default()),
            VictimRule::Fifo => Self::Fifo(Fifo::default()),
            VictimRule::DChoices => Self::DChoices(DChoices::new(settings.choices, stream)),
            VictimRule::Random => Self::DChoices(DChoices::new(1, stream)),
            VictimRule::CostBenefit => Self::CostBenefit(CostBenefit::new(pool)),
        }
    }

    /// The policy itself, to be asked or told something.
    pub fn policy(&mut self) -> &mut dyn VictimPolicy {
        match self {
            Self::Greedy(policy) => policy,
            Self::Fifo(policy) => policy,
            Self::DChoices(policy) => policy,
            Self::CostBenefit(policy) => policy,
        }
    }

    /// Panics when the policy's memory does not agree with the blocks.
    pub fn check(&self, blocks: &Blocks, pool: Range<u32>) {
        match self {
            Self::Greedy(policy) => policy.check(blocks, pool),
            Self::Fifo(policy) => policy.check(blocks, pool),
            Self::DChoices(policy) => policy.check(blocks, pool),
            Self::CostBenefit(policy) => policy.check(blocks, pool),
        }
    }
}
