//! Named random streams, all split from one seed.
//!
//! Each mechanism that uses random numbers has a stream of its own (`"initial bad blocks"`, `"bit errors"`, ...).
//! Switching one of them on or off does not change the numbers of the others, and a run is a function of its seed.

pub use rand_core::Rng;
use rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// The generator behind every stream: small state, fast, the same on every platform.
pub type Stream = rand_xoshiro::Xoshiro256PlusPlus;

/// The root of all streams of one run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Streams {
    seed: u64,
}

impl Streams {
    /// Streams of the run with this seed.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// The stream of this name. The same seed and name give the same numbers, always.
    pub fn stream(&self, name: &str) -> Stream {
        // FNV-1a over the name: a fixed rule, unlike the standard library's hasher.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in self.seed.to_le_bytes().into_iter().chain(name.bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        Stream::seed_from_u64(hash)
    }
}

/// A uniform integer in `0..bound` (Lemire's multiply and shift with rejection: exact, no division on most
/// calls). `bound` must not be 0.
#[inline]
pub fn below(stream: &mut Stream, bound: u64) -> u64 {
    let mut product = u128::from(stream.next_u64()) * u128::from(bound);
    if (product as u64) < bound {
        let reject_below = bound.wrapping_neg() % bound;
        while (product as u64) < reject_below {
            product = u128::from(stream.next_u64()) * u128::from(bound);
        }
    }
    (product >> 64) as u64
}

/// A uniform real number in (0, 1].
#[inline]
pub fn unit_interval(stream: &mut Stream) -> f64 {
    ((stream.next_u64() >> 11) + 1) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_name_repeat_and_other_names_differ() {
        let draw = |seed, name| Streams::new(seed).stream(name).next_u64();
        assert_eq!(draw(1, "a"), draw(1, "a"));
        assert_ne!(draw(1, "a"), draw(1, "b"));
        assert_ne!(draw(1, "a"), draw(2, "a"));
    }

    #[test]
    fn integers_below_a_bound_are_even() {
        let mut stream = Streams::new(3).stream("test");
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[below(&mut stream, 7) as usize] += 1;
        }
        // 10,000 expected each, standard deviation 93: a limit of five standard deviations holds for any seed.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 465), "{counts:?}");
    }
}
