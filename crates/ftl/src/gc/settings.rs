//! The settings of garbage collection in the description of a part.
//!
//! Policy, water marks and pacing are required. Everything else may be left out and is then off.

use super::VictimRule;
use crate::wear_leveling::WearLeveling;
use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// When the work of a collection is done after the decision.
    pub enum Pacing {
        /// At once: the host's next page of this pool waits for all of it.
        Blocking = "blocking",
        /// Spread evenly over the host's pages that fill the block it made room for.
        Spread = "spread",
    }
}

choice! {
    /// Where collection puts the data it moves.
    #[derive(Default)]
    pub enum MovedData {
        /// Into a block of its own.
        #[default]
        Apart = "apart",
        /// Into the block that the host fills next, before the host's data: one log. Host data begins in a new page.
        WithHost = "with-host",
    }
}

/// Hot and cold data in blocks of their own.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Separation {
    /// A write is hot when the host has written less than this number times the units of the drive since it wrote the
    /// copy that is replaced.
    pub hot_age_ratio: f64,
}

/// Collection while the host sends no requests.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IdleCollection {
    /// Time without a request after which it begins.
    pub delay_ns: u64,
    /// It goes on until every pool has this many free blocks.
    pub target_free_blocks: u32,
    /// A block is collected when at least this share of its slots is stale.
    pub worthwhile_stale_ratio: f64,
}

/// Garbage collection of one drive.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Where moved data goes.
    #[serde(default)]
    pub moved_data: MovedData,
    /// Whether hot and cold data are kept apart.
    #[serde(default)]
    pub separation: Option<Separation>,
    /// What is collected while the host sends no requests.
    #[serde(default)]
    pub idle: Option<IdleCollection>,
}

impl GcSettings {
    /// A collector with everything optional off.
    pub fn plain(policy: VictimRule, choices: u32, low_water_blocks: u32, high_water_blocks: u32) -> Self {
        Self {
            policy,
            choices,
            low_water_blocks,
            high_water_blocks,
            pacing: Pacing::Blocking,
            moved_data: MovedData::Apart,
            separation: None,
            idle: None,
        }
    }

    /// Blocks of a pool that may be open at the same time: one for host data and one for moved data, twice as many when
    /// hot and cold are kept apart; otherwise one more when static wear levelling moves cold data.
    pub fn open_blocks_per_pool(&self, wear_leveling: &WearLeveling) -> u32 {
        match self.separation {
            Some(_) => 4,
            None => 2 + u32::from(wear_leveling.static_spread_cycles.is_some()),
        }
    }
}
