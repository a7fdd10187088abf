//! Reads first: how a read overtakes the current operation of its bank and the operations in the queue.
//!
//! ```text
//!   read_priority      queue:  P3 C2 <- R           becomes   R P3 C2
//!                      collection:  | move | move | R | move | erase |
//!   program_suspend    program:     | transfer | tPROG ..|s|  tR | out | .. rest of tPROG |
//!   erase_suspend      erase:       | tBERS ......|s|  tR | out | ...... rest of tBERS |
//!                                        s = suspend latency; R arrives at its start
//! ```
//!
//! A read that arrives at a busy bank is queued behind the reads that wait and before everything else. The first
//! waiting read also plans the bank's *turn*: the earliest moment at which the current operation can be interrupted.
//!
//! * Between two parts of a collection (page to page, last page to erase, erase to erase) all waiting reads
//!   are served, and all that arrive meanwhile.
//! * A program or erase that may be suspended goes on for the suspend latency after the command and then
//!   stops, unless it has ended by then. The reads that wait at that moment are served, and then it continues. One
//!   program, or the erase of one block, is suspended at most [`SUSPENSION_COUNT_MAX`] times, so it always ends.
//! * A read that arrives while the data of a program is still on the bus is served at the start of its tPROG.
//!
//! Priority is strict: an operation that has not begun waits as long as reads keep the bank busy.
//!
//! Assumed: the reads that overtake do not need the data that is being programmed or the block that is being
//! erased (the caller answers such reads from memory).
//! Not modelled here: extra time for resuming, fewer suspensions late in an erase, wear by suspending.

use super::bank::{Bank, Held, Phase};
use super::scheduling::SUSPENSION_COUNT_MAX;
use super::{FlashArray, Operation};

/// A point at which a bank can serve a waiting read.
struct Turn {
    at_ns: u64,
    phase: Phase,
    part: u32,
}

impl<T: Copy> FlashArray<T> {
    /// Put a read before everything else that waits at a busy bank.
    #[inline(never)]
    pub(super) fn overtake(&mut self, bank_index: u32, now_ns: u64, read: Operation<T>) {
        let bank = &mut self.banks[bank_index as usize];
        let loaded_ahead = usize::from(bank.loaded_until_ns.is_some());
        bank.queue.insert(loaded_ahead + bank.reads_waiting as usize, read);
        bank.reads_waiting += 1;
        // The reads before this one have already planned the earliest turn of the bank.
        if bank.reads_waiting == 1 {
            self.plan_turn(bank_index, now_ns);
        }
    }

    /// Plan the earliest interruption of the current operation for the waiting reads, if there can be one.
    #[inline(never)]
    pub(super) fn plan_turn(&mut self, bank_index: u32, now_ns: u64) {
        if let Some(turn) = self.turn_of(&self.banks[bank_index as usize], now_ns) {
            let bank = &mut self.banks[bank_index as usize];
            if bank.course.part != turn.part {
                (bank.course.part, bank.course.suspensions) = (turn.part, 0);
            }
            bank.course.suspensions += u32::from(turn.phase == Phase::Stopping);
            bank.phase = turn.phase;
            self.agenda.set(bank_index as usize, turn.at_ns);
        }
    }

    fn turn_of(&self, bank: &Bank<T>, now_ns: u64) -> Option<Turn> {
        let course = &bank.course;
        // A page loaded ahead is in the register that a read would need.
        if bank.held.is_some() || bank.loaded_until_ns.is_some() || now_ns >= course.due_ns {
            return None;
        }
        let erase_ns = match bank.current? {
            Operation::Read { .. } => return None,
            Operation::Program { .. } => 0,
            Operation::Collect { programs, source, .. } => {
                if programs > 0 && now_ns >= course.program_until_ns {
                    return None; // It senses its next page, which then needs the register.
                }
                self.erase_ns[source as usize]
            }
        };
        let (part, until_ns, may_suspend) = if now_ns < course.program_until_ns {
            (0, course.program_until_ns, self.scheduling.program_suspend)
        } else {
            let erases_after = (course.due_ns - now_ns - 1).checked_div(erase_ns)?;
            let until_ns = course.due_ns - erases_after * erase_ns;
            (erases_after as u32 + 1, until_ns, self.scheduling.erase_suspend)
        };
        let suspensions = if part == course.part { course.suspensions } else { 0 };
        let stop_ns = now_ns.max(course.program_from_ns).saturating_add(self.scheduling.suspend_latency_ns);
        if may_suspend && suspensions < SUSPENSION_COUNT_MAX && stop_ns < until_ns {
            Some(Turn { at_ns: stop_ns, phase: Phase::Stopping, part })
        } else {
            (until_ns < course.due_ns).then_some(Turn { at_ns: until_ns, phase: Phase::Turning, part })
        }
    }

    /// At the planned moment: interrupt the current operation and serve the first read.
    pub(super) fn turn(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        let operation = bank.current.take().expect("a bank that turns has an operation");
        let course = &bank.course;
        bank.held = Some(Held {
            operation,
            program_ns: course.program_until_ns.saturating_sub(now_ns),
            tail_ns: course.due_ns - course.program_until_ns.max(now_ns),
            reads_left: if bank.phase == Phase::Stopping { bank.reads_waiting } else { u32::MAX },
        });
        self.after_overtaking(bank_index, now_ns);
    }

    /// Serve the next read before the interrupted operation continues, or let the operation continue.
    #[inline(never)]
    pub(super) fn after_overtaking(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        let held = bank.held.as_mut().expect("an operation was set aside");
        if held.reads_left > 0 && bank.reads_waiting > 0 {
            held.reads_left -= 1;
            bank.reads_waiting -= 1;
            let read = bank.queue.pop_front().expect("the waiting reads are in the queue");
            self.start(bank_index, now_ns, read);
        } else {
            self.resume(bank_index, now_ns);
        }
    }

    fn resume(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        let Some(held) = bank.held.take() else { return };
        let collects_more = matches!(held.operation, Operation::Collect { programs, .. } if programs > 0);
        bank.phase = if collects_more { Phase::Sensed } else { Phase::Finishing };
        bank.current = Some(held.operation);
        bank.course.program_from_ns = now_ns;
        bank.course.program_until_ns = now_ns + held.program_ns;
        bank.course.due_ns = bank.course.program_until_ns + held.tail_ns;
        self.agenda.set(bank_index as usize, bank.course.due_ns);
        if bank.reads_waiting > 0 {
            self.plan_turn(bank_index, now_ns);
        } else {
            self.load_ahead(bank_index, now_ns);
        }
    }
}
