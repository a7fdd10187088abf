//! Simulated time is an integer count of nanoseconds since the drive was built. Nobody reads a clock.

/// One second in nanoseconds.
pub const SECOND_NS: u64 = 1_000_000_000;
/// A time that never comes.
pub const NEVER_NS: u64 = u64::MAX;

/// How long `bytes` take at `bytes_per_second`, in nanoseconds, rounded up so that nothing is ever free.
pub fn transfer_ns(bytes: u64, bytes_per_second: u64) -> u64 {
    (u128::from(bytes) * u128::from(SECOND_NS)).div_ceil(u128::from(bytes_per_second)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transfer_is_rounded_up_to_the_next_nanosecond() {
        assert_eq!(transfer_ns(4096, 40_000_000), 102_400);
        assert_eq!(transfer_ns(1, 3_000_000_000), 1);
        assert_eq!(transfer_ns(0, 1), 0);
    }
}
