//! The disk: exact times without any other load, the laws of rotation and queuing, every invariant under random use.

use super::config::{Config, FlushOrder, Geometry, Queue, QueueOrder, ReadCache, Seek, WriteCache};
use super::*;
use crate::request::{RequestKind, Status};
use crate::{Drive, Member};
use flashscope_kernel::random::{Stream, Streams, below};
use proptest::prelude::*;

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

#[test]
fn a_read_waits_for_its_sector_to_the_nanosecond() {
    let mut disk = Disk::new(bare_config()).unwrap();
    // Command 10 us; then the head is on sector 0.2. Sector 1 begins at 50 us and has passed at 100 us; link 1 us.
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Read, 512, 512)), 101_000);
    // At 111 us sector 1 has just gone by: it has passed again 10 ms after the first time.
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Read, 512, 512)), 10_000_000);
    // Track 1 of the same cylinder: its sector 0 lies 1 ms behind that of track 0.
    disk.idle(20 * MS - disk.now_ns());
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Read, 200 * 512, 512)), 1_000_000 + 50_000 + 1_000);
}

#[test]
fn a_sector_is_caught_at_its_start_and_missed_a_nanosecond_later() {
    for (late_ns, expected_ns) in [(0, 0), (1, 10 * MS)] {
        let mut disk = Disk::new(bare_config()).unwrap();
        disk.idle(40_000 + late_ns); // the command's 10 us end when sector 1 begins, or just afterwards
        let latency = latency_ns(&mut disk, request(RequestKind::Read, 512, 512));
        assert_eq!(latency, 10_000 + 50_000 + 1_000 + expected_ns - late_ns);
    }
}

#[test]
fn a_random_read_on_one_track_takes_half_a_revolution_on_average() {
    let mut disk = Disk::new(bare_config()).unwrap();
    let count = 4000;
    let total = random_run_ns(&mut disk, RequestKind::Read, 512, 200 * 512, 1, count);
    // Uniform over 200 starts: 5 ms, standard deviation of the mean 10 ms / sqrt(12 * 4000) = 46 us. Each read also
    // takes 61 us; the wait begins after the last one ended, which shifts nothing on average.
    let mean = total / count;
    assert!(mean.abs_diff(5 * MS + 61_000) < 200_000, "{mean} ns");
}

#[test]
fn look_ahead_streams_at_sectors_per_track_times_rotation_less_the_skew() {
    for (start, sectors_per_track) in [(0, 200.0), (520_000 * 512, 150.0)] {
        let mut disk = Disk::new(cached_config()).unwrap();
        latency_ns(&mut disk, request(RequestKind::Read, start, 4096));
        let rate = sequential_rate(&mut disk, RequestKind::Read, start + 4096, 4096, 2000);
        // Each cylinder has two tracks, one head skew and one cylinder skew.
        let law = 2.0 * sectors_per_track * 512.0 / (0.020 + 0.001 + 0.0015);
        assert!((rate / law - 1.0).abs() < 0.02, "{rate} B/s, law {law}");
        let cylinders = 2000 * 4096 / (2 * 512 * sectors_per_track as u64);
        assert!(disk.counters().seeks <= cylinders + 3, "one seek to a cylinder, and the first one");
        disk.check();
    }
}

#[test]
fn reading_ahead_goes_on_while_the_host_thinks() {
    let mut disk = Disk::new(cached_config()).unwrap();
    let (mut at_ns, mut slow_count) = (0, 0);
    for index in 0..200 {
        disk.submit(at_ns, 0, request(RequestKind::Read, index * 8192, 8192));
        let completion = disk.next_completion(u64::MAX).unwrap();
        slow_count += u64::from(completion.at_ns - at_ns > MS);
        at_ns = completion.at_ns + 3 * MS; // the platters pass four such pieces meanwhile
        assert_eq!(disk.next_completion(at_ns), None);
    }
    assert!(slow_count <= 1, "{slow_count} of 200 waited for the platters");
}

#[test]
fn inner_zones_stream_slower_in_proportion_to_their_sectors() {
    let rate = |start: u64| {
        let mut disk = Disk::new(cached_config()).unwrap();
        sequential_rate(&mut disk, RequestKind::Read, start, 65_536, 100)
    };
    let (outer, inner) = (rate(0), rate(bare_config().user_bytes - 100 * 65_536));
    assert!((outer / inner - 2.0).abs() < 0.1, "{outer} and {inner}");
}

#[test]
fn a_skew_shorter_than_the_switch_costs_a_revolution_on_every_track() {
    let rate = |head_skew_ns: u64| {
        let mut config = cached_config();
        config.geometry.head_skew_ns = head_skew_ns;
        sequential_rate(&mut Disk::new(config).unwrap(), RequestKind::Read, 0, 65_536, 300)
    };
    let (enough, short) = (rate(800_000), rate(799_999));
    // 10.8 + 11.5 ms for two tracks, or 10 ms more.
    assert!((enough / short - 32.3 / 22.3).abs() < 0.03, "{enough} and {short}");
}

#[test]
fn a_write_of_part_of_a_large_sector_costs_one_revolution_more() {
    // From rest at time 0 the write of sector 1 begins at 0.4 ms and takes 0.4 ms.
    let at = |offset, length| {
        latency_ns(&mut Disk::new(large_sectors(bare_config())).unwrap(), request(RequestKind::Write, offset, length))
    };
    assert_eq!(at(4096, 4096), 800_000);
    assert_eq!(at(4096, 512), 800_000 + 10 * MS, "head and tail in part");
    assert_eq!(at(4608, 4096), 1_200_000 + 10 * MS, "two sectors in part: still one revolution");
    assert_eq!(at(4608, 3584 + 8 * 4096), 400_000 * 10 + 10 * MS, "only the first one in part");
}

#[test]
fn part_sector_writes_cost_their_revolution_behind_a_write_cache_too() {
    let mut config = large_sectors(cached_config());
    config.write_cache.run_count = 16;
    config.write_cache.look_ahead_runs = 16;
    let mean_ns = |offset_bytes: u64| {
        let mut disk = Disk::new(config.clone()).unwrap();
        let mut stream = Streams::new(1).stream("places");
        for _ in 0..2000 {
            let offset = below(&mut stream, 5000) * 4096 + offset_bytes;
            latency_ns(&mut disk, request(RequestKind::Write, offset, 4096));
        }
        disk.check();
        (disk.now_ns() / 2000, disk.counters().read_modify_write_revolutions)
    };
    let ((aligned, none), (shifted, revolutions)) = (mean_ns(0), mean_ns(512));
    assert_eq!(none, 0);
    assert!(revolutions > 1900, "nearly each, but for the few that join, {revolutions}");
    let lost = shifted.saturating_sub(aligned);
    assert!(lost.abs_diff(10 * MS) < MS, "{lost} ns: one revolution");
}

#[test]
fn small_writes_in_sequence_are_gathered_into_whole_sectors() {
    let mut disk = Disk::new(large_sectors(cached_config())).unwrap();
    for sector in 0..800 {
        latency_ns(&mut disk, request(RequestKind::Write, sector * 512, 512));
    }
    latency_ns(&mut disk, request(RequestKind::Flush, 0, 0));
    let counters = disk.counters();
    assert_eq!((counters.read_modify_write_revolutions, counters.media_written_bytes), (0, 800 * 512));
    disk.check();
}

#[test]
fn the_write_cache_answers_at_once_until_it_is_full_and_then_drains_by_itself() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for index in 0..64 {
        let latency = latency_ns(&mut disk, request(RequestKind::Write, index * 50_176, 512));
        assert_eq!(latency, 10_000 + 1_000, "write {index} finds a place in the table of 64");
    }
    let mut stalled = 0;
    for index in 64..100 {
        stalled += u64::from(latency_ns(&mut disk, request(RequestKind::Write, index * 50_176, 512)) > 11_000);
    }
    // A run leaves the table when it goes to the platters, so about every second write finds a place at once.
    assert!(stalled > 15 && disk.counters().write_cache_stalls == stalled, "{stalled}");
    assert!(disk.dirty_bytes() > 0);
    disk.idle(3000 * MS);
    assert_eq!(disk.dirty_bytes(), 0);
    assert_eq!(disk.counters().media_written_bytes, 100 * 512);
    disk.check();
}

#[test]
fn a_quiet_cache_is_written_out_after_its_time_and_not_before() {
    let mut disk = Disk::new(cached_config()).unwrap();
    latency_ns(&mut disk, request(RequestKind::Write, 0, 512));
    disk.idle(100 * MS - 1);
    assert_eq!(disk.counters().media_written_bytes, 0);
    assert_eq!(disk.counters().seeks + disk.counters().head_switches, 0);
    disk.idle(11 * MS);
    assert_eq!((disk.dirty_bytes(), disk.counters().media_written_bytes), (0, 512), "it had a revolution's time");
}

#[test]
fn a_flush_is_answered_when_what_came_before_is_on_the_platters() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for index in 0..10 {
        latency_ns(&mut disk, request(RequestKind::Write, index * 1_000_448, 512));
    }
    assert_eq!(disk.counters().media_written_bytes, 0);
    assert!(latency_ns(&mut disk, request(RequestKind::Flush, 0, 0)) > 10 * MS);
    assert_eq!((disk.dirty_bytes(), disk.counters().media_written_bytes), (0, 10 * 512));
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Flush, 0, 0)), 10_000, "nothing is left to do");
}

#[test]
fn overwritten_data_goes_to_the_platters_once() {
    let mut disk = Disk::new(cached_config()).unwrap();
    for _ in 0..50 {
        latency_ns(&mut disk, request(RequestKind::Write, 4096, 4096));
    }
    assert_eq!(latency_ns(&mut disk, request(RequestKind::Read, 4608, 512)), 11_000, "and is read from memory");
    latency_ns(&mut disk, request(RequestKind::Flush, 0, 0));
    let counters = disk.counters();
    assert_eq!((counters.media_written_bytes, counters.write_cache_absorbed_bytes), (4096, 49 * 4096));
}

#[test]
fn writes_are_reordered_by_each_policy_as_it_says() {
    let time_ns = |order, look_ahead_runs| {
        let mut config = cached_config();
        config.write_cache.flush_order = order;
        config.write_cache.look_ahead_runs = look_ahead_runs;
        let user = config.user_bytes;
        random_run_ns(&mut Disk::new(config).unwrap(), RequestKind::Write, 512, user, 1, 3000) / 3000
    };
    let arrival = time_ns(FlushOrder::Arrival, 1);
    let elevator = time_ns(FlushOrder::Elevator, 1);
    let shortest = time_ns(FlushOrder::ShortestPositioning, 16);
    assert!(arrival > elevator && elevator > shortest, "{arrival}, {elevator}, {shortest} ns");
    assert!(arrival.abs_diff(13 * MS) < 2 * MS, "a seek of 8 ms and half a turn, {arrival} ns");
    assert_eq!(time_ns(FlushOrder::ShortestPositioning, 1), elevator, "with one to choose from it is the elevator");
}

#[test]
fn queuing_raises_random_reads_and_no_request_starves() {
    let mut slowest = Vec::new();
    for depth in [1, 4, 32] {
        let mut config = bare_config();
        config.link.queue_depth = 32;
        let user = config.user_bytes;
        slowest.push(random_run_ns(&mut Disk::new(config).unwrap(), RequestKind::Read, 512, user, depth, 3000));
    }
    assert!(slowest[0] > slowest[1] * 12 / 10 && slowest[1] > slowest[2] * 14 / 10, "{slowest:?}");
    let mut config = bare_config();
    config.link.queue_depth = 32;
    config.queue.order = QueueOrder::Arrival;
    let user = config.user_bytes;
    let in_order = random_run_ns(&mut Disk::new(config).unwrap(), RequestKind::Read, 512, user, 32, 3000);
    assert!(in_order.abs_diff(slowest[0]) < slowest[0] / 20, "first come, first served gains nothing");
}

#[test]
fn a_request_that_waited_too_long_goes_first() {
    let mut config = bare_config();
    config.link.queue_depth = 8;
    config.queue.longest_wait_ns = 40 * MS;
    let mut disk = Disk::new(config.clone()).unwrap();
    disk.submit(0, 0, request(RequestKind::Read, 0, 512));
    disk.submit(0, 99, request(RequestKind::Read, config.user_bytes - 512, 512)); // far away
    disk.submit(0, 1, request(RequestKind::Read, 10 * 512, 512));
    let mut far_ns = 0;
    let mut index = 0;
    while far_ns == 0 {
        let completion = disk.next_completion(u64::MAX).unwrap();
        if completion.tag == 99 {
            far_ns = completion.at_ns;
        } else {
            index += 1;
            let near = request(RequestKind::Read, (index * 37 % 200) * 512, 512);
            disk.submit(completion.at_ns, completion.tag, near);
        }
    }
    assert!(far_ns > 40 * MS && far_ns < 40 * MS + 10 * MS + 16 * MS + 10 * MS, "{far_ns} ns");
}

#[test]
fn the_full_stroke_takes_its_time_and_half_a_turn_on_average() {
    let mut disk = Disk::new(bare_config()).unwrap();
    let user = disk.user_bytes();
    let mut waits = Vec::new();
    for round in 0..200 {
        disk.idle(1_234_567);
        let offset = if round % 2 == 0 { user - 512 } else { 0 };
        waits.push(latency_ns(&mut disk, request(RequestKind::Read, offset, 512)));
    }
    let (least, most) = (waits[1..].iter().min().unwrap(), waits.iter().max().unwrap());
    assert!(*least >= 15 * MS && *most <= 16 * MS + 10 * MS + 111_000, "{least} to {most}");
}

#[test]
fn a_write_moves_steadier_than_a_read() {
    let mut config = bare_config();
    config.seek.write_settle_ns = 700_000;
    let far = 100_000 * 512;
    let mut disks = [Disk::new(config.clone()).unwrap(), Disk::new(config).unwrap()];
    let read = latency_ns(&mut disks[0], request(RequestKind::Read, far, 512));
    let write = latency_ns(&mut disks[1], request(RequestKind::Write, far, 512));
    // Both end with the same sector; the write may need one more revolution, but no fewer.
    let difference = (write + 1).abs_diff(read + 1) % (10 * MS);
    assert!(write + 2_000 >= read && (difference <= 1_000 || 10 * MS - difference <= 1_000), "{write} and {read}");
}

#[test]
fn a_large_read_crosses_the_link_while_it_is_read() {
    let mut disk = Disk::new(bare_config()).unwrap();
    let latency = latency_ns(&mut disk, request(RequestKind::Read, 0, 200 * 512));
    // Sector 0 passed during the command: one turn, then the track in another turn, then the last piece of 72 sectors.
    assert_eq!(latency, 20 * MS + 72_000);
}

#[test]
fn reading_ahead_never_delays_a_request() {
    let run = |segment_count| {
        let mut config = bare_config();
        config.read_cache = ReadCache { segment_count, segment_bytes: 256 << 10 };
        let user = config.user_bytes;
        random_run_ns(&mut Disk::new(config).unwrap(), RequestKind::Read, 512, user, 1, 2000)
    };
    // While the arm reads ahead, it is sometimes on its way to the next track when the next request comes.
    let (without, with) = (run(0), run(4));
    assert!(with.abs_diff(without) < without / 100, "{with} and {without}");
}

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

/// A host's actions in a random scenario.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Action {
    Submit(Request),
    Take,
    Idle(u64),
}

/// Random actions on the first sectors of a drive.
pub(crate) fn actions(sectors: u64) -> impl Strategy<Value = Vec<Action>> {
    let kind = prop_oneof![
        6 => Just(RequestKind::Write),
        6 => Just(RequestKind::Read),
        1 => Just(RequestKind::Trim),
        1 => Just(RequestKind::Flush),
    ];
    let action = prop_oneof![
        30 => (kind, 0..sectors, 1..400_u64).prop_map(move |(kind, sector, count)| {
            Action::Submit(request(kind, sector * 512, count.min(sectors - sector) * 512))
        }),
        25 => Just(Action::Take),
        3 => (0..300 * MS).prop_map(Action::Idle),
    ];
    prop::collection::vec(action, 1..200)
}

/// Run the actions, with `check` after each; returns time and tag of every completion.
pub(crate) fn play<D: Member>(drive: &mut D, actions: &[Action], check: impl Fn(&D)) -> Vec<(u64, u32)> {
    let (mut outstanding, mut next_tag, mut answers) = (0, 0, Vec::new());
    let mut take = |drive: &mut D, outstanding: &mut u32| {
        if *outstanding == 0 {
            return;
        }
        let Some(completion) = drive.next_completion(u64::MAX) else { panic!("{outstanding} are never answered") };
        assert_eq!(completion.status, Status::Done);
        assert_eq!(completion.at_ns, drive.now_ns());
        answers.push((completion.at_ns, completion.tag));
        *outstanding -= 1;
    };
    for &action in actions {
        match action {
            Action::Submit(request) => {
                drive.submit(drive.now_ns(), next_tag, request);
                next_tag += 1;
                outstanding += 1;
            }
            Action::Take => take(drive, &mut outstanding),
            Action::Idle(duration_ns) => {
                while outstanding > 0 {
                    take(drive, &mut outstanding);
                }
                drive.idle(duration_ns);
            }
        }
        check(drive);
    }
    while outstanding > 0 {
        take(drive, &mut outstanding);
        check(drive);
    }
    assert!(answers.is_sorted_by_key(|answer| answer.0), "completions come in the order of time");
    answers
}

pub(crate) fn any_config() -> impl Strategy<Value = Config> {
    let order =
        prop_oneof![Just(FlushOrder::Arrival), Just(FlushOrder::Elevator), Just(FlushOrder::ShortestPositioning)];
    (any::<bool>(), any::<bool>(), any::<bool>(), 0..3_u32, order, 1..20_u32, any::<bool>()).prop_map(
        |(large, queuing, cache, segment_count, flush_order, run_count, by_position)| {
            let mut config = if large { large_sectors(bare_config()) } else { bare_config() };
            config.link.queue_depth = if queuing { 8 } else { 1 };
            config.read_cache = ReadCache { segment_count, segment_bytes: 64 << 10 };
            config.write_cache.bytes = if cache { 128 << 10 } else { 0 };
            config.write_cache.run_count = run_count;
            config.write_cache.flush_order = flush_order;
            config.queue.order = if by_position { QueueOrder::ShortestPositioning } else { QueueOrder::Arrival };
            config
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn everything_adds_up_under_random_use(config in any_config(), actions in actions(20_000)) {
        let mut disk = Disk::new(config.clone()).unwrap();
        play(&mut disk, &actions, Disk::check);
        latency_ns(&mut disk, request(RequestKind::Flush, 0, 0));
        prop_assert_eq!(disk.dirty_bytes(), 0);
        let counters = disk.counters();
        let written = counters.host.written_bytes - counters.write_cache_absorbed_bytes;
        prop_assert!(counters.media_written_bytes >= written);
        if config.geometry.sector_bytes == 512 {
            prop_assert_eq!(counters.media_written_bytes, written);
            prop_assert_eq!(counters.read_modify_write_revolutions, 0);
        }
        prop_assert!(counters.media_read_bytes <= counters.host.read_bytes + 2 * 4096 * 200 * counters.host.read_requests);
    }

    #[test]
    fn the_same_requests_give_the_same_times_also_after_a_restart_from_bytes(
        config in any_config(), before in actions(20_000), after in actions(20_000)
    ) {
        let mut disk = Disk::new(config.clone()).unwrap();
        let mut twin = Disk::new(config).unwrap();
        prop_assert_eq!(play(&mut disk, &before, |_| ()), play(&mut twin, &before, |_| ()));
        let bytes = postcard::to_allocvec(&disk).unwrap();
        let mut restored: Disk = postcard::from_bytes(&bytes).unwrap();
        prop_assert_eq!(play(&mut disk, &after, |_| ()), play(&mut restored, &after, |_| ()));
        prop_assert_eq!(postcard::to_allocvec(&disk).unwrap(), postcard::to_allocvec(&restored).unwrap());
    }
}
