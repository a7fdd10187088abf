//! Time on the platters: rotation, tracks, zones, skews, seeks, reading ahead.

use super::*;

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
