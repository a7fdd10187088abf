//! The disk: exact times without any other load, the laws of rotation and queuing, every invariant under random use.

mod interface;
mod queuing;
mod random_use;
mod rotation;
mod writes;

use super::*;
use crate::disk::config::{Config, FlushOrder, Geometry, Queue, QueueOrder, ReadCache, Seek, WriteCache};
use crate::request::{RequestKind, Status};
use crate::{Drive, Member};
use flashscope_kernel::random::{Stream, Streams, below};
use proptest::prelude::*;
pub(crate) use random_use::{Action, actions, any_config, play};

const MS: u64 = 1_000_000;

/// 6000 rpm (10 ms a turn), 2 surfaces of 3000 tracks with 200 to 100 sectors of 512 B: no caches, no queuing.
pub(crate) fn bare_config() -> Config {
    let mut link = crate::ssd::tests::small_config().link;
    (link.bytes_per_second, link.command_cost_ns, link.queue_depth) = (512_000_000, 10_000, 1); // a sector in 1 us
    Config {
        name: "bare".into(),
        model: "BARE".into(),
        firmware: "1".into(),
        user_bytes: 2 * 3000 * 149 * 512 / 4096 * 4096,
        rpm: 6000,
        geometry: Geometry {
            surfaces: 2,
            tracks_per_surface: 3000,
            zone_count: 11,
            outer_sectors_per_track: 200,
            inner_sectors_per_track: 100,
            sector_bytes: 512,
            head_skew_ns: 1_000_000,
            cylinder_skew_ns: 1_500_000,
        },
        seek: Seek {
            track_to_track_ns: MS,
            average_ns: 8 * MS,
            full_stroke_ns: 16 * MS,
            head_switch_ns: 800_000,
            write_settle_ns: 0,
        },
        read_cache: ReadCache { segment_count: 0, segment_bytes: 0 },
        write_cache: WriteCache {
            bytes: 0,
            run_count: 64,
            flush_order: FlushOrder::ShortestPositioning,
            look_ahead_runs: 32,
            idle_flush_ns: 100 * MS,
        },
        queue: Queue { order: QueueOrder::ShortestPositioning, longest_wait_ns: 1000 * MS },
        link,
    }
}

/// The same with look-ahead and a write cache.
pub(crate) fn cached_config() -> Config {
    let mut config = bare_config();
    config.read_cache = ReadCache { segment_count: 4, segment_bytes: 256 << 10 };
    config.write_cache.bytes = 1 << 20;
    config
}

fn large_sectors(mut config: Config) -> Config {
    config.geometry.sector_bytes = 4096;
    config.geometry.zone_count = 1;
    config.geometry.outer_sectors_per_track = 25;
    config.geometry.inner_sectors_per_track = 25;
    config.user_bytes = 6000 * 25 * 4096;
    config
}

pub(crate) fn request(kind: RequestKind, offset_bytes: u64, length_bytes: u64) -> Request {
    Request { kind, offset_bytes, length_bytes, compressible: 0 }
}

/// One request on an otherwise idle drive; returns its duration.
pub(crate) fn latency_ns(drive: &mut impl Drive, request: Request) -> u64 {
    let start_ns = drive.now_ns();
    drive.submit(start_ns, 0, request);
    let completion = drive.next_completion(u64::MAX).expect("an answer");
    assert_eq!(completion.status, Status::Done);
    completion.at_ns - start_ns
}

/// Requests of one kind and size at random aligned places below `span_bytes`, with `depth` of them outstanding at all
/// times; returns the time until `count` are done.
pub(crate) fn random_run_ns(
    drive: &mut impl Drive,
    kind: RequestKind,
    bytes: u64,
    span_bytes: u64,
    depth: u32,
    count: u64,
) -> u64 {
    let mut stream = Streams::new(7).stream("places");
    let place = |stream: &mut Stream| request(kind, below(stream, span_bytes / bytes) * bytes, bytes);
    let start_ns = drive.now_ns();
    for tag in 0..depth {
        drive.submit(start_ns, tag, place(&mut stream));
    }
    for _ in 0..count {
        let completion = drive.next_completion(u64::MAX).expect("an answer");
        assert_eq!(completion.status, Status::Done);
        drive.submit(completion.at_ns, completion.tag, place(&mut stream));
    }
    let end_ns = drive.now_ns();
    while drive.next_completion(u64::MAX).is_some() {}
    end_ns - start_ns
}

/// One request after another at consecutive addresses from `start` on; returns bytes per second.
pub(crate) fn sequential_rate(drive: &mut impl Drive, kind: RequestKind, start: u64, bytes: u64, count: u64) -> f64 {
    let start_ns = drive.now_ns();
    for index in 0..count {
        latency_ns(drive, request(kind, start + index * bytes, bytes));
    }
    (count * bytes) as f64 * 1e9 / (drive.now_ns() - start_ns) as f64
}
