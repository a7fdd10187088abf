//! How long the next request is: a fixed size, one of a weighted list (bssplit), or one of a range (bsrange).
//!
//! Near the end of the span only the sizes that still fit can be drawn, in their given proportions. fio reaches the
//! same shares by drawing again until a size fits.

use flashscope_kernel::random::{Stream, below};

use crate::job::BlockSizes;

/// The law of the request sizes of one kind.
#[derive(Clone, Debug)]
pub(crate) enum SizeLaw {
    /// Always this many bytes.
    Fixed(u64),
    /// (bytes, weight in 1/2^32) of each size that can be drawn.
    Weighted(Vec<(u64, u64)>),
    /// Multiples of `low` up to `high`, all equally likely; `high` itself when it is no multiple of `low`.
    Range {
        /// Smallest size in bytes.
        low: u64,
        /// Largest size in bytes.
        high: u64,
    },
}

impl SizeLaw {
    /// The law of sizes that passed `check`.
    pub fn new(sizes: &BlockSizes) -> Self {
        let (low, high) = (sizes.smallest_bytes(), sizes.largest_bytes());
        if low == high {
            return Self::Fixed(low);
        }
        if sizes.range_bytes.is_some() {
            return Self::Range { low, high };
        }
        let whole = 2.0_f64.powi(32) / 100.0;
        let drawable = sizes.weighted.iter().filter(|(_, weight)| *weight > 0.0);
        Self::Weighted(drawable.map(|&(bytes, weight)| (bytes, ((weight * whole) as u64).max(1))).collect())
    }

    /// A size in bytes that fits into `room_bytes`; `None` when even the smallest does not.
    #[inline(always)]
    pub fn draw(&self, stream: &mut Stream, room_bytes: u64) -> Option<u64> {
        match self {
            Self::Fixed(bytes) => (*bytes <= room_bytes).then_some(*bytes),
            _ => self.draw_varied(stream, room_bytes),
        }
    }

    #[inline(never)]
    fn draw_varied(&self, stream: &mut Stream, room_bytes: u64) -> Option<u64> {
        match self {
            Self::Fixed(_) => self.draw(stream, room_bytes),
            Self::Weighted(sizes) => draw_weighted(sizes, stream, room_bytes),
            Self::Range { low, high } => {
                let top = if *high <= room_bytes { *high } else { room_bytes / low * low };
                // low + [0, top), rounded down to a multiple of low: each multiple has `low` numbers.
                (top > 0).then(|| ((low + below(stream, top)) / low * low).min(top))
            }
        }
    }
}

fn draw_weighted(sizes: &[(u64, u64)], stream: &mut Stream, room_bytes: u64) -> Option<u64> {
    let fitting = || sizes.iter().filter(|(bytes, _)| *bytes <= room_bytes);
    let sum: u64 = fitting().map(|(_, weight)| weight).sum();
    if sum == 0 {
        return None;
    }
    let mut rest = below(stream, sum);
    for &(bytes, weight) in fitting() {
        if rest < weight {
            return Some(bytes);
        }
        rest -= weight;
    }
    unreachable!("a draw below the sum of the weights falls into one of them")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;
    use std::collections::BTreeMap;

    fn counts(sizes: &BlockSizes, room_bytes: u64) -> BTreeMap<u64, u32> {
        let law = SizeLaw::new(sizes);
        let mut stream = Streams::new(1).stream("sizes");
        let mut counts = BTreeMap::new();
        for _ in 0..10_000 {
            *counts.entry(law.draw(&mut stream, room_bytes).unwrap()).or_insert(0) += 1;
        }
        counts
    }

    fn split() -> BlockSizes {
        BlockSizes { weighted: vec![(4096, 60.0), (8192, 10.0), (65536, 30.0)], range_bytes: None, align_bytes: 4096 }
    }

    #[test]
    fn a_split_is_drawn_in_its_shares() {
        let counts = counts(&split(), u64::MAX);
        // Each standard deviation is below 50; the limit is five of them.
        assert!(counts[&4096].abs_diff(6000) < 250 && counts[&8192].abs_diff(1000) < 250, "{counts:?}");
        assert_eq!(counts.values().sum::<u32>(), 10_000);
    }

    #[test]
    fn only_sizes_that_fit_are_drawn_and_in_their_proportions() {
        let counts = counts(&split(), 65535);
        assert_eq!(counts.keys().copied().collect::<Vec<_>>(), vec![4096, 8192]);
        assert!(counts[&8192].abs_diff(10_000 / 7) < 250, "{counts:?}");
        assert_eq!(SizeLaw::new(&split()).draw(&mut Streams::new(1).stream("sizes"), 4095), None);
    }

    #[test]
    fn a_range_draws_every_multiple_of_its_low_end_alike() {
        let range = |low, high| BlockSizes { weighted: vec![], range_bytes: Some((low, high)), align_bytes: low };
        let even = counts(&range(4096, 16384), u64::MAX);
        assert_eq!(even.len(), 4);
        assert!(even.values().all(|count| count.abs_diff(2500) < 250), "{even:?}");
        assert_eq!(counts(&range(4096, 16384), 12287).len(), 2);
        let odd = counts(&range(4096, 10240), u64::MAX);
        assert_eq!(odd.keys().copied().collect::<Vec<_>>(), vec![4096, 8192, 10240]);
    }
}
