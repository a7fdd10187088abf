//! Disks and hybrids: the attributes that disks of all makers have.
//!
//! Power comes on once and stays on; from then on the platters turn and the heads fly: so 4, 12 and 193 are 1. The
//! model has no faults, so counts of faults are 0, as on a sound disk: reallocated and pending sectors, retries of
//! seeks and of starts, errors of the link.
//!
//! Not modelled here: the time the platters need to start (3), temperature (194).

use super::attribute::{Attribute, OLD_AGE, PRE_FAILURE};

pub(crate) fn attributes(power_on_hours: u64) -> Vec<Attribute> {
    let plain = Attribute::plain;
    vec![
        Attribute::conventional(1, 0x002f, 200, 0),
        plain(4, 1),
        Attribute::conventional(5, PRE_FAILURE, 200, 0),
        Attribute::conventional(7, 0x002e, 200, 0),
        plain(9, power_on_hours),
        plain(10, 0),
        plain(12, 1),
        Attribute::conventional(192, OLD_AGE, 200, 0),
        Attribute::conventional(193, OLD_AGE, 200, 1),
        Attribute::conventional(197, OLD_AGE, 200, 0),
        Attribute::conventional(198, 0x0030, 200, 0),
        Attribute::conventional(199, OLD_AGE, 200, 0),
    ]
}
