//! The next event in a solid-state drive, and what follows from it.
//!
//! Events at the same nanosecond: flash first, then arrivals from the host, then idle work; answers
//! last.

use super::Ssd;
use super::under_way::Token;
use crate::course::{Course, InOrder};
use crate::machine::{Machine, Space};
use crate::request::{Completion, Request, SECTOR_BYTES};

impl Machine for Ssd {
    fn space(&self) -> Space {
        Space { user_bytes: self.shown_bytes, sector_bytes: SECTOR_BYTES }
    }

    #[inline]
    fn clock_ns(&self) -> u64 {
        self.now_ns
    }

    #[inline]
    fn set_clock(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    #[inline]
    fn take(&mut self, at_ns: u64, tag: u32, request: Request) {
        self.host.submit(at_ns, tag, request, self.shown_bytes);
    }

    #[inline]
    fn next_event_ns(&self) -> u64 {
        self.array.next_event_ns().min(self.host.next_arrival_ns()).min(self.idle_due_ns())
    }

    #[inline]
    fn happen(&mut self, at_ns: u64) {
        if self.array.next_event_ns() <= at_ns {
            match self.array.step() {
                Some(Token::Page(page)) => self.page_programmed(page),
                Some(Token::HostRead { request, bytes }) => self.host_data_read(request, bytes),
                Some(Token::Modify(modify)) => self.old_data_read(modify),
                Some(Token::Parity) | None => {}
            }
        } else if self.host.next_arrival_ns() <= at_ns {
            if let Some((request, kind)) = self.host.arrived(at_ns) {
                self.last_arrival_ns = self.now_ns;
                self.nothing_to_collect = false;
                self.nothing_to_fold = false;
                if self.gated {
                    self.pass_gate(request, kind);
                } else {
                    self.request_arrived(request, kind);
                }
            }
        } else {
            self.idle_work();
        }
        if self.room_came_back {
            self.use_room();
        }
    }

    #[inline]
    fn next_answer_ns(&self) -> u64 {
        self.host.next_answer_ns()
    }

    #[inline]
    fn answer(&mut self) -> Option<Completion> {
        self.host.answer()
    }

    #[inline]
    fn foresee(&mut self, offsets_bytes: &[u64]) {
        self.translation.touch(offsets_bytes.iter().map(|offset_bytes| (offset_bytes >> self.unit_shift) as u32));
    }

    #[inline]
    fn point(&self) -> u64 {
        self.point_of_repetition()
    }

    fn course_in_order(&self, writes: InOrder, submitted_ns: &dyn Fn(u32) -> u64) -> Option<Course> {
        self.course_of(writes, submitted_ns)
    }

    fn repeats(&self, earlier: &Course, now: &Course) -> Option<u64> {
        self.periods_that_follow(earlier, now)
    }

    fn repeat(&mut self, earlier: &Course, now: &Course, periods: u64) {
        self.pass_over_periods(earlier, now, periods);
    }
}
