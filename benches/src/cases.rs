//! The workloads that are measured.
//!
//! G1 is the one other simulators were measured with: 4 GiB raw as 4 channels x 2 chips x 1 die x 1 plane x
//! 512 blocks x 256 pages x 4 KiB, 12 % of it spare, greedy collection with 10 free blocks kept per plane, no
//! write buffer, queue depth 16, 4 KiB uniform random writes from empty, measured from 3 to 5 logical
//! capacities.

use flashscope_drive::Config;

const G1_DRIVE: &str = r#"{
    "name": "g1", "model": "G1", "firmware": "1",
    "geometry": {"channels": 4, "packages_per_channel": 2, "dies_per_package": 1, "planes_per_die": 1,
        "blocks_per_plane": 512, "pages_per_block": 256, "page_bytes": 4096, "lockstep_packages": 1,
        "multiplane": false, "superblock": false},
    "timing": {"read_latency_ns": 50000, "program_latencies_ns": [900000], "erase_latency_ns": 2000000,
        "bus_bytes_per_second": 200000000, "rated_pe_cycles": 5000},
    "bit_errors": {"fresh_ratio": 1.7e-8, "wear_coefficient": 1.8e-12, "wear_exponent": 1.5},
    "capacity": {"user_bytes": 3779571712, "initial_bad_block_count": 0, "reserved_block_count": 0},
    "link": {"bytes_per_second": 600000000, "command_cost_ns": 5000, "queue_depth": 32},
    "buffer": {"bytes": 0, "acknowledge": "programmed", "sub_unit_writes": "buffered", "idle_flush_ns": 1000000000},
    "mapping": {"unit_bytes": 4096},
    "gc": {"policy": "greedy", "choices": 1, "low_water_blocks": 10, "high_water_blocks": 11, "pacing": "blocking"},
    "smart": {"layout": "indilinx"}
}"#;

/// One line of the benchmark.
pub struct Case {
    /// As printed.
    pub name: &'static str,
    /// The drive.
    pub config: Config,
    /// Jobs that bring the drive into its state, not measured.
    pub before: Vec<String>,
    /// The jobs that are measured.
    pub window: String,
}

/// All cases, the best known first.
pub fn all() -> Vec<Case> {
    let config: Config = serde_json::from_str(G1_DRIVE).expect("the drive of G1 can be read");
    let user_bytes = config.capacity.user_bytes;
    let random = |capacities| jobs("randwrite", 4096, 16, capacities * user_bytes);
    let sequential = |capacities| jobs("write", 1 << 20, 1, capacities * user_bytes);
    vec![
        Case { name: "G1", config: config.clone(), before: vec![random(3)], window: random(2) },
        Case { name: "sequential", config, before: vec![sequential(1)], window: sequential(2) },
    ]
}

fn jobs(direction: &str, request_bytes: u64, queue_depth: u32, io_bytes: u64) -> String {
    let sizes =
        format!(r#"{{"weighted": [[{request_bytes}, 100.0]], "range_bytes": null, "align_bytes": {request_bytes}}}"#);
    format!(
        r#"[{{"name": "bench", "direction": "{direction}", "read_sizes": {sizes}, "write_sizes": {sizes},
        "trim_sizes": {sizes}, "read_share_ratio": 0.5, "offset_bytes": 0, "size_bytes": 0, "io_bytes": {io_bytes},
        "runtime_ns": 0, "time_based": false, "queue_depth": {queue_depth}, "random_map": false,
        "distribution": {{"kind": "uniform", "theta": 0.0, "zones": []}}, "rate_bytes_per_second": [0, 0, 0],
        "rate_requests_per_second": [0, 0, 0], "thinktime_ns": 0, "thinktime_blocks": 1,
        "compressible_ratio": 0.0, "zero_buffers": false, "group": 0, "seed": 0}}]"#
    )
}
