//! Error correction: how many wrong bits of a codeword can be corrected, and how often there are more.
//!
//! ```text
//!   |  codeword_bytes of user data  | parity |     up to correctable_bits wrong bits are corrected,
//!   |<------------ code bits --------------->|     from refresh_threshold_bits on the data is to be moved
//!
//!   UBER = P(more than correctable_bits wrong in the codeword) / user bits of the codeword
//! ```
//!
//! The closed form is that of JESD218 and of Hetzler (2012). With an overdispersion the wrong bits are
//! beta-binomial, and UBER is many decades worse at the same mean rate.
//!
//! Not modelled here: miscorrection (the decoder returns wrong data and reports no error), soft decoding and read
//! retries (an LDPC code is described by a fixed limit), RAID across dies, uncorrectable errors that do not depend on
//! the bit error rate: Schroeder et al. (FAST 2016) find that most uncorrectable errors in the field are of this kind.

use super::wrong_bits::WrongBits;
use serde::{Deserialize, Serialize};

/// An error-correcting code and what the controller does with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EccSettings {
    /// User data in one codeword.
    pub codeword_bytes: u32,
    /// Check bits in one codeword; they can be wrong like all others. 0 means those of a BCH code, see `completed`.
    #[serde(default)]
    pub parity_bits: u32,
    /// Wrong bits in one codeword that can be corrected.
    pub correctable_bits: u32,
    /// Wrong bits in one codeword from which on the data is to be moved; 0: never.
    #[serde(default)]
    pub refresh_threshold_bits: u32,
    /// Standard deviation of the bit error rate from codeword to codeword, divided by its mean; 0: all alike. For MLC,
    /// 0.3 to 0.6 are reported.
    #[serde(default)]
    pub overdispersion_cv: f64,
}

impl EccSettings {
    /// A binary BCH code over `codeword_bytes` of data: m check bits for each correctable bit, where m is the
    /// smallest for which the codeword fits into 2^m - 1 bits.
    pub fn bch(codeword_bytes: u32, correctable_bits: u32) -> Self {
        let user_bits = u64::from(codeword_bytes) * 8;
        let fits = |m: &u64| user_bits + m * u64::from(correctable_bits) < 1 << m;
        let m = (3..32).find(fits).unwrap_or(32) as u32;
        Self {
            codeword_bytes,
            parity_bits: m * correctable_bits,
            correctable_bits,
            refresh_threshold_bits: 0,
            overdispersion_cv: 0.0,
        }
    }

    /// The same code with the check bits of a BCH code, when no check bits were given.
    pub fn completed(self) -> Self {
        let of_bch = Self::bch(self.codeword_bytes, self.correctable_bits).parity_bits;
        Self { parity_bits: if self.parity_bits == 0 { of_bch } else { self.parity_bits }, ..self }
    }

    /// Bits of data in one codeword.
    pub fn user_bits(&self) -> u32 {
        self.codeword_bytes * 8
    }

    /// All bits of one codeword.
    pub fn code_bits(&self) -> u32 {
        self.user_bits() + self.parity_bits
    }

    /// Uncorrectable bit error rate at a raw bit error rate of `rber` [codewords lost per user bit read].
    pub fn uber(&self, rber: f64) -> f64 {
        libm::exp(self.ln_uber(rber))
    }

    fn ln_uber(&self, rber: f64) -> f64 {
        let wrong_bits = WrongBits::new(self.code_bits(), rber, self.overdispersion_cv);
        wrong_bits.ln_more_than(self.correctable_bits) - libm::log(self.user_bits().into())
    }

    /// Raw bit error rate at which the uncorrectable bit error rate is `uber` [wrong bits per bit read].
    ///
    /// Found by bisection between 1e-15 and 0.3; for a rate outside this range the nearer end is returned.
    pub fn rber_for_uber(&self, uber: f64) -> f64 {
        let target = libm::log(uber);
        let (mut low, mut high) = (libm::log(1e-15), libm::log(0.3));
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if self.ln_uber(libm::exp(middle)) < target { low = middle } else { high = middle }
        }
        libm::exp((low + high) / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rates_that_each_code_bears_are_the_published_ones() {
        // Correctable bits, bytes; rate for 1e-15, rate for 1e-16; half a unit of the last digit that the source gives.
        let table = [
            (4, 512, 3.3e-6, 2.1e-6, 0.05e-6),
            (8, 512, 5.5e-5, 4.2e-5, 0.05e-5),
            (12, 512, 1.9e-4, 1.6e-4, 0.05e-4),
            (15, 512, 3.35e-4, 2.9e-4, 0.05e-4),
            (24, 1024, 5.1e-4, 4.6e-4, 0.05e-4),
            (40, 1024, 1.30e-3, 1.20e-3, 0.005e-3),
            (60, 1024, 2.45e-3, 2.32e-3, 0.005e-3),
            (72, 1024, 3.19e-3, 3.03e-3, 0.005e-3),
            (55, 512, 3.95e-3, 3.72e-3, 0.005e-3),
        ];
        for (bits, bytes, client, enterprise, half_digit) in table {
            let code = EccSettings::bch(bytes, bits);
            for (uber, rate) in [(1e-15, client), (1e-16, enterprise)] {
                let found = code.rber_for_uber(uber);
                assert!(
                    (found - rate).abs() <= half_digit,
                    "BCH-{bits}/{bytes} at {uber:e}: {found:e} is not {rate:e}"
                );
                assert!((code.uber(found) / uber - 1.0).abs() < 1e-6);
            }
        }
    }

    #[test]
    fn a_bch_code_needs_thirteen_check_bits_a_bit_for_512_bytes_and_fourteen_for_a_kib() {
        assert_eq!(EccSettings::bch(512, 12).parity_bits, 12 * 13);
        assert_eq!(EccSettings::bch(1024, 40).parity_bits, 40 * 14);
    }

    #[test]
    fn codewords_that_differ_are_lost_far_more_often_at_the_same_mean_rate() {
        let alike = EccSettings::bch(512, 15);
        let different = EccSettings { overdispersion_cv: 0.5, ..alike.clone() };
        let rate = alike.rber_for_uber(1e-15);
        assert!(different.uber(rate) > 1e4 * alike.uber(rate));
        assert!(different.rber_for_uber(1e-15) < rate / 2.0);
        let hardly = EccSettings { overdispersion_cv: 1e-4, ..alike.clone() };
        assert!((hardly.uber(rate) / alike.uber(rate) - 1.0).abs() < 1e-3, "no spread is the binomial limit");
    }

    #[test]
    fn a_perfect_medium_loses_nothing_and_a_hopeless_one_every_codeword() {
        let code = EccSettings::bch(512, 4);
        assert_eq!(code.uber(0.0), 0.0);
        assert!((code.uber(0.3) * 4096.0 - 1.0).abs() < 1e-9);
    }
}
