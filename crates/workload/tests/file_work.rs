//! File work by a model of a host, on a drive that serves one request at a time at a fixed time per byte.

use flashscope_drive::{Completion, Drive, Request, RequestKind, Status};
use flashscope_workload::file_work::{Columns, FileRun, Host};

const KIB: u64 = 1024;
const USER_BYTES: u64 = 1 << 30;

/// Serves one request after another, one nanosecond per byte.
#[derive(Default)]
struct InTurn {
    now_ns: u64,
    /// Up to here time was allowed to pass; a drive works on its own in that time.
    lived_until_ns: u64,
    free_ns: u64,
    queue: std::collections::VecDeque<Completion>,
    seen: Vec<(u64, Request)>,
}

impl Drive for InTurn {
    fn user_bytes(&self) -> u64 {
        USER_BYTES
    }

    fn sector_bytes(&self) -> u64 {
        512
    }

    fn now_ns(&self) -> u64 {
        self.now_ns
    }

    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        assert!(at_ns >= self.now_ns, "a request from the past");
        assert!(at_ns <= self.lived_until_ns, "a request at {at_ns}, but lived until {} only", self.lived_until_ns);
        self.now_ns = at_ns;
        self.seen.push((at_ns, request));
        self.free_ns = self.free_ns.max(at_ns) + request.length_bytes;
        self.queue.push_back(Completion { tag, at_ns: self.free_ns, status: Status::Done });
    }

    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        let Some(next) = self.queue.front().copied().filter(|completion| completion.at_ns <= until_ns) else {
            self.lived_until_ns = self.lived_until_ns.max(until_ns);
            return None;
        };
        self.lived_until_ns = self.lived_until_ns.max(next.at_ns);
        self.queue.pop_front();
        self.now_ns = next.at_ns;
        Some(next)
    }
}

fn host() -> Host {
    Host {
        core_count: 2,
        transfer_bytes_max: 64 * KIB,
        read_ahead_request_bytes: 64 * KIB,
        read_ahead_bytes: 64 * KIB,
        lazy_write_bytes: 64 * KIB,
        lazy_writer_count: 1,
        lazy_pass_ns: 1_000_000,
        lazy_pass_divisor: 8,
        dirty_limit_bytes: 256 * KIB,
        cache_bytes: 0,
    }
}

/// A run of programs over one file of 1 MiB at 1 MiB; operations are kind, file, from, length.
fn run(programs: &[&[[u64; 4]]]) -> FileRun {
    let mut ends = Vec::new();
    let mut operations = Vec::new();
    for program in programs {
        operations.extend(program.iter().flatten().copied());
        ends.push(operations.len() as u64 / 4);
    }
    let columns = Columns {
        program_ends: &ends,
        operations: &operations,
        file_ends: &[1],
        extents: &[1 << 20, 1 << 20],
        compressible: &[0],
    };
    FileRun::new(&columns, host(), 1_000_000, USER_BYTES, 512).expect("a trace that fits")
}

fn finish(run: &mut FileRun, budget: u64) -> InTurn {
    let mut drive = InTurn::default();
    while !run.advance(&mut drive, budget) {}
    drive
}

#[test]
fn computing_waits_for_a_core() {
    let mut run = run(&[&[[0, 0, 0, 1000]], &[[0, 0, 0, 1000]], &[[0, 0, 0, 1000]]]);
    finish(&mut run, 1);
    assert_eq!(run.ended_ns(), [1000, 1000, 2000]);
}

#[test]
fn reading_goes_one_step_ahead_and_never_beyond_the_end() {
    let reads: Vec<[u64; 4]> = (0..16).map(|place| [1, 0, place * 64 * KIB, 64 * KIB]).collect();
    let mut run = run(&[&reads]);
    let drive = finish(&mut run, 3);
    let reads: Vec<_> = drive.seen.iter().filter(|(_, request)| request.kind == RequestKind::Read).collect();
    assert_eq!(reads.len(), 16);
    assert_eq!((reads[0].0, reads[1].0), (0, 0), "the first read and the one ahead of it go out together");
    assert_eq!(run.file_totals().data_read_bytes, 1 << 20);
    assert_eq!(run.file_totals().programs_ended_ns, 1 << 20);
}

#[test]
fn writing_is_lazy_up_to_the_dirty_limit() {
    let writes: Vec<[u64; 4]> = (0..16).map(|place| [2, 0, place * 64 * KIB, 64 * KIB]).collect();
    let mut free = run(&[&writes[..4]]);
    finish(&mut free, 1);
    assert_eq!((free.file_totals().programs_ended_ns, free.file_totals().held_back_count), (0, 0));
    let mut held = run(&[&writes]);
    finish(&mut held, 1);
    let totals = held.file_totals();
    assert!(totals.held_back_count > 0);
    assert_eq!(totals.dirty_max_bytes, 256 * KIB);
    // When the program ends, all data except what may stay dirty has reached the drive.
    assert_eq!(totals.programs_ended_ns, (1 << 20) - 256 * KIB);
    assert_eq!(totals.data_written_bytes, 1 << 20);
}

#[test]
fn nobody_gets_a_record_while_one_is_written() {
    // The record becomes dirty at once; the pass at 1 ms writes it in 1024 ns; a program comes at 1,000,500 ns.
    let writer: &[[u64; 4]] = &[[5, 1, 4096, 1024]];
    let comer: &[[u64; 4]] = &[[0, 0, 0, 1_000_500], [8, 0, 0, 0]];
    let mut run = run(&[writer, comer]);
    finish(&mut run, 1);
    assert_eq!(run.ended_ns(), [0, 1_001_024]);
    assert_eq!((run.file_totals().locked_count, run.file_totals().record_write_count), (1, 1));
}

#[test]
fn slices_change_nothing() {
    let program: Vec<[u64; 4]> = (0..16)
        .flat_map(|place| {
            [
                [6, 0, place * 4096, 4096],
                [0, 0, 0, 700],
                [2, 0, place * 64 * KIB, 64 * KIB],
                [5, 1, 8192 + place * 1024, 1024],
            ]
        })
        .collect();
    let mut whole = run(&[&program, &program]);
    let seen = finish(&mut whole, u64::MAX).seen;
    for budget in [1, 2, 5, 13] {
        let mut sliced = run(&[&program, &program]);
        assert_eq!(finish(&mut sliced, budget).seen, seen);
        assert_eq!(sliced.result(), whole.result());
        assert_eq!(sliced.file_totals(), whole.file_totals());
    }
}

#[test]
fn a_run_that_is_stopped_ends_with_what_is_under_way() {
    let writes: Vec<[u64; 4]> = (0..16).map(|place| [2, 0, place * 64 * KIB, 64 * KIB]).collect();
    let mut run = run(&[&writes]);
    let mut drive = InTurn::default();
    run.advance(&mut drive, 2);
    run.stop(&mut drive);
    assert!(run.advance(&mut drive, 1));
    assert!(run.file_totals().programs_ended_count == 0 && drive.queue.is_empty());
}

#[test]
fn a_trace_that_does_not_fit_is_refused() {
    for operation in
        [[1, 0, 0, 2 << 20], [1, 7, 0, 4096], [2, 0, 100, 4096], [5, 9, 0, 4096], [7, 0, 1 << 30, 512], [99, 0, 0, 0]]
    {
        let columns = Columns {
            program_ends: &[1],
            operations: &operation,
            file_ends: &[1],
            extents: &[1 << 20, 1 << 20],
            compressible: &[0],
        };
        assert!(FileRun::new(&columns, host(), 1, USER_BYTES, 512).is_err(), "{operation:?}");
    }
}
