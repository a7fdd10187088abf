//! What follows an answer of the drive: it is counted, and a program on a host sees it later than the drive gives it.

use flashscope_drive::{Completion, Drive, Status};

use super::{FLUSH_BYTES, Run, UnderWay};
use crate::host_thread::{Answer, Stepped};

impl Run {
    /// Lets the next thread of a host go on; nothing of it is prepared any more.
    pub(super) fn see_next<D: Drive>(&mut self, drive: &mut D) {
        let (at_ns, place) = self.earliest();
        if let Some(Stepped::Seen(answer)) = self.jobs[place].step_thread() {
            self.see(drive, at_ns, answer);
        }
    }

    /// A program sees an answer now, which the drive gave before.
    #[inline(never)]
    pub(super) fn see<D: Drive>(&mut self, drive: &mut D, at_ns: u64, answer: Answer) {
        let Answer { tag, status, .. } = answer;
        let request = self.under_way[tag as usize];
        let place = request.job;
        self.now_ns = at_ns;
        self.unseen_count -= 1;
        self.book(Completion { tag, at_ns, status }, request);
        let job = &mut self.jobs[place as usize];
        job.completed(tag, at_ns);
        if let Some(tag) = job.take_flush() {
            self.flush(drive, at_ns, tag, place);
        }
    }

    /// Counts the answer to a request; ends its job when the drive will never carry out its requests again.
    #[inline(always)]
    pub(super) fn book(&mut self, completion: Completion, request: UnderWay) {
        let Completion { at_ns, status, .. } = completion;
        let UnderWay { submitted_ns, length_bytes, job: place, kind } = request;
        if length_bytes == FLUSH_BYTES {
            self.ledger.pass(at_ns);
        } else {
            self.ledger.book(kind, length_bytes, submitted_ns, completion);
            if let Some(by_job) = &mut self.by_job
                && status == Status::Done
            {
                let elapsed_ns = self.ledger.elapsed_ns();
                by_job.record(place as usize, kind, length_bytes, at_ns - submitted_ns, elapsed_ns);
            }
        }
        if status != Status::Done && status.is_final() {
            let job = &mut self.jobs[place as usize];
            self.ledger.book_ended(job.index, at_ns, status);
            job.stop();
        }
    }
}
