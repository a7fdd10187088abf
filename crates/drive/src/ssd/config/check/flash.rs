//! Checks of the flash itself: layout, times, errors.

use crate::config_error::{ConfigError, require};
use crate::ssd::config::Config;
use flashscope_kernel::time::{SECOND_NS, YEAR_NS};
use flashscope_nand::Geometry;

impl Config {
    pub(super) fn check_geometry(&self) -> Result<(), ConfigError> {
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
        self.check_block_count()?;
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
        let pages = u64::from(geometry.pages_per_block) * u64::from(geometry.erase_blocks_per_pool_block());
        require("geometry.pages_per_block", geometry.pages_per_block, pages < 1 << 31, || {
            format!("fewer than 2^31 pages in a superblock; this one has {pages}")
        })?;
        let slots = self.slots_per_block();
        require("geometry.pages_per_block", geometry.pages_per_block, slots < 1 << 31, || {
            format!("fewer than 2^31 mapping units in a block; this one has {slots}")
        })
    }

    /// Each count alone may be large; all of them together must still be small enough to index the tables.
    fn check_block_count(&self) -> Result<(), ConfigError> {
        let Geometry { channels, packages_per_channel, dies_per_package, planes_per_die, blocks_per_plane, .. } =
            self.geometry;
        let planes = [channels, packages_per_channel, dies_per_package, planes_per_die];
        let blocks = planes.iter().map(|&count| u64::from(count)).product::<u64>() * u64::from(blocks_per_plane);
        require("geometry.blocks_per_plane", blocks_per_plane, blocks < 1 << 31, || {
            format!("so few that the drive has fewer than 2^31 erase blocks; it has {blocks}")
        })
    }

    pub(super) fn check_times(&self) -> Result<(), ConfigError> {
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
        let rate = timing.bus_bytes_per_second;
        require("timing.bus_bytes_per_second", rate, (1_000..=1_000_000_000_000).contains(&rate), || {
            "1 KB/s to 1 TB/s".into()
        })?;
        let of_a_bank = u64::from(self.geometry.planes_per_die) * u64::from(self.geometry.blocks_per_plane);
        let erased_ns = timing.erase_latency_ns.saturating_mul(of_a_bank);
        require("timing.erase_latency_ns", timing.erase_latency_ns, erased_ns <= YEAR_NS, || {
            format!("so short that the {of_a_bank} blocks of a die are erased one after the other within a year")
        })?;
        require("timing.rated_pe_cycles", timing.rated_pe_cycles, timing.rated_pe_cycles > 0, || "1 or more".into())?;
        let suspend_ns = self.scheduling.suspend_latency_ns;
        require("scheduling.suspend_latency_ns", suspend_ns, suspend_ns <= 1000 * SECOND_NS, || "0 to 1000 s".into())
    }

    pub(super) fn check_errors(&self) -> Result<(), ConfigError> {
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
}
