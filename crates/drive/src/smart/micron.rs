//! Micron and Crucial drives with Marvell controllers, as the C300 shows them.
//!
//! No count of host writes: 173 (average erase count) and 202 (per cent of the rating used) are all there is.
//! 181 packs three 16-bit words that wrap: the lowest and the middle one add up to the highest, which counts the
//! accesses that were not on 4 KiB.
//!
//! Not modelled here: 170 (grown bad blocks), program and erase failures, power losses and link errors stay 0.

use super::{Attribute, Health};

const PRE_FAILURE: u16 = 0x0033;
const OLD_AGE: u16 = 0x0032;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let used_percent = 100 * health.erase_count_average / health.rated_pe_cycles;
    let left = 100_u64.saturating_sub(used_percent).max(1) as u8;
    let unaligned = health.unaligned_writes & 0xffff;
    let plain = |id, number| Attribute::conventional(id, OLD_AGE, 100, number);
    vec![
        Attribute::conventional(1, 0x002f, 100, 0),
        Attribute::conventional(5, PRE_FAILURE, 100, 0),
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        Attribute::conventional(170, PRE_FAILURE, 100, 0),
        plain(171, 0),
        plain(172, 0),
        Attribute::conventional(173, PRE_FAILURE, left, health.erase_count_average),
        plain(174, 0),
        Attribute::conventional(181, 0x0022, 100, unaligned | unaligned << 32),
        plain(183, 0),
        Attribute::conventional(184, PRE_FAILURE, 100, 0),
        plain(187, 0),
        plain(188, 0),
        Attribute::conventional(189, 0x000e, 100, health.initial_bad_blocks),
        Attribute::conventional(195, 0x003a, 100, 0),
        plain(196, 0),
        plain(197, 0),
        Attribute::conventional(198, 0x0030, 100, 0),
        plain(199, 0),
        Attribute::conventional(202, 0x0018, left, used_percent),
        Attribute::conventional(206, 0x000e, 100, 0),
    ]
}
