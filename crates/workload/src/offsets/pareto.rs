//! Pareto's law with fio's parameter h: a share 1 - h of the accesses goes to a share h of the blocks
//! (h = 0.2: four fifths of the accesses to one fifth of the blocks).
//!
//! rank = (count - 1) * u^(ln h / ln(1 - h)), u uniform; then scattered. Logarithms and powers are computed in
//! software.

use flashscope_kernel::random::{Stream, unit_interval};
use libm::{log, pow};

use super::independent::PositionLaw;
use super::scatter::Scatter;

/// Pareto's law over `0..count` positions, scattered.
#[derive(Clone, Debug)]
pub(crate) struct Pareto {
    last_rank: f64,
    power: f64,
    scatter: Scatter,
}

impl Pareto {
    pub fn new(count: u64, h: f64, stream: &mut Stream) -> Self {
        Self { last_rank: (count - 1) as f64, power: log(h) / log(1.0 - h), scatter: Scatter::new(count, stream) }
    }

    fn rank(&self, uniform: f64) -> u64 {
        (self.last_rank * pow(uniform, self.power)) as u64
    }
}

impl PositionLaw for Pareto {
    #[inline]
    fn draw(&self, stream: &mut Stream) -> u64 {
        self.scatter.position(self.rank(unit_interval(stream)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn a_share_h_of_the_ranks_gets_the_rest_of_the_accesses() {
        for h in [0.1, 0.2, 0.35] {
            let mut stream = Streams::new(3).stream("offsets");
            let law = Pareto::new(1 << 16, h, &mut stream);
            let popular = ((1 << 16) as f64 * h) as u64;
            let hits = (0..100_000).filter(|_| law.rank(unit_interval(&mut stream)) < popular).count();
            // The limit is five standard deviations of at most 0.0016.
            assert!((hits as f64 / 1e5 - (1.0 - h)).abs() < 0.008, "h {h}: {hits}");
        }
    }
}
