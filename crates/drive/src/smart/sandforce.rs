//! SandForce SF-1200 and SF-2200: host and flash traffic in GiB, wear as a spread and a percentage.
//!
//! 177 is the spread of wear: 100 x (most - fewest cycles) / rated. 231 is the life left, from 100 down to 10 when the
//! rating is used up, and below 10 when the spare blocks are used up. 5 and 196 are equal, so are 171 and 181, and 172
//! and 182.
//!
//! Not modelled here: error rates (1, 195, 201, 204), which count from the last power-on; temperature (194 shows 30 C,
//! as drives without a sensor do), the life curve (230), the minutes and milliseconds that real drives pack into 9
//! together with the hours.

use super::attribute::{Attribute, PRE_FAILURE};
use super::health::Health;

const GIB: u64 = 1 << 30;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let spread = 100 * (health.erase_count_max - health.erase_count_min) / health.rated_pe_cycles;
    let life_left = if health.spares_exhausted { 1 } else { health.life_left_percent(10) };
    let host_written_gib = health.host_written_sectors * 512 / GIB;
    let grown_bad = health.grown_bad_blocks();
    let plain = Attribute::plain;
    vec![
        Attribute::conventional(5, PRE_FAILURE, 100, grown_bad),
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        plain(171, health.failed_programs),
        plain(172, health.erase_failed_blocks),
        plain(174, health.power_cuts),
        Attribute::conventional(177, 0x0000, 0, spread),
        plain(181, health.failed_programs),
        plain(182, health.erase_failed_blocks),
        plain(187, health.unreadable_reads),
        Attribute::conventional(194, 0x0022, 30, 30),
        Attribute::conventional(195, 0x001c, 120, 0),
        Attribute::conventional(196, PRE_FAILURE, 100, grown_bad),
        Attribute::conventional(201, 0x001c, 120, 0),
        Attribute::conventional(204, 0x001c, 120, 0),
        Attribute::conventional(230, 0x0013, 100, 100),
        Attribute::conventional(231, 0x0013, life_left, u64::from(life_left)),
        Attribute::conventional(233, 0x0000, 0, health.nand_written_bytes / GIB),
        plain(234, host_written_gib),
        plain(241, host_written_gib),
        plain(242, health.host_read_sectors * 512 / GIB),
    ]
}
