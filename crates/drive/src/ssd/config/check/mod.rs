//! Whether the numbers of a part can be true together: every value alone, and together with the others.
//!
//! The first contradiction is returned: its key, what was found and what would be accepted.

mod flash;
mod host_side;
mod mechanisms;
mod sizes;

use super::Config;
use crate::config_error::ConfigError;

impl Config {
    /// Check every value, alone and together with the others; the first contradiction is returned.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_geometry()?;
        self.check_log_blocks()?;
        self.check_parity()?;
        self.check_times()?;
        self.check_errors()?;
        self.check_host_side()?;
        self.check_pslc()?;
        self.check_fine_map()?;
        self.check_compression()?;
        self.check_sizes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Link;
    use crate::ssd::config::Throttle;
    use crate::ssd::tests::small_config;
    use flashscope_ftl::{Association, Compression, LogBlockSettings, MovedData, Pslc, WhenFull};
    use flashscope_nand::{BitErrorLaw, EccSettings, PslcTiming};

    type Spoil = fn(&mut Config);

    fn log_blocks() -> Option<LogBlockSettings> {
        Some(LogBlockSettings { interleaved: false, log_block_count: 2, association: Association::Block })
    }

    /// Give a drive a pSLC cache; returns its settings, which the test makes invalid.
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

    /// Give a drive a code; returns its settings, which the test makes invalid.
    fn with_ecc(config: &mut Config) -> &mut EccSettings {
        config.ecc.insert(EccSettings::bch(512, 12))
    }

    fn assert_refused(cases: &[(&str, Spoil)]) {
        for (key, spoil) in cases {
            let mut config = small_config();
            spoil(&mut config);
            assert_eq!(config.check().map_err(|error| error.key), Err(*key));
        }
    }

    #[test]
    fn what_the_small_drives_are_made_of_holds_together() {
        let mut all_errors = small_config();
        all_errors.bit_errors = BitErrorLaw::tlc_72_layers();
        with_ecc(&mut all_errors);
        assert_eq!((small_config().check(), all_errors.check()), (Ok(()), Ok(())));
    }

    #[test]
    fn a_contradiction_in_the_flash_is_refused_with_the_key_that_makes_it() {
        assert_refused(&[
            ("mapping.unit_bytes", |config| config.mapping.unit_bytes = 3000),
            ("mapping.unit_bytes", |config| config.mapping.unit_bytes = 65_536),
            ("timing.read_latency_ns", |config| config.timing.read_latency_ns = 0),
            ("timing.program_latencies_ns", |config| config.timing.program_latencies_ns = vec![1, 2, 3]),
            ("geometry.lockstep_packages", |config| config.geometry.lockstep_packages = 2),
            ("geometry.pages_per_block", |config| config.geometry.pages_per_block = 0),
            ("timing.pslc", |config| {
                with_pslc(config);
                config.timing.pslc = None;
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
        ]);
    }

    #[test]
    fn a_contradiction_around_the_flash_is_refused_with_the_key_that_makes_it() {
        assert_refused(&[
            ("capacity.user_bytes", |config| config.capacity.user_bytes = config.geometry.raw_bytes()),
            ("capacity.initial_bad_block_count", |config| config.capacity.reserved_block_count = 1 << 20),
            ("gc.high_water_blocks", |config| config.gc.high_water_blocks = 1),
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
            ("log_blocks", |config| {
                config.compression = Some(Compression { most_units_per_slot: 2, zero_detection: false });
                config.log_blocks = log_blocks();
            }),
        ]);
    }
}
