//! Shares as thresholds of a 64-bit draw, so that no stream branches on a floating-point comparison.
//!
//! The conversion happens once, at set-up, with one multiplication: the same bits on every platform.

/// The share in units of 1/2^64, at most 2^64 - 1. Shares below 0 count as 0.
pub(crate) fn threshold(share_ratio: f64) -> u64 {
    // A cast from f64 saturates: 1.0 becomes u64::MAX.
    (share_ratio * 2.0_f64.powi(64)) as u64
}

/// Running sums of weights given in per cent, as thresholds; the last one is always 2^64 - 1, despite rounding.
pub(crate) fn cumulated(weights: impl Iterator<Item = f64>) -> Vec<u64> {
    let mut sum = 0.0;
    let mut thresholds: Vec<u64> = weights
        .map(|weight| {
            sum += weight;
            threshold(sum / 100.0)
        })
        .collect();
    if let Some(last) = thresholds.last_mut() {
        *last = u64::MAX;
    }
    thresholds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_become_their_part_of_all_64_bit_numbers() {
        assert_eq!(threshold(0.0), 0);
        assert_eq!(threshold(0.5), 1 << 63);
        assert_eq!(threshold(1.0), u64::MAX);
        assert_eq!(cumulated([25.0, 25.0, 50.0].into_iter()), vec![1 << 62, 1 << 63, u64::MAX]);
    }
}
