//! How long the flash takes.
//!
//! Program time differs by page: in multi-level cells the first page of a word line programs several times
//! faster than the last. `program_latencies_ns` lists the times in page order and repeats over the block.
//!
//! Not modelled here: the exact order of fast and slow pages in a block (it alternates), variation from
//! block to block, slowing with wear, read retries, cache programming, suspend.

use flashscope_kernel::time::transfer_ns;
use serde::{Deserialize, Serialize};

/// Times of the medium and of the bus to it, in the words of a data sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// From the command to the data in the page register (tR).
    pub read_latency_ns: u64,
    /// From the data in the page register to the end of programming (tPROG), by page, repeating.
    pub program_latencies_ns: Vec<u64>,
    /// Erasing one block (tBERS).
    pub erase_latency_ns: u64,
    /// Rate of the bus of one package; packages in lockstep have a lane each.
    pub bus_bytes_per_second: u64,
    /// Cycles the maker rates a block for.
    pub rated_pe_cycles: u32,
}

impl Timing {
    /// Program time of the page at `page_index` of its block [ns].
    #[inline]
    pub fn program_latency_ns(&self, page_index: u32) -> u64 {
        match self.program_latencies_ns.as_slice() {
            [only] => *only,
            latencies => latencies[page_index as usize % latencies.len()],
        }
    }

    /// Time `bytes` take on the bus when `lanes` packages in lockstep carry a share each [ns].
    pub fn bus_transfer_ns(&self, bytes: u64, lanes: u32) -> u64 {
        transfer_ns(bytes, self.bus_bytes_per_second * u64::from(lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_times_repeat_over_the_pages_of_a_block() {
        let timing = Timing {
            read_latency_ns: 1,
            program_latencies_ns: vec![250, 1300],
            erase_latency_ns: 1,
            bus_bytes_per_second: 40_000_000,
            rated_pe_cycles: 1,
        };
        let times: Vec<_> = (0..4).map(|page| timing.program_latency_ns(page)).collect();
        assert_eq!(times, [250, 1300, 250, 1300]);
        assert_eq!(timing.bus_transfer_ns(16_384, 2), 204_800, "two lanes carry 8 KiB each at 40 MB/s");
    }
}
