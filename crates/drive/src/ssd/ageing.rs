//! A drive put into the state that long use leaves it in, without the writing.
//!
//! ```text
//!   age --> translation layer: blocks, map, wear, tally  (crates/ftl, translation/ageing)
//!      \--> here: what the host would have written, and collection that is spread over the pages to come
//! ```
//!
//! No simulated time passes, and the data is dated to this moment. The host's part is counted as requests of
//! `SEQUENTIAL_REQUEST_BYTES` for data written in order, and of one mapping unit for data written at random.
//!
//! A drive with a pSLC cache or few fine tables is laid out as after a long rest: nothing is left to fold, and no table
//! is in use. Only long use leaves a drive in that state, so a drive with a pSLC cache must have been overwritten at
//! random.
//!
//! Not modelled here: block-mapped drives (the content of their log blocks depends on the order of writes),
//! compression, power cycles and power-on hours of the drive's earlier life.

use super::Ssd;
use crate::config_error::ConfigError;
use flashscope_ftl::{AgeRefusal, AgedState, Collected, Habits, Overwrites, Pacing, TranslationLayer};

/// Size of the requests that filled the drive in order, for the count of commands [bytes].
const SEQUENTIAL_REQUEST_BYTES: u64 = 128 << 10;

impl From<AgeRefusal> for ConfigError {
    fn from(refusal: AgeRefusal) -> Self {
        Self { key: refusal.key, found: refusal.found, accepted: refusal.accepted }
    }
}

impl Ssd {
    /// Put a drive that is new, or was just secure-erased, into an aged state; the stream `"aged state"` chooses one of
    /// the equivalent states.
    ///
    /// Refuses: values out of range; a drive that holds data, has log blocks or compresses; a drive with a pSLC cache
    /// that is filled without overwrites; wear that the drive would not have survived.
    pub fn age(&mut self, state: &AgedState) -> Result<(), ConfigError> {
        let busy = !self.host.is_idle() || self.buffer.used_units() > 0;
        if busy {
            return Err(refusal("a drive at work", "a new drive, or one that was just secure-erased"));
        }
        let only_filled_pslc = self.config.pslc.is_some() && state.overwrites == Overwrites::None;
        if only_filled_pslc || self.config.compression.is_some() {
            return Err(refusal(
                "a drive with compression, or one with a pSLC cache that is not overwritten",
                "drives without: what their blocks hold depends on the history of idle times and data, so write it there",
            ));
        }
        self.set_date();
        let TranslationLayer::PageMapped(layer) = &mut self.translation else {
            return Err(refusal(
                "a drive with log blocks",
                "page-mapped drives: what is in log blocks depends on the order of all writes, so write it there",
            ));
        };
        let habits = Habits { gc: &self.config.gc, page_per_unit: !self.buffer.exists() };
        let aged = layer.age(state, &habits, &self.streams)?;
        let unit_bytes = u64::from(self.config.mapping.unit_bytes);
        let sequential_bytes = aged.sequential_units * unit_bytes;
        self.counters.host.written_bytes += sequential_bytes + aged.random_units * unit_bytes;
        self.counters.host.write_requests += sequential_bytes.div_ceil(SEQUENTIAL_REQUEST_BYTES) + aged.random_units;
        if self.config.gc.pacing == Pacing::Spread && state.overwrites == Overwrites::Random {
            let erase_blocks = self.config.geometry.erase_blocks_per_pool_block();
            for (owed, work) in self.owed.iter_mut().zip(aged.owed) {
                *owed = Collected { erases: work.erases * erase_blocks, ..work };
            }
        }
        self.nothing_to_collect = false;
        Ok(())
    }
}

/// The properties that prevent a drive from being aged, and which drives can be aged.
pub(crate) fn refusal(found: &str, accepted: &str) -> ConfigError {
    ConfigError { key: "aged", found: found.into(), accepted: accepted.into() }
}
