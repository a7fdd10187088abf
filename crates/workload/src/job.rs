//! A job: one request stream in base units, as the Python side hands it over.
//!
//! The fields are those of `flashscope.workloads.job.Job`, with the same names; an unknown or a missing field is an
//! error, so the two sides cannot become different unnoticed. `check.rs` defines which values are accepted.

use flashscope_kernel::choice;
use std::fmt;

use serde::Deserialize;

use crate::job_error::JobError;

choice! {
    /// What a job does, in fio's words (`rw=`).
    pub enum Direction {
        /// Sequential reads.
        Read = "read",
        /// Sequential writes.
        Write = "write",
        /// Sequential trims.
        Trim = "trim",
        /// Random reads.
        RandRead = "randread",
        /// Random writes.
        RandWrite = "randwrite",
        /// Random trims.
        RandTrim = "randtrim",
        /// Sequential reads and writes, mixed; each kind has a position of its own, as in fio.
        Rw = "rw",
        /// Random reads and writes, mixed.
        RandRw = "randrw",
        /// Each block is trimmed, then written; blocks in sequence.
        TrimWrite = "trimwrite",
        /// Each block is trimmed, then written; blocks in random order.
        RandTrimWrite = "randtrimwrite",
    }
}

/// Request sizes of one kind of request: a weighted list (one entry: a fixed size) or a range.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BlockSizes {
    /// Sizes in bytes with their weights in per cent. Empty when `range_bytes` is set.
    pub weighted: Vec<(u64, f64)>,
    /// Lowest and highest size in bytes, both included, in steps of the lowest.
    pub range_bytes: Option<(u64, u64)>,
    /// Grid on which random requests start, in bytes from the start of the span.
    pub align_bytes: u64,
}

impl BlockSizes {
    /// Every request of the same size, on a grid of that size.
    pub fn fixed(size_bytes: u64) -> Self {
        Self { weighted: vec![(size_bytes, 100.0)], range_bytes: None, align_bytes: size_bytes }
    }

    /// The smallest size that can be drawn [bytes].
    pub fn smallest_bytes(&self) -> u64 {
        match self.range_bytes {
            Some((low, _)) => low,
            None => self.drawable().min().unwrap_or(0),
        }
    }

    /// The largest size that can be drawn [bytes].
    pub fn largest_bytes(&self) -> u64 {
        match self.range_bytes {
            Some((_, high)) => high,
            None => self.drawable().max().unwrap_or(0),
        }
    }

    fn drawable(&self) -> impl Iterator<Item = u64> {
        self.weighted.iter().filter(|(_, weight)| *weight > 0.0).map(|&(size_bytes, _)| size_bytes)
    }
}

/// In fio's notation: "4096/60:8192/40" (size/weight) or "4096-16384", then the grid.
impl fmt::Display for BlockSizes {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range_bytes {
            Some((low, high)) => write!(text, "{low}-{high}")?,
            None => {
                let entries = self.weighted.iter().map(|(bytes, weight)| format!("{bytes}/{weight}"));
                write!(text, "{}", entries.collect::<Vec<_>>().join(":"))?;
            }
        }
        write!(text, " on a grid of {}", self.align_bytes)
    }
}

choice! {
    /// The kind of a distribution of random offsets.
    pub enum DistributionKind {
        /// All blocks equally likely.
        Uniform = "uniform",
        /// Zipf's law with exponent theta.
        Zipf = "zipf",
        /// Pareto's 80/20 law; theta is fio's `h`.
        Pareto = "pareto",
        /// Shares of the accesses to shares of the span.
        Zoned = "zoned",
    }
}

/// Where random requests go.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distribution {
    /// The law.
    pub kind: DistributionKind,
    /// Exponent of zipf, `h` of pareto; ignored otherwise.
    pub theta: f64,
    /// (share of accesses, share of the span) in per cent, each summing to 100; empty unless zoned.
    pub zones: Vec<(f64, f64)>,
}

choice! {
    /// When the requests of a job with a rate are due (`rate_process=`).
    #[derive(Default)]
    pub enum RateProcess {
        /// At equal intervals.
        #[default]
        Linear = "linear",
        /// At random: the gaps are independent and exponential, and the rate is their mean.
        Poisson = "poisson",
    }
}

/// One request stream. A time, size or rate of 0 means "no limit" unless said otherwise.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// Name of the job, for messages.
    pub name: String,
    /// What it does.
    pub direction: Direction,
    /// Sizes of its reads.
    pub read_sizes: BlockSizes,
    /// Sizes of its writes.
    pub write_sizes: BlockSizes,
    /// Sizes of its trims.
    pub trim_sizes: BlockSizes,
    /// Share of reads in a mixed stream [ratio].
    pub read_share_ratio: f64,
    /// First byte of the span.
    pub offset_bytes: u64,
    /// Length of the span in bytes; 0: to the end of the drive.
    pub size_bytes: u64,
    /// Bytes to transfer; 0: as many as the span has.
    pub io_bytes: u64,
    /// No request is submitted this long after the job's start [ns].
    pub runtime_ns: u64,
    /// Go on round and round until `runtime_ns` is over, whatever `io_bytes` is.
    pub time_based: bool,
    /// Requests kept outstanding.
    pub queue_depth: u32,
    /// Every block once before any block twice.
    pub random_map: bool,
    /// Where random requests go; anything but uniform leaves `random_map` without effect, as in fio.
    pub distribution: Distribution,
    /// Highest rate of reads, writes and trims [bytes/s].
    pub rate_bytes_per_second: [u64; 3],
    /// Highest rate of reads, writes and trims [requests/s].
    pub rate_requests_per_second: [u64; 3],
    /// When requests are due under `rate_requests_per_second`.
    #[serde(default)]
    pub rate_process: RateProcess,
    /// Pause after every `thinktime_blocks` requests [ns].
    pub thinktime_ns: u64,
    /// Requests between two pauses.
    pub thinktime_blocks: u64,
    /// Share of the data that a compressor could remove [ratio].
    pub compressible_ratio: f64,
    /// Write zeros only.
    pub zero_buffers: bool,
    /// At the end of the job, have everything written to the medium before the job is over (`end_fsync=1`).
    #[serde(default)]
    pub end_fsync: bool,
    /// Jobs of one group run together; groups run one after another.
    pub group: u32,
    /// fio's randseed, combined with the run's seed.
    pub seed: u64,
}

impl Job {
    /// A job with the defaults of the Python `Job`: 4 KiB requests, depth 1, the whole drive once.
    pub fn new(name: &str, direction: Direction) -> Self {
        Self {
            name: name.to_owned(),
            direction,
            read_sizes: BlockSizes::fixed(4096),
            write_sizes: BlockSizes::fixed(4096),
            trim_sizes: BlockSizes::fixed(4096),
            read_share_ratio: 0.5,
            offset_bytes: 0,
            size_bytes: 0,
            io_bytes: 0,
            runtime_ns: 0,
            time_based: false,
            queue_depth: 1,
            random_map: true,
            distribution: Distribution { kind: DistributionKind::Uniform, theta: 0.0, zones: Vec::new() },
            rate_bytes_per_second: [0; 3],
            rate_requests_per_second: [0; 3],
            rate_process: RateProcess::Linear,
            thinktime_ns: 0,
            thinktime_blocks: 1,
            compressible_ratio: 0.0,
            zero_buffers: false,
            end_fsync: false,
            group: 0,
            seed: 0,
        }
    }
}

/// Reads a JSON list of jobs (Python's `workloads.jobs_json.to_json`).
///
/// Errors: `JobError::NotAJobList` when a field is unknown, missing or of the wrong type.
pub fn read_jobs(json: &str) -> Result<Vec<Job>, JobError> {
    serde_json::from_str(json).map_err(JobError::NotAJobList)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE_JOB: &str = r#"[{
        "name": "w", "direction": "randwrite",
        "read_sizes": {"weighted": [[4096, 100.0]], "range_bytes": null, "align_bytes": 4096},
        "write_sizes": {"weighted": [], "range_bytes": [4096, 16384], "align_bytes": 4096},
        "trim_sizes": {"weighted": [[4096, 100.0]], "range_bytes": null, "align_bytes": 4096},
        "read_share_ratio": 0.5, "offset_bytes": 0, "size_bytes": 1048576, "io_bytes": 0,
        "runtime_ns": 0, "time_based": false, "queue_depth": 16, "random_map": false,
        "distribution": {"kind": "zoned", "theta": 0.0, "zones": [[60.0, 10.0], [40.0, 90.0]]},
        "rate_bytes_per_second": [0, 1000000, 0], "rate_requests_per_second": [0, 0, 0],
        "thinktime_ns": 0, "thinktime_blocks": 1, "compressible_ratio": 0.0, "zero_buffers": false,
        "group": 0, "seed": 7
    }]"#;

    #[test]
    fn the_json_of_the_python_side_is_read_field_by_field() {
        let jobs = read_jobs(ONE_JOB).unwrap();
        let mut expected = Job::new("w", Direction::RandWrite);
        expected.write_sizes = BlockSizes { weighted: vec![], range_bytes: Some((4096, 16384)), align_bytes: 4096 };
        expected.size_bytes = 1 << 20;
        expected.queue_depth = 16;
        expected.random_map = false;
        expected.distribution =
            Distribution { kind: DistributionKind::Zoned, theta: 0.0, zones: vec![(60.0, 10.0), (40.0, 90.0)] };
        expected.rate_bytes_per_second = [0, 1_000_000, 0];
        expected.seed = 7;
        assert_eq!(jobs, vec![expected]);
    }

    #[test]
    fn the_process_of_arrivals_may_be_left_out_and_is_then_linear() {
        assert_eq!(read_jobs(ONE_JOB).unwrap()[0].rate_process, RateProcess::Linear);
        let poisson = ONE_JOB.replace("\"seed\": 7", "\"seed\": 7, \"rate_process\": \"poisson\"");
        assert_eq!(read_jobs(&poisson).unwrap()[0].rate_process, RateProcess::Poisson);
    }

    #[test]
    fn an_unknown_field_and_a_missing_field_are_refused_by_name() {
        let unknown = ONE_JOB.replace("\"seed\": 7", "\"seed\": 7, \"iodepth\": 4");
        assert!(read_jobs(&unknown).unwrap_err().to_string().contains("iodepth"));
        let missing = ONE_JOB.replace("\"group\": 0, ", "");
        assert!(read_jobs(&missing).unwrap_err().to_string().contains("group"));
    }
}
