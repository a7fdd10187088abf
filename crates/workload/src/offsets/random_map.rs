//! Every position exactly once per pass, in pseudo-random order, without a list of used positions.
//!
//! ```text
//! turn 0, 1, 2 ...  --keyed permutation-->  position
//! ```
//!
//! The permutation is a four-round Feistel network over the smallest power of two that holds all positions. A result
//! outside the positions is permuted again (cycle walking) until it is inside; that takes fewer than two permutations
//! on average. A round changes one half by a keyed hash of the other half, so it can be undone and is one-to-one for
//! any hash. Each pass has a new key.

use flashscope_kernel::random::{Rng, Stream};

use super::placement::Placement;
use crate::direction::Kind;

/// The turn within the pass and its permutation.
#[derive(Clone, Debug)]
pub(crate) struct RandomMap {
    permutation: Permutation,
    turn: u64,
    align_bytes: u64,
    stream: Stream,
}

impl RandomMap {
    pub fn new(count: u64, align_bytes: u64, mut stream: Stream) -> Self {
        Self { permutation: Permutation::new(count, &mut stream), turn: 0, align_bytes, stream }
    }
}

impl Placement for RandomMap {
    #[inline]
    fn next(&mut self, _kind: Kind) -> Option<u64> {
        if self.turn == self.permutation.count {
            return None;
        }
        self.turn += 1;
        Some(self.permutation.at(self.turn - 1) * self.align_bytes)
    }

    fn begin_pass(&mut self, _kind: Kind) {
        self.permutation = Permutation::new(self.permutation.count, &mut self.stream);
        self.turn = 0;
    }
}

/// A one-to-one map of `0..count` onto itself.
#[derive(Clone, Debug)]
struct Permutation {
    count: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; 4],
}

impl Permutation {
    fn new(count: u64, stream: &mut Stream) -> Self {
        // At least one bit for each half.
        let bits = count.next_power_of_two().trailing_zeros().max(2);
        let low_bits = bits / 2;
        Self {
            count,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys: std::array::from_fn(|_| stream.next_u64()),
        }
    }

    #[inline]
    fn at(&self, turn: u64) -> u64 {
        let mut position = turn;
        loop {
            position = self.once(position);
            if position < self.count {
                return position;
            }
        }
    }

    #[inline]
    fn once(&self, number: u64) -> u64 {
        let (mut low, mut high) = (number & self.low_mask, number >> self.low_bits);
        high ^= hash(low, self.keys[0]) & self.high_mask;
        low ^= hash(high, self.keys[1]) & self.low_mask;
        high ^= hash(low, self.keys[2]) & self.high_mask;
        low ^= hash(high, self.keys[3]) & self.low_mask;
        high << self.low_bits | low
    }
}

/// The middle of a product with an odd constant (2^64 over the golden ratio): it depends on every bit of the half.
#[inline]
fn hash(half: u64, key: u64) -> u64 {
    (half ^ key).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;
    use proptest::prelude::*;

    fn pass(map: &mut RandomMap) -> Vec<u64> {
        std::iter::from_fn(|| map.next(Kind::Write)).collect()
    }

    proptest! {
        #[test]
        fn every_pass_visits_each_position_exactly_once(count in 1_u64..5000, seed: u64) {
            let mut map = RandomMap::new(count, 512, Streams::new(seed).stream("offsets"));
            for _ in 0..2 {
                let mut visited = pass(&mut map);
                visited.sort_unstable();
                prop_assert_eq!(visited, (0..count).map(|position| position * 512).collect::<Vec<_>>());
                map.begin_pass(Kind::Write);
            }
        }

        #[test]
        fn large_counts_stay_inside(count in 1_u64 << 32..1 << 50, seed: u64) {
            let mut map = RandomMap::new(count, 1, Streams::new(seed).stream("offsets"));
            prop_assert!((0..100).all(|_| map.next(Kind::Write).unwrap() < count));
        }
    }

    #[test]
    fn passes_differ_from_each_other_and_from_the_plain_sequence() {
        let mut map = RandomMap::new(1000, 1, Streams::new(9).stream("offsets"));
        let first = pass(&mut map);
        map.begin_pass(Kind::Write);
        let second = pass(&mut map);
        let in_place = |a: &[u64], b: &[u64]| a.iter().zip(b).filter(|(x, y)| x == y).count();
        let plain: Vec<u64> = (0..1000).collect();
        // By chance one position of the thousand is expected to stay where it is; ten would happen once in ten million
        // runs.
        assert!(in_place(&first, &second) < 10 && in_place(&first, &plain) < 10);
    }

    #[test]
    fn neighbours_in_time_are_not_neighbours_in_space() {
        let mut map = RandomMap::new(1 << 16, 1, Streams::new(4).stream("offsets"));
        let order = pass(&mut map);
        let mean_distance: u64 =
            order.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum::<u64>() / (order.len() as u64 - 1);
        // Two uniform draws are a third of the span apart on average.
        assert!(mean_distance.abs_diff((1 << 16) / 3) < 500, "{mean_distance}");
        // Each sixteenth of the pass covers every sixteenth of the span evenly.
        let mut cells = [[0_u64; 16]; 16];
        for (turn, position) in order.iter().enumerate() {
            cells[turn >> 12][(position >> 12) as usize] += 1;
        }
        // Expected 256, standard deviation 15; the limit is five of them.
        assert!(cells.iter().flatten().all(|count| count.abs_diff(256) < 76), "{cells:?}");
    }
}
