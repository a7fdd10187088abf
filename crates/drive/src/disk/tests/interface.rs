//! What the host sees beside the times: refused requests, SMART, contradictions of a configuration.

use super::*;

#[test]
fn requests_outside_the_disk_or_off_the_sectors_change_nothing() {
    let mut disk = Disk::new(cached_config()).unwrap();
    let user = disk.user_bytes();
    for (offset, length) in [(user, 512), (100, 512), (0, 0), (u64::MAX - 511, 1024), (user - 512, 1024)] {
        disk.submit(disk.now_ns(), 0, request(RequestKind::Write, offset, length));
        assert_eq!(disk.next_completion(u64::MAX).unwrap().status, Status::OutOfRange);
    }
    assert_eq!(disk.counters(), Counters::default());
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Trim, 0, 4096)), 10_000, "counted, and nothing else");
}

#[test]
fn hours_and_starts_are_shown_as_disks_show_them() {
    let mut disk = Disk::new(bare_config()).unwrap();
    disk.idle(7200 * SECOND_NS);
    let attributes = disk.smart_attributes();
    let shown: Vec<_> = attributes.iter().map(|one| (one.id, one.raw[0])).filter(|(_, number)| *number > 0).collect();
    assert_eq!(shown, [(4, 1), (9, 2), (12, 1), (193, 1)], "the other counts are of faults, and it has none");
}

#[test]
fn a_contradiction_is_refused_with_the_key_that_makes_it() {
    type Spoil = fn(&mut Config);
    let cases: [(&str, Spoil); 12] = [
        ("disk.rpm", |config| config.rpm = 0),
        ("disk.geometry.surfaces", |config| config.geometry.surfaces = 0),
        ("disk.geometry.inner_sectors_per_track", |config| config.geometry.inner_sectors_per_track = 201),
        ("disk.geometry.zone_count", |config| config.geometry.zone_count = 1),
        ("disk.geometry.sector_bytes", |config| config.geometry.sector_bytes = 1024),
        ("disk.user_bytes", |config| config.user_bytes *= 2),
        ("disk.seek.average_ns", |config| config.seek.average_ns = 1),
        ("disk.seek.full_stroke_ns", |config| config.seek.full_stroke_ns = 1),
        ("disk.geometry.head_skew_ns", |config| config.geometry.head_skew_ns = 10 * MS),
        ("disk.read_cache.segment_bytes", |config| config.read_cache.segment_bytes = 1000),
        ("disk.write_cache.bytes", |config| config.write_cache.bytes = 1 << 40),
        ("disk.link.queue_depth", |config| config.link.queue_depth = 0),
    ];
    assert_eq!(cached_config().check(), Ok(()));
    for (key, spoil) in cases {
        let mut config = cached_config();
        spoil(&mut config);
        assert_eq!(config.check().map_err(|error| error.key), Err(key));
    }
}
