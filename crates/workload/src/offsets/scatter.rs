//! Ranks scattered over the span: the most popular blocks are not neighbours.
//!
//! fio's rule: multiply the rank by an odd constant (2^64 over the golden ratio), add a number that each job draws for
//! itself, and take the result modulo the number of positions. This is one-to-one when the number of positions is a
//! power of two. For other numbers some ranks share a position and some positions get none, as in fio's own streams.

use flashscope_kernel::random::{Rng, Stream};

/// The rule of one job.
#[derive(Clone, Debug)]
pub(crate) struct Scatter {
    count: u64,
    shift: u64,
}

impl Scatter {
    pub fn new(count: u64, stream: &mut Stream) -> Self {
        Self { count, shift: stream.next_u64() }
    }

    /// The position of a rank (0: the most popular).
    #[inline]
    pub fn position(&self, rank: u64) -> u64 {
        rank.wrapping_mul(0x61c8_8646_80b5_83eb).wrapping_add(self.shift) % self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn over_a_power_of_two_each_rank_has_a_position_of_its_own() {
        let scatter = Scatter::new(4096, &mut Streams::new(2).stream("offsets"));
        let mut positions: Vec<u64> = (0..4096).map(|rank| scatter.position(rank)).collect();
        assert!(positions.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) == 1).count() < 10);
        positions.sort_unstable();
        assert_eq!(positions, (0..4096).collect::<Vec<_>>());
    }
}
