//! What a job requests next: kind, offset and length, until all its bytes are done.
//!
//! Ends, as in fio: a job is over when it has issued `io_bytes` (or, if that is not set, as many bytes as its span
//! has); the last request may go beyond that. When a pass over the span ends earlier, another one follows if the bytes
//! that are left are at least one largest request. A time-based job always begins another pass. A trimwrite counts only
//! the bytes it writes.
//!
//! Not modelled: fio repeats the same random numbers in each pass (randrepeat) and lets its queue run empty
//! between two passes that are not time-based.

use flashscope_drive::InOrder;
use flashscope_kernel::random::{Stream, Streams};

use crate::block_sizes::SizeLaw;
use crate::check::sizes_of;
use crate::direction::{Kind, Turns, placed_kinds};
use crate::job::Job;
use crate::offsets::{Offsets, Placement, with_placement};

/// One request before it has a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub kind: Kind,
    pub offset_bytes: u64,
    pub length_bytes: u64,
}

/// Placeholder for a request that is not there yet.
pub(crate) const NO_ASK: Ask = Ask { kind: Kind::Read, offset_bytes: 0, length_bytes: 0 };

/// The random numbers of the `index`-th job of a run for one purpose.
pub(crate) fn stream_of(job: &Job, index: usize, run_seed: u64, purpose: &str) -> Stream {
    Streams::new(run_seed).stream(&format!("workload.job {index}.seed {}.{purpose}", job.seed))
}

/// The stream of one job.
#[derive(Clone, Debug)]
pub(crate) struct RequestStream {
    /// Whose turn it is.
    pub turns: Turns,
    offsets: Offsets,
    lengths: Lengths,
}

/// Everything about the requests except where they start.
#[derive(Clone, Debug)]
struct Lengths {
    laws: [SizeLaw; 3],
    stream: Stream,
    span_start_bytes: u64,
    span_bytes: u64,
    largest_bytes: u64,
    limit_bytes: u64,
    counted_bytes: u64,
    goes_round: bool,
    trims_before_writing: bool,
    /// The trim that waits for its write.
    trimmed: Option<Ask>,
}

impl RequestStream {
    /// The stream of a checked job, the `index`-th of the run, on a drive of `user_bytes`.
    pub fn new(job: &Job, index: usize, run_seed: u64, user_bytes: u64) -> Self {
        let stream = |purpose: &str| stream_of(job, index, run_seed, purpose);
        let span_bytes = if job.size_bytes == 0 { user_bytes - job.offset_bytes } else { job.size_bytes };
        let largest = placed_kinds(job.direction).iter().map(|&kind| sizes_of(job, kind).largest_bytes());
        let turns = Turns::new(job, stream("mix"));
        let lengths = Lengths {
            laws: [&job.read_sizes, &job.write_sizes, &job.trim_sizes].map(SizeLaw::new),
            stream: stream("sizes"),
            span_start_bytes: job.offset_bytes,
            span_bytes,
            largest_bytes: largest.max().unwrap_or(0),
            limit_bytes: if job.io_bytes == 0 { span_bytes } else { job.io_bytes },
            counted_bytes: 0,
            goes_round: job.time_based,
            trims_before_writing: matches!(turns, Turns::TrimThenWrite),
            trimmed: None,
        };
        Self { turns, offsets: Offsets::new(job, span_bytes, stream("offsets")), lengths }
    }

    /// Generates the next requests in turn, as many as `asks` holds; returns their number.
    ///
    /// Generating many in one call keeps the state of the generators in registers.
    pub fn fill(&mut self, asks: &mut [Ask]) -> usize {
        let turns = &mut self.turns;
        with_placement!(&mut self.offsets, rule => self.lengths.fill(rule, || turns.next(), asks))
    }

    /// Where the next request begins and how long it is, and how many such follow each other in this pass, when they are
    /// writes of one length in the order of addresses.
    pub fn in_order(&self) -> Option<(InOrder, u64)> {
        let (Turns::Only(Kind::Write), Offsets::Sequential(rule)) = (&self.turns, &self.offsets) else { return None };
        let lengths = &self.lengths;
        let SizeLaw::Fixed(length_bytes) = lengths.laws[Kind::Write as usize] else { return None };
        let start_bytes = rule.next_bytes(Kind::Write);
        let in_pass = lengths.span_bytes.saturating_sub(start_bytes) / length_bytes;
        let wanted = lengths.limit_bytes.saturating_sub(lengths.counted_bytes).div_ceil(length_bytes);
        let count = if lengths.goes_round { in_pass } else { in_pass.min(wanted) };
        Some((InOrder { next_offset_bytes: lengths.span_start_bytes + start_bytes, length_bytes }, count))
    }

    /// Passes over requests in order, no more than `in_order` counts.
    pub fn pass_over(&mut self, writes: InOrder, count: u64) {
        let passed_bytes = count * writes.length_bytes;
        self.lengths.counted_bytes += passed_bytes;
        let start_bytes = writes.next_offset_bytes - self.lengths.span_start_bytes;
        with_placement!(&mut self.offsets, rule => { rule.take(Kind::Write, start_bytes, passed_bytes); });
    }

    /// Generates the next request, of this kind, whichever kind has its turn; false when there is none.
    pub fn next_of(&mut self, kind: Kind, ask: &mut Ask) -> bool {
        with_placement!(&mut self.offsets, rule => self.lengths.next(rule, kind, ask))
    }
}

impl Lengths {
    #[inline(always)]
    fn fill(&mut self, rule: &mut impl Placement, mut turn: impl FnMut() -> Kind, asks: &mut [Ask]) -> usize {
        for (count, ask) in asks.iter_mut().enumerate() {
            if !self.next(rule, turn(), ask) {
                return count;
            }
        }
        asks.len()
    }

    /// Puts the next request into `ask`; false when the job is complete. (The request is written in place, without
    /// returning structures, because the loop above generates a request in a few nanoseconds.)
    #[inline(always)]
    fn next(&mut self, rule: &mut impl Placement, kind: Kind, ask: &mut Ask) -> bool {
        if self.counted_bytes >= self.limit_bytes && !self.goes_round {
            return false;
        }
        if self.trims_before_writing {
            return self.next_of_trimwrite(rule, ask);
        }
        if !self.place(rule, kind, ask) {
            return false;
        }
        self.counted_bytes += ask.length_bytes;
        true
    }

    #[inline(never)]
    fn next_of_trimwrite(&mut self, rule: &mut impl Placement, ask: &mut Ask) -> bool {
        if let Some(trimmed) = self.trimmed.take() {
            *ask = Ask { kind: Kind::Write, ..trimmed };
            self.counted_bytes += ask.length_bytes;
            return true;
        }
        let placed = self.place(rule, Kind::Trim, ask);
        self.trimmed = placed.then_some(*ask);
        placed
    }

    #[inline(always)]
    fn place(&mut self, rule: &mut impl Placement, kind: Kind, ask: &mut Ask) -> bool {
        self.place_in_pass(rule, kind, ask)
            || self.begin_another_pass(rule, kind) && self.place_in_pass(rule, kind, ask)
    }

    #[cold]
    #[inline(never)]
    fn begin_another_pass(&mut self, rule: &mut impl Placement, kind: Kind) -> bool {
        let wanted_bytes = self.limit_bytes.saturating_sub(self.counted_bytes);
        let begins = self.goes_round || wanted_bytes >= self.largest_bytes;
        if begins {
            rule.begin_pass(kind);
        }
        begins
    }

    #[inline(always)]
    fn place_in_pass<Rule: Placement>(&mut self, rule: &mut Rule, kind: Kind, ask: &mut Ask) -> bool {
        let Some(start_bytes) = rule.next(kind) else { return false };
        let room_bytes = if Rule::CUTS_REQUESTS { u64::MAX } else { self.span_bytes - start_bytes };
        let Some(length_bytes) = self.laws[kind as usize].draw(&mut self.stream, room_bytes) else { return false };
        ask.kind = kind;
        ask.offset_bytes = self.span_start_bytes + start_bytes;
        ask.length_bytes = rule.take(kind, start_bytes, length_bytes);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{BlockSizes, Direction};

    const DRIVE_BYTES: u64 = 1 << 20;

    fn asks(job: &Job, at_most: usize) -> Vec<Ask> {
        crate::check::check(job, DRIVE_BYTES, 512).unwrap();
        let mut stream = RequestStream::new(job, 0, 1, DRIVE_BYTES);
        let mut asks = vec![NO_ASK; at_most];
        let count = stream.fill(&mut asks);
        asks.truncate(count);
        asks
    }

    fn job(direction: Direction, size_bytes: u64, io_bytes: u64) -> Job {
        Job { size_bytes, io_bytes, ..Job::new("j", direction) }
    }

    fn starts_kib(asks: &[Ask]) -> Vec<u64> {
        asks.iter().map(|ask| ask.offset_bytes / 1024).collect()
    }

    #[test]
    fn a_sequential_job_goes_once_over_its_span() {
        let mut job = job(Direction::Write, 16384, 0);
        job.offset_bytes = 8192;
        assert_eq!(starts_kib(&asks(&job, 100)), vec![8, 12, 16, 20]);
    }

    // The expected values of the next three tests are those of fio 3.33 with the same settings on its null engine.
    #[test]
    fn io_bytes_within_the_span_end_the_job_after_the_request_that_reaches_them() {
        assert_eq!(starts_kib(&asks(&job(Direction::Write, 65536, 10240), 100)), vec![0, 4, 8]);
    }

    #[test]
    fn io_bytes_beyond_the_span_go_round_while_a_whole_request_is_wanted() {
        assert_eq!(starts_kib(&asks(&job(Direction::Write, 8192, 10240), 100)), vec![0, 4]);
        assert_eq!(asks(&job(Direction::RandWrite, 8192, 18432), 100).len(), 4);
    }

    #[test]
    fn the_end_of_a_span_that_holds_no_whole_request_is_left_alone() {
        assert_eq!(starts_kib(&asks(&job(Direction::Write, 10240, 0), 100)), vec![0, 4]);
        assert_eq!(asks(&job(Direction::RandWrite, 10240, 0), 100).len(), 2);
    }

    #[test]
    fn a_time_based_job_goes_round_for_ever() {
        let mut job = job(Direction::Read, 8192, 0);
        (job.time_based, job.runtime_ns) = (true, 1);
        assert_eq!(starts_kib(&asks(&job, 5)), vec![0, 4, 0, 4, 0]);
        job.direction = Direction::RandRead;
        assert_eq!(asks(&job, 5).len(), 5);
    }

    #[test]
    fn each_kind_of_a_sequential_mix_has_its_own_position() {
        let asks = asks(&job(Direction::Rw, 65536, 0), 100);
        assert_eq!(asks.len(), 16);
        for kind in [Kind::Read, Kind::Write] {
            let own: Vec<Ask> = asks.iter().filter(|ask| ask.kind == kind).copied().collect();
            let in_sequence: Vec<u64> = (0..own.len() as u64).map(|turn| turn * 4).collect();
            assert_eq!(starts_kib(&own), in_sequence, "{}", kind.name());
        }
    }

    #[test]
    fn a_trimwrite_trims_a_block_and_then_writes_the_same_one() {
        for direction in [Direction::TrimWrite, Direction::RandTrimWrite] {
            let asks = asks(&job(direction, 16384, 0), 100);
            assert_eq!(asks.len(), 8);
            for pair in asks.chunks(2) {
                assert_eq!((pair[0].kind, pair[1].kind), (Kind::Trim, Kind::Write));
                assert_eq!(pair[0].offset_bytes, pair[1].offset_bytes);
            }
        }
    }

    #[test]
    fn requests_smaller_than_their_grid_move_as_many_bytes_as_the_span_has() {
        let mut job = job(Direction::RandWrite, 32768, 0);
        job.write_sizes = BlockSizes { align_bytes: 4096, ..BlockSizes::fixed(512) };
        let asks = asks(&job, 1000);
        assert_eq!(asks.len(), 64);
        // Eight grid positions, each once in every pass of eight.
        for pass in asks.chunks(8) {
            let mut starts = starts_kib(pass);
            starts.sort_unstable();
            assert_eq!(starts, vec![0, 4, 8, 12, 16, 20, 24, 28]);
        }
    }

    #[test]
    fn jobs_differ_by_index_and_seed_and_repeat_otherwise() {
        let job = job(Direction::RandWrite, 0, 0);
        let first = |job: &Job, index, seed| {
            let mut asks = [NO_ASK; 8];
            assert_eq!(RequestStream::new(job, index, seed, DRIVE_BYTES).fill(&mut asks), 8);
            asks
        };
        assert_eq!(first(&job, 0, 1), first(&job, 0, 1));
        assert_ne!(first(&job, 0, 1), first(&job, 1, 1));
        assert_ne!(first(&job, 0, 1), first(&job, 0, 2));
        assert_ne!(first(&job, 0, 1), first(&Job { seed: 5, ..job.clone() }, 0, 1));
    }
}
