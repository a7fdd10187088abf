//! The jobs that the cases are made of, in the runner's JSON.

use serde_json::json;

/// The settings of one job.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// Direction in fio's words: `randwrite`, `write`, `randread`, `randrw`.
    pub direction: &'static str,
    /// Size of each request.
    pub request_bytes: u64,
    /// Number of requests outstanding.
    pub queue_depth: u32,
    /// Share of reads, for a direction with reads and writes.
    pub read_share_ratio: f64,
    /// True when every place is requested once before any is requested again.
    pub random_map: bool,
}

/// Uniform random writes of 4 KiB, each draw on its own.
pub const RANDOM_WRITES: Load =
    Load { direction: "randwrite", request_bytes: 4096, queue_depth: 16, read_share_ratio: 0.0, random_map: false };

/// Every page of the drive once, in random order: afterwards the map is as scattered as it can be, without the drive
/// writes that a sequential fill needs before it is scattered.
pub const SHUFFLED_FILL: Load = Load { random_map: true, ..RANDOM_WRITES };

/// Sequential writes of 1 MiB, one at a time.
pub const SEQUENTIAL_WRITES: Load =
    Load { direction: "write", request_bytes: 1 << 20, queue_depth: 1, ..RANDOM_WRITES };

/// 4 KiB at random, seven reads for three writes.
pub const MIXED: Load = Load { direction: "randrw", read_share_ratio: 0.7, ..RANDOM_WRITES };

/// 4 KiB random reads.
pub const RANDOM_READS: Load = Load { direction: "randread", queue_depth: 32, ..RANDOM_WRITES };

impl Load {
    /// The job with these settings that runs until `io_bytes` have been transferred.
    pub fn job(self, io_bytes: u64) -> String {
        let sizes =
            json!({"weighted": [[self.request_bytes, 100.0]], "range_bytes": null, "align_bytes": self.request_bytes});
        json!([{
            "name": "bench", "direction": self.direction,
            "read_sizes": sizes, "write_sizes": sizes, "trim_sizes": sizes,
            "read_share_ratio": self.read_share_ratio, "offset_bytes": 0, "size_bytes": 0,
            "io_bytes": io_bytes.next_multiple_of(self.request_bytes),
            "runtime_ns": 0, "time_based": false, "queue_depth": self.queue_depth, "random_map": self.random_map,
            "distribution": {"kind": "uniform", "theta": 0.0, "zones": []},
            "rate_bytes_per_second": [0, 0, 0], "rate_requests_per_second": [0, 0, 0],
            "thinktime_ns": 0, "thinktime_blocks": 1, "compressible_ratio": 0.0, "zero_buffers": false,
            "group": 0, "seed": 0,
        }])
        .to_string()
    }
}
