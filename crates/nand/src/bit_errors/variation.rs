//! Blocks are not alike: each has a constant factor on its error rate.
//!
//! Log-normal with mean 1 and a given coefficient of variation. The factor is a function of the run's seed and
//! the number of the block, so it does not depend on when or in which order blocks are read. Factors are kept once
//! they are computed, but they are not part of the state and not part of a snapshot.
//!
//! Not modelled here: neighbours that resemble each other, layers of a 3D stack, dies and wafers.

use flashscope_kernel::random::{Rng, Stream, unit_interval};
use serde::{Deserialize, Serialize};

/// The factor of every block.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BlockVariation {
    key: u64,
    /// Standard deviation of the factor's logarithm.
    sigma: f64,
    /// Factors by block; 0 where the factor has not been computed yet.
    #[serde(skip)]
    known: Vec<f64>,
}

impl BlockVariation {
    /// Factors with this coefficient of variation, or none when it is 0.
    pub(super) fn new(cv: f64, stream: impl FnOnce() -> Stream) -> Option<Self> {
        let sigma = libm::sqrt(libm::log1p(cv * cv));
        (cv > 0.0).then(|| Self { key: stream().next_u64(), sigma, known: Vec::new() })
    }

    /// The factor of a block [ratio, mean 1].
    #[inline]
    pub(super) fn factor(&mut self, block: u32) -> f64 {
        match self.known.get(block as usize) {
            Some(&factor) if factor > 0.0 => factor,
            _ => self.work_out(block),
        }
    }

    #[cold]
    fn work_out(&mut self, block: u32) -> f64 {
        let place = block as usize;
        if self.known.len() <= place {
            self.known.resize((place + 1).next_power_of_two(), 0.0);
        }
        let mut stream = stream_of(self.key, block);
        let radius = libm::sqrt(-2.0 * libm::log(unit_interval(&mut stream)));
        let normal = radius * libm::cos(std::f64::consts::TAU * unit_interval(&mut stream));
        self.known[place] = libm::exp(self.sigma * normal - self.sigma * self.sigma / 2.0);
        self.known[place]
    }
}

/// The draws of one block, from a stream of its own, so that the factors of blocks are independent.
fn stream_of(key: u64, block: u32) -> Stream {
    flashscope_kernel::random::Streams::new(key ^ u64::from(block)).stream("block factor")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    fn variation(seed: u64, cv: f64) -> BlockVariation {
        BlockVariation::new(cv, || Streams::new(seed).stream("block variation")).unwrap()
    }

    #[test]
    fn the_factors_have_the_mean_and_spread_that_were_asked_for() {
        for cv in [0.1, 0.5, 1.0] {
            let mut variation = variation(1, cv);
            let factors: Vec<_> = (0..100_000).map(|block| variation.factor(block)).collect();
            let mean = factors.iter().sum::<f64>() / 1e5;
            let deviation = (factors.iter().map(|factor| (factor - mean) * (factor - mean)).sum::<f64>() / 1e5).sqrt();
            assert!((mean - 1.0).abs() < 5.0 * cv / 316.0, "mean {mean} at {cv}");
            assert!((deviation / cv - 1.0).abs() < 0.05, "spread {deviation} at {cv}");
            let below_median = factors.iter().filter(|&&factor| factor < 1.0 / libm::sqrt(1.0 + cv * cv)).count();
            assert!(below_median.abs_diff(50_000) < 800, "a log-normal's median is 1 / sqrt(1 + cv^2)");
        }
    }

    #[test]
    fn a_blocks_factor_depends_on_seed_and_number_and_not_on_who_was_asked_before() {
        let (mut forward, mut backward) = (variation(1, 0.3), variation(1, 0.3));
        let first: Vec<_> = (0..1000).map(|block| forward.factor(block)).collect();
        let mut second: Vec<_> = (0..1000).rev().map(|block| backward.factor(block)).collect();
        second.reverse();
        assert_eq!(first, second);
        assert_ne!(variation(2, 0.3).factor(0), first[0]);
    }

    #[test]
    fn without_variation_nothing_is_drawn() {
        assert!(BlockVariation::new(0.0, || unreachable!("drawn")).is_none());
    }
}
