//! Programs that repeat themselves: the state of banks and channels in numbers, and a jump over repetitions.
//!
//! ```text
//!   |--- a stretch ---|--- the same again ---| ... |--- and again ---|
//!   noted         the same numbers           '---- passed over ------'
//! ```
//!
//! Times count from the moment of the note, so two moments with the same numbers go on in the same way. Only programs
//! may be under way: reads and collections depend on where data lies.

use super::bank::{Bank, Phase};
use super::{FlashArray, Operation};
use flashscope_kernel::{time::NEVER_NS, timeline::Timeline};

/// How long banks and channels have been busy, beside the numbers of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Busy {
    /// Per bank, until it was last idle [ns], and since when it is at work.
    banks: Vec<(u64, u64)>,
    /// Per channel [ns].
    channels_ns: Vec<u64>,
}

impl Busy {
    /// True when the banks' work since `earlier`, a period before, will be counted in the same way in the next period:
    /// a bank never came to rest in it, or it began its present work at the same point.
    pub fn goes_on_as_since(&self, earlier: &Self, period_ns: u64) -> bool {
        let mut banks = self.banks.iter().zip(&earlier.banks);
        banks.all(|(now, before)| now.1 == before.1 || now.1 - before.1 == period_ns)
    }
}

impl<T: Copy> FlashArray<T> {
    /// Append the state at `now_ns` in numbers; `token` gives a token's. `None` when other work than programs is under
    /// way, or a token has no number.
    pub fn state_in_order(
        &self,
        now_ns: u64,
        numbers: &mut Vec<u64>,
        mut token: impl FnMut(T) -> Option<[u64; 3]>,
    ) -> Option<Busy> {
        for bank in &self.banks {
            if bank.held.is_some() || bank.reads_waiting > 0 {
                return None;
            }
            numbers
                .push((bank.queue.len() as u64) << 8 | u64::from(bank.loaded_until_ns.is_some()) << 4 | phase(bank)?);
            numbers.push(bank.loaded_until_ns.map_or(0, |until_ns| until_ns.saturating_sub(now_ns)));
            for operation in bank.current.iter().chain(&bank.queue) {
                let Operation::Program { page_index, mode, token: of } = *operation else { return None };
                numbers.extend([mode as u64, u64::from(page_index) % self.timing.program_latencies_ns.len() as u64]);
                numbers.extend(token(of)?);
            }
            if self.elaborate && bank.current.is_some() {
                let course = &bank.course;
                let ends_ns = [course.program_from_ns, course.program_until_ns, course.due_ns];
                numbers.extend(ends_ns.map(|at_ns| at_ns.wrapping_sub(now_ns)));
                numbers.push(u64::from(course.suspensions) << 32 | u64::from(course.part));
            }
        }
        let since_now = |&at_ns: &u64| if at_ns == NEVER_NS { NEVER_NS } else { at_ns - now_ns };
        numbers.extend(self.agenda.times_ns().iter().map(since_now));
        numbers.extend(self.channels.iter().map(|channel| channel.taken_for_ns(now_ns)));
        Some(Busy {
            banks: self.banks.iter().map(|bank| (bank.busy_ns, bank.busy_since_ns)).collect(),
            channels_ns: self.channels.iter().map(Timeline::busy_ns).collect(),
        })
    }

    /// Pass over `times` periods of `period_ns` like the one since `earlier`. `later_page`: the place in its block of a
    /// program that is under way then instead of that of a place now.
    pub fn pass_over(&mut self, earlier: &Busy, period_ns: u64, times: u64, later_page: impl Fn(u32) -> u32) {
        let by_ns = times * period_ns;
        for (bank, &(busy_ns, since_ns)) in self.banks.iter_mut().zip(&earlier.banks) {
            bank.busy_ns += times * (bank.busy_ns - busy_ns);
            bank.busy_since_ns += if bank.busy_since_ns == since_ns { 0 } else { by_ns };
            bank.course.program_from_ns += by_ns;
            bank.course.program_until_ns += by_ns;
            bank.course.due_ns += by_ns;
            bank.loaded_until_ns = bank.loaded_until_ns.map(|until_ns| until_ns + by_ns);
            for operation in bank.current.iter_mut().chain(&mut bank.queue) {
                if let Operation::Program { page_index, .. } = operation {
                    *page_index = later_page(*page_index);
                }
            }
        }
        for (channel, busy_ns) in self.channels.iter_mut().zip(&earlier.channels_ns) {
            channel.pass(by_ns, times * (channel.busy_ns() - busy_ns));
        }
        self.agenda.postpone(by_ns);
    }
}

/// The number of a bank's phase; `None` while it is interrupted.
fn phase<T>(bank: &Bank<T>) -> Option<u64> {
    match bank.phase {
        Phase::Idle => Some(0),
        Phase::Finishing => Some(1),
        Phase::Loaded => Some(2),
        Phase::Sensed | Phase::Turning | Phase::Stopping => None,
    }
}
