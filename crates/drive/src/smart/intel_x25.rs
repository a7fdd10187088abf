//! Intel X25-M and X25-V of the second generation (34 nm), with Intel's own controller.
//!
//! 225 counts host writes in units of 32 MiB; host reads and writes to flash are not counted. The value byte of 233 is
//! the life left, from 100 down to 1; that of 232 is the spare blocks left; their raw numbers are 0. 184 is the last
//! entry.
//!
//! Not modelled here: the workload timers (226 to 228), which real drives leave at any value: they show 0.

use super::attribute::{Attribute, OLD_AGE, PRE_FAILURE};
use super::health::Health;

pub(super) const SECTORS_PER_32_MIB: u64 = 65_536;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let plain = Attribute::plain;
    vec![
        Attribute::conventional(3, 0x0020, 100, 0),
        Attribute::conventional(4, 0x0030, 100, 0),
        plain(5, health.grown_bad_blocks()),
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        plain(192, health.power_cuts),
        Attribute::conventional(225, 0x0030, 100, health.host_written_sectors / SECTORS_PER_32_MIB),
        plain(226, 0),
        plain(227, 0),
        plain(228, 0),
        Attribute::conventional(232, PRE_FAILURE, health.spare_left_percent(), 0),
        Attribute::conventional(233, OLD_AGE, health.life_left_percent(1), 0),
        Attribute::conventional(184, PRE_FAILURE, 100, 0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn host_writes_are_shown_in_whole_units_of_32_mib() {
        let shown = |sectors| {
            let health = Health { host_written_sectors: sectors, ..Health::default() };
            attributes(&health).into_iter().find(|attribute| attribute.id == 225).map(|attribute| attribute.raw)
        };
        assert_eq!(shown(65_535), Some([0; 6]));
        assert_eq!(shown(0x1234 * 65_536), Some([0x34, 0x12, 0, 0, 0, 0]));
    }

    #[test]
    fn life_stops_at_1_when_the_rating_is_used_up() {
        let value = |average| {
            let health = Health { erase_count_average: average, rated_pe_cycles: 5000, ..Health::default() };
            attributes(&health).into_iter().find(|attribute| attribute.id == 233).map(|attribute| attribute.value)
        };
        assert_eq!([value(0), value(250), value(4999), value(9000)], [Some(100), Some(95), Some(1), Some(1)]);
    }
}
