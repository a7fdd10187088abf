//! Whether the numbers of a part can be true together: every value alone, and against the others.
//!
//! The first contradiction is returned, with the key that makes it, what was found and what would be accepted. Other
//! kinds of drive check theirs with the same `require`.

use super::{Buffer, Config, ConfigError, Link, SECTOR_BYTES};
use flashscope_ftl::MovedData;
use flashscope_kernel::time::SECOND_NS;

/// `Ok` if it holds, otherwise what was found at the key and what would have been accepted.
pub(crate) fn require(
    key: &'static str,
    found: impl ToString,
    holds: bool,
    accepted: impl FnOnce() -> String,
) -> Result<(), ConfigError> {
    if holds { Ok(()) } else { Err(ConfigError { key, found: found.to_string(), accepted: accepted() }) }
}

/// The two values of a link that every kind of drive checks alike.
pub(crate) fn check_link(link: &Link, rate_key: &'static str, depth_key: &'static str) -> Result<(), ConfigError> {
    let rate = link.bytes_per_second;
    require(rate_key, rate, (1_000..=1_000_000_000_000).contains(&rate), || "1 KB/s to 1 TB/s".into())?;
    require(depth_key, link.queue_depth, (1..=65_536).contains(&link.queue_depth), || "1 to 65536".into())
}

impl Config {
    /// Check every value, alone and together with the others; the first contradiction is returned.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_geometry()?;
        self.check_parity()?;
        self.check_times()?;
        self.check_errors()?;
        self.check_host_side()?;
        self.check_pslc()?;
        self.check_fine_map()?;
        self.check_compression()?;
        self.check_sizes()
    }

    fn check_geometry(&self) -> Result<(), ConfigError> {
        let geometry = &self.geometry;
        let counts = [
            ("geometry.channels", geometry.channels, 64),
            ("geometry.packages_per_channel", geometry.packages_per_channel, 64),
            ("geometry.dies_per_package", geometry.dies_per_package, 64),
            ("geometry.planes_per_die", geometry.planes_per_die, 16),
            ("geometry.blocks_per_plane", geometry.blocks_per_plane, 1 << 20),
            ("geometry.pages_per_block", geometry.pages_per_block, 1 << 14),
        ];
        for (key, found, most) in counts {
            require(key, found, (1..=most).contains(&found), || format!("1 to {most}"))?;
        }
        let page = geometry.page_bytes;
        require("geometry.page_bytes", page, page.is_power_of_two() && (512..=1 << 16).contains(&page), || {
            "a power of two from 512 B to 64 KiB".into()
        })?;
        let lockstep = geometry.lockstep_packages;
        let divides = lockstep > 0 && geometry.packages_per_channel.is_multiple_of(lockstep);
        require("geometry.lockstep_packages", lockstep, matches!(lockstep, 1 | 2 | 4 | 8) && divides, || {
            format!("1, 2, 4 or 8, and a divisor of the {} packages on a channel", geometry.packages_per_channel)
        })?;
        let unit = self.mapping.unit_bytes;
        let programmed = geometry.programmed_page_bytes();
        let fits = unit.is_power_of_two() && (512..=1 << 16).contains(&unit) && programmed.is_multiple_of(unit);
        require("mapping.unit_bytes", unit, fits, || {
            format!("a power of two from 512 B to 64 KiB that divides the programmed page of {programmed} B")
        })?;
        let slots = self.slots_per_block();
        require("geometry.pages_per_block", geometry.pages_per_block, slots < 1 << 31, || {
            format!("fewer than 2^31 mapping units in a block; this one has {slots}")
        })?;
        let Some(log_blocks) = &self.log_blocks else { return Ok(()) };
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

    fn check_parity(&self) -> Result<(), ConfigError> {
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

    fn check_times(&self) -> Result<(), ConfigError> {
        let timing = &self.timing;
        let latencies = &timing.program_latencies_ns;
        let repeats = !latencies.is_empty() && (self.geometry.pages_per_block as usize).is_multiple_of(latencies.len());
        require("timing.program_latencies_ns", format!("{latencies:?}"), repeats, || {
            format!("one time, or a pattern that repeats evenly over {} pages", self.geometry.pages_per_block)
        })?;
        let shortest = latencies.iter().copied().min().unwrap_or(0);
        let times = [
            ("timing.read_latency_ns", timing.read_latency_ns),
            ("timing.program_latencies_ns", shortest),
            ("timing.erase_latency_ns", timing.erase_latency_ns),
            ("link.command_cost_ns", self.link.command_cost_ns),
            ("buffer.idle_flush_ns", self.buffer.idle_flush_ns),
        ];
        for (key, found) in times {
            require(key, found, (1..=1000 * SECOND_NS).contains(&found), || "1 ns to 1000 s; nothing is free".into())?;
        }
        let rates = [
            ("timing.bus_bytes_per_second", timing.bus_bytes_per_second),
            ("link.bytes_per_second", self.link.bytes_per_second),
        ];
        for (key, found) in rates {
            require(key, found, (1_000..=1_000_000_000_000).contains(&found), || "1 KB/s to 1 TB/s".into())?;
        }
        require("timing.rated_pe_cycles", timing.rated_pe_cycles, timing.rated_pe_cycles > 0, || "1 or more".into())?;
        let suspend_ns = self.scheduling.suspend_latency_ns;
        require("scheduling.suspend_latency_ns", suspend_ns, suspend_ns <= 1000 * SECOND_NS, || "0 to 1000 s".into())
    }

    fn check_errors(&self) -> Result<(), ConfigError> {
        let law = &self.bit_errors;
        let numbers = [
            ("bit_errors.fresh_ratio", law.fresh_ratio, 0.5),
            ("bit_errors.wear_coefficient", law.wear_coefficient, 1.0),
            ("bit_errors.wear_exponent", law.wear_exponent, 10.0),
            ("bit_errors.retention_coefficient", law.retention_coefficient, 1.0),
            ("bit_errors.retention_wear_exponent", law.retention_wear_exponent, 10.0),
            ("bit_errors.retention_time_exponent", law.retention_time_exponent, 10.0),
            ("bit_errors.disturb_coefficient", law.disturb_coefficient, 1.0),
            ("bit_errors.disturb_wear_exponent", law.disturb_wear_exponent, 10.0),
            ("bit_errors.disturb_reads_exponent", law.disturb_reads_exponent, 10.0),
            ("bit_errors.block_variation_cv", law.block_variation_cv, 1.0),
            ("temperature.activation_energy_ev", self.temperature.activation_energy_ev, 5.0),
            ("ecc.overdispersion_cv", self.ecc.as_ref().map_or(0.0, |ecc| ecc.overdispersion_cv), 1.0),
        ];
        for (key, found, most) in numbers {
            require(key, found, (0.0..=most).contains(&found), || format!("0 to {most}"))?;
        }
        let celsius = self.temperature.reference_celsius;
        let exists = celsius > -273.15 && celsius < 1000.0;
        require("temperature.reference_celsius", celsius, exists, || "above -273.15, below 1000".into())?;
        let Some(ecc) = &self.ecc else { return Ok(()) };
        let counts = [
            ("ecc.codeword_bytes", ecc.codeword_bytes, 256, 65_536),
            ("ecc.correctable_bits", ecc.correctable_bits, 1, 1024),
            ("ecc.refresh_threshold_bits", ecc.refresh_threshold_bits, 0, 1024),
            ("ecc.parity_bits", ecc.parity_bits, 0, 1 << 20),
        ];
        for (key, found, least, most) in counts {
            require(key, found, (least..=most).contains(&found), || format!("{least} to {most}"))?;
        }
        Ok(())
    }

    fn check_host_side(&self) -> Result<(), ConfigError> {
        let Link { queue_depth, gather_ns, gather_requests, .. } = self.link;
        require("link.queue_depth", queue_depth, (1..=65_536).contains(&queue_depth), || "1 to 65536".into())?;
        require("link.gather_ns", gather_ns, gather_ns <= 1000 * SECOND_NS, || "0 (never) to 1000 s".into())?;
        let gathers = if gather_ns == 0 { gather_requests == 0 } else { (2..=queue_depth).contains(&gather_requests) };
        require("link.gather_requests", gather_requests, gathers, || match gather_ns {
            0 => "0, since link.gather_ns is 0".into(),
            _ => format!("2 to link.queue_depth, which is {queue_depth}, since link.gather_ns is {gather_ns}"),
        })?;
        let Buffer { high_water_ratio: high, low_water_ratio: low, .. } = self.buffer;
        require("buffer.high_water_ratio", high, high > 0.0 && high <= 1.0, || "above 0, at most 1".into())?;
        require("buffer.low_water_ratio", low, (0.0..high).contains(&low), || {
            format!("0 or more, below buffer.high_water_ratio, which is {high}")
        })
    }

    fn check_sizes(&self) -> Result<(), ConfigError> {
        let user = self.capacity.user_bytes;
        require("capacity.user_bytes", user, user > 0 && user.is_multiple_of(SECTOR_BYTES), || {
            format!("a positive multiple of {SECTOR_BYTES} B")
        })?;
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

    fn check_pslc(&self) -> Result<(), ConfigError> {
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

    fn check_fine_map(&self) -> Result<(), ConfigError> {
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

    fn check_compression(&self) -> Result<(), ConfigError> {
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

    fn check_optional_policies(&self) -> Result<(), ConfigError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ssd::Throttle;
    use crate::ssd::tests::small_config;
    use flashscope_ftl::{Association, Compression, LogBlockSettings, Pslc, WhenFull};
    use flashscope_nand::{BitErrorLaw, EccSettings, PslcTiming};

    type Spoil = fn(&mut Config);

    fn log_blocks() -> Option<LogBlockSettings> {
        Some(LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Block })
    }

    /// Give a drive a pSLC cache; its settings, to be spoilt.
    fn with_pslc(config: &mut Config) -> &mut Pslc {
        let pslc = PslcTiming { read_latency_ns: 20_000, program_latency_ns: 200_000, erase_latency_ns: 1_000_000 };
        config.timing.pslc = Some(pslc);
        config.pslc.insert(Pslc {
            bits_per_cell: 3,
            static_block_count: 2,
            dynamic_keep_free_blocks: 0,
            when_full: WhenFull::Past,
            fold_delay_ns: 1_000_000_000,
        })
    }

    /// Give a drive a code; its settings, to be spoilt.
    fn with_ecc(config: &mut Config) -> &mut EccSettings {
        config.ecc.insert(EccSettings::bch(512, 12))
    }

    #[test]
    fn a_contradiction_is_refused_with_the_key_that_makes_it() {
        let cases: [(&str, Spoil); 46] = [
            ("mapping.unit_bytes", |config| config.mapping.unit_bytes = 3000),
            ("mapping.unit_bytes", |config| config.mapping.unit_bytes = 65_536),
            ("timing.read_latency_ns", |config| config.timing.read_latency_ns = 0),
            ("timing.program_latencies_ns", |config| config.timing.program_latencies_ns = vec![1, 2, 3]),
            ("capacity.user_bytes", |config| config.capacity.user_bytes = config.geometry.raw_bytes()),
            ("capacity.initial_bad_block_count", |config| config.capacity.reserved_block_count = 1 << 20),
            ("gc.high_water_blocks", |config| config.gc.high_water_blocks = 1),
            ("geometry.lockstep_packages", |config| config.geometry.lockstep_packages = 2),
            ("geometry.pages_per_block", |config| config.geometry.pages_per_block = 0),
            ("capacity.announced_bytes", |config| config.capacity.announced_bytes = 4096),
            ("buffer.bytes", |config| config.buffer.bytes = config.capacity.user_bytes),
            ("throttle.life_ns", |config| config.throttle = Some(Throttle { life_ns: 5, credit_ns: 5 })),
            ("link.queue_depth", |config| config.link.queue_depth = 0),
            ("link.gather_requests", |config| config.link.gather_ns = 1),
            ("link.gather_requests", |config| config.link.gather_requests = 4),
            ("link.gather_requests", |config| {
                config.link = Link { queue_depth: 1, gather_ns: 1, gather_requests: 2, ..config.link.clone() };
            }),
            ("buffer.high_water_ratio", |config| config.buffer.high_water_ratio = 0.0),
            ("buffer.low_water_ratio", |config| config.buffer.low_water_ratio = 0.5),
            ("timing.pslc", |config| {
                with_pslc(config);
                config.timing.pslc = None;
            }),
            ("log_blocks", |config| {
                with_pslc(config);
                config.log_blocks = log_blocks();
            }),
            ("gc.moved_data", |config| {
                with_pslc(config);
                config.gc.moved_data = MovedData::WithHost;
            }),
            ("pslc.bits_per_cell", |config| with_pslc(config).bits_per_cell = 1),
            ("pslc.static_block_count", |config| with_pslc(config).static_block_count = 17),
            ("capacity.user_bytes", |config| with_pslc(config).static_block_count = 16),
            ("pslc.dynamic_keep_free_blocks", |config| with_pslc(config).dynamic_keep_free_blocks = 1),
            ("pslc.fold_delay_ns", |config| with_pslc(config).fold_delay_ns = u64::MAX),
            ("compression.most_units_per_slot", |config| {
                config.compression = Some(Compression { most_units_per_slot: 9, zero_detection: false });
            }),
            ("parity.stripe_pages", |config| config.parity.stripe_pages = 1),
            ("parity.stripe_pages", |config| {
                config.parity.stripe_pages = config.geometry.pages_per_pool_block() + 1;
            }),
            ("parity.stripe_pages", |config| {
                config.parity.stripe_pages = 2;
                let pages = config.geometry.pages_per_block;
                with_pslc(config).bits_per_cell = pages;
            }),
            ("log_blocks", |config| {
                config.parity.stripe_pages = 16;
                config.log_blocks = log_blocks();
            }),
            ("scheduling.suspend_latency_ns", |config| config.scheduling.suspend_latency_ns = u64::MAX),
            ("bit_errors.fresh_ratio", |config| config.bit_errors.fresh_ratio = 0.51),
            ("bit_errors.retention_coefficient", |config| config.bit_errors.retention_coefficient = -1e-9),
            ("bit_errors.retention_time_exponent", |config| config.bit_errors.retention_time_exponent = f64::NAN),
            ("bit_errors.disturb_wear_exponent", |config| config.bit_errors.disturb_wear_exponent = 11.0),
            ("bit_errors.disturb_reads_exponent", |config| config.bit_errors.disturb_reads_exponent = f64::INFINITY),
            ("bit_errors.block_variation_cv", |config| config.bit_errors.block_variation_cv = 1.5),
            ("temperature.activation_energy_ev", |config| config.temperature.activation_energy_ev = -0.1),
            ("temperature.reference_celsius", |config| config.temperature.reference_celsius = -300.0),
            ("ecc.codeword_bytes", |config| with_ecc(config).codeword_bytes = 255),
            ("ecc.correctable_bits", |config| with_ecc(config).correctable_bits = 0),
            ("ecc.refresh_threshold_bits", |config| with_ecc(config).refresh_threshold_bits = 1025),
            ("ecc.parity_bits", |config| with_ecc(config).parity_bits = u32::MAX),
            ("ecc.overdispersion_cv", |config| with_ecc(config).overdispersion_cv = 2.0),
            ("log_blocks", |config| {
                config.compression = Some(Compression { most_units_per_slot: 2, zero_detection: false });
                config.log_blocks = log_blocks();
            }),
        ];
        let mut all_errors = small_config();
        all_errors.bit_errors = BitErrorLaw::tlc_72_layers();
        with_ecc(&mut all_errors);
        assert_eq!((small_config().check(), all_errors.check()), (Ok(()), Ok(())));
        for (key, spoil) in cases {
            let mut config = small_config();
            spoil(&mut config);
            assert_eq!(config.check().map_err(|error| error.key), Err(key));
        }
    }
}
