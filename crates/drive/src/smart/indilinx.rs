//! Indilinx Barefoot: each entry holds one 64-bit number that begins where others keep the normalized value.
//!
//! ```text
//!   byte of the entry    0    1 2     3      4      5 .. 10      11
//!   meaning              id   flags   value  worst  raw0..raw5   reserved
//!   this family          id   0 0     [ 64-bit number, least significant first ]
//! ```
//!
//! Not modelled here: the failure counters (195 to 197, 204) stay 0 until blocks can fail; 1 is the constant
//! that real drives show.

use super::{Attribute, Health};

fn number(id: u8, number: u64) -> Attribute {
    let [value, worst, raw @ ..] = number.to_le_bytes();
    Attribute { id, flags: 0, value, worst, raw }
}

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let used_percent = 100 * health.erase_count_average / health.rated_pe_cycles;
    // Real firmware stops at 99 for a new drive and has garbage past the rating; the floor at 0 is ours.
    let remaining_percent = 100_u64.saturating_sub(used_percent).min(99);
    vec![
        number(1, 6),
        number(9, health.power_on_hours),
        number(12, health.power_cycles),
        number(184, health.initial_bad_blocks),
        number(195, 0),
        number(196, 0),
        number(197, 0),
        number(198, health.host_read_sectors),
        number(199, health.host_written_sectors),
        number(200, health.host_read_commands),
        number(201, health.host_write_commands),
        number(202, health.error_bits),
        number(203, health.corrected_reads),
        number(204, 0),
        number(205, health.rated_pe_cycles),
        number(206, health.erase_count_min),
        number(207, health.erase_count_max),
        number(208, health.erase_count_average),
        number(209, remaining_percent),
        number(211, 0),
        number(212, 0),
        number(213, 0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_starts_at_the_normalized_value() {
        // A real drive shows value 191, worst 83, raw 96593: 96593 * 65536 + 83 * 256 + 191 sectors.
        let attribute = number(199, 6_330_340_287);
        assert_eq!((attribute.value, attribute.worst), (191, 83));
        assert_eq!(attribute.raw, [0x51, 0x79, 0x01, 0, 0, 0]);
    }
}
