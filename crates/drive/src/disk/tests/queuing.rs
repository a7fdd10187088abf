//! The order of requests and of cached writes.

use super::*;

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
