//! Simulated time is an integer count of nanoseconds since the drive was built. Nobody reads a clock.

/// One second in nanoseconds.
pub const SECOND_NS: u64 = 1_000_000_000;
/// A time that never comes.
pub const NEVER_NS: u64 = u64::MAX;
/// One year of 365 days in nanoseconds.
pub const YEAR_NS: u64 = 365 * 86_400 * SECOND_NS;
/// Where virtual time ends: 250 years. A time up to here and a duration up to here add up without overflow, and a time
/// is a signed number too: whoever lets time pass checks both against it, and nobody in between has to.
pub const END_NS: u64 = 250 * YEAR_NS;

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
