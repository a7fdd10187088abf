//! Looks for repetitions while a job writes in order, so that the drive can pass over them.
//!
//! ```text
//!   answers   a b c | d e f | d e f | d e f ...          marks: after a, c, f: twice as far apart each time
//!                  mark    same course: a period of d e f
//! ```
//!
//! The drive compares its own states (`flashscope_drive::Course`); this file decides when to ask, keeps what was answered
//! since the mark, and books the same answers for each period that is passed over, so a run measures what it would have
//! measured anyway. A mark that is not met again is moved: first after few answers, then after ever more (Brent, 1980),
//! so a repetition of any length is found, however long the drive takes to settle.
//!
//! Only for one job alone that writes in order with requests of one length and goes on as soon as it is answered.

use flashscope_drive::{Completion, Course, Drive, Status};
use flashscope_kernel::signs_of_life::alive;

use crate::by_job::ByJob;
use crate::direction::Kind;
use crate::job_in_time::JobInTime;
use crate::result::Ledger;

/// Answers after which the first mark is moved, and the most between two marks.
const FIRST_ANSWERS: usize = 4;
const MOST_ANSWERS: usize = 1 << 9;

/// A request that was answered [ns].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answered {
    pub submitted_ns: u64,
    pub at_ns: u64,
}

/// Where the search stands.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    mark: Option<Mark>,
    /// Answers after which the mark is moved.
    patience: usize,
    /// Answers for which it is of no use to look: the drive will soon do something else.
    pause: usize,
}

/// A moment of the past, and the answers since.
#[derive(Clone, Debug)]
struct Mark {
    point: u64,
    course: Course,
    answers: Vec<Answered>,
}

/// Where the periods that are passed over are booked.
pub(crate) struct Books<'a> {
    pub ledger: &'a mut Ledger,
    pub by_job: Option<&'a mut ByJob>,
    pub place: usize,
}

/// What was passed over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passed {
    pub requests: u64,
    pub by_ns: u64,
}

impl Search {
    pub fn new() -> Self {
        Self { mark: None, patience: FIRST_ANSWERS, pause: 0 }
    }

    /// Something else happened: what was noted is of no use any more.
    pub fn forget(&mut self) {
        self.mark = None;
    }

    /// After an answer, when the request that replaces it has been submitted: passes over periods of at most
    /// `budget_requests` if the drive repeats itself. `submitted_ns`: of a request under way, by tag.
    pub fn look<D: Drive>(
        &mut self,
        drive: &mut D,
        job: &mut JobInTime,
        answered: Answered,
        budget_requests: u64,
        submitted_ns: &dyn Fn(u32) -> u64,
        books: Books<'_>,
    ) -> Option<Passed> {
        if self.pause > 0 {
            self.pause -= 1;
            return None;
        }
        let point = drive.point_in_order();
        if let Some(mark) = &mut self.mark {
            mark.answers.push(answered);
            if mark.point != point && mark.answers.len() < self.patience {
                return None;
            }
        }
        let Some((writes, requests_ahead)) = job.in_order() else {
            self.forget();
            return None;
        };
        let Some(now) = drive.course(writes, submitted_ns) else {
            self.forget();
            return None;
        };
        if let Some(mark) = &self.mark
            && let Some(periods) = drive.periods_ahead(&mark.course, &now)
        {
            let requests = budget_requests.min(requests_ahead);
            let (answers, passed) = (mark.answers.len(), mark.pass_over(drive, job, &now, periods, requests, books));
            if passed.is_none() {
                self.pause = 2 * answers;
            }
            self.patience = FIRST_ANSWERS;
            self.forget();
            return passed;
        }
        match &self.mark {
            Some(mark) if mark.answers.len() < self.patience => {}
            before => {
                if before.is_some() {
                    self.patience = (2 * self.patience).min(MOST_ANSWERS);
                }
                self.mark = Some(Mark { point, course: now, answers: Vec::new() });
            }
        }
        None
    }
}

impl Mark {
    /// Passes over `periods` like the one from the mark to `now`, or fewer, so that they have at most so many requests and
    /// end before the job's time does. `None` when not even one is left.
    fn pass_over<D: Drive>(
        &self,
        drive: &mut D,
        job: &mut JobInTime,
        now: &Course,
        periods: u64,
        requests: u64,
        books: Books<'_>,
    ) -> Option<Passed> {
        let (answers, period_ns) = (self.answers.len() as u64, now.at_ns() - self.course.at_ns());
        let periods = periods.min(requests / answers).min(job.time_left_ns(now.at_ns()) / period_ns);
        if periods == 0 {
            return None;
        }
        drive.pass_over(&self.course, now, periods);
        self.book(periods, period_ns, now.length_bytes(), books);
        job.pass_over(periods * answers);
        alive(periods * answers);
        Some(Passed { requests: periods * answers, by_ns: periods * period_ns })
    }

    /// Books the answers since the mark once more for each period.
    fn book(&self, periods: u64, period_ns: u64, length_bytes: u64, mut books: Books<'_>) {
        for later_ns in (1..=periods).map(|period| period * period_ns) {
            for answered in &self.answers {
                let (submitted_ns, at_ns) = (answered.submitted_ns + later_ns, answered.at_ns + later_ns);
                let completion = Completion { tag: 0, at_ns, status: Status::Done };
                books.ledger.book(Kind::Write, length_bytes, submitted_ns, completion);
                if let Some(by_job) = &mut books.by_job {
                    let elapsed_ns = books.ledger.elapsed_ns();
                    by_job.record(books.place, Kind::Write, length_bytes, at_ns - submitted_ns, elapsed_ns);
                }
            }
        }
    }
}
