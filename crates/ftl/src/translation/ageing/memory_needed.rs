//! The memory that putting a drive into an aged state takes while it lasts, besides the drive's own.

use super::Overwrites;
use super::layout::{MOST_LOOKS, MOST_SLOTS};
use super::scatter;

/// The draws, the cycles and the end of each block, twice for a moment [bytes].
const WEAR_BYTES_PER_BLOCK: u64 = 24;
/// The plan of each block: its valid slots, its dates and its place [bytes].
const PLAN_BYTES_PER_BLOCK: u64 = 36;
/// A slot of a twin: its unit, and the slot of that unit [bytes].
const BYTES_PER_TWIN_SLOT: u64 = 8;
/// A block of a twin: its state, when it was closed, and one look at it [bytes].
const BYTES_PER_TWIN_BLOCK: u64 = 64;
/// Each further look at a block of a twin [bytes].
const BYTES_PER_LOOK: u64 = 24;

/// An upper bound of the memory that ageing takes meanwhile [bytes].
pub fn memory_needed(overwrites: Overwrites, blocks_per_pool: u32, pool_count: u32, slots_per_block: u64) -> u64 {
    let pool_blocks = u64::from(blocks_per_pool);
    let wear = pool_blocks * u64::from(pool_count) * WEAR_BYTES_PER_BLOCK;
    if overwrites == Overwrites::None {
        return wear;
    }
    let slots = pool_blocks.saturating_mul(slots_per_block).min(MOST_SLOTS);
    let twin_blocks = pool_blocks.min(MOST_SLOTS);
    let looks = u64::from(pool_count).min(MOST_LOOKS as u64);
    let all_slots = pool_blocks.saturating_mul(pool_count.into()).saturating_mul(slots_per_block);
    let laying_out = wear
        + pool_blocks * u64::from(pool_count) * PLAN_BYTES_PER_BLOCK
        + slots * BYTES_PER_TWIN_SLOT
        + twin_blocks * (BYTES_PER_TWIN_BLOCK + BYTES_PER_LOOK * looks);
    laying_out.saturating_add(scatter::memory_needed(all_slots))
}
