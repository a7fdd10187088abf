//! Every invariant under random use: lists of a host's actions, drawn and shrunk.

use super::*;

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
