//! Writes in order as the host's side sees them when they repeat themselves: its state in numbers, and a jump over
//! repetitions.
//!
//! A request is named by its distance from the next one in the order of addresses, so two moments have the same numbers
//! when the same happens to the requests that follow.

use super::side::{GATHERING_ENDS, HostSide};
use crate::course::InOrder;
use crate::request::{Request, RequestKind, Status};

impl HostSide {
    /// Append the state at `now_ns` in numbers; returns the time for which controller, link, and link to the host have
    /// been in use [ns]. `submitted_ns`: when the request with this tag was submitted. `None` when a request is not one
    /// of the writes in order, or commands are held back.
    pub fn state_in_order(
        &self,
        now_ns: u64,
        writes: InOrder,
        submitted_ns: &dyn Fn(u32) -> u64,
        numbers: &mut Vec<u64>,
    ) -> Option<[u64; 3]> {
        let timelines = [&self.controller, &self.link, &self.link_out];
        numbers.extend(timelines.map(|timeline| timeline.taken_for_ns(now_ns)));
        numbers.extend([u64::from(self.outstanding), self.held.len() as u64]);
        let age_ns = |tag: u32| now_ns.wrapping_sub(submitted_ns(tag));
        let mut accepted = Vec::with_capacity(self.outstanding as usize);
        for (_, one) in self.accepted.numbered() {
            let name = name_of(&one.request, one.status, writes)?;
            let data_done_ns = one.data_done_ns.saturating_sub(now_ns);
            accepted.push([name, u64::from(one.parts_left), one.taken_bytes, data_done_ns, age_ns(one.tag)]);
        }
        accepted.sort_unstable();
        numbers.extend(accepted.iter().flatten());
        for &(tag, ref request, status) in &self.waiting {
            numbers.extend([name_of(request, status, writes)?, age_ns(tag)]);
        }
        for entries in [&self.arrivals, &self.answers] {
            numbers.push(u64::MAX);
            for &(at_ns, number) in entries.iter() {
                let name = if number == GATHERING_ENDS { return None } else { self.name_in_order(number, writes)? };
                numbers.extend([at_ns.wrapping_sub(now_ns), name]);
            }
        }
        self.held.is_empty().then(|| timelines.map(|timeline| timeline.busy_ns()))
    }

    /// The distance of an accepted request from the next one; `None` when it is not one of the writes.
    pub fn name_in_order(&self, number: u32, writes: InOrder) -> Option<u64> {
        let one = self.accepted.get(number);
        name_of(&one.request, one.status, writes)
    }

    /// Where the first write begins that has not arrived; `None` when all have.
    pub fn first_to_arrive_bytes(&self) -> Option<u64> {
        let arriving = self.arrivals.iter().map(|&(_, number)| self.accepted.get(number).request.offset_bytes);
        arriving.chain(self.waiting.iter().map(|(_, request, _)| request.offset_bytes)).min()
    }

    /// Where the part of a request begins that the buffer has not taken.
    pub fn not_taken_bytes(&self, number: u32) -> u64 {
        let one = self.accepted.get(number);
        one.request.offset_bytes + one.taken_bytes
    }

    /// Pass over `times` periods like the one since these were the times in use: `by_ns` later, and `by_bytes` further on.
    pub fn pass_over(&mut self, earlier_busy_ns: [u64; 3], times: u64, by_ns: u64, by_bytes: u64) {
        for (timeline, busy_ns) in
            [&mut self.controller, &mut self.link, &mut self.link_out].into_iter().zip(earlier_busy_ns)
        {
            let period_busy_ns = timeline.busy_ns() - busy_ns;
            timeline.pass(by_ns, times * period_busy_ns);
        }
        for one in self.accepted.iter_mut() {
            one.request.offset_bytes += by_bytes;
            one.data_done_ns += if one.data_done_ns == 0 { 0 } else { by_ns };
        }
        self.waiting.iter_mut().for_each(|(_, request, _)| request.offset_bytes += by_bytes);
        self.arrivals.postpone(by_ns);
        self.answers.postpone(by_ns);
    }
}

fn name_of(request: &Request, status: Status, writes: InOrder) -> Option<u64> {
    let is_one = request.kind == RequestKind::Write
        && status == Status::Done
        && request.length_bytes == writes.length_bytes
        && request.offset_bytes < writes.next_offset_bytes;
    is_one.then(|| writes.next_offset_bytes - request.offset_bytes)
}
