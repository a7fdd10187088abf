//! Division by a number that is fixed for a run: one multiplication instead of a division.
//!
//! Exact for all 32-bit dividends and divisors (Lemire, Kaser, Kurz, "Faster remainder by direct
//! computation", 2019: the reciprocal needs 64 fractional bits).

use serde::{Deserialize, Serialize};

/// A divisor and its reciprocal.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Divisor {
    divisor: u32,
    reciprocal: u64,
}

impl Divisor {
    /// Prepare division by `divisor`, which must be at least 1.
    pub fn new(divisor: u32) -> Self {
        assert!(divisor > 0, "division by zero was prepared");
        Self { divisor, reciprocal: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    /// `dividend / divisor`, rounded down.
    #[inline]
    pub fn quotient(&self, dividend: u32) -> u32 {
        if self.divisor == 1 {
            return dividend;
        }
        ((u128::from(self.reciprocal) * u128::from(dividend)) >> 64) as u32
    }

    /// The divisor itself.
    #[inline]
    pub fn divisor(&self) -> u32 {
        self.divisor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotients_are_exact_at_every_edge() {
        for divisor in [1, 2, 3, 7, 64, 255, 256, 1152, 65_537, u32::MAX] {
            let fast = Divisor::new(divisor);
            for multiple in [0_u64, 1, 2, 1000, u64::from(u32::MAX / divisor)] {
                let edge = multiple * u64::from(divisor);
                for dividend in [edge.saturating_sub(1), edge, edge + 1] {
                    if let Ok(dividend) = u32::try_from(dividend) {
                        assert_eq!(fast.quotient(dividend), dividend / divisor, "{dividend} / {divisor}");
                    }
                }
            }
        }
    }
}
