//! Random drives under random operations; a failure shrinks to the fewest operations on the plainest drive.
//!
//! `FLASHSCOPE_TWIN_CASES` sets the number of drives (default 2000), each with up to 300 operations.

use crate::configs::{CHOICES, chosen};
use crate::pair::{Operation, Pair, request};
use flashscope_drive::{Config, RequestKind};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn cases() -> u32 {
    std::env::var("FLASHSCOPE_TWIN_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000)
}

/// An operation by three choices: what, where, how much.
fn operation(config: &Config, (what, place, amount): (u8, u32, u8)) -> Operation {
    let unit_bytes = u64::from(config.mapping.unit_bytes);
    let (units, sectors) = (config.unit_count(), config.capacity.user_bytes / 512);
    let (place, amount) = (u64::from(place), u64::from(amount));
    let in_units = |kind, hot: bool| {
        let first = place % if hot { units.div_ceil(5) } else { units };
        let offset = first * unit_bytes;
        let length = ((1 + amount % 8) * unit_bytes).min(config.capacity.user_bytes - offset);
        Operation::Request(request(kind, offset, length))
    };
    let in_sectors = |kind| {
        let first = place % sectors;
        Operation::Request(request(kind, first * 512, (1 + amount % 40).min(sectors - first) * 512))
    };
    match what {
        0..=119 => in_units(RequestKind::Write, true),
        120..=179 => in_units(RequestKind::Write, false),
        180..=199 => in_sectors(RequestKind::Write),
        200..=219 => in_sectors(RequestKind::Read),
        220..=231 => in_units(RequestKind::Trim, false),
        232..=235 => in_sectors(RequestKind::Trim),
        236..=239 => Operation::Request(request(RequestKind::Flush, 0, 0)),
        240..=244 => Operation::Idle(amount * 3_000_000),
        245..=248 => Operation::Idle(place),
        // A drive that collects in idle time does so before it is switched off or erased; the twin does not wait for
        // that.
        253..=255 if config.gc.idle.is_some() => Operation::Idle(amount),
        249..=252 => Operation::PowerCut,
        253 => Operation::PowerOff(amount * 1_000_000),
        _ => Operation::SecureErase,
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: cases(),
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn drive_and_twin_agree_on_any_drive_under_any_operations(
        choices in prop::collection::vec(any::<u8>(), CHOICES),
        operations in prop::collection::vec((any::<u8>(), any::<u32>(), any::<u8>()), 1..300),
        seed in 0..4_u64,
    ) {
        let config = chosen(&choices);
        prop_assume!(config.check().is_ok());
        let operations: Vec<Operation> =
            operations.into_iter().map(|choices| operation(&config, choices)).collect();
        let mut pair = Pair::new(config, seed);
        for operation in operations {
            pair.operate(operation);
        }
        pair.compare_inside(Operation::Idle(0));
    }
}
