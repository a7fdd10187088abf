//! Exact times on one bank and on two: each mechanism alone, tested at its limit and one nanosecond before.

use super::scheduling::SUSPENSION_COUNT_MAX;
use super::*;
use crate::{PslcTiming, SuperblockOf};

/// In microseconds: tR 50, a page on the bus 100, tPROG 250 and 1300, tBERS 2000.
fn timing() -> Timing {
    Timing {
        read_latency_ns: 50_000,
        program_latencies_ns: vec![250_000, 1_300_000],
        erase_latency_ns: 2_000_000,
        bus_bytes_per_second: 40_000_000, // 4000 B take 100 us
        rated_pe_cycles: 1,
        pslc: None,
        cache_program: false,
    }
}

fn array_with(packages: u32, timing: &Timing, scheduling: &Scheduling) -> FlashArray<u32> {
    let geometry = Geometry {
        channels: 1,
        packages_per_channel: packages,
        dies_per_package: 1,
        planes_per_die: 1,
        blocks_per_plane: 8,
        pages_per_block: 4,
        page_bytes: 4000,
        lockstep_packages: 1,
        multiplane: false,
        superblock: false,
        superblock_of: SuperblockOf::Drive,
    };
    FlashArray::new(&geometry, timing, scheduling)
}

fn array(packages: u32) -> FlashArray<u32> {
    array_with(packages, &timing(), &Scheduling::default())
}

const PRIORITY: Scheduling =
    Scheduling { read_priority: true, program_suspend: false, erase_suspend: false, suspend_latency_ns: 0 };

/// Everything may be suspended, which takes 20 us.
const SUSPEND: Scheduling =
    Scheduling { read_priority: false, program_suspend: true, erase_suspend: true, suspend_latency_ns: 20_000 };

fn program(page_index: u32, token: u32) -> Operation<u32> {
    Operation::Program { page_index, mode: CellMode::Native, token }
}

fn read(token: u32) -> Operation<u32> {
    Operation::Read { bytes: 4000, mode: CellMode::Native, token }
}

fn collect(reads: u32, programs: u32, erases: u32) -> Operation<u32> {
    let (source, target) = (CellMode::Native, CellMode::Native);
    Operation::Collect { reads, programs, page_index: 0, erases, source, target }
}

/// Runs until idle while operations arrive at their times; returns (token, time) of each finished operation.
fn run(array: &mut FlashArray<u32>, arrivals: &[(u64, Operation<u32>)]) -> Vec<(u32, u64)> {
    let mut finished = vec![];
    for &(at_ns, operation) in arrivals {
        while array.next_event_ns() <= at_ns {
            let now_ns = array.next_event_ns();
            finished.extend(array.step().map(|token| (token, now_ns)));
        }
        array.enqueue(0, at_ns, operation);
    }
    finished.extend(drain(array));
    finished
}

fn drain(array: &mut FlashArray<u32>) -> Vec<(u32, u64)> {
    let mut finished = vec![];
    while array.next_event_ns() != NEVER_NS {
        let at_ns = array.next_event_ns();
        finished.extend(array.step().map(|token| (token, at_ns)));
    }
    finished
}

/// The same, on a new array of one bank.
fn times(scheduling: &Scheduling, arrivals: &[(u64, Operation<u32>)]) -> Vec<(u32, u64)> {
    run(&mut array_with(1, &timing(), scheduling), arrivals)
}

#[test]
fn a_program_takes_its_transfer_and_its_pages_program_time_to_the_nanosecond() {
    let mut array = array(1);
    array.enqueue(0, 7, program(0, 1));
    array.enqueue(0, 8, program(1, 2));
    assert_eq!(drain(&mut array), [(1, 7 + 350_000), (2, 7 + 350_000 + 1_400_000)]);
}

#[test]
fn two_banks_of_one_channel_share_the_transfer_but_not_the_programming() {
    let mut array = array(2);
    array.enqueue(0, 0, program(0, 1));
    array.enqueue(1, 0, program(0, 2));
    assert_eq!(drain(&mut array), [(1, 350_000), (2, 450_000)]);
}

#[test]
fn a_write_uses_the_channel_while_another_bank_still_senses() {
    let mut array = array(2);
    array.enqueue(0, 0, read(1));
    array.enqueue(1, 0, program(0, 2));
    // The program has the channel from 0 to 100 us; the read was sensed at 50 us and follows at 100.
    assert_eq!(drain(&mut array), [(1, 200_000), (2, 350_000)]);
}

#[test]
fn a_collection_moves_page_by_page_and_then_erases() {
    let collected = (50 + 200 + 250) + (50 + 200 + 1300) + 2000;
    let finished = times(&Scheduling::default(), &[(0, collect(2, 2, 1)), (0, program(0, 9))]);
    assert_eq!(finished, [(9, (collected + 350) * 1000)]);
}

#[test]
fn packing_valid_data_reads_more_pages_than_it_programs() {
    let collected = (3 * 50 + 200 + 250) + (2 * 50 + 200 + 1300) + 2000;
    let finished = times(&Scheduling::default(), &[(0, collect(5, 2, 1)), (0, program(0, 9))]);
    assert_eq!(finished, [(9, (collected + 350) * 1000)]);
}

#[test]
fn without_priority_a_read_waits_for_everything_before_it() {
    let arrivals = [(0, program(0, 1)), (0, program(0, 2)), (10, read(3)), (11, read(4))];
    let finished = times(&Scheduling::default(), &arrivals);
    assert_eq!(finished, [(1, 350_000), (2, 700_000), (3, 850_000), (4, 1_000_000)]);
}

#[test]
fn a_read_with_priority_overtakes_what_waits_and_no_other_read() {
    let arrivals = [(0, program(0, 1)), (0, program(0, 2)), (0, collect(0, 0, 1)), (10, read(3)), (11, read(4))];
    let finished = times(&PRIORITY, &arrivals);
    assert_eq!(finished, [(1, 350_000), (3, 500_000), (4, 650_000), (2, 1_000_000)]);
}

#[test]
fn a_read_with_priority_comes_between_two_pages_of_a_collection_if_it_is_there_in_time() {
    let arrivals = |at_ns| [(0, collect(3, 3, 1)), (0, program(0, 9)), (at_ns, read(1))];
    // The first page is programmed at 50 + 200 + 250 = 500 us. A read that arrives later waits for the second.
    let total = 500 + (50 + 200 + 1300) + 500 + 2000 + 350 + 150;
    assert_eq!(times(&PRIORITY, &arrivals(499_999)), [(1, 650_000), (9, total * 1000)]);
    assert_eq!(times(&PRIORITY, &arrivals(500_000)), [(1, 2_200_000), (9, total * 1000)]);
}

#[test]
fn reads_come_between_the_last_page_and_the_erase_and_between_two_erases() {
    let arrivals = |at_ns| [(0, collect(1, 1, 2)), (at_ns, read(1))];
    assert_eq!(times(&PRIORITY, &arrivals(499_999)), [(1, 650_000)]);
    assert_eq!(times(&PRIORITY, &arrivals(500_000)), [(1, 2_650_000)], "after the first erase");
    assert_eq!(times(&PRIORITY, &arrivals(2_499_999)), [(1, 2_650_000)]);
    assert_eq!(times(&PRIORITY, &arrivals(2_500_000)), [(1, 4_650_000)], "after the second");
}

#[test]
fn a_collection_that_only_reads_makes_room_before_its_erase() {
    let arrivals = |at_ns| [(0, collect(2, 0, 1)), (at_ns, read(1))];
    assert_eq!(times(&PRIORITY, &arrivals(99_999)), [(1, 250_000)]);
    assert_eq!(times(&PRIORITY, &arrivals(100_000)), [(1, 2_250_000)]);
}

#[test]
fn a_suspended_program_stops_after_the_suspend_latency_and_runs_on_for_exactly_the_rest() {
    // tPROG runs from 100 to 350 us. Stopped at 220, read until 370, and 130 us are left.
    let finished = times(&SUSPEND, &[(0, program(0, 1)), (200_000, read(2))]);
    assert_eq!(finished, [(2, 370_000), (1, 500_000)]);
}

#[test]
fn a_program_that_is_over_within_the_suspend_latency_is_not_suspended() {
    let late = 350_000 - 20_000;
    assert_eq!(times(&SUSPEND, &[(0, program(0, 1)), (late, read(2))]), [(1, 350_000), (2, 500_000)]);
    let in_time = times(&SUSPEND, &[(0, program(0, 1)), (late - 1, read(2))]);
    assert_eq!(in_time, [(2, 499_999), (1, 500_000)], "one nanosecond of programming was left");
}

#[test]
fn a_read_that_finds_the_data_on_the_bus_is_served_when_programming_begins() {
    let finished = times(&SUSPEND, &[(0, program(0, 1)), (50_000, read(2))]);
    assert_eq!(finished, [(2, 100_000 + 20_000 + 150_000), (1, 350_000 + 150_000)]);
}

#[test]
fn all_reads_that_wait_when_a_program_stops_share_one_suspension() {
    let arrivals = [(0, program(1, 1)), (200_000, read(2)), (219_999, read(3))];
    assert_eq!(times(&SUSPEND, &arrivals), [(2, 370_000), (3, 520_000), (1, 1_400_000 + 300_000)]);
}

#[test]
fn a_program_is_suspended_a_bounded_number_of_times_and_then_ends() {
    let mut arrivals = vec![(0, program(1, 0))];
    // Each read arrives while the one before is served, so each needs a suspension of its own.
    arrivals.extend((1..=20).map(|token| (200_000 + u64::from(token) * 160_000, read(token))));
    let finished = times(&SUSPEND, &arrivals);
    let before = finished.iter().position(|&(token, _)| token == 0).unwrap();
    assert!(before as u32 >= SUSPENSION_COUNT_MAX, "{finished:?}");
    let (_, end_ns) = finished[before];
    assert_eq!(end_ns, 1_400_000 + before as u64 * 150_000, "its own time and that of the reads that passed");
    assert_eq!(before as u32, SUSPENSION_COUNT_MAX, "one read a suspension");
}

#[test]
fn a_program_within_a_collection_is_suspended_too_and_each_page_has_its_own_bound() {
    // The second page programs from 500 + 50 + 200 = 750 to 2050 us.
    let arrivals = [(0, collect(2, 2, 1)), (0, program(0, 9)), (1_000_000, read(1))];
    let end = 2050 + 150 + 2000 + 350;
    assert_eq!(times(&SUSPEND, &arrivals), [(1, 1_170_000), (9, end * 1000)]);
}

#[test]
fn an_erase_is_suspended_and_runs_on_for_exactly_the_rest() {
    let arrivals = |at_ns| [(0, collect(0, 0, 1)), (0, program(0, 9)), (at_ns, read(1))];
    assert_eq!(times(&SUSPEND, &arrivals(1_000_000)), [(1, 1_170_000), (9, 2_500_000)]);
    let last = 2_000_000 - 20_000;
    assert_eq!(times(&SUSPEND, &arrivals(last - 1)), [(1, 2_149_999), (9, 2_500_000)]);
    assert_eq!(times(&SUSPEND, &arrivals(last)), [(1, 2_150_000), (9, 2_500_000)], "it was over by then");
}

#[test]
fn suspending_programs_does_not_suspend_erases_nor_the_other_way_round() {
    let programs_only = Scheduling { erase_suspend: false, ..SUSPEND };
    assert_eq!(times(&programs_only, &[(0, collect(0, 0, 1)), (500_000, read(1))]), [(1, 2_150_000)]);
    let erases_only = Scheduling { program_suspend: false, ..SUSPEND };
    let finished = times(&erases_only, &[(0, program(0, 1)), (0, program(0, 2)), (200_000, read(3))]);
    assert_eq!(finished, [(1, 350_000), (3, 500_000), (2, 850_000)], "it implies priority");
}

#[test]
fn pslc_blocks_work_in_their_own_times_and_folding_mixes_both() {
    let pslc = PslcTiming { read_latency_ns: 20_000, program_latency_ns: 150_000, erase_latency_ns: 1_500_000 };
    let timing = Timing { pslc: Some(pslc), ..timing() };
    let mut array = array_with(1, &timing, &Scheduling::default());
    let mode = CellMode::Pslc;
    array.enqueue(0, 0, Operation::Program { page_index: 1, mode, token: 1 });
    array.enqueue(0, 0, Operation::Read { bytes: 4000, mode, token: 2 });
    let (source, target) = (CellMode::Pslc, CellMode::Native);
    array.enqueue(0, 0, Operation::Collect { reads: 2, programs: 2, page_index: 0, erases: 1, source, target });
    array.enqueue(0, 0, program(1, 3));
    let folded = 370 + (20 + 200 + 250) + (20 + 200 + 1300) + 1500;
    assert_eq!(drain(&mut array), [(1, 250_000), (2, 370_000), (3, (folded + 1400) * 1000)]);
}

#[test]
fn cache_programming_hides_the_transfer_of_the_next_page_under_the_programming_of_this_one() {
    let timing = Timing { cache_program: true, ..timing() };
    let arrivals = |second_ns| [(0, program(0, 1)), (second_ns, program(0, 2))];
    let finished = |second_ns| run(&mut array_with(1, &timing, &Scheduling::default()), &arrivals(second_ns));
    assert_eq!(finished(0), [(1, 350_000), (2, 600_000)], "tPROG follows tPROG");
    assert_eq!(finished(250_000), [(1, 350_000), (2, 600_000)], "the last moment for a hidden transfer");
    assert_eq!(finished(250_001), [(1, 350_000), (2, 600_001)]);
    assert_eq!(finished(350_000), [(1, 350_000), (2, 700_000)], "an idle bank has nothing to hide it under");
}

#[test]
fn a_page_loaded_ahead_is_programmed_before_a_read_is_served_and_no_page_is_loaded_past_a_read() {
    let timing = Timing { cache_program: true, ..timing() };
    let mut array = array_with(1, &timing, &SUSPEND);
    let arrivals = [(0, program(0, 1)), (0, program(1, 2)), (0, program(0, 3)), (110_000, read(4))];
    let finished = run(&mut array, &arrivals);
    // The second page was on the bus at 110 us. It is suspended at once when its tPROG begins, at 350 us.
    let second_ns = 350_000 + 1_300_000 + 150_000;
    let third_ns = second_ns + 100_000 + 250_000;
    let served_ns = 350_000 + 20_000 + 150_000;
    let loaded_after_resuming_ns = third_ns - 100_000;
    assert_eq!(finished, [(1, 350_000), (4, served_ns), (2, second_ns), (3, loaded_after_resuming_ns)]);
}

#[test]
fn whatever_is_suspended_every_operation_ends_once_and_no_cell_time_is_lost() {
    let mut state = 11_u64;
    let mut draw = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    for round in 0..300_u64 {
        let timing = Timing { cache_program: round % 3 == 0, ..timing() };
        let scheduling = Scheduling {
            read_priority: true,
            program_suspend: draw(2) == 0,
            erase_suspend: draw(2) == 0,
            suspend_latency_ns: draw(60_000),
        };
        let (mut now_ns, mut cells_ns, mut arrivals) = (0, 0, vec![]);
        for token in 0..60_u32 {
            now_ns += draw(400_000);
            let operation = match draw(8) {
                0 => collect(3, 2, 2),
                1 => collect(1, 0, 1),
                2 | 3 => program(token, token),
                _ => read(token),
            };
            cells_ns += match operation {
                Operation::Read { .. } => 50_000 + 100_000,
                Operation::Program { page_index, mode, .. } => timing.program_latency_ns(page_index, mode),
                Operation::Collect { programs: 0, .. } => 50_000 + 2_000_000,
                Operation::Collect { .. } => 3 * 50_000 + 2 * 200_000 + 1_550_000 + 4_000_000,
            };
            arrivals.push((now_ns, operation));
        }
        let mut array = array_with(1, &timing, &scheduling);
        let mut tokens: Vec<_> = run(&mut array, &arrivals).into_iter().map(|(token, _)| token).collect();
        tokens.sort_unstable();
        let with_token = |&(_, operation): &(u64, Operation<u32>)| match operation {
            Operation::Read { token, .. } | Operation::Program { token, .. } => Some(token),
            Operation::Collect { .. } => None,
        };
        assert_eq!(tokens, arrivals.iter().filter_map(with_token).collect::<Vec<_>>(), "round {round}");
        assert!(array.bank_busy_ns()[0] >= cells_ns, "round {round}: a bank was faster than its cells");
        assert_eq!(array.queue_lengths(), [0]);
    }
}
