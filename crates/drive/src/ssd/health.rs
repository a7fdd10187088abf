//! A drive's data about itself, taken from its blocks and counters for SMART.

use super::Ssd;
use crate::request::SECTOR_BYTES;
use crate::smart::{Health, PoolFailures};
use flashscope_ftl::blocks::BlockState;
use flashscope_kernel::time::SECOND_NS;

impl Ssd {
    pub(super) fn health(&self) -> Health {
        let (blocks, geometry) = (self.translation.blocks(), &self.config.geometry);
        let (mut fewest, mut most, mut sum, mut usable, mut reserved) = (u32::MAX, 0, 0_u64, 0_u64, 0_u64);
        for (&cycles, &state) in blocks.erase_counts().iter().zip(blocks.states()) {
            if state.is_usable() {
                fewest = fewest.min(cycles);
                most = most.max(cycles);
                sum += u64::from(cycles);
                usable += 1;
            }
            reserved += u64::from(state == BlockState::Reserved);
        }
        let per_pool = blocks.states().chunks(geometry.blocks_per_pool() as usize);
        let counters = self.counters();
        Health {
            power_on_hours: self.now_ns / (3600 * SECOND_NS),
            power_cycles: counters.power_cycles,
            power_cuts: counters.power_cuts,
            initial_bad_blocks: self.config.capacity.initial_bad_block_count.into(),
            host_read_sectors: counters.host.read_bytes / SECTOR_BYTES,
            host_written_sectors: counters.host.written_bytes / SECTOR_BYTES,
            host_read_commands: counters.host.read_requests,
            host_write_commands: counters.host.write_requests,
            nand_written_bytes: counters.nand_written_bytes,
            error_bits: counters.error_bits,
            corrected_reads: counters.corrected_reads,
            unreadable_reads: counters.unreadable_reads,
            failed_programs: counters.failed_programs,
            rated_pe_cycles: self.config.timing.rated_pe_cycles.into(),
            erase_count_min: fewest.min(most).into(),
            erase_count_max: most.into(),
            erase_count_average: sum / usable.max(1),
            unaligned_writes: counters.unaligned_write_requests,
            program_failed_blocks: counters.program_failed_blocks,
            erase_failed_blocks: counters.erase_failed_blocks,
            read_failed_blocks: counters.read_failed_blocks,
            worst_pool: per_pool.map(failures_in).fold(PoolFailures::default(), PoolFailures::most),
            pools: geometry.pool_count().into(),
            spare_blocks: self.config.capacity.spare_block_count.map(u64::from),
            spares_exhausted: self.translation.spares_exhausted(),
            usable_blocks: usable,
            reserved_blocks: reserved,
            block_sectors: geometry.pool_block_bytes() / SECTOR_BYTES,
        }
    }
}

/// The blocks of a pool that went bad in use.
fn failures_in(pool: &[BlockState]) -> PoolFailures {
    let count = |wanted: fn(BlockState) -> bool| pool.iter().filter(|&&state| wanted(state)).count() as u64;
    PoolFailures {
        grown_bad_blocks: count(BlockState::is_grown_bad),
        program_failed_blocks: count(|state| state == BlockState::GrownBadProgram),
        erase_failed_blocks: count(|state| state == BlockState::GrownBadErase),
    }
}
