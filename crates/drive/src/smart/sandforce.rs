//! SandForce SF-1200 and SF-2200: host and flash traffic in GiB, wear as a spread and a percentage.
//!
//! 177 is the spread of wear: 100 x (most - fewest cycles) / rated. 231 is life left, from 100 down to 10
//! when the rating is used up.
//!
//! Not modelled here: error rates (1, 195, 201, 204), temperature (194 shows 30 C), retired blocks, the life
//! curve (230), the minutes and milliseconds that real drives pack beside the hours in 9.

use super::{Attribute, Health};

const OLD_AGE: u16 = 0x0032;
const GIB: u64 = 1 << 30;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let spread = 100 * (health.erase_count_max - health.erase_count_min) / health.rated_pe_cycles;
    let unused_percent = 100_u64.saturating_sub(100 * health.erase_count_average / health.rated_pe_cycles);
    let life_left = unused_percent.max(10) as u8;
    let host_written_gib = health.host_written_sectors * 512 / GIB;
    let plain = |id, number| Attribute::conventional(id, OLD_AGE, 100, number);
    vec![
        Attribute::conventional(5, 0x0033, 100, 0),
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        plain(171, 0),
        plain(172, 0),
        plain(174, 0),
        Attribute::conventional(177, 0x0000, 0, spread),
        plain(181, 0),
        plain(182, 0),
        plain(187, 0),
        Attribute::conventional(194, 0x0022, 30, 30),
        Attribute::conventional(195, 0x001c, 120, 0),
        Attribute::conventional(196, 0x0033, 100, 0),
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
