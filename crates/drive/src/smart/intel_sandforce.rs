//! Intel 520: a SandForce SF-2281 with Intel's attribute numbers.
//!
//! 225 and 241 count host writes, 242 host reads, in units of 32 MiB; 249 counts writes to flash in GiB. The value byte
//! of 233 is the life left, from 100 down to 1; those of 170 and 232 are the spare blocks left.
//!
//! ```text
//!   9   raw0 .. raw3              raw4  raw5  (reserved)
//!       hours + 0x0DA753          milliseconds of the hour
//! ```
//!
//! Not modelled here: those milliseconds, and the workload timers, which show their values from before they are
//! started.

use super::attribute::{Attribute, OLD_AGE, PRE_FAILURE};
use super::health::Health;
use super::intel_x25::SECTORS_PER_32_MIB;

/// Offset that the firmware of the 520 adds to the hours.
const HOURS_BASE: u64 = 0x000d_a753;
const TIMER_NOT_STARTED: u64 = 65_535;
const GIB: u64 = 1 << 30;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let host_written = health.host_written_sectors / SECTORS_PER_32_MIB;
    let spare_left = health.spare_left_percent();
    let plain = Attribute::plain;
    vec![
        plain(5, health.grown_bad_blocks()),
        Attribute::conventional(9, OLD_AGE, 0, health.power_on_hours + HOURS_BASE),
        plain(12, health.power_cycles),
        Attribute::conventional(170, PRE_FAILURE, spare_left, 0),
        plain(171, health.failed_programs),
        plain(172, health.erase_failed_blocks),
        plain(174, health.power_cuts),
        Attribute::conventional(184, PRE_FAILURE, 100, 0),
        plain(187, health.unreadable_reads),
        plain(192, health.power_cuts),
        plain(225, host_written),
        plain(226, TIMER_NOT_STARTED),
        plain(227, TIMER_NOT_STARTED),
        plain(228, TIMER_NOT_STARTED),
        Attribute::conventional(232, PRE_FAILURE, spare_left, 0),
        Attribute::conventional(233, OLD_AGE, health.life_left_percent(1), 0),
        plain(241, host_written),
        plain(242, health.host_read_sectors / SECTORS_PER_32_MIB),
        Attribute::conventional(249, 0x0013, 100, health.nand_written_bytes / GIB),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hours_begin_at_the_base_of_this_firmware() {
        // A real 520 that shows 936,646 has run for 41,843 hours.
        let health = Health { power_on_hours: 41_843, ..Health::default() };
        let hours = attributes(&health).into_iter().find(|attribute| attribute.id == 9).map(|attribute| attribute.raw);
        assert_eq!(hours, Some([0xc6, 0x4a, 0x0e, 0, 0, 0]));
    }
}
