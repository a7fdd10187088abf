//! Drives of other kinds: disks, a hybrid, memory, and stripes of any of them.

use flashscope_drive::disk::config::{Config, FlushOrder, Geometry, Queue, QueueOrder, ReadCache, Seek, WriteCache};
use flashscope_drive::host::Link;
use flashscope_drive::{Disk, Hybrid, Memory, Ssd, VirtualDrive, hybrid, memory, stripe};

const MS: u64 = 1_000_000;

/// How a drive is built.
type Build = Box<dyn Fn() -> VirtualDrive>;

/// All of them by name.
pub fn all() -> Vec<(&'static str, Build)> {
    let built = |build: fn() -> VirtualDrive| -> Build { Box::new(build) };
    vec![
        ("disk without caches", built(|| disk(0, 0, 1, FlushOrder::Arrival, 512))),
        ("disk with caches, by arrival", built(|| disk(4, 64, 8, FlushOrder::Arrival, 512))),
        ("disk with caches, elevator", built(|| disk(4, 64, 32, FlushOrder::Elevator, 4096))),
        ("disk with caches, shortest positioning", built(|| disk(2, 256, 32, FlushOrder::ShortestPositioning, 4096))),
        ("hybrid", built(hybrid)),
        ("memory of the host", built(|| memory(false))),
        ("memory behind a link", built(|| memory(true))),
        ("stripe of flash", built(|| striped(vec![ssd(3), ssd(3), ssd(3)]))),
        (
            "stripe of flash, memory and a stripe",
            built(|| striped(vec![ssd(5), memory(true), striped(vec![ssd(7), ssd(8)])])),
        ),
        ("stripe of disks", built(|| striped((0..2).map(|_| disk(4, 64, 8, FlushOrder::Elevator, 512)).collect()))),
    ]
}

fn link(queue_depth: u32) -> Link {
    Link {
        bytes_per_second: 300_000_000,
        command_cost_ns: 10_000,
        queue_depth,
        gather_ns: 0,
        gather_requests: 0,
        full_duplex: false,
    }
}

/// 6000 rpm, 2 surfaces of 300 tracks.
fn disk_config(
    segment_count: u32,
    cache_sectors: u64,
    queue_depth: u32,
    flush_order: FlushOrder,
    sector_bytes: u32,
) -> Config {
    let small = sector_bytes == 512;
    Config {
        name: "disk".into(),
        model: "DISK".into(),
        firmware: "1".into(),
        user_bytes: 2 * 300 * if small { 149 * 512 } else { 19 * 4096 } / 4096 * 4096,
        rpm: 6000,
        geometry: Geometry {
            surfaces: 2,
            tracks_per_surface: 300,
            zone_count: if small { 11 } else { 3 },
            outer_sectors_per_track: if small { 200 } else { 25 },
            inner_sectors_per_track: if small { 100 } else { 15 },
            sector_bytes,
            head_skew_ns: MS,
            cylinder_skew_ns: 3 * MS / 2,
        },
        seek: Seek {
            track_to_track_ns: MS,
            average_ns: 8 * MS,
            full_stroke_ns: 16 * MS,
            head_switch_ns: 800_000,
            write_settle_ns: 300_000,
        },
        read_cache: ReadCache { segment_count, segment_bytes: 64 << 10 },
        write_cache: WriteCache {
            bytes: cache_sectors * 4096,
            run_count: 16,
            flush_order,
            look_ahead_runs: 8,
            idle_flush_ns: 100 * MS,
        },
        queue: Queue { order: QueueOrder::ShortestPositioning, longest_wait_ns: 500 * MS },
        link: link(queue_depth),
    }
}

fn disk(
    segment_count: u32,
    cache_sectors: u64,
    queue_depth: u32,
    flush_order: FlushOrder,
    sector_bytes: u32,
) -> VirtualDrive {
    let config = disk_config(segment_count, cache_sectors, queue_depth, flush_order, sector_bytes);
    VirtualDrive::Disk(Box::new(Disk::new(config).expect("a disk")))
}

fn hybrid() -> VirtualDrive {
    let config = hybrid::Config {
        disk: disk_config(4, 64, 8, FlushOrder::Elevator, 512),
        flash: hybrid::Flash {
            bytes: 4 << 20,
            channels: 2,
            page_bytes: 4096,
            read_latency_ns: 100_000,
            program_latency_ns: 300_000,
            bus_bytes_per_second: 40_000_000,
            command_cost_ns: 50_000,
        },
        admission: hybrid::Admission {
            line_bytes: 65_536,
            admit_after_reads: 2,
            idle_fill_delay_ns: 50 * MS,
            largest_cached_request_bytes: 65_536,
            streams_bypass: true,
        },
    };
    VirtualDrive::Hybrid(Box::new(Hybrid::new(config).expect("a hybrid")))
}

fn memory(has_link: bool) -> VirtualDrive {
    let config = memory::Config {
        name: "memory".into(),
        model: "MEMORY".into(),
        firmware: "1".into(),
        user_bytes: 16 << 20,
        bytes_per_second: 6_400_000_000,
        read_passes: 2,
        write_passes: 3,
        command_cost_ns: 800,
        server_count: 2,
        link: has_link.then(|| link(16)),
    };
    VirtualDrive::Memory(Box::new(Memory::new(config).expect("a drive of memory")))
}

/// One of the random drives of flash.
fn ssd(seed: u64) -> VirtualDrive {
    VirtualDrive::Ssd(Box::new(Ssd::new(crate::configs::random(seed), seed).expect("a drive of flash")))
}

fn striped(members: Vec<VirtualDrive>) -> VirtualDrive {
    let host = stripe::Host { bytes_per_second: 1_000_000_000, command_cost_ns: 2_000, command_bytes_max: 0 };
    VirtualDrive::stripe(stripe::Config { chunk_bytes: 16_384, host }, members).expect("a stripe")
}
