//! Whose turn is it next? A tournament tree over a fixed number of lanes, each with one next event.
//!
//! ```text
//!              [lane 2 @ 30]                 the root is the earliest lane
//!             /             \
//!      [0 @ 50]             [2 @ 30]         a change walks one path: log2(lanes) comparisons
//!      /      \             /      \
//!   0 @ 50  1 @ 90       2 @ 30  3 @ never
//! ```
//!
//! A die does one thing at a time, so it never has more than one next event; a general heap of events
//! would move more memory for the same answer. Ties go to the lower lane, so a run repeats exactly.

use crate::time::NEVER_NS;
use serde::{Deserialize, Serialize};

/// The next event time of every lane, and the earliest of all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Agenda {
    leaf_count: usize,
    /// Nodes 1.. of the tree in heap order; `leaf_count..` are the lanes.
    time_ns: Vec<u64>,
    lane: Vec<u32>,
}

impl Agenda {
    /// An agenda of `lanes` lanes with nothing to come.
    pub fn new(lanes: usize) -> Self {
        let leaf_count = lanes.max(1).next_power_of_two();
        let mut lane = vec![0; 2 * leaf_count];
        for (index, leaf) in lane[leaf_count..].iter_mut().enumerate() {
            *leaf = index as u32;
        }
        for node in (1..leaf_count).rev() {
            lane[node] = lane[2 * node];
        }
        Self { leaf_count, time_ns: vec![NEVER_NS; 2 * leaf_count], lane }
    }

    /// Let the next event of `lane` be at `time_ns` (`NEVER_NS`: nothing to come).
    #[inline]
    pub fn set(&mut self, lane: usize, time_ns: u64) {
        let mut node = self.leaf_count + lane;
        self.time_ns[node] = time_ns;
        // The winner so far is carried up in registers; reading back what was just stored would cost more.
        let (mut winner_ns, mut winner) = (time_ns, lane as u32);
        while node > 1 {
            let (rival_ns, rival) = (self.time_ns[node ^ 1], self.lane[node ^ 1]);
            let rival_is_lower = node & 1 == 1;
            let rival_wins = (rival_ns < winner_ns) | ((rival_ns == winner_ns) & rival_is_lower);
            winner_ns = if rival_wins { rival_ns } else { winner_ns };
            winner = if rival_wins { rival } else { winner };
            node /= 2;
            self.time_ns[node] = winner_ns;
            self.lane[node] = winner;
        }
    }

    /// The time of the earliest event, `NEVER_NS` when there is none.
    #[inline]
    pub fn next_ns(&self) -> u64 {
        self.time_ns[1]
    }

    /// The lane of the earliest event (meaningless when there is none).
    #[inline]
    pub fn next_lane(&self) -> usize {
        self.lane[1] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_lane_wins_and_ties_go_to_the_lower_one() {
        for lanes in [1, 2, 3, 8, 13] {
            let mut agenda = Agenda::new(lanes);
            assert_eq!(agenda.next_ns(), NEVER_NS);
            let mut times = vec![NEVER_NS; lanes];
            let mut state = 7_u64;
            for _ in 0..2_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let lane = (state >> 33) as usize % lanes;
                let time = (state >> 40) % 17;
                times[lane] = time;
                agenda.set(lane, time);
                let earliest = *times.iter().min().unwrap();
                assert_eq!(agenda.next_ns(), earliest);
                assert_eq!(agenda.next_lane(), times.iter().position(|&t| t == earliest).unwrap());
            }
        }
    }
}
