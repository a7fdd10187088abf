//! JMicron JMF601 and JMF602: entries hold eight bytes in the vendor's own format from the worst byte on, most
//! significant first.
//!
//! ```text
//!   byte of the entry    0    1 2      3     4      5  6    7      8  9    10     11
//!   meaning              id   flags    value worst  raw0,1  raw2   raw3,4  raw5   reserved
//!   234                  id   02 00    64    [ average    ]  [ highest    ]
//!   235                  id   02 00    64    [ good blocks ] [ system ]
//!   233                  id   02 00    64    [ ECC failures, then the place of the last ]
//! ```
//!
//! Host writes and blocks that went bad are not counted; 235 shows how many blocks are left. 12 comes before 9.
//!
//! Not modelled here: the id of the flash (229), the date of the firmware with the numbers of channels and banks (232),
//! the place of the last ECC failure (233): their bytes are 0.

use super::attribute::Attribute;
use super::health::Health;

/// An entry in the vendor's own format; `bytes` begin at the worst byte.
fn vendor(id: u8, [worst, raw @ ..]: [u8; 7]) -> Attribute {
    Attribute { id, flags: 0x0002, value: 100, worst, raw }
}

/// The lower three bytes of a number, most significant first; a larger number becomes the maximum.
fn three_bytes(number: u64) -> [u8; 3] {
    let [.., high, middle, low] = number.min(0x00ff_ffff).to_be_bytes();
    [high, middle, low]
}

pub(super) fn attributes(health: &Health) -> Vec<Attribute> {
    let [average, highest, good] =
        [health.erase_count_average, health.erase_count_max, health.usable_blocks].map(three_bytes);
    let [system_high, system_low] = (health.reserved_blocks.min(0xffff) as u16).to_be_bytes();
    let failures = health.unreadable_reads.min(0xff) as u8;
    vec![
        Attribute::plain(12, health.power_cycles),
        Attribute::plain(9, health.power_on_hours),
        Attribute::conventional(194, 0x0007, 100, 0),
        vendor(229, [0; 7]),
        vendor(232, [0; 7]),
        vendor(233, [failures, 0, 0, 0, 0, 0, 0]),
        vendor(234, [average[0], average[1], average[2], highest[0], highest[1], highest[2], 0]),
        vendor(235, [good[0], good[1], good[2], system_high, system_low, 0, 0]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_at_the_worst_byte_most_significant_first() {
        // A real drive shows 5478/5662 and 16344/1056.
        let health = Health {
            erase_count_average: 5478,
            erase_count_max: 5662,
            usable_blocks: 16_344,
            reserved_blocks: 1056,
            ..Health::default()
        };
        let bytes = |id| {
            let one = attributes(&health).into_iter().find(|attribute| attribute.id == id).unwrap();
            (one.value, one.worst, one.raw)
        };
        assert_eq!(bytes(234), (100, 0, [0x15, 0x66, 0, 0x16, 0x1e, 0]));
        assert_eq!(bytes(235), (100, 0, [0x3f, 0xd8, 0x04, 0x20, 0, 0]));
    }
}
