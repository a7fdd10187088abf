//! How many bits of one codeword are wrong: binomial, or beta-binomial when codewords are not alike.
//!
//! ```text
//!   P(0)  ->  P(1)  ->  P(2)  -> ...       P(k+1) = P(k) * ratio(k)
//!
//!   binomial        ratio(k) = (n-k)/(k+1) *   p  / (1-p)
//!   beta-binomial   ratio(k) = (n-k)/(k+1) * (a+k) / (b+n-k-1)       p ~ Beta(a, b), mean p, spread cv * p
//! ```
//!
//! Everything follows from the probability of no wrong bit and these ratios: the tail in closed form, which
//! is summed in logarithms and so reaches 1e-300, and a draw, which goes through the distribution from 0 upwards.
//!
//! Beta-binomial because errors cluster: Taranalli, Uchikawa and Siegel, arXiv:1602.07743, for 1X and 2Y nm MLC.
//! Not modelled here: bursts, columns that are always bad.

/// The distribution of wrong bits in a codeword of `code_bits` bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongBits {
    code_bits: f64,
    rate: f64,
    /// The two parameters of the distribution of rates, when each codeword has a rate of its own.
    beta: Option<(f64, f64)>,
}

/// `-ln(1 - rate)`: the expected errors that one bit adds [per bit].
#[inline]
pub(super) fn hazard_per_bit(rate: f64) -> f64 {
    // The relative error of the series is rate^2 / 3.
    if rate < 1e-6 { rate * (1.0 + rate / 2.0) } else { -libm::log1p(-rate) }
}

impl WrongBits {
    /// Wrong bits at a mean bit error rate of `rate`; codewords differ by `overdispersion_cv`.
    pub(super) fn new(code_bits: u32, rate: f64, overdispersion_cv: f64) -> Self {
        // Var[p] = p (1-p) / (a+b+1) = (cv p)^2. A spread too large for a beta distribution is reduced.
        let both = (1.0 - rate) / (rate * overdispersion_cv * overdispersion_cv) - 1.0;
        let beta =
            (overdispersion_cv > 0.0 && rate > 0.0).then(|| (rate * both.max(1e-3), (1.0 - rate) * both.max(1e-3)));
        Self { code_bits: code_bits.into(), rate, beta }
    }

    /// ln P(no wrong bit).
    pub(super) fn ln_none(&self) -> f64 {
        let n = self.code_bits;
        match self.beta {
            None => -n * hazard_per_bit(self.rate),
            Some((a, b)) if a + b > 1e5 => {
                // The gamma functions would cancel and leave no digits. Their product is this, times
                // 1 + O(rate^2 + 1/(a+b)).
                -a * libm::log1p(n / (a + b)) * hazard_per_bit(self.rate) / self.rate
            }
            Some((a, b)) => libm::lgamma(b + n) - libm::lgamma(b) - (libm::lgamma(a + b + n) - libm::lgamma(a + b)),
        }
    }

    /// P(k+1) / P(k).
    #[inline]
    fn ratio(&self, k: f64) -> f64 {
        self.ratio_of_odds(self.odds(k), k)
    }

    #[inline]
    fn odds(&self, k: f64) -> f64 {
        (self.code_bits - k) / (k + 1.0)
    }

    #[inline]
    fn ratio_of_odds(&self, odds: f64, k: f64) -> f64 {
        match self.beta {
            None => odds * self.rate / (1.0 - self.rate),
            Some((a, b)) => odds * (a + k) / (b + self.code_bits - k - 1.0),
        }
    }

    /// ln P(more than `limit` wrong bits).
    pub(super) fn ln_more_than(&self, limit: u32) -> f64 {
        if self.rate <= 0.0 || f64::from(limit) >= self.code_bits {
            return f64::NEG_INFINITY;
        }
        let ln_first = (0..=limit).fold(self.ln_none(), |ln, k| ln + libm::log(self.ratio(f64::from(k))));
        if self.code_bits * self.rate < f64::from(limit) {
            // Above the mean the terms become smaller: sum them upwards from the first.
            let (mut k, mut term, mut sum) = (f64::from(limit) + 1.0, 1.0, 1.0);
            while k < self.code_bits && term > sum * 1e-17 {
                term *= self.ratio(k);
                sum += term;
                k += 1.0;
            }
            ln_first + libm::log(sum)
        } else {
            // Below the mean they become smaller downwards, and the tail is 1 minus their sum.
            let (mut k, mut term, mut sum) = (f64::from(limit), 1.0, 0.0);
            loop {
                term /= self.ratio(k);
                sum += term;
                if k == 0.0 || term < sum * 1e-17 {
                    break;
                }
                k -= 1.0;
            }
            libm::log1p(-libm::exp(ln_first + libm::log(sum)).min(1.0))
        }
    }
}

/// The number of wrong bits of one codeword after the other, all of the same distribution.
///
/// What does not depend on the codeword is computed once: P(0), and P(k) as far as a codeword needed it.
pub(super) struct Draws<'a> {
    wrong_bits: WrongBits,
    ln_none: f64,
    /// P(some bit is wrong).
    some: f64,
    tables: &'a mut Tables,
}

/// Memory for the draws of a drive, used again by each read.
#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    /// P(k).
    probabilities: Vec<f64>,
    /// (n-k)/(k+1), which is the same for all rates.
    odds: Vec<f64>,
}

impl<'a> Draws<'a> {
    /// `tables`: only for codewords of one length.
    pub(super) fn new(wrong_bits: WrongBits, tables: &'a mut Tables) -> Self {
        let ln_none = wrong_bits.ln_none();
        tables.probabilities.clear();
        tables.probabilities.push(libm::exp(ln_none));
        Self { wrong_bits, ln_none, some: -libm::expm1(ln_none), tables }
    }

    /// The number of wrong bits (1 or more) at the cumulative probability `share`, in (0, P(some bit is wrong)]; 0
    /// beyond.
    pub(super) fn at_share(&mut self, share: f64) -> u32 {
        if share > self.some {
            return 0;
        }
        let WrongBits { code_bits, rate, .. } = self.wrong_bits;
        let mean = code_bits * rate;
        if self.ln_none < -600.0 {
            // So many that their spread does not matter, and P(0) is too small for a float.
            return (mean + 0.5) as u32;
        }
        let mut left = share;
        for k in 1..=code_bits as usize {
            let probability = self.probability(k);
            if left <= probability {
                return k as u32;
            }
            left -= probability;
            if k as f64 > mean && probability < 1e-18 {
                break;
            }
        }
        // A remainder due to rounding must not become an error in the far tail.
        (mean + 0.5).max(1.0) as u32
    }

    /// P(k), where P(k-1) is known.
    #[inline]
    fn probability(&mut self, k: usize) -> f64 {
        let Tables { probabilities, odds } = &mut *self.tables;
        if let Some(&known) = probabilities.get(k) {
            return known;
        }
        let before = (k - 1) as f64;
        if odds.len() < k {
            odds.push(self.wrong_bits.odds(before));
        }
        let next = probabilities[k - 1] * self.wrong_bits.ratio_of_odds(odds[k - 1], before);
        probabilities.push(next);
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_probabilities_add_up_to_one() {
        for (bits, rate, cv) in
            [(100, 0.01, 0.0), (4148, 1e-3, 0.0), (4148, 1e-3, 0.5), (4148, 1e-6, 0.3), (50, 0.2, 0.9)]
        {
            let wrong = WrongBits::new(bits, rate, cv);
            let (mut probability, mut sum, mut mean) = (wrong.ln_none().exp(), 0.0, 0.0);
            for k in 0..=bits {
                sum += probability;
                mean += probability * f64::from(k);
                probability *= wrong.ratio(k.into());
            }
            assert!((sum - 1.0).abs() < 1e-6, "{bits} {rate} {cv}: {sum}");
            assert!((mean / (f64::from(bits) * rate) - 1.0).abs() < 1e-6, "{bits} {rate} {cv}: {mean}");
        }
    }

    #[test]
    fn no_wrong_bit_is_as_likely_as_the_product_says_on_both_sides_of_the_switch() {
        for rate in [1e-2, 1e-3, 2e-4, 1e-4, 5e-5, 1e-6, 1e-9] {
            for cv in [0.1, 0.3, 0.6] {
                let wrong = WrongBits::new(4148, rate, cv);
                let (a, b) = wrong.beta.unwrap();
                let product: f64 = (0..4148).map(|bit| libm::log1p(-a / (a + b + f64::from(bit)))).sum();
                assert!((wrong.ln_none() / product - 1.0).abs() < 1e-5, "{rate} {cv}: {} {product}", wrong.ln_none());
                assert!(
                    wrong.ln_none() >= WrongBits::new(4148, rate, 0.0).ln_none() * (1.0 + 1e-9),
                    "clusters leave more clean"
                );
            }
        }
    }

    #[test]
    fn the_tail_is_the_same_summed_from_either_side() {
        let wrong = WrongBits::new(1000, 0.01, 0.0);
        let direct = |limit: u32| {
            let mut probability = wrong.ln_none().exp();
            let mut sum = 0.0;
            for k in 0..1000_u32 {
                sum += if k > limit { probability } else { 0.0 };
                probability *= wrong.ratio(k.into());
            }
            sum
        };
        for limit in [0, 3, 9, 10, 11, 20, 40] {
            assert!((wrong.ln_more_than(limit).exp() / direct(limit) - 1.0).abs() < 1e-9, "{limit}");
        }
        assert_eq!(wrong.ln_more_than(1000), f64::NEG_INFINITY);
    }

    #[test]
    fn a_share_finds_the_number_of_wrong_bits_exactly_at_the_edges_of_its_probability() {
        let wrong = WrongBits::new(10, 0.1, 0.0);
        let mut tables = Tables::default();
        let mut draws = Draws::new(wrong, &mut tables);
        let some = -libm::expm1(wrong.ln_none());
        let one = wrong.ln_none().exp() * wrong.ratio(0.0);
        assert_eq!(draws.at_share(one * (1.0 - 1e-12)), 1);
        assert_eq!(draws.at_share(one * (1.0 + 1e-12)), 2);
        assert_eq!(draws.at_share(some * (1.0 + 1e-12)), 0);
        let many = WrongBits::new(9000, 0.2, 0.0);
        assert_eq!(Draws::new(many, &mut Tables::default()).at_share(0.5), 1800, "far too many to walk to");
    }

    #[test]
    fn a_share_finds_the_same_number_whatever_was_drawn_before() {
        let mut tables = Tables::default();
        for (rate, cv) in [(1e-3, 0.0), (2e-3, 0.15), (1e-6, 0.5), (5e-3, 0.15)] {
            let wrong = WrongBits::new(4148, rate, cv);
            let mut draws = Draws::new(wrong, &mut tables);
            for share in [0.9, 1e-9, 0.5, 0.999_999, 0.3, 0.999_999_999_999, 1e-3] {
                let alone = Draws::new(wrong, &mut Tables::default()).at_share(share * draws.some);
                assert_eq!(draws.at_share(share * draws.some), alone, "{rate} {cv} {share}");
            }
        }
    }
}
