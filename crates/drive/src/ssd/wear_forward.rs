//! Wear added without writing: what the parts of the drive around the translation layer must count.
//!
//! ```text
//!   books --> a stretch of real writing --> books         what it cost: time, counts, errors
//!        \--> forward: that cost as often as it fits before the next event, and the layer's blocks that much older
//! ```
//!
//! The caller (crates/workload, `wear`) decides how far a skip may go, and when a stretch counts as measured. Wrong
//! bits are counted in proportion to the error rate at the mean wear of the skipped stretch.
//!
//! Not modelled here: in skipped stretches, busy times of banks and channels (only real work counts), blocks that
//! become unreadable, and life-time throttling that begins within the stretch.

use super::{Counters, Ssd};
use flashscope_ftl::translation::Tally;
use flashscope_ftl::translation::wear_forward::{EraseSoon, LogRound, Steady};
use flashscope_ftl::{Translation, TranslationLayer};
use flashscope_kernel::time::SECOND_NS;
use flashscope_nand::bit_errors::ErrorCounts;
use serde::{Deserialize, Serialize};

/// The counts of a drive at one moment, at rest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Books {
    /// Simulated time [ns].
    pub now_ns: u64,
    /// Counts of the host's side.
    counters: Counters,
    /// Counts of the layer.
    pub tally: Tally,
    errors: ErrorCounts,
    /// Cycles of every block.
    pub erase_counts: Vec<u32>,
}

impl Books {
    /// Bytes that the host had written [bytes].
    pub fn host_written_bytes(&self) -> u64 {
        self.counters.host.written_bytes
    }
}

/// What a stretch of real writing cost.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cost {
    /// Simulated time [ns].
    pub duration_ns: u64,
    counters: Counters,
    /// Counts of the layer.
    pub tally: Tally,
    errors: ErrorCounts,
    erase_count_mean: f64,
    /// Erases of every block.
    pub erases: Vec<u32>,
}

impl Cost {
    /// Bytes the host wrote.
    pub fn host_written_bytes(&self) -> u64 {
        self.counters.host.written_bytes
    }
}

impl Ssd {
    /// The translation layer, when wear can be added to it by rounds.
    pub fn layer_of_like_blocks(&self) -> Option<&Translation> {
        match &self.translation {
            TranslationLayer::PageMapped(layer) if layer.blocks_are_alike() && self.fine_map.is_none() => Some(layer),
            TranslationLayer::PageMapped(_) | TranslationLayer::LogBlock(_) => None,
        }
    }

    fn layer_mut(&mut self) -> &mut Translation {
        match &mut self.translation {
            TranslationLayer::PageMapped(layer) => layer,
            TranslationLayer::LogBlock(_) => panic!("wear is put on page-mapped drives only"),
        }
    }

    /// Let everything that is under way end. No request may be outstanding.
    pub fn come_to_rest(&mut self) {
        assert!(self.host.is_idle(), "at rest with requests outstanding");
        self.settle();
    }

    /// The counts so far. The drive is at rest.
    pub fn books(&self) -> Books {
        Books {
            now_ns: self.now_ns,
            counters: self.counters,
            tally: self.translation.tally(),
            errors: self.bit_errors.counts(),
            erase_counts: self.translation.blocks().erase_counts().to_vec(),
        }
    }

    /// The counts since then. The drive is at rest again.
    pub fn cost_since(&self, before: &Books) -> Cost {
        let now = self.books();
        Cost {
            duration_ns: now.now_ns - before.now_ns,
            counters: now.counters.since(&before.counters),
            tally: now.tally.since(&before.tally),
            errors: now.errors.since(&before.errors),
            erase_count_mean: self.erase_count_mean(),
            erases: now.erase_counts.iter().zip(&before.erase_counts).map(|(now, before)| now - before).collect(),
        }
    }

    /// Cycles of the blocks in use, on average.
    pub fn erase_count_mean(&self) -> f64 {
        let blocks = self.translation.blocks();
        let in_use = blocks.erase_counts().iter().zip(blocks.states()).filter(|(_, state)| state.is_usable());
        let (sum, count) =
            in_use.fold((0_u64, 0_u64), |(sum, count), (&cycles, _)| (sum + u64::from(cycles), count + 1));
        sum as f64 / count.max(1) as f64
    }

    /// Let every pool open `blocks` more blocks of a log; see [`Translation::forward_log`]. Returns how many units and
    /// how many bytes this adds to the host's writes; the host writes `next_unit` next when the skip begins.
    pub fn forward_log(&mut self, round: &LogRound, blocks: u64, cost: &Cost, next_unit: u32) -> (u64, u64) {
        let pools = u64::from(self.config.geometry.pool_count());
        let units = blocks * self.config.slots_per_block() * pools;
        let ratio = units as f64 / cost.tally.placed_units.max(1) as f64;
        let before = self.erase_count_mean();
        let duration_ns = self.pass_time(cost, ratio);
        let done = self.layer_mut().forward_log(round, blocks, whole_seconds(duration_ns));
        debug_assert_eq!(done, units);
        let host_written_bytes = self.counters.host.written_bytes;
        self.count_times(cost, ratio, before);
        let end_bytes = |unit: u64| {
            let (rounds, rest) = (unit / self.config.unit_count(), unit % self.config.unit_count());
            rounds * self.config.capacity.user_bytes + rest * u64::from(self.config.mapping.unit_bytes)
        };
        let bytes = end_bytes(u64::from(next_unit) + units) - end_bytes(next_unit.into());
        self.counters.host.written_bytes = host_written_bytes + bytes;
        (units, bytes)
    }

    /// Add wear as a settled load does; see [`Translation::forward_steady`].
    pub fn forward_steady(&mut self, erases: &[u32], lies_still: &[bool], cost: &Cost) {
        let before = self.erase_count_mean();
        let expected: u64 = (0..self.translation.blocks().count())
            .filter(|&block| self.translation.blocks().state(block).is_usable() && !lies_still[block as usize])
            .map(|block| u64::from(erases[block as usize]))
            .sum();
        let duration_ns = (cost.duration_ns as f64 * expected as f64 / cost.tally.erased_blocks.max(1) as f64) as u64;
        let steady = Steady { erases, lies_still, measured: cost.tally, duration_s: whole_seconds(duration_ns) };
        let ratio = self.layer_mut().forward_steady(&steady);
        self.pass_time(cost, ratio);
        self.count_times(cost, ratio, before);
    }

    /// Collect a block that is near its end; its bank gets the work. True when it was collected.
    pub fn erase_soon(&mut self, block: u32) -> bool {
        self.set_date();
        let now_ns = self.now_ns;
        match self.layer_mut().erase_soon(block, now_ns) {
            Ok(EraseSoon::Collected(pool, work)) => {
                self.collect(pool, work);
                self.settle();
                true
            }
            Ok(EraseSoon::NotClosed | EraseSoon::NoRoom) | Err(_) => false,
        }
    }

    /// Let the time of `ratio` measured stretches pass. Returns this time [ns].
    fn pass_time(&mut self, cost: &Cost, ratio: f64) -> u64 {
        let duration_ns = (cost.duration_ns as f64 * ratio) as u64;
        self.now_ns = self.now_ns.saturating_add(duration_ns);
        self.last_arrival_ns = self.now_ns;
        duration_ns
    }

    fn count_times(&mut self, cost: &Cost, ratio: f64, erase_count_before: f64) {
        self.counters.add_times(&cost.counters, ratio);
        let half_way = (erase_count_before + self.erase_count_mean()) / 2.0;
        let law = self.config.error_law();
        let rate = |erase_count: f64| law.rate(erase_count as u32);
        let more_errors = rate(half_way) / rate(cost.erase_count_mean).max(f64::MIN_POSITIVE);
        self.bit_errors.count_times(&cost.errors, ratio * more_errors.max(0.0));
    }

    /// Slots that one block of every pool has in all.
    pub fn slots_per_round(&self) -> u64 {
        self.config.slots_per_block() * u64::from(self.config.geometry.pool_count())
    }
}

fn whole_seconds(duration_ns: u64) -> u32 {
    u32::try_from(duration_ns / SECOND_NS).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::tests::small_config;
    use super::*;

    #[test]
    fn only_page_mapped_drives_with_like_blocks_can_be_worn_by_rounds() {
        let drive = Ssd::new(small_config(), 1).unwrap();
        assert!(drive.layer_of_like_blocks().is_some());
        let mut config = small_config();
        config.gc.separation = Some(flashscope_ftl::Separation { hot_age_ratio: 0.5 });
        assert!(Ssd::new(config, 1).unwrap().layer_of_like_blocks().is_none());
    }
}
