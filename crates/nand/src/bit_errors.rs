//! Bits that come back wrong, as a function of wear.
//!
//! The medium stays pristine; errors are answered at read time. The raw bit error rate of a block that has
//! been erased `c` times is
//!
//!   RBER(c) = fresh + wear_coefficient * c^wear_exponent
//!
//! the first two terms of the additive power law of Kim, Choi and Min ("Design tradeoffs for SSD
//! reliability", FAST 2019). Wrong bits arrive as a Poisson process over the bits read, so looking at the
//! counter never changes it.
//!
//! Not modelled here: retention, read disturb, differences between blocks and layers, clustering within a
//! codeword, correction limits. The rate is therefore that of fresh data on an average block; a real drive
//! that was off for a year shows more.

use flashscope_kernel::random::{Stream, unit_interval};
use serde::{Deserialize, Serialize};

/// The constants of the law, per bit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitErrorLaw {
    /// Rate on a block that was never erased [wrong bits per bit read].
    pub fresh_ratio: f64,
    /// Factor of the wear term.
    pub wear_coefficient: f64,
    /// Power of the erase count in the wear term.
    pub wear_exponent: f64,
}

impl BitErrorLaw {
    /// Raw bit error rate of a block erased `erase_count` times [wrong bits per bit read].
    pub fn rate(&self, erase_count: u32) -> f64 {
        self.fresh_ratio + self.wear_coefficient * libm::pow(f64::from(erase_count), self.wear_exponent)
    }
}

/// Wrong bits seen so far.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BitErrors {
    law: BitErrorLaw,
    stream: Stream,
    /// Expected wrong bits until the next one arrives.
    distance_to_next: f64,
    error_bits: u64,
    corrected_reads: u64,
}

impl BitErrors {
    /// No errors yet; `stream` is used for nothing else.
    pub fn new(law: BitErrorLaw, mut stream: Stream) -> Self {
        let distance_to_next = exponential(&mut stream);
        Self { law, stream, distance_to_next, error_bits: 0, corrected_reads: 0 }
    }

    /// Count the wrong bits in a read of `bits` bits from a block erased `erase_count` times; returns them.
    pub fn read(&mut self, bits: u64, erase_count: u32) -> u64 {
        let mut expected = self.law.rate(erase_count) * bits as f64;
        let mut wrong_bits = 0;
        while expected >= self.distance_to_next {
            expected -= self.distance_to_next;
            self.distance_to_next = exponential(&mut self.stream);
            wrong_bits += 1;
        }
        self.distance_to_next -= expected;
        self.error_bits += wrong_bits;
        self.corrected_reads += u64::from(wrong_bits > 0);
        wrong_bits
    }

    /// Wrong bits in all reads so far.
    pub fn error_bits(&self) -> u64 {
        self.error_bits
    }

    /// Reads that had at least one wrong bit.
    pub fn corrected_reads(&self) -> u64 {
        self.corrected_reads
    }
}

/// A draw from the exponential distribution of mean 1.
fn exponential(stream: &mut Stream) -> f64 {
    -libm::log(unit_interval(stream))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn the_observed_rate_is_the_law() {
        let law = BitErrorLaw { fresh_ratio: 1.7e-8, wear_coefficient: 1.8e-12, wear_exponent: 1.5 };
        let expected_rate = law.rate(3000);
        assert!((expected_rate / 3.1e-7 - 1.0).abs() < 0.04, "the anchor of the preset at rated wear");
        let mut errors = BitErrors::new(law, Streams::new(1).stream("bit errors"));
        let (reads, bits) = (200_000_u64, 131_072_u64);
        for _ in 0..reads {
            errors.read(bits, 3000);
        }
        let expected = expected_rate * (reads * bits) as f64;
        let five_sigma = 5.0 * expected.sqrt();
        assert!((errors.error_bits() as f64 - expected).abs() < five_sigma);
        assert!(errors.corrected_reads() <= errors.error_bits());
    }

    #[test]
    fn a_perfect_medium_never_errs() {
        let law = BitErrorLaw { fresh_ratio: 0.0, wear_coefficient: 0.0, wear_exponent: 1.0 };
        let mut errors = BitErrors::new(law, Streams::new(1).stream("bit errors"));
        assert_eq!(errors.read(u64::MAX / 2, 10_000), 0);
    }
}
