//! One event loop for every kind of drive.
//!
//! ```text
//!   submit -----------> take           the request is in the drive
//!   next_completion --> happen         the next events in the drive, as long as no answer comes before them
//!                       happen
//!                       answer         the earliest answer goes out
//!   idle -------------> happen ...     the same without a request
//! ```
//!
//! Each kind of drive reports when its next event is, and handles that event. Only this loop decides what comes first,
//! and only here does time pass with requests under way. At the same nanosecond events in the drive come before the
//! answer, since they may cause an earlier answer. The loop is compiled for each kind.

use crate::course::{Course, InOrder};
use crate::member::Member;
use crate::request::{Completion, Drive, NoEventsLeft, Request};
use flashscope_kernel::signs_of_life::alive;
use flashscope_kernel::time::NEVER_NS;

/// Events after which a long series of them without an answer gives a sign of life.
const EVENTS_IN_A_ROW: u64 = 1 << 12;
/// The work of so many events, in the unit of signs of life.
const WORK_IN_A_ROW: u64 = 64 * EVENTS_IN_A_ROW;

/// What a host can address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// Capacity shown to the host.
    pub user_bytes: u64,
    /// Smallest addressable unit.
    pub sector_bytes: u64,
}

/// What the loop needs from a kind of drive.
pub trait Machine {
    /// The addresses that a host can use.
    fn space(&self) -> Space;
    /// Simulated time [ns].
    fn clock_ns(&self) -> u64;
    /// Set the simulated time. It never goes back.
    fn set_clock(&mut self, now_ns: u64);
    /// Take a request that comes at `at_ns`, which is the current time.
    fn take(&mut self, at_ns: u64, tag: u32, request: Request);
    /// Time of the next event in the drive, `NEVER_NS` when there is none.
    fn next_event_ns(&self) -> u64;
    /// Handle that event. `at_ns` is its time; the clock has been set.
    fn happen(&mut self, at_ns: u64);
    /// Time at which the earliest answer is sent, `NEVER_NS` when none is known.
    fn next_answer_ns(&self) -> u64;
    /// Remove that answer and return it.
    fn answer(&mut self) -> Option<Completion>;
    /// See [`Drive::expect`].
    fn foresee(&mut self, _offsets_bytes: &[u64]) {}
    /// See [`Drive::point_in_order`].
    fn point(&self) -> u64 {
        0
    }
    /// See [`Drive::course`].
    fn course_in_order(&self, _writes: InOrder, _submitted_ns: &dyn Fn(u32) -> u64) -> Option<Course> {
        None
    }
    /// See [`Drive::periods_ahead`].
    fn repeats(&self, _earlier: &Course, _now: &Course) -> Option<u64> {
        None
    }
    /// See [`Drive::pass_over`].
    fn repeat(&mut self, _earlier: &Course, _now: &Course, _periods: u64) {}
    /// The drive was left alone until now, and every event that is due has been handled.
    fn idled(&mut self, _until_ns: u64) {}

    /// Handle the next event; `at_ns` is its time.
    #[inline]
    fn advance_to(&mut self, at_ns: u64) {
        self.set_clock(self.clock_ns().max(at_ns));
        self.happen(at_ns);
    }
}

impl<M: Machine> Drive for M {
    fn user_bytes(&self) -> u64 {
        self.space().user_bytes
    }

    fn sector_bytes(&self) -> u64 {
        self.space().sector_bytes
    }

    fn now_ns(&self) -> u64 {
        self.clock_ns()
    }

    #[inline]
    fn submit(&mut self, at_ns: u64, tag: u32, request: Request) {
        debug_assert!(at_ns >= self.clock_ns(), "a request at {at_ns} ns, but it is {} ns already", self.clock_ns());
        debug_assert!(self.next_event_ns() >= at_ns, "nobody asked what happens before a request at {at_ns} ns");
        self.set_clock(at_ns);
        self.take(at_ns, tag, request);
    }

    #[inline]
    fn expect(&mut self, offsets_bytes: &[u64]) {
        self.foresee(offsets_bytes);
    }

    #[inline]
    fn point_in_order(&self) -> u64 {
        self.point()
    }

    fn course(&self, writes: InOrder, submitted_ns: &dyn Fn(u32) -> u64) -> Option<Course> {
        self.course_in_order(writes, submitted_ns)
    }

    fn periods_ahead(&self, earlier: &Course, now: &Course) -> Option<u64> {
        self.repeats(earlier, now)
    }

    fn pass_over(&mut self, earlier: &Course, now: &Course, periods: u64) {
        self.repeat(earlier, now, periods);
    }

    #[inline]
    fn next_completion(&mut self, until_ns: u64) -> Option<Completion> {
        loop {
            if let Ok(completion) = self.next_completion_within(until_ns, &mut { EVENTS_IN_A_ROW }) {
                return completion;
            }
            alive(WORK_IN_A_ROW);
        }
    }

    #[inline]
    fn next_completion_within(&mut self, until_ns: u64, events: &mut u64) -> Result<Option<Completion>, NoEventsLeft> {
        let until_ns = until_ns.min(NEVER_NS - 1);
        loop {
            let event_ns = self.next_event_ns();
            let answer_ns = self.next_answer_ns();
            if answer_ns < event_ns {
                if answer_ns > until_ns {
                    return Ok(None);
                }
                self.set_clock(self.clock_ns().max(answer_ns));
                return Ok(self.answer());
            }
            if event_ns > until_ns {
                return Ok(None);
            }
            // Counted in place: no register is free in this loop.
            let (left, is_none_left) = events.overflowing_sub(1);
            *events = left;
            if is_none_left {
                *events = 0;
                return Err(NoEventsLeft);
            }
            self.advance_to(event_ns);
        }
    }
}

impl<M: Machine> Member for M {
    fn next_ns(&self) -> u64 {
        self.next_event_ns().min(self.next_answer_ns())
    }

    fn idle(&mut self, duration_ns: u64) {
        let until_ns = self.clock_ns().saturating_add(duration_ns);
        for happened in 1_u64.. {
            let event_ns = self.next_event_ns();
            if event_ns > until_ns {
                break;
            }
            self.advance_to(event_ns);
            if happened % EVENTS_IN_A_ROW == 0 {
                alive(WORK_IN_A_ROW);
            }
        }
        self.idled(until_ns);
        self.set_clock(until_ns);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{RequestKind, Status};
    use flashscope_kernel::schedule::Schedule;
    use flashscope_kernel::signs_of_life::{Stopped, listened};

    /// Answers each request 10 ns later, and records its events with their times.
    #[derive(Default)]
    struct Toy {
        now_ns: u64,
        events: Schedule<u32>,
        answers: Schedule<u32>,
        happened_ns: Vec<u64>,
    }

    impl Machine for Toy {
        fn space(&self) -> Space {
            Space { user_bytes: 1 << 20, sector_bytes: 512 }
        }

        fn clock_ns(&self) -> u64 {
            self.now_ns
        }

        fn set_clock(&mut self, now_ns: u64) {
            self.now_ns = now_ns;
        }

        fn take(&mut self, at_ns: u64, tag: u32, _request: Request) {
            self.answers.add(at_ns + 10, tag);
        }

        fn next_event_ns(&self) -> u64 {
            self.events.next_ns()
        }

        fn happen(&mut self, at_ns: u64) {
            assert_eq!(self.now_ns, at_ns, "time has passed before it happens");
            self.events.take();
            self.happened_ns.push(at_ns);
        }

        fn next_answer_ns(&self) -> u64 {
            self.answers.next_ns()
        }

        fn answer(&mut self) -> Option<Completion> {
            self.answers.take().map(|(at_ns, tag)| Completion { tag, at_ns, status: Status::Done })
        }
    }

    fn with_events(events_ns: &[u64]) -> Toy {
        let mut toy = Toy::default();
        events_ns.iter().for_each(|&at_ns| toy.events.add(at_ns, 0));
        toy
    }

    #[test]
    fn what_happens_at_the_moment_of_an_answer_goes_before_it_and_what_comes_later_waits() {
        let mut toy = with_events(&[3, 10, 11]);
        toy.submit(0, 7, Request { kind: RequestKind::Read, offset_bytes: 0, length_bytes: 512, compressible: 0 });
        assert_eq!((toy.next_ns(), toy.next_completion(9)), (3, None));
        assert_eq!((toy.happened_ns.clone(), toy.now_ns()), (vec![3], 3));
        assert_eq!(toy.next_completion(10), Some(Completion { tag: 7, at_ns: 10, status: Status::Done }));
        assert_eq!((toy.happened_ns.clone(), toy.now_ns()), (vec![3, 10], 10));
        assert_eq!(toy.next_completion(u64::MAX), None, "a drive without requests comes to an end");
        assert_eq!(toy.happened_ns, [3, 10, 11]);
    }

    #[test]
    fn a_series_of_events_is_cut_where_its_budget_ends_and_goes_on_there() {
        let mut toy = with_events(&[1, 2, 3, 4, 5]);
        let mut events = 2;
        assert_eq!(toy.next_completion_within(4, &mut events), Err(NoEventsLeft));
        assert_eq!((toy.happened_ns.clone(), toy.now_ns, events), (vec![1, 2], 2, 0));
        assert_eq!(toy.next_completion_within(4, &mut 2), Ok(None), "exactly as many as there are");
        assert_eq!((toy.happened_ns, toy.now_ns), (vec![1, 2, 3, 4], 4));
    }

    #[test]
    fn a_long_series_of_events_without_an_answer_gives_signs_of_life_and_can_be_stopped() {
        let times_ns: Vec<u64> = (1..=2 * EVENTS_IN_A_ROW).collect();
        let mut toy = with_events(&times_ns);
        let end = listened(|_| false, || toy.next_completion(u64::MAX));
        assert_eq!((end, toy.happened_ns.len() as u64), (Err(Stopped), EVENTS_IN_A_ROW));
        let mut toy = with_events(&times_ns);
        assert_eq!(listened(|_| false, || toy.idle(u64::MAX)), Err(Stopped));
    }

    #[test]
    fn a_drive_left_alone_does_what_is_due_by_then_and_its_clock_stands_at_the_end() {
        let mut toy = with_events(&[5, 20, 21]);
        toy.idle(20);
        assert_eq!((toy.happened_ns, toy.now_ns, toy.events.next_ns()), (vec![5, 20], 20, 21));
    }
}
