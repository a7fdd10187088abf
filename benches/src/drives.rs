//! The drives that are measured.
//!
//! ```text
//!   G1        4 GiB, 12 % of it spare, 10 free blocks kept per plane    the drive other simulators were measured with
//!   of_size   1 GiB ... 1 TiB, the same spare factor                    the same drive, grown
//!   c300-256  a calibrated part                                         generated: scripts/write-bench-drives.py
//! ```

use flashscope_drive::Config;

const G1: &str = r#"{
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

/// 4 GiB raw as 4 channels x 2 chips x 1 die x 1 plane x 512 blocks x 256 pages x 4 KiB, 12 % of it spare,
/// greedy collection with 10 free blocks kept per plane, no write buffer.
pub fn g1() -> Config {
    serde_json::from_str(G1).expect("the drive G1 can be read")
}

/// G1 with other dies: `raw_bytes` of flash over 8 dies, or over 64 from 64 GiB on.
///
/// Blocks that are kept free or open are not spare, and a small drive has relatively more of them. So the 12 % is taken
/// from the other blocks, and drives of all sizes have the same write amplification.
pub fn of_size(raw_bytes: u64) -> Config {
    let mut config = g1();
    let geometry = &mut config.geometry;
    (geometry.channels, geometry.packages_per_channel) = if raw_bytes >= 64 << 30 { (8, 8) } else { (4, 2) };
    let pools = u64::from(geometry.pool_count());
    let block_bytes = u64::from(geometry.pages_per_block) * u64::from(geometry.page_bytes);
    geometry.blocks_per_plane = (raw_bytes / block_bytes / pools) as u32;
    (config.gc.low_water_blocks, config.gc.high_water_blocks) = (1, 2);
    // Two free blocks and two open ones in each pool.
    let in_use_bytes = raw_bytes - 4 * pools * block_bytes;
    config.capacity.user_bytes = in_use_bytes / 100 * 88 / 4096 * 4096;
    config
}

/// The part c300-256 with all of its settings: 128 pools, a write buffer, spread collection, bad blocks.
pub fn c300() -> Config {
    let mut fields: serde_json::Map<_, _> =
        serde_json::from_str(include_str!("../drives/c300-256.json")).expect("the generated file is JSON");
    fields.remove("kind"); // only the border to Python reads it; all drives here are solid-state ones
    serde_json::from_value(fields.into()).expect("the generated drive can be read")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_drive_can_be_built() {
        for config in [g1(), c300()].into_iter().chain((26..=40).map(|bits| of_size(1 << bits))) {
            config.check().unwrap_or_else(|problem| panic!("{}: {problem}", config.geometry.raw_bytes()));
        }
    }
}
