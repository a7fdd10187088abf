//! Life-time throttling: writes are slowed so that the rated cycles last a chosen time in use.
//!
//! ```text
//!   flash bytes                        .·'  allowed(t) = raw bytes x rated cycles x (t + credit) / life
//!   written        ____________.·'___/
//!                 /         .·'
//!                /       .·'     under the line: no effect; on it: writes wait until the line has risen
//!               /     .·'
//!              +---------------------------> time in use
//! ```
//!
//! The final write rate is not a setting: it follows from size, rated cycles, life and write amplification. A secure
//! erase does not end the throttling, since wear stays; only time does.
//! Not modelled here: smoothing of the pauses; a real controller slows every write a little instead of stopping some.

use serde::{Deserialize, Serialize};

/// The settings of life-time throttling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Throttle {
    /// Time in use that the rated cycles must last [ns].
    pub life_ns: u64,
    /// Wear allowed ahead of schedule, as time in use [ns].
    pub credit_ns: u64,
}

impl Throttle {
    /// The earliest time at which `nand_written_bytes` are allowed on a drive that can take `lifetime_bytes`, its raw
    /// size times its rated cycles [ns].
    pub fn allowed_from_ns(&self, nand_written_bytes: u64, lifetime_bytes: u128) -> u64 {
        let due_ns = u128::from(nand_written_bytes) * u128::from(self.life_ns) / lifetime_bytes;
        u64::try_from(due_ns).unwrap_or(u64::MAX).saturating_sub(self.credit_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_allowed_exactly_when_the_line_reaches_it() {
        let throttle = Throttle { life_ns: 1000, credit_ns: 100 };
        assert_eq!(throttle.allowed_from_ns(0, 500), 0);
        assert_eq!(throttle.allowed_from_ns(50, 500), 0, "the credit covers a tenth of all");
        assert_eq!(throttle.allowed_from_ns(51, 500), 2);
        assert_eq!(throttle.allowed_from_ns(500, 500), 900);
    }
}
