//! Toshiba HG2 and HG3. Neither host writes nor reads are counted.
//!
//! 173 packs three 16-bit words: the average, the highest and the lowest erase count. Its value byte is the life left
//! plus 100: 200 when new, 100 when the rating is used up. Some firmware of real drives shows the words and leaves the
//! value at 100, other firmware shows the value and leaves the words at 0; this model shows both. 170 packs the blocks
//! bad from the factory (lowest word) and those that went bad in use (highest word). 5 stays 0 on real drives whose 170
//! is not 0. 167 is not 0 once the drive takes no more writes.
//!
//! Not modelled here: the middle word of 170 and all of 169, whose meaning is not known; entries of the table of bad
//! clusters (175); attributes that were taken over from disks (1 to 3, 7, 8, 10, 197, 240). They show 0.

use super::attribute::{Attribute, words};
use super::health::Health;

const PRE_FAILURE: u16 = 0x0013;
const OLD_AGE: u16 = 0x0012;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let erases = words(health.erase_count_average, health.erase_count_max, health.erase_count_min);
    let bad = words(health.initial_bad_blocks, 0, health.grown_bad_blocks());
    let shown = Attribute::conventional;
    vec![
        shown(1, 0x000a, 99, 0),
        shown(2, 0x0005, 100, 0),
        shown(3, 0x0007, 100, 0),
        shown(5, PRE_FAILURE, 100, 0),
        shown(7, 0x000b, 100, 0),
        shown(8, 0x0005, 100, 0),
        shown(9, OLD_AGE, 100, health.power_on_hours),
        shown(10, PRE_FAILURE, 100, 0),
        shown(12, OLD_AGE, 100, health.power_cycles),
        shown(167, 0x0022, 100, u64::from(health.spares_exhausted)),
        shown(168, OLD_AGE, 100, 0),
        shown(169, PRE_FAILURE, 100, 0),
        shown(170, PRE_FAILURE, 100, bad),
        shown(173, PRE_FAILURE, 100 + health.life_left_percent(0), erases),
        shown(175, PRE_FAILURE, 100, 0),
        shown(192, OLD_AGE, 100, health.power_cuts),
        shown(194, 0x0023, 100, 0),
        shown(197, OLD_AGE, 100, 0),
        shown(240, PRE_FAILURE, 100, 0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn erase_counts_are_packed_as_average_highest_and_lowest() {
        let health = Health {
            erase_count_average: 168,
            erase_count_max: 335,
            erase_count_min: 9,
            rated_pe_cycles: 5000,
            ..Health::default()
        };
        let one = attributes(&health).into_iter().find(|attribute| attribute.id == 173).unwrap();
        assert_eq!((one.value, one.raw), (197, [168, 0, 0x4f, 0x01, 9, 0]));
    }
}
