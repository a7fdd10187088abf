//! How long the flash takes.
//!
//! Program time differs by page: in multi-level cells the first page of a word line programs several times
//! faster than the last. `program_latencies_ns` lists the times in page order and repeats over the block.
//! A block used as pSLC (one bit in a cell) has one time for each operation.
//!
//! Not modelled here: the exact order of fast and slow pages in a block (it alternates), pages that sense
//! faster than others, variation from block to block, slowing with wear, read retries, cache reads.

use crate::cell_mode::CellMode;
use flashscope_kernel::time::transfer_ns;
use serde::{Deserialize, Serialize};

/// Times of the medium and of the bus to it, in the terms of a data sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// From the command to the data in the page register (tR).
    pub read_latency_ns: u64,
    /// From the data in the page register to the end of programming (tPROG), by page, repeating.
    pub program_latencies_ns: Vec<u64>,
    /// Erasing one block (tBERS).
    pub erase_latency_ns: u64,
    /// Rate of the bus of one package; packages in lockstep each have a lane of their own.
    pub bus_bytes_per_second: u64,
    /// Erase cycles that the manufacturer specifies for a block.
    pub rated_pe_cycles: u32,
    /// Times of blocks used with one bit in a cell; without them such blocks have the native times.
    #[serde(default)]
    pub pslc: Option<PslcTiming>,
    /// True when the next page is transferred while this one is programmed.
    #[serde(default)]
    pub cache_program: bool,
}

/// Times of a block that holds one bit in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PslcTiming {
    /// tR.
    pub read_latency_ns: u64,
    /// tPROG, the same for every page.
    pub program_latency_ns: u64,
    /// tBERS.
    pub erase_latency_ns: u64,
}

impl Timing {
    /// Program time of the page at `page_index` of a block in this mode [ns].
    #[inline]
    pub fn program_latency_ns(&self, page_index: u32, mode: CellMode) -> u64 {
        if let (CellMode::Pslc, Some(pslc)) = (mode, &self.pslc) {
            return pslc.program_latency_ns;
        }
        match self.program_latencies_ns.as_slice() {
            [only] => *only,
            latencies => latencies[page_index as usize % latencies.len()],
        }
    }

    /// Sensing time of a page in this mode [ns].
    pub fn read_latency_ns(&self, mode: CellMode) -> u64 {
        self.pslc_of(mode).map_or(self.read_latency_ns, |pslc| pslc.read_latency_ns)
    }

    /// Erase time of a block in this mode [ns].
    pub fn erase_latency_ns(&self, mode: CellMode) -> u64 {
        self.pslc_of(mode).map_or(self.erase_latency_ns, |pslc| pslc.erase_latency_ns)
    }

    fn pslc_of(&self, mode: CellMode) -> Option<&PslcTiming> {
        self.pslc.as_ref().filter(|_| mode == CellMode::Pslc)
    }

    /// Time `bytes` take on the bus when each of `lanes` packages in lockstep transfers an equal share [ns].
    pub fn bus_transfer_ns(&self, bytes: u64, lanes: u32) -> u64 {
        transfer_ns(bytes, self.bus_bytes_per_second * u64::from(lanes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing() -> Timing {
        Timing {
            read_latency_ns: 1,
            program_latencies_ns: vec![250, 1300],
            erase_latency_ns: 3,
            bus_bytes_per_second: 40_000_000,
            rated_pe_cycles: 1,
            pslc: None,
            cache_program: false,
        }
    }

    #[test]
    fn program_times_repeat_over_the_pages_of_a_block() {
        let times: Vec<_> = (0..4).map(|page| timing().program_latency_ns(page, CellMode::Native)).collect();
        assert_eq!(times, [250, 1300, 250, 1300]);
        assert_eq!(timing().bus_transfer_ns(16_384, 2), 204_800, "two lanes carry 8 KiB each at 40 MB/s");
    }

    #[test]
    fn a_pslc_block_has_times_of_its_own_and_the_native_ones_where_none_are_stated() {
        let times = |timing: &Timing, mode| {
            (timing.read_latency_ns(mode), timing.program_latency_ns(1, mode), timing.erase_latency_ns(mode))
        };
        assert_eq!(times(&timing(), CellMode::Pslc), (1, 1300, 3));
        let pslc = PslcTiming { read_latency_ns: 5, program_latency_ns: 6, erase_latency_ns: 7 };
        let with_pslc = Timing { pslc: Some(pslc), ..timing() };
        assert_eq!(times(&with_pslc, CellMode::Pslc), (5, 6, 7));
        assert_eq!(times(&with_pslc, CellMode::Native), (1, 1300, 3));
    }
}
