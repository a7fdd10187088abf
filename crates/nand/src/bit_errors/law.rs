//! The raw bit error rate of a page: how it grows with wear, time and reads of the same block.
//!
//! ```text
//!   RBER = block factor * [ fresh + a c^k  +  b c^m t^n  +  g c^p r^q ]
//!                                  wear      retention      disturb
//!   c  erase cycles of the block
//!   t  days since it was programmed, at the reference temperature (see `temperature.rs`)
//!   r  reads of the block since it was programmed (published constants count reads *per page*: see
//!      [`BitErrorLaw::counted_per_block`])
//! ```
//!
//! The additive power law of Kim, Choi and Min, "Design tradeoffs for SSD reliability", FAST 2019. A term with
//! a coefficient of 0 is off. All coefficients are those of an average block.
//!
//! Assumed: the terms are independent and are added; a block that was never erased keeps its data for ever
//! and is not disturbed (`0^m = 0`), as the law is published.
//! Not modelled here: layers and page types (lower and upper pages have the same rate), the fast first hours of
//! retention in charge-trap cells (ln t below a day; the power law gives too few errors there), writing at another
//! temperature than reading, recovery of a block that is not used.

use serde::{Deserialize, Serialize};

/// Seconds in a day, the unit of time of the published constants.
pub const DAY_S: u64 = 86_400;

/// The constants of the law, per bit.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitErrorLaw {
    /// Rate on a block that was never erased [wrong bits per bit read].
    pub fresh_ratio: f64,
    /// Factor of the wear term.
    pub wear_coefficient: f64,
    /// Power of the erase count in the wear term.
    pub wear_exponent: f64,
    /// Factor of the retention term; 0: data does not age.
    #[serde(default)]
    pub retention_coefficient: f64,
    /// Power of the erase count in the retention term.
    #[serde(default)]
    pub retention_wear_exponent: f64,
    /// Power of the days in the retention term.
    #[serde(default)]
    pub retention_time_exponent: f64,
    /// Factor of the read disturb term; 0: reading harms nothing.
    #[serde(default)]
    pub disturb_coefficient: f64,
    /// Power of the erase count in the read disturb term.
    #[serde(default)]
    pub disturb_wear_exponent: f64,
    /// Power of the reads in the read disturb term.
    #[serde(default)]
    pub disturb_reads_exponent: f64,
    /// Standard deviation of the block factor, whose mean is 1 (log-normal); 0: all blocks are alike.
    #[serde(default)]
    pub block_variation_cv: f64,
}

impl BitErrorLaw {
    /// MLC of the 3x nm generation (2009 to 2011).
    ///
    /// Not published: calibrated for this project to two anchors of Hetzler 2012, 3.4e-4 at 3,000 cycles and
    /// one year, and a factor of 2e4 from (1 cycle, 0 h) to there. The disturb term is a guess.
    pub fn mlc_3x_nm() -> Self {
        Self {
            fresh_ratio: 1.7e-8,
            wear_coefficient: 1.8e-12,
            wear_exponent: 1.5,
            retention_coefficient: 5.07e-11,
            retention_wear_exponent: 1.3,
            retention_time_exponent: 0.9,
            disturb_coefficient: 1e-11,
            disturb_wear_exponent: 0.5,
            disturb_reads_exponent: 1.0,
            block_variation_cv: 0.0,
        }
    }

    /// TLC of 72 layers.
    ///
    /// Kim, Choi and Min, FAST 2019, as used by the fork MQSim-JW. The unit of time is taken to be days, because then
    /// LDPC can still correct a worn page after one year.
    pub fn tlc_72_layers() -> Self {
        Self {
            fresh_ratio: 1.48e-3,
            wear_coefficient: 3.90e-10,
            wear_exponent: 2.05,
            retention_coefficient: 6.28e-5,
            retention_wear_exponent: 0.14,
            retention_time_exponent: 0.54,
            disturb_coefficient: 3.73e-9,
            disturb_wear_exponent: 0.33,
            disturb_reads_exponent: 1.71,
            block_variation_cv: 0.0,
        }
    }

    /// The same law for reads counted per block, when its constants were fitted to reads per page.
    pub fn counted_per_block(self, pages_per_block: u32) -> Self {
        let disturb_coefficient =
            self.disturb_coefficient / libm::pow(pages_per_block.into(), self.disturb_reads_exponent);
        Self { disturb_coefficient, ..self }
    }

    /// True when the rate depends on how old data is.
    pub fn ages(&self) -> bool {
        self.retention_coefficient != 0.0
    }

    /// True when the rate depends on how often data was read.
    pub fn is_disturbed(&self) -> bool {
        self.disturb_coefficient != 0.0
    }

    /// Raw bit error rate of fresh data in a block erased `erase_count` times [wrong bits per bit read].
    pub fn rate(&self, erase_count: u32) -> f64 {
        self.fresh_ratio + self.wear_coefficient * libm::pow(f64::from(erase_count), self.wear_exponent)
    }

    /// Raw bit error rate of an average block, all terms included [wrong bits per bit read].
    pub fn rate_after(&self, erase_count: u32, retention_s: u64, reads: u64) -> f64 {
        let aged = if retention_s == 0 { 0.0 } else { libm::pow(retention_s as f64, self.retention_time_exponent) };
        let disturbed = if reads == 0 { 0.0 } else { libm::pow(reads as f64, self.disturb_reads_exponent) };
        self.rate(erase_count)
            + self.retention_factor(erase_count) * aged
            + self.disturb_factor(erase_count) * disturbed
    }

    /// The factor of a power of the age *in seconds*.
    pub(super) fn retention_factor(&self, erase_count: u32) -> f64 {
        if !self.ages() {
            return 0.0;
        }
        self.retention_coefficient * libm::pow(f64::from(erase_count), self.retention_wear_exponent)
            / libm::pow(DAY_S as f64, self.retention_time_exponent)
    }

    /// The factor of a power of the number of reads.
    pub(super) fn disturb_factor(&self, erase_count: u32) -> f64 {
        if !self.is_disturbed() {
            return 0.0;
        }
        self.disturb_coefficient * libm::pow(f64::from(erase_count), self.disturb_wear_exponent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR_S: u64 = 365 * DAY_S;

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found / expected - 1.0).abs() < tolerance, "{found:e} is not {expected:e}");
    }

    #[test]
    fn the_mlc_preset_meets_its_anchors() {
        let law = BitErrorLaw::mlc_3x_nm();
        let worn_and_old = law.rate_after(3000, YEAR_S, 0);
        assert_close(law.rate(3000), 3.1e-7, 0.04);
        assert_close(worn_and_old, 3.4e-4, 0.02);
        assert_close(worn_and_old / law.rate_after(1, 0, 0), 2e4, 0.02);
    }

    #[test]
    fn the_tlc_preset_gives_the_rates_worked_out_from_its_publication() {
        let law = BitErrorLaw::tlc_72_layers();
        assert_close(law.rate(0), 1.5e-3, 0.02);
        assert_close(law.rate(1000), 2.0e-3, 0.02);
        assert_close(law.rate(3000), 6.7e-3, 0.02);
        assert_close(law.rate_after(3000, YEAR_S, 0), 1.1e-2, 0.045); // half a unit of the last digit
    }

    #[test]
    fn reads_counted_by_block_disturb_as_much_as_the_reads_of_each_page_did() {
        let law = BitErrorLaw::tlc_72_layers();
        let by_block = law.clone().counted_per_block(768);
        assert_close(by_block.rate_after(500, 0, 768 * 1000), law.rate_after(500, 0, 1000), 1e-12);
        assert_eq!(by_block.rate_after(500, 0, 0), law.rate(500));
    }

    #[test]
    fn each_term_grows_with_its_own_cause_and_only_with_it() {
        let law = BitErrorLaw::mlc_3x_nm();
        let fresh = law.rate(1000);
        assert!(law.rate_after(1000, 1, 0) > fresh && law.rate_after(1000, 0, 1) > fresh);
        let (old, read) = (law.rate_after(1000, YEAR_S, 0) - fresh, law.rate_after(1000, 0, 100_000) - fresh);
        assert_close(law.rate_after(1000, YEAR_S, 100_000) - fresh, old + read, 1e-9);
        assert_close((law.rate_after(1000, 2 * YEAR_S, 0) - fresh) / old, libm::pow(2.0, 0.9), 1e-9);
        let ageless = BitErrorLaw { retention_coefficient: 0.0, disturb_coefficient: 0.0, ..law };
        assert_eq!(ageless.rate_after(1000, YEAR_S, 100_000), fresh);
    }
}
