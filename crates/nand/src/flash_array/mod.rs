//! Banks and channels at work: operations go in with a time, and come out finished.
//!
//! ```text
//!   program   | wait for channel | transfer in | tPROG                      |
//!   read      | tR | wait for channel | transfer out |
//!   collect   | tR .. | wait | out + in | tPROG | tR .. | ... | tBERS       |   one entry, many pages
//!
//!   cache programming   | transfer 1 | tPROG 1                | tPROG 2 ...
//!                                    | wait | transfer 2 |
//! ```
//!
//! A bank works through its queue in order, one operation at a time, and keeps its page register in use until the
//! transfer is over. What reads may overtake is in [`scheduling`], how they do it in `overtaking.rs`; `repeating.rs` passes
//! over programs that repeat themselves. A channel goes to
//! the bank that asks first *in simulated time*: the agenda returns events in time order, so no channel is reserved
//! ahead of time and no gap is lost.
//!
//! With cache programming the data of the bank's next host program goes over the bus while this one programs.
//! It is in the register that a read would need, so it is programmed before any read is served.
//!
//! Not modelled here: cache reads, cache programming within a collection, commands' own cycles on the bus.

mod bank;
pub mod operation;
mod overtaking;
mod repeating;
pub mod scheduling;
#[cfg(test)]
mod tests;

pub use operation::Operation;
pub use repeating::Busy;
pub use scheduling::Scheduling;

use crate::{CellMode, Geometry, Timing};
use bank::{Bank, Course, Phase};
use flashscope_kernel::{agenda::Agenda, time::NEVER_NS, timeline::Timeline};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// All banks and channels of a drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlashArray<T> {
    timing: Timing,
    scheduling: Scheduling,
    reads_overtake: bool,
    /// True when the settings ask for anything but strict order. The code for strict order tests only this flag.
    elaborate: bool,
    /// tR and tBERS, by cell mode.
    read_ns: [u64; 2],
    erase_ns: [u64; 2],
    page_transfer_ns: u64,
    lanes: u32,
    banks: Vec<Bank<T>>,
    channels: Vec<Timeline>,
    agenda: Agenda,
}

impl<T: Copy> FlashArray<T> {
    /// An array without operations.
    pub fn new(geometry: &Geometry, timing: &Timing, scheduling: &Scheduling) -> Self {
        let bank = |index| Bank {
            queue: VecDeque::new(),
            current: None,
            phase: Phase::Idle,
            channel: geometry.channel_of_bank(index),
            reads_waiting: 0,
            course: Course::default(),
            busy_since_ns: 0,
            busy_ns: 0,
            loaded_until_ns: None,
            held: None,
        };
        let lanes = geometry.lockstep_packages;
        let modes = [CellMode::Native, CellMode::Pslc];
        Self {
            page_transfer_ns: timing.bus_transfer_ns(geometry.programmed_page_bytes().into(), lanes),
            read_ns: modes.map(|mode| timing.read_latency_ns(mode)),
            erase_ns: modes.map(|mode| timing.erase_latency_ns(mode)),
            timing: timing.clone(),
            scheduling: *scheduling,
            reads_overtake: scheduling.reads_overtake(),
            elaborate: scheduling.reads_overtake() || timing.cache_program,
            lanes,
            banks: (0..geometry.bank_count()).map(bank).collect(),
            channels: vec![Timeline::default(); geometry.channels as usize],
            agenda: Agenda::new(geometry.bank_count() as usize),
        }
    }

    /// Put an operation at the end of a bank's queue, or a read as far ahead as the settings allow, at `now_ns`.
    #[inline]
    pub fn enqueue(&mut self, bank_index: u32, now_ns: u64, operation: Operation<T>) {
        let bank = &mut self.banks[bank_index as usize];
        if bank.phase == Phase::Idle {
            bank.busy_since_ns = now_ns;
            self.start(bank_index, now_ns, operation);
        } else if self.reads_overtake && matches!(operation, Operation::Read { .. }) {
            self.overtake(bank_index, now_ns, operation);
        } else {
            bank.queue.push_back(operation);
            if self.elaborate {
                self.load_ahead(bank_index, now_ns);
            }
        }
    }

    /// When the array next has something to do, `NEVER_NS` when it is idle.
    #[inline]
    pub fn next_event_ns(&self) -> u64 {
        self.agenda.next_ns()
    }

    /// Handle the next event; when it finishes an operation with a token, return the token.
    #[inline]
    pub fn step(&mut self) -> Option<T> {
        let now_ns = self.agenda.next_ns();
        debug_assert_ne!(now_ns, NEVER_NS, "nothing to do");
        let bank_index = self.agenda.next_lane() as u32;
        match self.banks[bank_index as usize].phase {
            Phase::Sensed => {
                self.after_sensing(bank_index, now_ns);
                None
            }
            Phase::Finishing => self.finish(bank_index, now_ns),
            elaborate => {
                self.step_elaborately(elaborate, bank_index, now_ns);
                None
            }
        }
    }

    #[inline(never)]
    fn step_elaborately(&mut self, phase: Phase, bank_index: u32, now_ns: u64) {
        match phase {
            Phase::Loaded => self.begin_programming(bank_index, now_ns),
            Phase::Turning | Phase::Stopping => self.turn(bank_index, now_ns),
            Phase::Idle | Phase::Sensed | Phase::Finishing => unreachable!("an event in the phase {phase:?}"),
        }
    }

    fn start(&mut self, bank_index: u32, now_ns: u64, operation: Operation<T>) {
        let bank = &mut self.banks[bank_index as usize];
        bank.current = Some(operation);
        let at_ns = match operation {
            Operation::Program { page_index, mode, .. } => {
                bank.phase = Phase::Finishing;
                let programming_ns = self.timing.program_latency_ns(page_index, mode);
                if self.elaborate {
                    self.start_program(bank_index, now_ns, programming_ns)
                } else {
                    let channel = &mut self.channels[bank.channel as usize];
                    channel.reserve(now_ns, self.page_transfer_ns) + self.page_transfer_ns + programming_ns
                }
            }
            Operation::Read { mode, .. } => {
                bank.phase = Phase::Sensed;
                now_ns + self.read_ns[mode as usize]
            }
            Operation::Collect { reads, programs, erases, source, .. } => {
                let read_ns = self.read_ns[source as usize];
                if programs > 0 {
                    bank.phase = Phase::Sensed;
                    let sensed_ns = now_ns + sensing_ns(read_ns, reads, programs);
                    bank.course = Course::new(now_ns, now_ns, sensed_ns);
                    sensed_ns
                } else {
                    // Fewer valid units than fill a page: they are read now and programmed with later ones.
                    bank.phase = Phase::Finishing;
                    let read_until_ns = now_ns + u64::from(reads) * read_ns;
                    let due_ns = read_until_ns + u64::from(erases) * self.erase_ns[source as usize];
                    bank.course = Course::new(read_until_ns, read_until_ns, due_ns);
                    due_ns
                }
            }
        };
        self.agenda.set(bank_index as usize, at_ns);
    }

    /// A program whose page may be loaded already, or that reads may interrupt; returns its next event [ns].
    #[inline(never)]
    fn start_program(&mut self, bank_index: u32, now_ns: u64, programming_ns: u64) -> u64 {
        let bank = &mut self.banks[bank_index as usize];
        let from_ns = match bank.loaded_until_ns.take() {
            Some(loaded_ns) => loaded_ns.max(now_ns),
            None => {
                let channel = &mut self.channels[bank.channel as usize];
                channel.reserve(now_ns, self.page_transfer_ns) + self.page_transfer_ns
            }
        };
        let until_ns = from_ns + programming_ns;
        bank.course = Course::new(from_ns, until_ns, until_ns);
        if self.timing.cache_program {
            bank.phase = Phase::Loaded;
            from_ns
        } else {
            until_ns
        }
    }

    fn after_sensing(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        let channel = &mut self.channels[bank.channel as usize];
        let at_ns = match bank.current.as_mut().expect("a bank that sensed has an operation") {
            Operation::Read { bytes, .. } => {
                bank.phase = Phase::Finishing;
                let duration_ns = self.timing.bus_transfer_ns((*bytes).into(), self.lanes);
                channel.reserve(now_ns, duration_ns) + duration_ns
            }
            Operation::Collect { reads, programs, page_index, erases, source, target } => {
                let both_ways_ns = 2 * self.page_transfer_ns;
                let from_ns = channel.reserve(now_ns, both_ways_ns) + both_ways_ns;
                let until_ns = from_ns + self.timing.program_latency_ns(*page_index, *target);
                *reads -= if *reads == *programs { 1 } else { reads.div_ceil(*programs) };
                *programs -= 1;
                *page_index += 1;
                let due_ns = if *programs > 0 {
                    until_ns + sensing_ns(self.read_ns[*source as usize], *reads, *programs)
                } else {
                    bank.phase = Phase::Finishing;
                    until_ns + u64::from(*erases) * self.erase_ns[*source as usize]
                };
                if self.reads_overtake {
                    bank.course = Course::new(from_ns, until_ns, due_ns);
                    if bank.reads_waiting > 0 {
                        self.agenda.set(bank_index as usize, due_ns);
                        return self.plan_turn(bank_index, now_ns);
                    }
                }
                due_ns
            }
            Operation::Program { .. } => unreachable!("a program senses nothing"),
        };
        self.agenda.set(bank_index as usize, at_ns);
    }

    #[inline]
    fn finish(&mut self, bank_index: u32, now_ns: u64) -> Option<T> {
        let bank = &mut self.banks[bank_index as usize];
        let finished = bank.current.take();
        if self.elaborate && bank.held.is_some() {
            self.after_overtaking(bank_index, now_ns);
        } else if let Some(next) = bank.queue.pop_front() {
            if self.elaborate {
                // At the head of the queue is the page loaded ahead, if there is one, and then the reads.
                bank.reads_waiting -= u32::from(bank.reads_waiting > 0 && bank.loaded_until_ns.is_none());
            }
            self.start(bank_index, now_ns, next);
        } else {
            bank.phase = Phase::Idle;
            bank.busy_ns += now_ns - bank.busy_since_ns;
            self.agenda.set(bank_index as usize, NEVER_NS);
        }
        match finished {
            Some(Operation::Read { token, .. } | Operation::Program { token, .. }) => Some(token),
            Some(Operation::Collect { .. }) | None => None,
        }
    }

    /// Cache programming: the program begins, and the register is free for the next page.
    fn begin_programming(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        bank.phase = Phase::Finishing;
        self.agenda.set(bank_index as usize, bank.course.due_ns());
        if bank.reads_waiting > 0 {
            self.plan_turn(bank_index, now_ns);
        } else {
            self.load_ahead(bank_index, now_ns);
        }
    }

    /// Cache programming: transfer the next page while a program is under way and no read waits.
    #[inline(never)]
    fn load_ahead(&mut self, bank_index: u32, now_ns: u64) {
        let bank = &mut self.banks[bank_index as usize];
        let programming = bank.phase == Phase::Finishing && matches!(bank.current, Some(Operation::Program { .. }));
        let next_is_program = matches!(bank.queue.front(), Some(Operation::Program { .. }));
        let idle_register = self.timing.cache_program && programming;
        if idle_register && next_is_program && bank.loaded_until_ns.is_none() && bank.reads_waiting == 0 {
            let channel = &mut self.channels[bank.channel as usize];
            bank.loaded_until_ns = Some(channel.reserve(now_ns, self.page_transfer_ns) + self.page_transfer_ns);
        }
    }

    /// Operations that wait behind the current one, per bank.
    pub fn queue_lengths(&self) -> Vec<u32> {
        self.banks.iter().map(|bank| bank.queue.len() as u32).collect()
    }

    /// Time each bank has been busy until it was last idle [ns].
    pub fn bank_busy_ns(&self) -> Vec<u64> {
        self.banks.iter().map(|bank| bank.busy_ns).collect()
    }

    /// Time each channel has been busy [ns].
    pub fn channel_busy_ns(&self) -> Vec<u64> {
        self.channels.iter().map(Timeline::busy_ns).collect()
    }
}

/// Sensing time before the next program of a collection: its share of the pages still to be read [ns].
#[inline]
fn sensing_ns(read_ns: u64, reads_left: u32, programs_left: u32) -> u64 {
    let share = if reads_left == programs_left { 1 } else { reads_left.div_ceil(programs_left) };
    u64::from(share) * read_ns
}
