//! A limit for stripes of stripes of stripes that are read from bytes.
//!
//! Every level of a drive that is read needs a part of the stack, and a level takes few bytes: some kilobytes could
//! describe a thousand levels, and the program would end without a message.

use serde::de::{Deserialize, Deserializer, Error};
use std::cell::Cell;

/// Two levels are enough for any use.
const LEVELS_MAX: u32 = 8;

thread_local! {
    static LEVEL: Cell<u32> = const { Cell::new(0) };
}

/// One level deeper while this value exists.
struct Deeper;

impl Drop for Deeper {
    fn drop(&mut self) {
        LEVEL.with(|level| level.set(level.get() - 1));
    }
}

/// The members of a stripe.
pub fn members<'de, R: Deserializer<'de>, D: Deserialize<'de>>(reader: R) -> Result<Vec<D>, R::Error> {
    let level = LEVEL.with(|level| {
        level.set(level.get() + 1);
        level.get()
    });
    let _deeper = Deeper;
    if level > LEVELS_MAX {
        return Err(R::Error::custom(format!("more than {LEVELS_MAX} stripes in each other")));
    }
    Vec::deserialize(reader)
}

#[cfg(test)]
mod tests {
    use crate::stripe::{Config, Host};
    use crate::{VirtualDrive, snapshot};

    fn nested(levels: u32) -> VirtualDrive {
        let host = Host { bytes_per_second: 1_000_000_000, command_cost_ns: 0, command_bytes_max: 0 };
        let config = crate::memory::tests::config(1, false);
        let memory = VirtualDrive::Memory(Box::new(crate::Memory::new(config).unwrap()));
        (0..levels).fold(memory, |inner, _| {
            VirtualDrive::stripe(Config { chunk_bytes: 4096, host: host.clone() }, vec![inner]).unwrap()
        })
    }

    #[test]
    fn a_stripe_of_stripes_comes_back_and_a_tower_of_them_is_refused() {
        let bytes = snapshot::take(&nested(2));
        assert!(snapshot::restore_at_rest(&bytes).is_ok());
        let tower = snapshot::restore_at_rest(&snapshot::take(&nested(9))).unwrap_err().to_string();
        assert!(tower.starts_with("the snapshot is damaged"), "{tower}");
        assert!(snapshot::restore_at_rest(&bytes).is_ok(), "the count of levels is back where it was");
    }
}
