//! Which block is collected next: all policies in one list.
//!
//! ```text
//!   gc.policy = "NAME"  -->  VictimRule, the name  -->  Victims, one pool's policy with its memory
//!                            (two names may share a type)
//! ```
//!
//! To add a policy: write a file in this folder with a type that implements [`VictimPolicy`]. In this file, add its
//! name to [`VictimRule`], its type to [`Victims`] and its construction to [`Victims::new`]. Parsing, error texts, the
//! border to Python and the tests take the names from here. The twin (`crates/drive/tests/twin/victims.rs`) has its own
//! implementation of each policy, and does not compile without the new one; a test requires a row for it in
//! `docs/reference/collection.md`.

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
    /// The rule by which a drive chooses victims. Snapshots store the position in this list: new rules are added at its
    /// end.
    pub enum VictimRule {
        /// The closed block with the fewest valid slots.
        Greedy = "greedy",
        /// The block closed longest ago.
        Fifo = "fifo",
        /// The best of a few blocks drawn at random.
        DChoices = "d-choices",
        /// A block drawn at random.
        Random = "random",
        /// The block with the most benefit for its cost, where old blocks are worth more.
        CostBenefit = "cost-benefit",
    }
}

/// The types of all policies as one type that can be stored in a snapshot.
macro_rules! victims {
    ($($Policy:ident($Type:path),)+) => {
        /// One pool's policy with its memory.
        #[derive(Clone, Debug, Serialize, Deserialize)]
        pub enum Victims {
            $(#[doc = concat!("Victims as `", stringify!($Policy), "` chooses them.")] $Policy($Type),)+
        }

        impl Victims {
            /// The policy itself, as the trait object that callers use.
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

// Snapshots store the position in this list: new policies are added at its end.
victims! {
    Greedy(greedy::Greedy),
    Fifo(fifo::Fifo),
    DChoices(d_choices::DChoices),
    CostBenefit(cost_benefit::CostBenefit),
}

impl Victims {
    /// The policy of that name for the blocks of one pool. `choices` is for those that draw blocks, `stream` is the
    /// policy's own random stream.
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
