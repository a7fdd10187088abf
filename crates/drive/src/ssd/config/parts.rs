//! The configuration, translated for the parts that a drive is made of.

use super::{Config, SubUnitWrites};
use flashscope_ftl::{FineMap, FtlSettings, Shape};

impl Config {
    /// The flash as the translation layer sees it.
    pub(crate) fn flash_shape(&self) -> Shape {
        Shape {
            unit_count: self.unit_count() as u32,
            slots_per_page: self.slots_per_page(),
            pages_per_block: self.geometry.pages_per_pool_block(),
            blocks_per_pool: self.geometry.blocks_per_pool(),
            pool_count: self.geometry.pool_count(),
            initial_bad_block_count: self.capacity.initial_bad_block_count,
            reserved_block_count: self.capacity.reserved_block_count,
        }
    }

    /// The policies of the translation layer.
    pub(crate) fn translation_settings(&self) -> FtlSettings {
        FtlSettings {
            gc: self.gc.clone(),
            wear_leveling: self.wear_leveling,
            endurance: self.endurance.clone(),
            erase_blocks_per_block: self.geometry.erase_blocks_per_pool_block(),
            spare_blocks: self.capacity.spare_block_count,
            pslc: self.pslc,
            compression: self.compression,
            parity_stripe_pages: self.parity.stripe_pages,
        }
    }

    /// Which regions may be scattered; none is at the start. `None` on a drive that can map all regions finely.
    pub(crate) fn new_fine_map(&self) -> Option<FineMap> {
        let fine = self.fine_map?;
        let units_per_region = (fine.region_bytes / u64::from(self.mapping.unit_bytes)) as u32;
        Some(FineMap::new(self.unit_count() as u32, units_per_region, fine.region_count))
    }

    /// True when the drive has idle work besides emptying its buffer.
    pub(crate) fn works_when_idle(&self) -> bool {
        self.trim.delay_ns > 0 || self.gc.idle.is_some() || self.pslc.is_some() || self.fine_map.is_some()
    }

    /// Writes that begin or end within a unit bypass the buffer when they are shorter than this [bytes].
    pub(crate) fn through_below_bytes(&self) -> u64 {
        match self.buffer.sub_unit_writes {
            SubUnitWrites::Buffered => 0,
            SubUnitWrites::MergeEnds => u64::from(self.mapping.unit_bytes),
            SubUnitWrites::Through => u64::MAX,
        }
    }
}
