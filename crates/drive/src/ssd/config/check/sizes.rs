//! Checks of the capacity, of the collection and of the space that the policies need besides.

use crate::config_error::{ConfigError, require};
use crate::request::SECTOR_BYTES;
use crate::ssd::config::Config;

impl Config {
    pub(super) fn check_sizes(&self) -> Result<(), ConfigError> {
        let user = self.capacity.user_bytes;
        require("capacity.user_bytes", user, user > 0 && user.is_multiple_of(SECTOR_BYTES), || {
            format!("a positive multiple of {SECTOR_BYTES} B")
        })?;
        let raw = self.geometry.raw_bytes();
        require("capacity.user_bytes", user, user <= raw, || format!("at most the {raw} B of flash"))?;
        let announced = self.capacity.announced_bytes;
        let honest = announced == 0 || (announced > user && announced.is_multiple_of(SECTOR_BYTES));
        require("capacity.announced_bytes", announced, honest, || {
            format!("0, or for a counterfeit drive a multiple of {SECTOR_BYTES} B above the real {user} B")
        })?;
        if let Some(throttle) = &self.throttle {
            require("throttle.life_ns", throttle.life_ns, throttle.life_ns > throttle.credit_ns, || {
                format!("more than throttle.credit_ns, which is {}", throttle.credit_ns)
            })?;
        }
        let all_slots = self.geometry.raw_bytes() / u64::from(self.mapping.unit_bytes);
        require("mapping.unit_bytes", self.mapping.unit_bytes, all_slots < u64::from(u32::MAX) - 1, || {
            format!("a unit so large that the drive has fewer than 2^32 of them; it has {all_slots}")
        })?;
        let gc = &self.gc;
        require("gc.choices", gc.choices, (1..=1024).contains(&gc.choices), || "1 to 1024".into())?;
        require("gc.low_water_blocks", gc.low_water_blocks, gc.low_water_blocks >= 1, || {
            "1 or more: collection needs a block to move data to".into()
        })?;
        require("gc.high_water_blocks", gc.high_water_blocks, gc.high_water_blocks > gc.low_water_blocks, || {
            format!("more than gc.low_water_blocks, which is {}", gc.low_water_blocks)
        })?;
        self.check_optional_policies()?;
        let pools = u64::from(self.geometry.pool_count());
        let blocks = u64::from(self.geometry.blocks_per_pool()) * pools;
        let lost = u64::from(self.capacity.initial_bad_block_count) + u64::from(self.capacity.reserved_block_count);
        require("capacity.initial_bad_block_count", lost, lost * 2 < blocks, || {
            format!("together with capacity.reserved_block_count under half of the drive's {blocks} blocks")
        })?;
        let always_pslc = self.pslc.map_or(0, |pslc| u64::from(pslc.static_block_count)) * pools;
        let native_slots = self.data_slots().saturating_sub(always_pslc * self.slots_per_block());
        let most = native_slots * u64::from(self.mapping.unit_bytes);
        require("capacity.user_bytes", user, self.unit_count() * u64::from(self.mapping.unit_bytes) <= most, || {
            format!(
                "at most {most} B: what is left of {} B of flash after {lost} bad and reserved blocks and {always_pslc} \
                 that are always pSLC",
                self.geometry.raw_bytes(),
            )
        })?;
        let buffer = self.buffer.bytes;
        require("buffer.bytes", buffer, buffer < user, || format!("less than the {user} B of the drive"))
    }

    pub(super) fn check_optional_policies(&self) -> Result<(), ConfigError> {
        let positive = |value: f64| value > 0.0 && value.is_finite();
        if let Some(separation) = &self.gc.separation {
            let ratio = separation.hot_age_ratio;
            require("gc.separation.hot_age_ratio", ratio, positive(ratio), || "more than 0".into())?;
        }
        if let Some(idle) = &self.gc.idle {
            let ratio = idle.worthwhile_stale_ratio;
            let holds = (0.0..=1.0).contains(&ratio);
            require("gc.idle.worthwhile_stale_ratio", ratio, holds, || "0 to 1".into())?;
            let most = self.geometry.blocks_per_pool();
            require("gc.idle.target_free_blocks", idle.target_free_blocks, idle.target_free_blocks <= most, || {
                format!("at most the {most} blocks of a pool")
            })?;
        }
        let Some(law) = &self.endurance else { return Ok(()) };
        let cycles = law.characteristic_cycles;
        require("endurance.characteristic_cycles", cycles, positive(cycles), || "more than 0".into())?;
        require("endurance.shape", law.shape, positive(law.shape), || "more than 0".into())?;
        let share = law.program_failure_share;
        require("endurance.program_failure_share", share, (0.0..=1.0).contains(&share), || "0 to 1".into())
    }
}
