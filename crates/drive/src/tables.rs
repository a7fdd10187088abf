//! The memory that a drive's tables will take, computed from its configuration before they are made.
//!
//! An upper bound for the tables that grow with the drive: those with an entry for each mapping unit, each slot of the
//! flash or each erase block. The system assigns memory when it is first written to, so a new drive takes almost none
//! of it.
//!
//! Not counted: memory that grows with the work (requests under way, sampled series), and what every drive needs alike.

use crate::ssd::config::Config;
use crate::{ConfigError, VirtualConfig};

/// Bytes per block for counts, dates, keys and places in lists, if every mechanism keeps books of it.
const BYTES_PER_BLOCK: u64 = 96;
/// Bytes per unit of the write buffer: its place in the map of the buffer and in the flush order.
const BYTES_PER_BUFFERED_UNIT: u64 = 64;
/// Bytes per zone of a disk.
const BYTES_PER_ZONE: u64 = 64;

impl Config {
    /// An upper bound of the tables of this drive [bytes]. The configuration must have been checked.
    fn table_bytes(&self) -> u64 {
        let entries_per_slot = self.compression.map_or(1, |compression| u64::from(compression.most_units_per_slot));
        let blocks = u64::from(self.geometry.blocks_per_pool()) * u64::from(self.geometry.pool_count());
        let pages = blocks * u64::from(self.geometry.pages_per_pool_block());
        let slots = pages * u64::from(self.slots_per_page()) * entries_per_slot;
        // Where it lies, where it follows on, how compressible it is.
        let bytes_per_unit = 4 + 4 * u64::from(self.fine_map.is_some()) + u64::from(self.compression.is_some());
        let buffered_units = self.buffer.bytes / u64::from(self.mapping.unit_bytes);
        self.unit_count() * bytes_per_unit
            + 4 * slots
            + BYTES_PER_BLOCK * blocks
            + BYTES_PER_BUFFERED_UNIT * buffered_units
    }
}

impl VirtualConfig {
    /// An upper bound of the tables of this drive [bytes]. Refuses a configuration that no drive can be built from.
    pub fn table_bytes(&self) -> Result<u64, ConfigError> {
        match self {
            Self::Ssd(config) => config.check().map(|()| config.table_bytes()),
            Self::Disk(config) => config.check().map(|()| BYTES_PER_ZONE * u64::from(config.geometry.zone_count)),
            Self::Hybrid(config) => {
                config.check().map(|()| BYTES_PER_ZONE * u64::from(config.disk.geometry.zone_count))
            }
            Self::Memory(config) => config.check().map(|()| 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Ssd;
    use crate::ssd::tests::small_config;

    #[test]
    fn the_bound_holds_for_drives_of_every_mapping_and_is_no_multiple_of_the_truth() {
        let mut larger = small_config();
        larger.geometry.blocks_per_plane *= 64;
        larger.capacity.user_bytes *= 64;
        for config in [small_config(), larger] {
            let bound = config.table_bytes();
            let taken = Ssd::new(config, 1).unwrap().memory_bytes() as u64;
            assert!((taken..10 * taken).contains(&bound), "{bound} for {taken}");
        }
    }
}
