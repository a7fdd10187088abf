//! All numbers below a bound in an order that depends on a key, without a table.
//!
//! ```text
//!   place --multiply, fold, multiply, fold ...--> number below 2^k    at or above the bound: repeat
//! ```
//!
//! Each round is a bijection of the k-bit numbers: multiplication by an odd number, addition, and folding the upper
//! half onto the lower. For numbers at or above the bound the rounds are repeated until one is below it ("cycle
//! walking": Black and Rogaway, CT-RSA 2002), which is again a bijection and takes fewer than two passes on average.
//! Not modelled here: secrecy. The order must be random enough for a drive, not for cryptography.

use flashscope_kernel::random::{Rng, Stream};

const ROUNDS: usize = 4;

/// See the module's header.
#[derive(Clone, Debug)]
pub(super) struct Permutation {
    bound: u32,
    mask: u64,
    fold: u32,
    /// Factor and summand of each round.
    keys: [(u64, u64); ROUNDS],
}

impl Permutation {
    /// A permutation of the numbers below `bound`, which is at least 1.
    pub fn new(bound: u32, chance: &mut Stream) -> Self {
        let bits = (32 - (bound - 1).leading_zeros()).max(2);
        let keys = std::array::from_fn(|_| (chance.next_u64() | 1, chance.next_u64()));
        Self { bound, mask: (1 << bits) - 1, fold: bits.div_ceil(2), keys }
    }

    /// The number at `place`, both below the bound.
    #[inline]
    pub fn at(&self, place: u32) -> u32 {
        let mut number = u64::from(place);
        loop {
            for (factor, summand) in self.keys {
                number = number.wrapping_mul(factor).wrapping_add(summand) & self.mask;
                number ^= number >> self.fold;
            }
            if number < u64::from(self.bound) {
                return number as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn every_number_comes_once_whatever_the_bound() {
        let mut chance = Streams::new(1).stream("test");
        for bound in [1, 2, 3, 4, 5, 63, 64, 65, 1000, 4096, 4097] {
            let permutation = Permutation::new(bound, &mut chance);
            let mut numbers: Vec<u32> = (0..bound).map(|place| permutation.at(place)).collect();
            numbers.sort_unstable();
            assert!(numbers.into_iter().eq(0..bound), "bound {bound}");
        }
    }

    #[test]
    fn a_block_of_places_gets_numbers_from_everywhere() {
        let mut chance = Streams::new(2).stream("test");
        let (bound, block, regions) = (1_000_000, 1000, 10);
        for _ in 0..20 {
            let permutation = Permutation::new(bound, &mut chance);
            let mut counts = vec![0_u32; regions];
            (5 * block..6 * block).for_each(|place| counts[permutation.at(place) as usize * regions / 1_000_000] += 1);
            // 100 each on average, deviation 9.5.
            assert!(counts.iter().all(|&count| (50..150).contains(&count)), "{counts:?}");
        }
    }

    #[test]
    fn neighbours_are_not_neighbours_any_more() {
        let permutation = Permutation::new(1 << 20, &mut Streams::new(3).stream("test"));
        let steps = (0..10_000).map(|place| permutation.at(place).wrapping_sub(permutation.at(place + 1)));
        let mut steps: Vec<u32> = steps.collect();
        steps.sort_unstable();
        steps.dedup();
        assert!(steps.len() > 9_800, "{} different steps out of 10,000", steps.len());
    }
}
