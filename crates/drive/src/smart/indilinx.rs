//! Indilinx Barefoot: each entry holds one 64-bit number, which begins where other families keep the normalized value.
//!
//! ```text
//!   byte of the entry    0    1 2     3      4      5 .. 10      11
//!   meaning              id   flags   value  worst  raw0..raw5   reserved
//!   this family          id   0 0     [ 64-bit number, least significant first ]
//! ```
//!
//! 1 is the negative power of ten of the raw bit error rate, rounded down. All numbers are the drive's own counts.
//!
//! Not modelled here: errors of the link (211, 212) and 213, whose meaning is not known: they stay 0.

use super::attribute::Attribute;
use super::health::Health;

fn number(id: u8, number: u64) -> Attribute {
    let [value, worst, raw @ ..] = number.to_le_bytes();
    Attribute { id, flags: 0, value, worst, raw }
}

/// floor(-log10(wrong bits / bits read)), in integers: 0 when nothing was read or no bit was wrong.
fn error_rate_exponent(health: &Health) -> u64 {
    let bits_read = u128::from(health.host_read_sectors) * 4096;
    let error_bits = u128::from(health.error_bits);
    if error_bits == 0 || bits_read == 0 { 0 } else { (bits_read / error_bits).checked_ilog10().unwrap_or(0).into() }
}

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    // Real firmware stops at 99 for a new drive and shows garbage beyond the rating; the limit at 0 is only in this
    // model.
    let remaining_percent = u64::from(health.life_left_percent(0).min(99));
    vec![
        number(1, error_rate_exponent(health)),
        number(9, health.power_on_hours),
        number(12, health.power_cycles),
        number(184, health.initial_bad_blocks),
        number(195, health.program_failed_blocks),
        number(196, health.erase_failed_blocks),
        number(197, health.read_failed_blocks),
        number(198, health.host_read_sectors),
        number(199, health.host_written_sectors),
        number(200, health.host_read_commands),
        number(201, health.host_write_commands),
        number(202, health.error_bits),
        number(203, health.corrected_reads),
        number(204, u64::from(health.spares_exhausted)),
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
    fn the_error_rate_is_shown_as_its_power_of_ten() {
        // 36,951 wrong bits in 160,699,137 sectors are 5.6e-8.
        let health = Health { error_bits: 36_951, host_read_sectors: 160_699_137, ..Health::default() };
        assert_eq!(error_rate_exponent(&health), 7);
        assert_eq!(error_rate_exponent(&Health::default()), 0);
    }

    #[test]
    fn the_number_starts_at_the_normalized_value() {
        // A real drive shows value 191, worst 83, raw 96593: 96593 * 65536 + 83 * 256 + 191 sectors.
        let attribute = number(199, 6_330_340_287);
        assert_eq!((attribute.value, attribute.worst), (191, 83));
        assert_eq!(attribute.raw, [0x51, 0x79, 0x01, 0, 0, 0]);
    }
}
