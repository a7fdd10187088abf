//! The stripe: scaling, splitting, and the same results as from its members alone.

use super::*;
use crate::Drive;
use crate::disk::tests::{
    Action, actions, any_config, cached_config, latency_ns, play, random_run_ns, request, sequential_rate,
};
use crate::{Disk, Ssd};
use flashscope_kernel::random::{Streams, below};
use proptest::prelude::*;

const CHUNK: u64 = 65_536;

fn fast_host() -> Config {
    Config {
        chunk_bytes: CHUNK,
        host: Host { bytes_per_second: 1_000_000_000_000, command_cost_ns: 0, command_bytes_max: 0 },
    }
}

/// A drive that answers after a time of its own and remembers the requests.
#[derive(Clone, Debug)]
struct Plain {
    now_ns: u64,
    latency_ns: u64,
    fails: bool,
    under_way: Schedule<u32>,
    seen: Vec<Request>,
}

impl Plain {
    fn new(latency_ns: u64) -> Self {
        Self { now_ns: 0, latency_ns, fails: false, under_way: Schedule::default(), seen: Vec::new() }
    }
}

impl Drive for Plain {
    fn user_bytes(&self) -> u64 {
        16 * CHUNK + 512
    }

    fn sector_bytes(&self) -> u64 {
        512
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        assert!(at_ns >= self.now_ns, "handed over at {at_ns}, but it is {} already", self.now_ns);
        assert!(at_ns <= self.under_way.next_ns(), "a completion before {at_ns} was not taken");
        self.now_ns = at_ns;
        self.under_way.add(at_ns + self.latency_ns, tag);
        self.seen.push(request);
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        if self.under_way.next_ns() > until_ns {
            return None;
        }
        let (at_ns, tag) = self.under_way.take()?;
        self.now_ns = at_ns;
        let status = if self.fails { Status::NoFreeBlock } else { Status::Done };
        Some(Completion { tag, at_ns, status })
    }
}

impl Member for Plain {
    fn next_ns(&self) -> u64 {
        self.under_way.next_ns()
    }

    fn idle(&mut self, duration_ns: u64) {
        self.now_ns += duration_ns;
    }
}

fn plain(latencies_ns: &[u64]) -> Stripe<Plain> {
    Stripe::new(fast_host(), latencies_ns.iter().map(|&latency_ns| Plain::new(latency_ns)).collect()).unwrap()
}

#[test]
fn capacity_is_whole_chunks_of_the_smallest_member_times_their_number() {
    assert_eq!(plain(&[1, 1, 1]).user_bytes(), 3 * 16 * CHUNK);
}

#[test]
fn each_member_gets_one_part_with_its_chunks_side_by_side() {
    let mut stripe = plain(&[1, 1, 1]);
    latency_ns(&mut stripe, request(RequestKind::Write, CHUNK / 2, 4 * CHUNK));
    let parts: Vec<_> = stripe.members().iter().map(|member| member.seen[0]).collect();
    // Chunks 0 (second half), 3 (all) on the first; 1 and 4 (first half) on the second; 2 on the third.
    assert_eq!((parts[0].offset_bytes, parts[0].length_bytes), (CHUNK / 2, CHUNK / 2 + CHUNK));
    assert_eq!((parts[1].offset_bytes, parts[1].length_bytes), (0, CHUNK + CHUNK / 2));
    assert_eq!((parts[2].offset_bytes, parts[2].length_bytes), (0, CHUNK));
    latency_ns(&mut stripe, request(RequestKind::Trim, CHUNK, CHUNK));
    latency_ns(&mut stripe, request(RequestKind::Flush, 0, 0));
    let counts: Vec<_> = stripe.members().iter().map(|member| member.seen.len()).collect();
    assert_eq!(counts, [2, 3, 2], "a trim goes where it belongs, a flush to all");
    assert_eq!(stripe.counters().split_requests, 1);
    stripe.check();
}

#[test]
fn a_slow_member_stalls_the_stripe_and_only_what_touches_it() {
    let mut stripe = plain(&[10, 10, 700]);
    assert_eq!(latency_ns(&mut stripe, request(RequestKind::Read, 0, 2 * 512)), 10);
    assert_eq!(latency_ns(&mut stripe, request(RequestKind::Read, 0, 2 * CHUNK)), 131_072 / 1000 + 1, "the bus");
    assert_eq!(latency_ns(&mut stripe, request(RequestKind::Read, 0, 3 * CHUNK)), 700);
}

#[test]
fn members_overtake_each_other_in_the_order_of_time() {
    let mut stripe = plain(&[50, 20]);
    stripe.submit(0, 1, request(RequestKind::Read, 0, 512));
    stripe.submit(0, 2, request(RequestKind::Read, CHUNK, 512));
    assert_eq!(stripe.next_completion(19), None);
    let first = stripe.next_completion(u64::MAX).unwrap();
    assert_eq!((first.tag, first.at_ns), (2, 20));
    stripe.submit(20, 2, request(RequestKind::Read, 0, 512)); // the slow member is not ahead of this
    let rest: Vec<_> =
        std::iter::from_fn(|| stripe.next_completion(u64::MAX)).map(|next| (next.tag, next.at_ns)).collect();
    assert_eq!(rest, [(1, 50), (2, 70)]);
    stripe.check();
}

#[test]
fn the_gravest_outcome_of_the_parts_is_the_outcome() {
    let mut stripe = plain(&[1, 1]);
    stripe.for_each_member(|member| member.fails = true);
    stripe.members[0].fails = false;
    stripe.submit(0, 0, request(RequestKind::Write, 0, 2 * CHUNK));
    assert_eq!(stripe.next_completion(u64::MAX).unwrap().status, Status::NoFreeBlock);
    stripe.submit(stripe.now_ns(), 0, request(RequestKind::Write, stripe.user_bytes(), 512));
    assert_eq!(stripe.next_completion(u64::MAX).unwrap().status, Status::OutOfRange);
    assert_eq!(stripe.counters().failed_member_requests, 1);
    assert_eq!(stripe.members()[0].seen.len(), 1, "nothing is handed on that does not fit");
}

#[test]
fn the_controller_takes_its_time_for_every_request() {
    let mut config = fast_host();
    config.host.command_cost_ns = 30;
    let mut stripe = Stripe::new(config, vec![Plain::new(10), Plain::new(10)]).unwrap();
    for tag in 0..3 {
        stripe.submit(0, tag, request(RequestKind::Read, 0, 512));
    }
    let times: Vec<_> = std::iter::from_fn(|| stripe.next_completion(u64::MAX)).map(|next| next.at_ns).collect();
    assert_eq!(times, [40, 70, 100]);
}

#[test]
fn a_host_with_a_longest_command_hands_over_one_after_the_other_to_each_member() {
    let mut config = fast_host();
    config.host = Host { bytes_per_second: 1_000_000_000_000, command_cost_ns: 5, command_bytes_max: CHUNK / 2 };
    let mut stripe = Stripe::new(config, vec![Plain::new(1000), Plain::new(1000)]).unwrap();
    let from_ns = stripe.now_ns();
    let took_ns = latency_ns(&mut stripe, request(RequestKind::Read, CHUNK / 4, 2 * CHUNK));
    // Member 0 has a quarter, a half and the first quarter of its next chunk; member 1 two halves.
    let lengths =
        |member: usize| stripe.members()[member].seen.iter().map(|seen| seen.length_bytes).collect::<Vec<_>>();
    assert_eq!(lengths(0), [CHUNK / 4, CHUNK / 2, CHUNK / 4]);
    assert_eq!(lengths(1), [CHUNK / 2, CHUNK / 2]);
    assert_eq!(took_ns, 3 * (5 + 1000), "the slowest member, from {from_ns} on");
    assert_eq!((stripe.counters().member_requests, stripe.counters().split_requests), (5, 1));
    stripe.check();
}

#[test]
fn large_sequential_reads_run_at_the_sum_of_the_members_until_the_host_is_full() {
    let rate = |members: usize, bytes_per_second: u64| {
        let mut config = fast_host();
        config.host.bytes_per_second = bytes_per_second;
        let disks = (0..members).map(|_| Disk::new(cached_config()).unwrap()).collect();
        let mut stripe = Stripe::new(config, disks).unwrap();
        let request_bytes = members as u64 * CHUNK;
        sequential_rate(&mut stripe, RequestKind::Read, 0, request_bytes, 200)
    };
    let one = rate(1, 1_000_000_000_000);
    for members in [2, 3, 4] {
        let gain = rate(members, 1_000_000_000_000) / one;
        assert!((gain / members as f64 - 1.0).abs() < 0.02, "{members} members: {gain}");
    }
    let limited = rate(4, 20_000_000);
    assert!(limited <= 20_000_000.0 && limited > 19_000_000.0, "{limited} B/s through a host of 20 MB/s");
}

#[test]
fn random_requests_over_constant_members_follow_the_law_for_banks() {
    // q outstanding over n banks of constant service time. Two banks: the Markov chain of their queues gives 3/2
    // and 7/4 exactly. More: n+q-1/2 - sqrt((n+q-1/2)^2 - 2 n q) (Baskett & Smith 1976), good to 2 %.
    for (members, depth, law, gap) in
        [(2_usize, 2, 1.5, 0.01), (2, 4, 1.75, 0.01), (4, 4, 2.58, 0.025), (4, 8, 3.24, 0.025)]
    {
        let serial = |_| {
            crate::Memory::new(crate::memory::Config {
                name: "bank".into(),
                model: "BANK".into(),
                firmware: "1".into(),
                user_bytes: 1 << 30,
                bytes_per_second: 1_000_000_000_000_000,
                read_passes: 1,
                write_passes: 1,
                command_cost_ns: 1_000_000,
                server_count: 1,
                link: None,
            })
            .unwrap()
        };
        let mut stripe = Stripe::new(fast_host(), (0..members).map(serial).collect()).unwrap();
        let user = stripe.user_bytes();
        let time_ns = random_run_ns(&mut stripe, RequestKind::Read, 4096, user, depth, 20_000);
        let busy = 20_000.0 * 1e6 / time_ns as f64;
        assert!((busy / law - 1.0).abs() < gap, "n={members} q={depth}: {busy}, law {law}");
    }
}

#[test]
fn a_stripe_of_solid_state_drives_spreads_the_wear() {
    let ssds = (0..4).map(|seed| Ssd::new(crate::ssd::tests::small_config(), seed).unwrap()).collect();
    let mut stripe = Stripe::new(fast_host(), ssds).unwrap();
    let user = stripe.user_bytes();
    let mut stream = Streams::new(3).stream("places");
    for _ in 0..3000 {
        latency_ns(&mut stripe, request(RequestKind::Write, below(&mut stream, user / 4096) * 4096, 4096));
    }
    let written: Vec<_> = stripe.members().iter().map(|ssd| ssd.counters().host.written_bytes).collect();
    assert_eq!(written.iter().sum::<u64>(), 3000 * 4096);
    assert!(written.iter().all(|bytes| bytes.abs_diff(750 * 4096) < 120 * 4096), "{written:?}");
    stripe.for_each_member(|ssd| {
        ssd.check();
        ssd.secure_erase();
    });
    let now_ns = stripe.now_ns();
    assert!(stripe.members().iter().all(|ssd| ssd.now_ns() == now_ns), "all wait for the slowest erase");
    latency_ns(&mut stripe, request(RequestKind::Write, 0, 4096));
}

#[test]
fn a_stripe_of_stripes_is_a_stripe() {
    let pair = || plain(&[10, 20]);
    let mut outer = Stripe::new(Config { chunk_bytes: 2 * CHUNK, ..fast_host() }, vec![pair(), pair()]).unwrap();
    assert_eq!(outer.user_bytes(), 4 * 16 * CHUNK);
    assert_eq!(latency_ns(&mut outer, request(RequestKind::Read, 0, 512)), 10);
    latency_ns(&mut outer, request(RequestKind::Read, 0, 4 * CHUNK));
    assert!(outer.members().iter().all(|inner| inner.counters().split_requests == 1));
}

#[test]
fn a_contradiction_is_refused_with_the_key_that_makes_it() {
    let key = |config: Config, members: Vec<Plain>| Stripe::new(config, members).map(|_| ()).map_err(|error| error.key);
    assert_eq!(key(fast_host(), vec![]), Err("stripe.members"));
    let mut later = Plain::new(1);
    later.now_ns = 5;
    assert_eq!(key(fast_host(), vec![Plain::new(1), later]), Err("stripe.members"));
    for chunk_bytes in [0, 1000, 17 * CHUNK] {
        assert_eq!(key(Config { chunk_bytes, ..fast_host() }, vec![Plain::new(1)]), Err("stripe.chunk_bytes"));
    }
    let mut config = fast_host();
    config.host.bytes_per_second = 0;
    assert_eq!(key(config, vec![Plain::new(1)]), Err("stripe.host.bytes_per_second"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn one_member_behaves_like_the_bare_drive(config in any_config(), actions in actions(20_000)) {
        let mut bare = Disk::new(config.clone()).unwrap();
        let mut stripe = Stripe::new(fast_host(), vec![Disk::new(config).unwrap()]).unwrap();
        let striped = play(&mut stripe, &actions, Stripe::check);
        prop_assert_eq!(play(&mut bare, &actions, |_| ()), striped);
        prop_assert_eq!(bare.counters(), stripe.members()[0].counters());
    }

    #[test]
    fn every_sector_goes_to_the_place_that_plain_arithmetic_gives(
        members in 1..6_usize, actions in actions(2000)
    ) {
        let mut stripe = plain(&vec![5; members]);
        let (count, user) = (members as u64, stripe.user_bytes());
        for action in actions {
            let Action::Submit(asked) = action else { continue };
            if asked.kind == RequestKind::Flush || asked.offset_bytes + asked.length_bytes > user {
                continue;
            }
            let before: Vec<_> = stripe.members().iter().map(|member| member.seen.len()).collect();
            latency_ns(&mut stripe, asked);
            let mut expected: Vec<Vec<u64>> = vec![Vec::new(); members];
            for sector in asked.offset_bytes / 512..(asked.offset_bytes + asked.length_bytes) / 512 {
                let (chunk, within) = (sector * 512 / CHUNK, sector * 512 % CHUNK);
                expected[(chunk % count) as usize].push(chunk / count * CHUNK + within);
            }
            for (index, sectors) in expected.iter().enumerate() {
                let parts = &stripe.members()[index].seen[before[index]..];
                let got: Vec<u64> = parts
                    .iter()
                    .flat_map(|part| (part.offset_bytes..part.offset_bytes + part.length_bytes).step_by(512))
                    .collect();
                prop_assert_eq!(&got, sectors);
                prop_assert!(parts.len() <= 1, "adjacent chunks go together");
            }
        }
        stripe.check();
    }

    #[test]
    fn a_stripe_of_disks_adds_up_repeats_and_comes_back_from_bytes(
        config in any_config(), before in actions(40_000), after in actions(40_000)
    ) {
        let disks = (0..3).map(|_| Disk::new(config.clone()).unwrap()).collect();
        let mut stripe = Stripe::new(fast_host(), disks).unwrap();
        play(&mut stripe, &before, Stripe::check);
        let mut restored: Stripe<Disk> = postcard::from_bytes(&postcard::to_allocvec(&stripe).unwrap()).unwrap();
        prop_assert_eq!(play(&mut stripe, &after, Stripe::check), play(&mut restored, &after, |_| ()));
        let read: u64 = stripe.members().iter().map(|disk| disk.counters().host.read_bytes).sum();
        let written: u64 = stripe.members().iter().map(|disk| disk.counters().host.written_bytes).sum();
        prop_assert_eq!((read, written), (stripe.counters().host.read_bytes, stripe.counters().host.written_bytes));
        stripe.members().iter().for_each(Disk::check);
    }
}
