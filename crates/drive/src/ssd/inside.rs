//! The inside of a drive: the state of every block, bank and channel, as data.

use super::Ssd;
use flashscope_ftl::translation::Decision;

/// The inside of a drive at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// Valid slots of every block.
    pub valid_slots: Vec<u32>,
    /// Cycles of every block.
    pub erase_counts: Vec<u32>,
    /// State of every block, by its code (`flashscope_ftl::blocks::BlockState`).
    pub states: Vec<u8>,
    /// For every block whether it is pSLC at the moment; empty for a drive without such a cache.
    pub pslc: Vec<bool>,
    /// Number of pSLC blocks.
    pub pslc_block_count: u32,
    /// Free blocks of every pool.
    pub free_blocks: Vec<u32>,
    /// Operations that wait, for every bank.
    pub queue_lengths: Vec<u32>,
    /// Working time of every bank [ns].
    pub bank_busy_ns: Vec<u64>,
    /// Time for which every channel has been in use [ns].
    pub channel_busy_ns: Vec<u64>,
    /// Units in the write buffer.
    pub buffered_units: u32,
    /// The latest decisions of the garbage collector, oldest first.
    pub decisions: Vec<Decision>,
}

impl Ssd {
    /// Everything inside the drive that can be shown.
    pub fn inside(&self) -> Inside {
        let blocks = self.translation.blocks();
        Inside {
            valid_slots: (0..blocks.count()).map(|block| blocks.valid_slots(block)).collect(),
            erase_counts: blocks.erase_counts().to_vec(),
            states: blocks.states().iter().map(|&state| state as u8).collect(),
            pslc: self.translation.pslc_blocks().to_vec(),
            pslc_block_count: self.translation.pslc_blocks().iter().filter(|&&is_pslc| is_pslc).count() as u32,
            free_blocks: self.translation.free_blocks(),
            queue_lengths: self.array.queue_lengths(),
            bank_busy_ns: self.array.bank_busy_ns(),
            channel_busy_ns: self.array.channel_busy_ns(),
            buffered_units: self.buffer.used_units(),
            decisions: self.translation.decisions().copied().collect(),
        }
    }

    /// Number of blocks that the drive keeps books of.
    pub(crate) fn block_count(&self) -> u32 {
        self.translation.blocks().count()
    }

    /// Memory that grows with the size of the drive [bytes].
    pub fn memory_bytes(&self) -> usize {
        self.translation.memory_bytes()
    }
}
