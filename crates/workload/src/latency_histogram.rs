//! Latencies as counts per bucket. No single latency is logged.
//!
//! The buckets are those of `flashscope.records.latency`: values below 64 ns have a bucket each; above, every
//! power of two is cut into 64 equal buckets, so a bucket is at most 1/64 (1.6 %) wide.

/// Number of buckets per power of two.
pub const SUB_BUCKETS: u64 = 64;
const SHIFT: u32 = SUB_BUCKETS.trailing_zeros();
/// Number of buckets that covers every 64-bit latency.
const BUCKET_COUNT: usize = bucket_of(u64::MAX) + 1;

/// The index of the bucket that holds a latency [ns].
#[inline]
pub const fn bucket_of(latency_ns: u64) -> usize {
    if latency_ns < SUB_BUCKETS {
        return latency_ns as usize;
    }
    let exponent = latency_ns.ilog2() - SHIFT;
    // (exponent + 1) * 64 + (latency >> exponent) - 64
    ((exponent as usize) << SHIFT) + (latency_ns >> exponent) as usize
}

/// Counts of latencies per bucket, with the exact sum, minimum and maximum beside them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LatencyHistogram {
    counts: Box<[u64; BUCKET_COUNT]>,
    sum_ns: u64,
    min_ns: u64,
    max_ns: u64,
}

impl Default for LatencyHistogram {
    fn default() -> Self {
        Self { counts: Box::new([0; BUCKET_COUNT]), sum_ns: 0, min_ns: u64::MAX, max_ns: 0 }
    }
}

impl LatencyHistogram {
    /// Counts one latency.
    #[inline]
    pub fn record(&mut self, latency_ns: u64) {
        self.counts[bucket_of(latency_ns)] += 1;
        self.sum_ns += latency_ns;
        self.min_ns = self.min_ns.min(latency_ns);
        self.max_ns = self.max_ns.max(latency_ns);
    }

    /// Counts all that another one counted.
    pub fn merge(&mut self, other: &Self) {
        self.counts.iter_mut().zip(other.counts.iter()).for_each(|(mine, theirs)| *mine += theirs);
        self.sum_ns += other.sum_ns;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
    }

    /// (bucket, requests) of every bucket that is not empty, in ascending order.
    pub fn counts(&self) -> impl Iterator<Item = (usize, u64)> {
        self.counts.iter().copied().enumerate().filter(|&(_, count)| count > 0)
    }

    /// Requests counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Exact sum of all latencies [ns].
    pub fn sum_ns(&self) -> u64 {
        self.sum_ns
    }

    /// Shortest latency [ns]; 0 when empty.
    pub fn min_ns(&self) -> u64 {
        if self.min_ns > self.max_ns { 0 } else { self.min_ns }
    }

    /// Longest latency [ns]; 0 when empty.
    pub fn max_ns(&self) -> u64 {
        self.max_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The half-open range of a bucket, by the inverse of the rule on the Python side.
    fn bounds_ns(bucket: u64) -> (u128, u128) {
        if bucket < SUB_BUCKETS {
            return (bucket.into(), u128::from(bucket) + 1);
        }
        let (exponent, position) = ((bucket - SUB_BUCKETS) / SUB_BUCKETS, (bucket - SUB_BUCKETS) % SUB_BUCKETS);
        let low = u128::from(SUB_BUCKETS + position) << exponent;
        (low, low + (1 << exponent))
    }

    proptest! {
        #[test]
        fn every_latency_lies_within_the_bounds_of_its_bucket(mantissa: u64, shift in 0_u32..64) {
            let latency_ns = mantissa >> shift;
            let (low, high) = bounds_ns(bucket_of(latency_ns) as u64);
            prop_assert!((low..high).contains(&u128::from(latency_ns)));
        }
    }

    #[test]
    fn the_rule_gives_the_numbers_of_the_python_side() {
        // From flashscope.records.latency.bucket_of.
        for (latency_ns, bucket) in
            [(0, 0), (63, 63), (64, 64), (127, 127), (128, 128), (900_000, 941), (u64::MAX, 3775)]
        {
            assert_eq!(bucket_of(latency_ns), bucket, "{latency_ns}");
        }
    }

    #[test]
    fn sum_minimum_and_maximum_are_exact() {
        let mut histogram = LatencyHistogram::default();
        assert_eq!((histogram.min_ns(), histogram.max_ns(), histogram.total()), (0, 0, 0));
        for latency_ns in [1_000_003, 17, 1_000_001] {
            histogram.record(latency_ns);
        }
        assert_eq!((histogram.min_ns(), histogram.max_ns(), histogram.sum_ns()), (17, 1_000_003, 2_000_021));
        assert_eq!(histogram.counts().map(|(_, count)| count).collect::<Vec<_>>(), vec![1, 2]);
    }
}
