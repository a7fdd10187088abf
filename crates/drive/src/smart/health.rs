//! A drive's data about itself: the numbers from which every layout takes its own.

/// A drive's data about itself, which a layout may show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Health {
    /// Hours since it was built; it was powered all the time.
    pub power_on_hours: u64,
    /// Power cycles.
    pub power_cycles: u64,
    /// Power losses without warning.
    pub power_cuts: u64,
    /// Blocks bad from the factory.
    pub initial_bad_blocks: u64,
    /// Sectors the host has read.
    pub host_read_sectors: u64,
    /// Sectors the host has written.
    pub host_written_sectors: u64,
    /// Read commands.
    pub host_read_commands: u64,
    /// Write commands.
    pub host_write_commands: u64,
    /// Bytes programmed to flash.
    pub nand_written_bytes: u64,
    /// Wrong bits in data read from flash.
    pub error_bits: u64,
    /// Reads from flash with wrong bits.
    pub corrected_reads: u64,
    /// Reads from flash with more wrong bits than can be corrected.
    pub unreadable_reads: u64,
    /// Programs that failed.
    pub failed_programs: u64,
    /// Cycles for which a block is rated.
    pub rated_pe_cycles: u64,
    /// Fewest cycles of a block in use.
    pub erase_count_min: u64,
    /// Most cycles of a block in use.
    pub erase_count_max: u64,
    /// Cycles of all blocks in use divided by their number, rounded down.
    pub erase_count_average: u64,
    /// Writes that did not start and end on 4 KiB.
    pub unaligned_writes: u64,
    /// Blocks retired because a program failed.
    pub program_failed_blocks: u64,
    /// Blocks retired because they could not be erased.
    pub erase_failed_blocks: u64,
    /// Blocks retired because they could not be read.
    pub read_failed_blocks: u64,
    /// Most blocks that went bad in use in one pool; most of them by a failed program, and by a failed erase.
    pub worst_pool: PoolFailures,
    /// Number of pools.
    pub pools: u64,
    /// Blocks that may go bad in use before the drive takes no more writes; `None` where no number was given.
    pub spare_blocks: Option<u64>,
    /// True when no spare block is left.
    pub spares_exhausted: bool,
    /// Blocks that hold host data now or later.
    pub usable_blocks: u64,
    /// Blocks the controller keeps for itself.
    pub reserved_blocks: u64,
    /// Number of sectors of a block.
    pub block_sectors: u64,
}

/// Blocks of one pool that went bad in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolFailures {
    /// All of them.
    pub grown_bad_blocks: u64,
    /// Those that failed to program.
    pub program_failed_blocks: u64,
    /// Those that failed to erase.
    pub erase_failed_blocks: u64,
}

impl PoolFailures {
    /// The larger value of each count.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self {
            grown_bad_blocks: self.grown_bad_blocks.max(other.grown_bad_blocks),
            program_failed_blocks: self.program_failed_blocks.max(other.program_failed_blocks),
            erase_failed_blocks: self.erase_failed_blocks.max(other.erase_failed_blocks),
        }
    }
}

impl Health {
    /// Blocks that went bad in use.
    pub(super) fn grown_bad_blocks(&self) -> u64 {
        self.program_failed_blocks + self.erase_failed_blocks + self.read_failed_blocks
    }

    /// Rated life used, by the average of all blocks in use; can be above 100 [per cent, rounded down].
    pub(super) fn used_percent(&self) -> u64 {
        100 * self.erase_count_average / self.rated_pe_cycles.max(1)
    }

    /// Rated life left, but at least `least` [per cent].
    pub(super) fn life_left_percent(&self, least: u64) -> u8 {
        100_u64.saturating_sub(self.used_percent()).max(least) as u8
    }

    /// Spare blocks left.
    pub(super) fn spare_left_blocks(&self) -> u64 {
        self.spare_blocks.unwrap_or(0).saturating_sub(self.grown_bad_blocks())
    }

    /// Spare blocks left; 100 until the end where no number was given [per cent, rounded down].
    pub(super) fn spare_left_percent(&self) -> u8 {
        match self.spare_blocks {
            _ if self.spares_exhausted => 0,
            Some(spare @ 1..) => (100 * self.spare_left_blocks() / spare) as u8,
            _ => 100,
        }
    }
}
