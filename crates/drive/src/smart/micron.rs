//! Micron and Crucial drives with Marvell controllers, as the C300 shows them.
//!
//! No host writes are counted: of wear, only 173 (average erase count) and 202 (per cent of the rating used) are shown.
//! 181 packs three 16-bit words that wrap: the lowest and the middle word add up to the highest, which counts the
//! accesses that were not on 4 KiB.
//!
//! 5 counts the sectors of the blocks that were replaced (2048 for a block, on a real drive whose 170 was 1); 196
//! counts the replacements. The life of 173 and 202 ends at 1.
//!
//! Not modelled here: read and write errors (1, 206), pending sectors (197), scans (198), errors of the link (183, 184,
//! 188, 199) and what 195 counts, which is far less than the reads that ECC corrects: they stay 0.

use super::attribute::{Attribute, PRE_FAILURE};
use super::health::Health;

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let left = health.life_left_percent(1);
    let unaligned = health.unaligned_writes & 0xffff;
    let grown_bad = health.grown_bad_blocks();
    let plain = Attribute::plain;
    vec![
        Attribute::conventional(1, 0x002f, 100, 0),
        Attribute::conventional(5, PRE_FAILURE, 100, grown_bad * health.block_sectors),
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        Attribute::conventional(170, PRE_FAILURE, 100, grown_bad),
        plain(171, health.failed_programs),
        plain(172, health.erase_failed_blocks),
        Attribute::conventional(173, PRE_FAILURE, left, health.erase_count_average),
        plain(174, health.power_cuts),
        Attribute::conventional(181, 0x0022, 100, unaligned | unaligned << 32),
        plain(183, 0),
        Attribute::conventional(184, PRE_FAILURE, 100, 0),
        plain(187, health.unreadable_reads),
        plain(188, 0),
        Attribute::conventional(189, 0x000e, 100, health.initial_bad_blocks),
        Attribute::conventional(195, 0x003a, 100, 0),
        plain(196, grown_bad),
        plain(197, 0),
        Attribute::conventional(198, 0x0030, 100, 0),
        plain(199, 0),
        Attribute::conventional(202, 0x0018, left, health.used_percent()),
        Attribute::conventional(206, 0x000e, 100, 0),
    ]
}
