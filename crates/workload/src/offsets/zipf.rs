//! Zipf's law: the block of rank k is accessed with a frequency proportional to 1 / k^theta.
//!
//! The draw is the one fio uses (Gray et al., "Quickly generating billion-record synthetic databases",
//! SIGMOD 1994): exact for the first two ranks, a power of a uniform number for the others. Powers are
//! computed in software (`libm`), so the stream has the same bits on every platform.

use flashscope_kernel::random::{Stream, unit_interval};
use libm::pow;

use super::independent::PositionLaw;
use super::scatter::Scatter;

/// Terms of the zeta sum that are added one by one; the rest of the sum is an integral with two corrections.
const EXACT_TERMS: u64 = 10_000;

/// Zipf's law over `0..count` positions, scattered.
#[derive(Clone, Debug)]
pub(crate) struct Zipf {
    count: f64,
    last_rank: u64,
    zeta: f64,
    first_two: f64,
    alpha: f64,
    eta: f64,
    scatter: Scatter,
}

impl Zipf {
    pub fn new(count: u64, theta: f64, stream: &mut Stream) -> Self {
        let zeta = zeta(count, theta);
        let first_two = 1.0 + pow(0.5, theta);
        Self {
            count: count as f64,
            last_rank: count - 1,
            zeta,
            first_two,
            alpha: 1.0 / (1.0 - theta),
            eta: (1.0 - pow(2.0 / count as f64, 1.0 - theta)) / (1.0 - first_two / zeta),
            scatter: Scatter::new(count, stream),
        }
    }

    fn rank(&self, uniform: f64) -> u64 {
        let place = uniform * self.zeta;
        if place < 1.0 {
            return 0;
        }
        if place < self.first_two {
            return self.last_rank.min(1);
        }
        // The cast turns the NaN of one or two positions (eta is 0 / 0) into rank 0.
        ((self.count * pow(self.eta * uniform - self.eta + 1.0, self.alpha)) as u64).min(self.last_rank)
    }
}

impl PositionLaw for Zipf {
    #[inline]
    fn draw(&self, stream: &mut Stream) -> u64 {
        self.scatter.position(self.rank(unit_interval(stream)))
    }
}

/// The sum of 1 / k^theta over k = 1 ..= count; its tail by the Euler-Maclaurin formula.
fn zeta(count: u64, theta: f64) -> f64 {
    let exact = count.min(EXACT_TERMS);
    let head: f64 = (1..=exact).rev().map(|k| pow(k as f64, -theta)).sum();
    if exact == count {
        return head;
    }
    let (from, to) = (exact as f64, count as f64);
    let integral = (pow(to, 1.0 - theta) - pow(from, 1.0 - theta)) / (1.0 - theta);
    let ends = (pow(to, -theta) - pow(from, -theta)) / 2.0;
    let slopes = theta / 12.0 * (pow(from, -theta - 1.0) - pow(to, -theta - 1.0));
    head + integral + ends + slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn the_short_zeta_sum_equals_the_long_one() {
        for theta in [0.2, 0.8, 0.99, 1.1, 2.5] {
            let long: f64 = (1..=200_000).rev().map(|k| pow(f64::from(k), -theta)).sum();
            assert!((zeta(200_000, theta) / long - 1.0).abs() < 1e-12, "theta {theta}");
        }
    }

    #[test]
    fn ranks_are_drawn_as_often_as_zipf_says() {
        for theta in [0.5, 0.9, 1.2] {
            let mut stream = Streams::new(11).stream("offsets");
            let law = Zipf::new(1 << 12, theta, &mut stream);
            let draws = 400_000;
            let mut counts = vec![0_u32; 1 << 12];
            for _ in 0..draws {
                counts[law.rank(unit_interval(&mut stream)) as usize] += 1;
            }
            let expected = |ranks: u64| zeta(ranks, theta) / law.zeta;
            let found = |ranks: usize| f64::from(counts[..ranks].iter().sum::<u32>()) / f64::from(draws);
            // The first two ranks are exact: the limit is five standard deviations (at most 0.0008 each).
            assert!((found(1) - expected(1)).abs() < 0.004, "theta {theta}: {} {}", found(1), expected(1));
            assert!((found(2) - expected(2)).abs() < 0.004, "theta {theta}");
            // From there on the power is an approximation, within two per cent of all accesses.
            for ranks in [41, 410, 2048] {
                let gap = found(ranks) - expected(ranks as u64);
                assert!(gap.abs() < 0.02, "theta {theta}: first {ranks} ranks off by {gap}");
            }
        }
    }

    #[test]
    fn the_smallest_spans_work() {
        for count in [1, 2, 3] {
            let mut stream = Streams::new(1).stream("offsets");
            let law = Zipf::new(count, 1.5, &mut stream);
            assert!((0..1000).all(|_| law.draw(&mut stream) < count));
            assert!(law.rank(1.0) < count);
        }
    }
}
