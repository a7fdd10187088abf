//! Samsung drives of 2008 to 2010: replaced blocks, on the chip with most of them and in all, and erases.
//!
//! The raw number of 177 is the average erase count, its value byte is the life left. 178 and 179 count the spare
//! blocks in use, including those for blocks bad from the factory; 180 counts the spare blocks left; 183 the blocks
//! that went bad in use. The value bytes of 178 to 180 are the share of spare blocks left: of the chip rounded to the
//! nearest, of all rounded down, as on real drives.
//!
//! Host writes are not counted: only the PM800 has 232 and 233, and its 233 does not count sectors. A chip here is a
//! pool of blocks, which may lie on several chips; spares are assumed to be spread evenly over the pools.
//!
//! Not modelled here: the rate of ECC errors (195) and scans (198), which show 0.

use super::attribute::{Attribute, OLD_AGE, PRE_FAILURE};
use super::health::Health;

const WITHOUT_EVENTS: u16 = 0x0013;

/// Spare blocks left, as a share of all spare blocks [per cent, rounded down]; 100 where there are none.
fn left_percent(left: u64, all: u64) -> u8 {
    (100 * left).checked_div(all).unwrap_or(100).min(100) as u8
}

/// The same rounded to the nearest per cent.
fn nearest_percent(left: u64, all: u64) -> u8 {
    (200 * left + all).checked_div(2 * all).unwrap_or(100).min(100) as u8
}

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let pools = health.pools.max(1);
    let (used, left) = (health.initial_bad_blocks + health.grown_bad_blocks(), health.spare_left_blocks());
    let of_all = left_percent(left, used + left);
    let worst = health.worst_pool;
    let pool_all = (health.initial_bad_blocks + health.spare_blocks.unwrap_or(0)) / pools;
    let pool_used = health.initial_bad_blocks / pools + worst.grown_bad_blocks;
    let of_pool = nearest_percent(pool_all.saturating_sub(pool_used), pool_all);
    let plain = Attribute::plain;
    vec![
        plain(9, health.power_on_hours),
        plain(12, health.power_cycles),
        plain(175, worst.program_failed_blocks),
        plain(176, worst.erase_failed_blocks),
        Attribute::conventional(177, WITHOUT_EVENTS, health.life_left_percent(0), health.erase_count_average),
        Attribute::conventional(178, WITHOUT_EVENTS, of_pool, pool_used),
        Attribute::conventional(179, WITHOUT_EVENTS, of_all, used),
        Attribute::conventional(180, WITHOUT_EVENTS, of_all, left),
        plain(181, health.failed_programs),
        plain(182, health.erase_failed_blocks),
        Attribute::conventional(183, WITHOUT_EVENTS, 100, health.grown_bad_blocks()),
        Attribute::conventional(187, PRE_FAILURE, 100, health.unreadable_reads),
        Attribute::conventional(195, 0x001a, 200, 0),
        Attribute::conventional(198, 0x0030, 100, 0),
        Attribute::conventional(199, OLD_AGE | 0x000c, 253, 0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smart::PoolFailures;

    #[test]
    fn the_value_bytes_are_those_of_a_real_drive_with_the_same_counts() {
        // A PM800 of 64 GB: 395 erases of 5000, 239 of 1920 spare blocks in use, 20 of 60 on the worst of 32 chips.
        let health = Health {
            erase_count_average: 395,
            rated_pe_cycles: 5000,
            initial_bad_blocks: 32,
            program_failed_blocks: 207,
            spare_blocks: Some(1888),
            pools: 32,
            worst_pool: PoolFailures { grown_bad_blocks: 19, ..PoolFailures::default() },
            ..Health::default()
        };
        let shown = |id| attributes(&health).into_iter().find(|attribute| attribute.id == id).map(|one| one.value);
        assert_eq!([shown(177), shown(178), shown(179), shown(180)], [Some(93), Some(67), Some(87), Some(87)]);
    }
}
