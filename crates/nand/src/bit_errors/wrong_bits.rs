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

/// The number of wrong bits of some codewords, all of the same distribution.
///
/// What does not depend on the codeword is computed once: P(0), and P(k) as far as a codeword needed it. Codewords go
/// through the distribution side by side: each subtraction has to wait for the one before, but not for those of the others.
pub(super) struct Draws<'a> {
    wrong_bits: WrongBits,
    ln_none: f64,
    mean: f64,
    /// P(some bit is wrong).
    some: f64,
    /// The last number of wrong bits that is looked at, as soon as it is known: all of them, or where P(k) vanishes.
    last: usize,
    tables: &'a mut Tables,
}

/// Codewords that are worth going side by side: as many subtractions as fit between two that wait for each other.
pub(super) const SIDE_BY_SIDE: usize = 4;

/// A share at which no bit is wrong, whatever the distribution.
pub(super) const NO_SHARE: f64 = f64::INFINITY;

/// Probabilities that are computed at a time.
const ROW: usize = 8;

/// Above the mean, a probability below this ends the distribution.
const VANISHING: f64 = 1e-18;

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
        let WrongBits { code_bits, rate, .. } = wrong_bits;
        let (mean, last) = (code_bits * rate, code_bits as usize);
        Self { wrong_bits, ln_none, mean, some: -libm::expm1(ln_none), last, tables }
    }

    /// The numbers of wrong bits (1 or more) at these cumulative probabilities, each in (0, P(some bit is wrong)]; 0
    /// for one beyond.
    pub(super) fn at_shares<const N: usize>(&mut self, shares: [f64; N]) -> [u32; N] {
        let some = self.some;
        if self.ln_none < -600.0 {
            // So many that their spread does not matter, and P(0) is too small for a float.
            return shares.map(|share| if share > some { 0 } else { (self.mean + 0.5) as u32 });
        }
        // A codeword has found its number where what is left is not above the next probability. From then on what is
        // left is 0 or less, and no probability is below that: so nothing is counted any more.
        let mut left = shares.map(|share| if share > some { 0.0 } else { share });
        let mut passed = [0.0; N];
        let mut from = 1;
        while from <= self.last && left.iter().any(|&left| left > 0.0) {
            self.compute_row(from);
            let row = from..(from + ROW).min(self.last + 1);
            for &probability in &self.tables.probabilities[row.clone()] {
                for (left, passed) in left.iter_mut().zip(&mut passed) {
                    *passed += f64::from(u8::from(*left > probability));
                    *left -= probability;
                }
            }
            from = row.end;
        }
        std::array::from_fn(|place| {
            if shares[place] > some {
                0
            } else if left[place] > 0.0 {
                // A remainder due to rounding must not become an error in the far tail.
                (self.mean + 0.5).max(1.0) as u32
            } else {
                passed[place] as u32 + 1
            }
        })
    }

    /// Compute P(from) and those behind it, a row of them, where P(from-1) is known and these may be.
    #[inline]
    fn compute_row(&mut self, from: usize) {
        let Tables { probabilities, odds } = &mut *self.tables;
        if from < probabilities.len() {
            return;
        }
        let firsts: [f64; ROW] = std::array::from_fn(|place| (from - 1 + place) as f64);
        if odds.len() < from - 1 + ROW {
            odds.extend(firsts.map(|before| self.wrong_bits.odds(before)));
        }
        let odds: &[f64; ROW] = odds[from - 1..].first_chunk().expect("the odds of this row are known");
        let ratios: [f64; ROW] = std::array::from_fn(|place| self.wrong_bits.ratio_of_odds(odds[place], firsts[place]));
        let mut probability = probabilities[from - 1];
        for (k, ratio) in (from..=self.last).zip(ratios) {
            probability *= ratio;
            probabilities.push(probability);
            if k as f64 > self.mean && probability < VANISHING {
                self.last = k;
                return;
            }
        }
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

    /// One codeword at a time, term by term.
    fn walked(wrong: &WrongBits, share: f64) -> u32 {
        let (ln_none, mean) = (wrong.ln_none(), wrong.code_bits * wrong.rate);
        if share > -libm::expm1(ln_none) {
            return 0;
        }
        if ln_none < -600.0 {
            return (mean + 0.5) as u32;
        }
        let (mut probability, mut left) = (libm::exp(ln_none), share);
        for k in 1..=wrong.code_bits as u32 {
            probability *= wrong.ratio(f64::from(k - 1));
            if left <= probability {
                return k;
            }
            left -= probability;
            if f64::from(k) > mean && probability < VANISHING {
                break;
            }
        }
        (mean + 0.5).max(1.0) as u32
    }

    #[test]
    fn a_share_finds_the_number_of_wrong_bits_exactly_at_the_edges_of_its_probability() {
        let wrong = WrongBits::new(10, 0.1, 0.0);
        let mut tables = Tables::default();
        let mut draws = Draws::new(wrong, &mut tables);
        let some = -libm::expm1(wrong.ln_none());
        let one = wrong.ln_none().exp() * wrong.ratio(0.0);
        let shares = [one * (1.0 - 1e-12), one * (1.0 + 1e-12), some * (1.0 + 1e-12), NO_SHARE];
        assert_eq!(draws.at_shares(shares), [1, 2, 0, 0]);
        let many = WrongBits::new(9000, 0.2, 0.0);
        let far = Draws::new(many, &mut Tables::default()).at_shares([0.5; SIDE_BY_SIDE]);
        assert_eq!(far, [1800; SIDE_BY_SIDE], "far too many to walk to");
    }

    #[test]
    fn shares_side_by_side_find_what_each_finds_alone_whatever_was_drawn_before() {
        let mut tables = Tables::default();
        for (rate, cv) in [(1e-3, 0.0), (2e-3, 0.15), (1e-6, 0.5), (5e-3, 0.15), (0.3, 0.9), (0.0, 0.0)] {
            let wrong = WrongBits::new(4148, rate, cv);
            let mut draws = Draws::new(wrong, &mut tables);
            let some = draws.some;
            for parts in [[0.9, 1e-9, 0.5, 0.999_999], [0.3, 0.999_999_999_999, 1e-3, 1.0], [1.1, 2.0, 1e-300, 0.7]] {
                let shares = parts.map(|part| part * some);
                let alone = shares.map(|share| walked(&wrong, share));
                assert_eq!(draws.at_shares(shares), alone, "{rate} {cv} {parts:?}");
                assert_eq!(shares.map(|share| draws.at_shares([share])[0]), alone, "{rate} {cv} {parts:?}");
            }
        }
    }

    #[test]
    fn a_code_of_a_few_bits_ends_within_a_row() {
        for bits in [1, 2, 7, 8, 9, 17] {
            let wrong = WrongBits::new(bits, 0.4, 0.3);
            let mut tables = Tables::default();
            let mut draws = Draws::new(wrong, &mut tables);
            let shares = [1.0, 0.999_999_999_999_999_9, 0.5, 0.1].map(|part| part * draws.some);
            assert_eq!(draws.at_shares(shares), shares.map(|share| walked(&wrong, share)), "{bits}");
        }
    }
}
