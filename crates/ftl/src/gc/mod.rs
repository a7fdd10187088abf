//! Which block is collected next: all policies in one list.
//!
//! ```text
//!   gc.policy = "NAME"  -->  VictimRule, the name  -->  Victims, one pool's policy with its memory
//!                            (two names may share a type)
//! ```
//!
//! To add one: a file beside these with a type that implements [`VictimPolicy`], and in this file its name in
//! [`VictimRule`], its type in [`Victims`], how it is made in [`Victims::new`]. Parsing, error texts, the border to
//! Python and the tests take the names from here. The twin (`crates/drive/tests/twin/victims.rs`) has each policy in its
//! own words, and the compiler asks for the new one there.

mod cost_benefit;
mod d_choices;
mod fifo;
mod greedy;
pub mod separation;
mod settings;
mod victim_policy;
mod work;

pub use cost_benefit::CostBenefit;
pub use d_choices::DChoices;
pub use fifo::Fifo;
pub use greedy::Greedy;
pub use settings::{GcSettings, IdleCollection, MovedData, Pacing, Separation};
pub use victim_policy::VictimPolicy;
pub use work::{Collected, FromPslc};

use crate::blocks::Blocks;
use flashscope_kernel::choice;
use flashscope_kernel::random::Stream;
use serde::{Deserialize, Serialize};
use std::ops::Range;

choice! {
    /// The rule by which a drive chooses victims. Snapshots keep the place in this list: new ones go to its end.
    pub enum VictimRule {
        /// The closed block with the fewest valid slots.
        Greedy = "greedy",
        /// The block closed longest ago.
        Fifo = "fifo",
        /// The best of a few blocks drawn at random.
        DChoices = "d-choices",
        /// A block drawn at random.
        Random = "random",
        /// The block that gains most for its cost, where old blocks are worth more.
        CostBenefit = "cost-benefit",
    }
}

/// One pool's policy with its memory. Snapshots keep the place in this list: new ones go to its end.
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

/// The same expression on whichever policy it is.
macro_rules! with_policy {
    ($victims:expr, $policy:ident => $call:expr) => {
        match $victims {
            Victims::Greedy($policy) => $call,
            Victims::Fifo($policy) => $call,
            Victims::DChoices($policy) => $call,
            Victims::CostBenefit($policy) => $call,
        }
    };
}

impl Victims {
    /// The policy of that name for the blocks of one pool. `choices` is for those that draw blocks, `stream` is the
    /// policy's own source of chance.
    pub fn new(rule: VictimRule, choices: u32, pool: &Range<u32>, stream: Stream) -> Self {
        match rule {
            VictimRule::Greedy => Self::Greedy(Greedy::default()),
            VictimRule::Fifo => Self::Fifo(Fifo::default()),
            VictimRule::DChoices => Self::DChoices(DChoices::new(choices, stream)),
            VictimRule::Random => Self::DChoices(DChoices::new(1, stream)),
            VictimRule::CostBenefit => Self::CostBenefit(CostBenefit::new(pool)),
        }
    }

    /// The policy itself, to be asked or told something.
    pub fn policy(&mut self) -> &mut dyn VictimPolicy {
        with_policy!(self, policy => policy)
    }

    /// Panics when the policy's memory does not agree with the blocks.
    pub fn check(&self, blocks: &Blocks, pool: Range<u32>) {
        with_policy!(self, policy => policy.check(blocks, pool));
    }
}
