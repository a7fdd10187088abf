//! Banks and channels at work: operations go in with a time, and come out finished.
//!
//! ```text
//!   program   | wait for channel | transfer in | tPROG                      |
//!   read      | tR | wait for channel | transfer out |
//!   collect   | tR .. | wait | out + in | tPROG | tR .. | ... | tBERS       |   one entry, many pages
//! ```
//!
//! A bank works through its queue in order, one operation at a time, and holds its page register until the
//! transfer is over. A channel is given to whoever asks first *in simulated time*: the agenda hands out
//! events in time order, so nothing is reserved ahead of its moment and no gap is lost.
//!
//! Not modelled here: cache programming and cache reads (the transfer of the next page under the
//! programming of this one), suspend, priorities, commands' own cycles on the bus.

use crate::{Geometry, Timing};
use flashscope_kernel::{agenda::Agenda, time::NEVER_NS, timeline::Timeline};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Work for one bank. `T` is what the caller wants back when it is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum Operation<T> {
    /// Read one page and carry `bytes` of it out.
    Read {
        /// Bytes over the bus.
        bytes: u32,
        /// Handed back at the end.
        token: T,
    },
    /// Carry one programmed page in and program it.
    Program {
        /// Place of the page in its block, which sets its program time.
        page_index: u32,
        /// Handed back at the end.
        token: T,
    },
    /// Move pages within the bank through the controller, then erase.
    Collect {
        /// Pages to sense.
        reads: u32,
        /// Pages to program (less than `reads` when valid data is packed together).
        programs: u32,
        /// Place of the first programmed page in its block.
        page_index: u32,
        /// Blocks to erase at the end.
        erases: u32,
    },
}

/// What a bank waits for in its current operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phase {
    Idle,
    /// The page is in the register; the channel comes next.
    Sensed,
    /// The last thing the operation needs is under way.
    Finishing,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Bank<T> {
    queue: VecDeque<Operation<T>>,
    current: Option<Operation<T>>,
    phase: Phase,
    channel: u32,
    busy_since_ns: u64,
    busy_ns: u64,
}

/// All banks and channels of a drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlashArray<T> {
    timing: Timing,
    page_transfer_ns: u64,
    lanes: u32,
    banks: Vec<Bank<T>>,
    channels: Vec<Timeline>,
    agenda: Agenda,
}

impl<T: Copy> FlashArray<T> {
    /// An idle array.
    pub fn new(geometry: &Geometry, timing: &Timing) -> Self {
        let bank = |index| Bank {
            queue: VecDeque::new(),
            current: None,
            phase: Phase::Idle,
            channel: geometry.channel_of_bank(index),
            busy_since_ns: 0,
            busy_ns: 0,
        };
        let lanes = geometry.lockstep_packages;
        Self {
            page_transfer_ns: timing.bus_transfer_ns(geometry.programmed_page_bytes().into(), lanes),
            timing: timing.clone(),
            lanes,
            banks: (0..geometry.bank_count()).map(bank).collect(),
            channels: vec![Timeline::default(); geometry.channels as usize],
            agenda: Agenda::new(geometry.bank_count() as usize),
        }
    }

    /// Put an operation at the end of a bank's queue, at `now_ns`.
    #[inline]
    pub fn enqueue(&mut self, bank_index: u32, now_ns: u64, operation: Operation<T>) {
        let bank = &mut self.banks[bank_index as usize];
        if bank.phase == Phase::Idle {
            bank.busy_since_ns = now_ns;
            self.start(bank_index, now_ns, operation);
        } else {
            bank.queue.push_back(operation);
        }
    }

    /// When the array next has something to do, `NEVER_NS` when it is idle.
    #[inline]
    pub fn next_event_ns(&self) -> u64 {
        self.agenda.next_ns()
    }

    /// Do the next thing; when that finishes an operation with a token, return the token.
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
            Phase::Idle => unreachable!("an idle bank has no event"),
        }
    }

    fn start(&mut self, bank_index: u32, now_ns: u64, operation: Operation<T>) {
        let bank = &mut self.banks[bank_index as usize];
        bank.current = Some(operation);
        let at_ns = match operation {
            Operation::Program { page_index, .. } => {
                bank.phase = Phase::Finishing;
                let channel = &mut self.channels[bank.channel as usize];
                let start_ns = channel.reserve(now_ns, self.page_transfer_ns);
                start_ns + self.page_transfer_ns + self.timing.program_latency_ns(page_index)
            }
            Operation::Read { .. } => {
                bank.phase = Phase::Sensed;
                now_ns + self.timing.read_latency_ns
            }
            Operation::Collect { reads, programs, erases, .. } => {
                if programs > 0 {
                    bank.phase = Phase::Sensed;
                    now_ns + self.sensing_ns(reads, programs)
                } else {
                    // Fewer valid units than fill a page: they are read now and programmed with later ones.
                    bank.phase = Phase::Finishing;
                    now_ns
                        + u64::from(reads) * self.timing.read_latency_ns
                        + u64::from(erases) * self.timing.erase_latency_ns
                }
            }
        };
        self.agenda.set(bank_index as usize, at_ns);
    }

    /// Sensing time before the next program of a collection: its share of the pages still to be read [ns].
    #[inline]
    fn sensing_ns(&self, reads_left: u32, programs_left: u32) -> u64 {
        let share = if reads_left == programs_left { 1 } else { reads_left.div_ceil(programs_left) };
        u64::from(share) * self.timing.read_latency_ns
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
            Operation::Collect { reads, programs, page_index, erases } => {
                let both_ways_ns = 2 * self.page_transfer_ns;
                let programmed_ns =
                    channel.reserve(now_ns, both_ways_ns) + both_ways_ns + self.timing.program_latency_ns(*page_index);
                *reads -= if *reads == *programs { 1 } else { reads.div_ceil(*programs) };
                *programs -= 1;
                *page_index += 1;
                if *programs > 0 {
                    let (reads, programs) = (*reads, *programs);
                    programmed_ns + self.sensing_ns(reads, programs)
                } else {
                    bank.phase = Phase::Finishing;
                    programmed_ns + u64::from(*erases) * self.timing.erase_latency_ns
                }
            }
            Operation::Program { .. } => unreachable!("a program senses nothing"),
        };
        self.agenda.set(bank_index as usize, at_ns);
    }

    fn finish(&mut self, bank_index: u32, now_ns: u64) -> Option<T> {
        let bank = &mut self.banks[bank_index as usize];
        let finished = bank.current.take();
        if let Some(next) = bank.queue.pop_front() {
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

    /// Operations that wait behind the current one, per bank.
    pub fn queue_lengths(&self) -> Vec<u32> {
        self.banks.iter().map(|bank| bank.queue.len() as u32).collect()
    }

    /// Time each bank has been at work until it was last idle [ns].
    pub fn bank_busy_ns(&self) -> Vec<u64> {
        self.banks.iter().map(|bank| bank.busy_ns).collect()
    }

    /// Time each channel has been taken [ns].
    pub fn channel_busy_ns(&self) -> Vec<u64> {
        self.channels.iter().map(Timeline::busy_ns).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(channels: u32, packages: u32) -> FlashArray<u32> {
        let geometry = Geometry {
            channels,
            packages_per_channel: packages,
            dies_per_package: 1,
            planes_per_die: 1,
            blocks_per_plane: 8,
            pages_per_block: 4,
            page_bytes: 4000,
            lockstep_packages: 1,
            multiplane: false,
            superblock: false,
        };
        let timing = Timing {
            read_latency_ns: 50_000,
            program_latencies_ns: vec![250_000, 1_300_000],
            erase_latency_ns: 2_000_000,
            bus_bytes_per_second: 40_000_000, // 4000 B take 100 us
            rated_pe_cycles: 1,
        };
        FlashArray::new(&geometry, &timing)
    }

    /// Runs until idle; (token, time) of everything finished.
    fn drain(array: &mut FlashArray<u32>) -> Vec<(u32, u64)> {
        let mut finished = vec![];
        while array.next_event_ns() != NEVER_NS {
            let at_ns = array.next_event_ns();
            finished.extend(array.step().map(|token| (token, at_ns)));
        }
        finished
    }

    #[test]
    fn a_program_takes_its_transfer_and_its_pages_program_time_to_the_nanosecond() {
        let mut array = array(1, 1);
        array.enqueue(0, 7, Operation::Program { page_index: 0, token: 1 });
        array.enqueue(0, 8, Operation::Program { page_index: 1, token: 2 });
        assert_eq!(drain(&mut array), [(1, 7 + 350_000), (2, 7 + 350_000 + 1_400_000)]);
    }

    #[test]
    fn two_banks_of_one_channel_share_the_transfer_but_not_the_programming() {
        let mut array = array(1, 2);
        array.enqueue(0, 0, Operation::Program { page_index: 0, token: 1 });
        array.enqueue(1, 0, Operation::Program { page_index: 0, token: 2 });
        assert_eq!(drain(&mut array), [(1, 350_000), (2, 450_000)]);
    }

    #[test]
    fn a_write_uses_the_channel_while_another_bank_still_senses() {
        let mut array = array(1, 2);
        array.enqueue(0, 0, Operation::Read { bytes: 4000, token: 1 });
        array.enqueue(1, 0, Operation::Program { page_index: 0, token: 2 });
        // The program has the channel from 0 to 100 us; the read was sensed at 50 us and follows at 100.
        assert_eq!(drain(&mut array), [(1, 200_000), (2, 350_000)]);
    }

    #[test]
    fn a_collection_moves_page_by_page_and_then_erases() {
        let mut array = array(1, 1);
        array.enqueue(0, 0, Operation::Collect { reads: 2, programs: 2, page_index: 0, erases: 1 });
        array.enqueue(0, 0, Operation::Program { page_index: 0, token: 9 });
        let collected = (50 + 200 + 250) + (50 + 200 + 1300) + 2000;
        assert_eq!(drain(&mut array), [(9, (collected + 350) * 1000)]);
    }

    #[test]
    fn packing_valid_data_reads_more_pages_than_it_programs() {
        let mut array = array(1, 1);
        array.enqueue(0, 0, Operation::Collect { reads: 5, programs: 2, page_index: 0, erases: 1 });
        array.enqueue(0, 0, Operation::Program { page_index: 0, token: 9 });
        let collected = (3 * 50 + 200 + 250) + (2 * 50 + 200 + 1300) + 2000;
        assert_eq!(drain(&mut array), [(9, (collected + 350) * 1000)]);
    }
}
