//! The memory that a drive will take, computed from its configuration before anything of it is made.
//!
//! ```text
//!   page-mapped   4 B for each unit + 4 B for each slot of the flash + some B for each erase block
//!   log blocks    4 B for each unit + a bit for each page            + some B for each erase block, log block
//!   disk          zones, runs of the write cache                       hybrid: the same and lines of the cache
//!   ageing        while a state is laid out: wear and plan of every block, and the small drives that are really written
//! ```
//!
//! An upper bound near the truth for a drive all of which is in use. The system gives memory when it is first written
//! to, so a new drive takes almost none of it. Counts are those of the types in the other crates; tests compare the sum
//! with the memory that a process really takes (`tests/drives/test_memory_needed.py`).
//!
//! Not counted: requests under way, which the host chooses, and what a run records.

use crate::ssd::config::Config;
use crate::{ConfigError, VirtualConfig, disk, hybrid};
use flashscope_ftl::gc::VictimRule;
use flashscope_ftl::translation::ageing::memory_needed::memory_needed as ageing_needed;
use flashscope_ftl::{LogBlockSettings, Overwrites};

/// What every drive takes, however small: its laws, its host side, its counters [bytes].
const EVERY_DRIVE_BYTES: u64 = 512 << 10;
/// State of a block, the place where it waits while it is free, and what is read of it when one looks inside [bytes].
const BYTES_PER_BLOCK: u64 = 13 + 8 + 16;
/// A bank with its queue, its place in the agenda, and what is on its way to it [bytes].
const BYTES_PER_BANK: u64 = 1024;
/// A pool with its frontiers and its share of collection [bytes].
const BYTES_PER_POOL: u64 = 512;
/// A unit of the write buffer: its place in the map of the buffer and in the flush order [bytes].
const BYTES_PER_BUFFERED_UNIT: u64 = 80;
/// A table of a fine map, in the order of use [bytes].
const BYTES_PER_FINE_TABLE: u64 = 32;
/// A log block without its page table [bytes].
const BYTES_PER_LOG_BLOCK: u64 = 64;
/// A zone of a disk [bytes].
const BYTES_PER_ZONE: u64 = 32;
/// A run in the write cache of a disk, and a segment of its read cache [bytes].
const BYTES_PER_RUN: u64 = 128;
/// A line of a hybrid, in the table of lines and in two orders [bytes].
const BYTES_PER_LINE: u64 = 128;

impl Config {
    fn memory_needed(&self, aged: Option<Overwrites>) -> u64 {
        let geometry = &self.geometry;
        let pools = u64::from(geometry.pool_count());
        let blocks = u64::from(geometry.blocks_per_pool()) * pools;
        let buffered = u64::from(self.buffer_settings().room_units);
        let tables = match &self.log_blocks {
            Some(log_blocks) => self.log_block_bytes(log_blocks, blocks, pools),
            None => self.page_map_bytes(blocks),
        };
        let ageing = match aged {
            Some(overwrites) if self.log_blocks.is_none() => {
                ageing_needed(overwrites, geometry.blocks_per_pool(), geometry.pool_count(), self.slots_per_block())
            }
            _ => 0,
        };
        [
            EVERY_DRIVE_BYTES,
            tables,
            blocks.saturating_mul(BYTES_PER_BLOCK + self.optional_bytes_per_block()),
            u64::from(geometry.bank_count()) * BYTES_PER_BANK,
            pools * BYTES_PER_POOL,
            buffered * BYTES_PER_BUFFERED_UNIT,
            ageing,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }

    fn page_map_bytes(&self, blocks: u64) -> u64 {
        let entries_per_slot = self.compression.map_or(1, |compression| u64::from(compression.most_units_per_slot));
        let slots = blocks.saturating_mul(self.slots_per_block()).saturating_mul(entries_per_slot);
        let bytes_per_unit = 4 + u64::from(self.compression.is_some());
        let fine_map = self.fine_map.as_ref().map_or(0, |fine| {
            let regions = self.capacity.user_bytes.div_ceil(fine.region_bytes);
            12 * regions + BYTES_PER_FINE_TABLE * regions.min(fine.region_count.into())
        });
        self.unit_count()
            .saturating_mul(bytes_per_unit)
            .saturating_add(slots.saturating_mul(4))
            .saturating_add(fine_map)
    }

    fn log_block_bytes(&self, log_blocks: &LogBlockSettings, blocks: u64, pools: u64) -> u64 {
        let pages = self.slots_per_block();
        let logical_blocks = self.unit_count().div_ceil(pages);
        let places = u64::from(log_blocks.log_blocks_per_pool(self.geometry.pool_count())) + 1;
        let in_use = (places * pools).min(blocks);
        4 * self.unit_count()
            + 8 * logical_blocks
            + blocks * (2 + 8 * pages.div_ceil(64))
            + BYTES_PER_LOG_BLOCK * places * pools
            + in_use.saturating_mul(4 * pages)
    }

    /// What the mechanisms keep of each block that not every drive has.
    fn optional_bytes_per_block(&self) -> u64 {
        let law = self.error_law();
        let kept = [
            (self.compression.is_some(), 4),
            (law.ages(), 4),
            (law.is_disturbed(), 8),
            (law.block_variation_cv > 0.0, 16),
            (matches!(self.gc.policy, VictimRule::Fifo | VictimRule::CostBenefit), 8),
            (self.gc.separation.is_some(), 8),
            (self.wear_leveling.static_spread_cycles.is_some(), 8),
            (self.pslc.is_some(), 9),
            (self.endurance.is_some(), 4),
        ];
        kept.iter().filter(|(has, _)| *has).map(|(_, bytes)| bytes).sum()
    }
}

fn of_disk(config: &disk::Config) -> u64 {
    let runs = u64::from(config.write_cache.run_count) + u64::from(config.read_cache.segment_count);
    EVERY_DRIVE_BYTES + BYTES_PER_ZONE * u64::from(config.geometry.zone_count) + BYTES_PER_RUN * runs
}

fn of_hybrid(config: &hybrid::Config) -> u64 {
    // As many lines as the flash holds, and as many more that are remembered.
    of_disk(&config.disk).saturating_add(config.line_count().saturating_mul(2 * BYTES_PER_LINE))
}

impl VirtualConfig {
    /// An upper bound of the memory that this drive takes [bytes], when it is put into an aged state also of what that
    /// takes meanwhile. Refuses a configuration that no drive can be built from.
    pub fn memory_needed(&self, aged: Option<Overwrites>) -> Result<u64, ConfigError> {
        match self {
            Self::Ssd(config) => config.check().map(|()| config.memory_needed(aged)),
            Self::Disk(config) => config.check().map(|()| of_disk(config)),
            Self::Hybrid(config) => config.check().map(|()| of_hybrid(config)),
            Self::Memory(config) => config.check().map(|()| EVERY_DRIVE_BYTES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ssd;
    use crate::ssd::tests::small_config;

    #[test]
    fn the_bound_holds_for_the_tables_of_drives_of_every_mapping_and_is_no_multiple_of_the_truth() {
        let mut larger = small_config();
        larger.geometry.blocks_per_plane *= 64;
        larger.capacity.user_bytes *= 64;
        for config in [small_config(), larger] {
            let bound = config.memory_needed(None) - EVERY_DRIVE_BYTES;
            let taken = Ssd::new(config, 1).unwrap().memory_bytes() as u64;
            assert!((taken..4 * taken).contains(&bound), "{bound} for {taken}");
        }
    }

    #[test]
    fn ageing_takes_more_and_the_largest_drive_of_all_has_a_number_too() {
        let mut config = small_config();
        assert!(config.memory_needed(Some(Overwrites::Random)) > config.memory_needed(None));
        config.geometry.blocks_per_plane = u32::MAX / 4;
        config.capacity.user_bytes = u64::MAX;
        assert!(
            config.memory_needed(Some(Overwrites::Random)) > 1 << 40,
            "it is not allowed, and it does not overflow"
        );
    }
}
