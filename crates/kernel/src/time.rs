//! Simulated time is an integer count of nanoseconds since the drive was built. No clock of the computer is read.

/// One second in nanoseconds.
pub const SECOND_NS: u64 = 1_000_000_000;
/// A time that never comes.
pub const NEVER_NS: u64 = u64::MAX;
/// One year of 365 days in nanoseconds.
pub const YEAR_NS: u64 = 365 * 86_400 * SECOND_NS;
/// The latest virtual time: 250 years. The sum of a time and a duration up to this limit does not overflow, and such a
/// time also fits a signed number. Code that lets time pass checks both against the limit, so no other code has to.
pub const END_NS: u64 = 250 * YEAR_NS;

/// How long `bytes` take at `bytes_per_second`, in nanoseconds, rounded up so that even one byte takes time.
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
