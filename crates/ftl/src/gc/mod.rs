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
//! own words, and the compiler asks for the new one there; a test asks for its row in `docs/reference/collection.md`.

mod cost_benefit;
mod d_choices;
mod fifo;
mod greedy;
pub mod separation;
mod settings;
mod victim_policy;
mod work;

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

/// The types that policies have, as one type that can be kept in a snapshot.
macro_rules! victims {
    ($($Policy:ident($Type:path),)+) => {
        /// One pool's policy with its memory.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum Victims {
            $(#[doc = concat!("Victims as `", stringify!($Policy), "` chooses them.")] $Policy($Type),)+
        }

        impl Victims {
            /// The policy itself, to be asked or told something.
            pub fn policy(&mut self) -> &mut dyn VictimPolicy {
                match self {
                    $(Self::$Policy(policy) => policy,)+
                }
            }

            /// Panics when the policy's memory does not agree with the blocks.
            pub fn check(&self, blocks: &Blocks, pool: Range<u32>) {
                match self {
                    $(Self::$Policy(policy) => policy.check(blocks, pool),)+
                }
            }
        }
    };
}

// Snapshots keep the place in this list: new ones go to its end.
victims! {
    Greedy(greedy::Greedy),
    Fifo(fifo::Fifo),
    DChoices(d_choices::DChoices),
    CostBenefit(cost_benefit::CostBenefit),
}

impl Victims {
    /// The policy of that name for the blocks of one pool. `choices` is for those that draw blocks, `stream` is the
    /// policy's own source of chance.
    pub fn new(rule: VictimRule, choices: u32, pool: &Range<u32>, stream: Stream) -> Self {
        match rule {
            VictimRule::Greedy => Self::Greedy(greedy::Greedy::default()),
            VictimRule::Fifo => Self::Fifo(fifo::Fifo::default()),
            VictimRule::DChoices => Self::DChoices(d_choices::DChoices::new(choices, stream)),
            VictimRule::Random => Self::DChoices(d_choices::DChoices::new(1, stream)),
            VictimRule::CostBenefit => Self::CostBenefit(cost_benefit::CostBenefit::new(pool)),
        }
    }
}
