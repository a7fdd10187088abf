//! Memory: exact times with and without a link, and the same scenarios as every drive.

use super::*;
use crate::Drive;
use crate::disk::tests::{Action, actions, latency_ns, play, random_run_ns, request};
use proptest::prelude::*;

/// 1 GB/s, one pass for a read, two for a write, 10 us for a command.
pub(crate) fn config(server_count: u32, linked: bool) -> Config {
    let mut link = crate::ssd::tests::small_config().link;
    (link.bytes_per_second, link.command_cost_ns, link.queue_depth) = (100_000_000, 5_000, 4);
    Config {
        name: "ram".into(),
        model: "RAM".into(),
        firmware: "1".into(),
        user_bytes: 64 << 20,
        bytes_per_second: 1_000_000_000,
        read_passes: 1,
        write_passes: 2,
        command_cost_ns: 10_000,
        server_count,
        link: linked.then_some(link),
    }
}

#[test]
fn a_ram_disk_takes_the_command_and_the_copy_to_the_nanosecond() {
    let mut drive = Memory::new(config(1, false)).unwrap();
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 4096, 4096)), 10_000 + 4096);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Write, 4096, 4096)), 10_000 + 2 * 4096);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Flush, 0, 0)), 10_000);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Trim, 0, 4096)), 10_000);
}

#[test]
fn behind_a_link_its_costs_are_added() {
    let mut drive = Memory::new(config(1, true)).unwrap();
    let link_ns = 40_960;
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Read, 0, 4096)), 5_000 + 10_000 + 4096 + link_ns);
    assert_eq!(latency_ns(&mut drive, request(RequestKind::Write, 0, 4096)), 5_000 + link_ns + 10_000 + 2 * 4096);
}

#[test]
fn servers_work_side_by_side_until_the_link_is_full() {
    let time_ns = |servers, linked, depth| {
        random_run_ns(&mut Memory::new(config(servers, linked)).unwrap(), RequestKind::Read, 4096, 1 << 20, depth, 1000)
    };
    assert_eq!(time_ns(1, false, 8), 1000 * 14_096, "one server: queuing gains nothing");
    assert_eq!(time_ns(4, false, 8), 250 * 14_096, "four servers: four times as many");
    assert_eq!(time_ns(4, false, 2), 500 * 14_096, "but no more than are asked for at once");
    let linked_ns = time_ns(4, true, 4);
    assert!(linked_ns.abs_diff(1000 * 40_960) < 100_000, "the link is what limits, {linked_ns}");
}

#[test]
fn a_server_behind_a_link_is_busy_until_the_data_have_crossed() {
    let (link_ns, count) = (40_960, 1000);
    for (kind, work_ns) in [(RequestKind::Read, 14_096), (RequestKind::Write, 18_192)] {
        let mut drive = Memory::new(config(1, true)).unwrap();
        let took_ns = random_run_ns(&mut drive, kind, 4096, 1 << 20, 4, count);
        assert!(took_ns.abs_diff(count * (work_ns + link_ns)) < 100_000, "only the command is hidden, {took_ns}");
        let mut alone = Memory::new(config(1, true)).unwrap();
        let alone_ns = random_run_ns(&mut alone, kind, 4096, 1 << 20, 1, count);
        assert_eq!(alone_ns, count * (5_000 + work_ns + link_ns));
    }
}

#[test]
fn what_lies_outside_is_refused_with_and_without_a_link() {
    for linked in [false, true] {
        let mut drive = Memory::new(config(1, linked)).unwrap();
        drive.submit(0, 3, request(RequestKind::Write, 64 << 20, 512));
        let completion = drive.next_completion(u64::MAX).unwrap();
        assert_eq!((completion.tag, completion.status), (3, Status::OutOfRange));
        assert_eq!(drive.counters(), Counters::default());
    }
}

#[test]
fn a_contradiction_is_refused_with_the_key_that_makes_it() {
    type Spoil = fn(&mut Config);
    let cases: [(&str, Spoil); 5] = [
        ("memory.user_bytes", |config| config.user_bytes = 100),
        ("memory.bytes_per_second", |config| config.bytes_per_second = 0),
        ("memory.read_passes", |config| config.read_passes = 0),
        ("memory.command_cost_ns", |config| config.command_cost_ns = 0),
        ("memory.server_count", |config| config.server_count = 0),
    ];
    for (key, spoil) in cases {
        let mut config = config(1, true);
        spoil(&mut config);
        assert_eq!(config.check().map_err(|error| error.key), Err(key));
    }
}

proptest! {
    #[test]
    fn everything_adds_up_and_repeats_under_random_use(servers in 1..4_u32, linked in any::<bool>(), actions in actions(20_000)) {
        let mut drive = Memory::new(config(servers, linked)).unwrap();
        let answers = play(&mut drive, &actions, Memory::check);
        let mut twin: Memory =
            postcard::from_bytes(&postcard::to_allocvec(&Memory::new(config(servers, linked)).unwrap()).unwrap()).unwrap();
        prop_assert_eq!(&answers, &play(&mut twin, &actions, |_| ()));
        let asked: u64 = actions.iter().map(|action| match action {
            Action::Submit(request) if request.kind == RequestKind::Read => request.length_bytes,
            _ => 0,
        }).sum();
        prop_assert_eq!(drive.counters().host.read_bytes, asked);
    }
}
