//! Checks of the mechanisms that a part may have in a section of their own.

use crate::config_error::{ConfigError, require};
use crate::ssd::config::Config;
use flashscope_ftl::MovedData;
use flashscope_kernel::time::SECOND_NS;

impl Config {
    pub(super) fn check_log_blocks(&self) -> Result<(), ConfigError> {
        let Some(log_blocks) = &self.log_blocks else { return Ok(()) };
        let geometry = &self.geometry;
        let (unit, programmed) = (self.mapping.unit_bytes, geometry.programmed_page_bytes());
        require("mapping.unit_bytes", unit, unit == programmed, || {
            format!("with log blocks exactly the programmed page, {programmed} B")
        })?;
        let pages = geometry.pages_per_pool_block();
        require("geometry.pages_per_block", pages, pages < 1 << 16, || {
            "with log blocks fewer than 65536 programmed pages in a block".into()
        })?;
        let pools = u64::from(geometry.pool_count());
        let spare = u64::from(log_blocks.spare_blocks_per_pool(geometry.pool_count())) * pools;
        let blocks = self.data_slots() / self.slots_per_block();
        let logical = self.unit_count().div_ceil(self.slots_per_block());
        require("log_blocks.log_block_count", log_blocks.log_block_count, logical + spare <= blocks, || {
            format!(
                "so few that {logical} blocks of host data and {spare} for writing fit the {blocks} that are usable"
            )
        })
    }

    pub(super) fn check_parity(&self) -> Result<(), ConfigError> {
        let stripe = self.parity.stripe_pages;
        if stripe == 0 {
            return Ok(());
        }
        let pages = self.geometry.pages_per_pool_block();
        require("parity.stripe_pages", stripe, (2..=pages).contains(&stripe), || {
            format!("0 (none), or 2 to the {pages} pages of a block: a stripe has data and one page of parity")
        })?;
        let bits = self.pslc.filter(|pslc| pslc.is_on()).map_or(1, |pslc| pslc.bits_per_cell.max(1));
        let pslc_pages = self.geometry.pages_per_block / bits * self.geometry.erase_blocks_per_pool_block();
        require("parity.stripe_pages", stripe, pslc_pages >= 2, || {
            "0 with pSLC blocks of a single page: it would be parity of nothing".into()
        })?;
        require("log_blocks", "set", self.log_blocks.is_none(), || {
            "absent with parity, which is a matter of page-mapped drives: a data block keeps every page in its place"
                .into()
        })
    }

    pub(super) fn check_pslc(&self) -> Result<(), ConfigError> {
        let Some(pslc) = self.pslc.as_ref().filter(|pslc| pslc.is_on()) else { return Ok(()) };
        let pages = self.geometry.pages_per_block;
        let bits = pslc.bits_per_cell;
        require("pslc.bits_per_cell", bits, (2..=8).contains(&bits) && bits <= pages, || {
            format!("2 to 8, and at most the {pages} pages of a block")
        })?;
        let Some(times) = &self.timing.pslc else {
            return require("timing.pslc", "absent", false, || "the times of a pSLC block, since there is pslc".into());
        };
        for (key, found) in [
            ("timing.pslc.read_latency_ns", times.read_latency_ns),
            ("timing.pslc.program_latency_ns", times.program_latency_ns),
            ("timing.pslc.erase_latency_ns", times.erase_latency_ns),
        ] {
            require(key, found, (1..=1000 * SECOND_NS).contains(&found), || "1 ns to 1000 s; nothing is free".into())?;
        }
        require("log_blocks", "set", self.log_blocks.is_none(), || {
            "absent with pslc, which is a matter of page-mapped drives".into()
        })?;
        require("gc.moved_data", "with-host", self.gc.moved_data == MovedData::Apart, || {
            "apart with pslc: moved data goes to native blocks".into()
        })?;
        let blocks = self.geometry.blocks_per_pool();
        let fixed = pslc.static_block_count;
        require("pslc.static_block_count", fixed, fixed <= blocks / 2, || {
            format!("at most half of the {blocks} blocks of a pool")
        })?;
        let (kept, high) = (pslc.dynamic_keep_free_blocks, self.gc.high_water_blocks);
        require("pslc.dynamic_keep_free_blocks", kept, kept == 0 || (high..blocks).contains(&kept), || {
            format!(
                "0 (no dynamic cache), or at least gc.high_water_blocks, which is {high}, and under the {blocks} blocks \
                 of a pool"
            )
        })?;
        let delay_ns = pslc.fold_delay_ns;
        require("pslc.fold_delay_ns", delay_ns, delay_ns <= 1000 * SECOND_NS, || "0 to 1000 s".into())
    }

    pub(super) fn check_fine_map(&self) -> Result<(), ConfigError> {
        let Some(fine) = &self.fine_map else { return Ok(()) };
        let (unit, programmed) = (self.mapping.unit_bytes, self.geometry.programmed_page_bytes());
        require("mapping.unit_bytes", unit, unit == programmed, || {
            format!("with a fine map exactly the programmed page, {programmed} B")
        })?;
        let (region, user) = (fine.region_bytes, self.capacity.user_bytes);
        let holds = region.is_multiple_of(unit.into()) && region >= 2 * u64::from(unit) && region <= user;
        require("fine_map.region_bytes", region, holds, || {
            format!("a multiple of the mapping unit, two units to the {user} B of the drive")
        })?;
        let merge = fine.merge_bytes;
        let holds = merge == 0 || (merge.is_multiple_of(region) && merge <= user && self.pslc.is_some());
        require("fine_map.merge_bytes", merge, holds, || {
            format!(
                "0 (nothing is merged), or with pslc a multiple of the region of {region} B, up to the {user} B of the drive"
            )
        })?;
        require("fine_map.region_count", fine.region_count, fine.region_count >= 1, || "1 or more".into())?;
        let delay_ns = fine.gather_delay_ns;
        require("fine_map.gather_delay_ns", delay_ns, delay_ns <= 1000 * SECOND_NS, || "0 (never) to 1000 s".into())?;
        require("log_blocks", "set", self.log_blocks.is_none(), || {
            "absent with a fine map, which is a matter of page-mapped drives".into()
        })?;
        require("compression", "set", self.compression.is_none(), || {
            "absent with a fine map: a unit of it is a page".into()
        })
    }

    pub(super) fn check_compression(&self) -> Result<(), ConfigError> {
        let Some(compression) = &self.compression else { return Ok(()) };
        let most = compression.most_units_per_slot;
        require("compression.most_units_per_slot", most, (1..=8).contains(&most), || "1 to 8".into())?;
        let entries = self.geometry.raw_bytes() / u64::from(self.mapping.unit_bytes) * u64::from(most);
        let of_block = self.slots_per_block() * u64::from(most);
        // A unit that does not compress takes 255 x `most` parts; see `flashscope_ftl::compression`.
        let parts_of_block = of_block * 255;
        let fits = entries < u64::from(u32::MAX) - 1 && parts_of_block < 1 << 30;
        require("compression.most_units_per_slot", most, fits, || {
            format!(
                "so few that the map has fewer than 2^32 entries and a block fewer than 2^22; here {entries} and {of_block}"
            )
        })?;
        require("log_blocks", "set", self.log_blocks.is_none(), || {
            "absent with compression, which is a matter of page-mapped drives".into()
        })
    }
}
