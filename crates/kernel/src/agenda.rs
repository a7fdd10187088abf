//! Finds the lane with the earliest next event: a tournament over a fixed number of lanes, four in each match.
//!
//! ```text
//!                 [lane 6 @ 20]                        next: the earliest lane of all
//!        ,-------------+-------------,
//!   [2 @ 30]       [6 @ 20]       [9 @ 70]    ...      a change plays one match in each round: log4(lanes)
//!   /  |  |  \     /  |  |  \     /  |  |  \
//!  0   1  2   3   4   5  6   7   8   9 10  11          lanes that do not exist never have an event
//! ```
//!
//! A die does one thing at a time, so it never has more than one next event; a general heap of events
//! would move more memory for the same answer. The two pairs of a match are compared in parallel. A tournament with
//! four lanes in a match needs half as many rounds as one with two, and rounds must follow one another.
//! Equal times go to the lower lane, so a run repeats exactly.

use crate::time::NEVER_NS;
use serde::{Deserialize, Serialize};

/// Number of lanes in one match.
const FOUR: usize = 4;

/// The next event time of every lane, and the earliest of all.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Agenda {
    /// Where each round begins in the two lists below, beginning with the lanes themselves; empty for a single lane.
    rounds: Vec<usize>,
    time_ns: Vec<u64>,
    lane: Vec<u32>,
    next_ns: u64,
    next_lane: u32,
}

impl Agenda {
    /// An agenda of `lanes` lanes without events.
    pub fn new(lanes: usize) -> Self {
        let (mut rounds, mut lane) = (Vec::new(), Vec::new());
        let (mut players, mut lanes_each) = (lanes, 1);
        while players > 1 {
            rounds.push(lane.len());
            players = players.div_ceil(FOUR);
            lane.extend((0..players * FOUR).map(|player| (player * lanes_each) as u32));
            lanes_each *= FOUR;
        }
        Self { time_ns: vec![NEVER_NS; lane.len()], rounds, lane, next_ns: NEVER_NS, next_lane: 0 }
    }

    /// Set the time of the next event of `lane` to `time_ns` (`NEVER_NS`: no event).
    // Not inlined: copied into its six callers it makes the event loop too large, and small drives run a tenth slower.
    #[inline(never)]
    pub fn set(&mut self, lane: usize, time_ns: u64) {
        let (mut winner, mut player) = ((time_ns, lane as u32), lane);
        for &round in &self.rounds {
            let place = player % FOUR;
            player /= FOUR;
            let first = round + player * FOUR;
            let (times_ns, lanes) = (&mut self.time_ns[first..first + FOUR], &mut self.lane[first..first + FOUR]);
            (times_ns[place], lanes[place]) = winner;
            let at = |index: usize| (times_ns[index], lanes[index]);
            winner = earlier(earlier(at(0), at(1)), earlier(at(2), at(3)));
        }
        (self.next_ns, self.next_lane) = winner;
    }

    /// The time of the next event of every lane, `NEVER_NS` where there is none; perhaps of some lanes more than exist.
    pub fn times_ns(&self) -> &[u64] {
        match self.rounds.as_slice() {
            [] => std::slice::from_ref(&self.next_ns),
            [_] => &self.time_ns,
            [_, second, ..] => &self.time_ns[..*second],
        }
    }

    /// Make all events later by `by_ns`.
    pub fn postpone(&mut self, by_ns: u64) {
        let times_ns = self.time_ns.iter_mut().chain(std::iter::once(&mut self.next_ns));
        times_ns.filter(|time_ns| **time_ns != NEVER_NS).for_each(|time_ns| *time_ns += by_ns);
    }

    /// The time of the earliest event, `NEVER_NS` when there is none.
    #[inline]
    pub fn next_ns(&self) -> u64 {
        self.next_ns
    }

    /// The lane of the earliest event (meaningless when there is none).
    #[inline]
    pub fn next_lane(&self) -> usize {
        self.next_lane as usize
    }
}

/// The earlier of two (time, lane), the first when they are equal. Without a branch, because the result cannot be
/// predicted.
#[inline]
fn earlier(one: (u64, u32), other: (u64, u32)) -> (u64, u32) {
    let other_wins = other.0 < one.0;
    (if other_wins { other.0 } else { one.0 }, if other_wins { other.1 } else { one.1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_lane_wins_and_ties_go_to_the_lower_one() {
        for lanes in [1, 2, 3, 4, 5, 8, 13, 16, 17, 64, 130] {
            let mut agenda = Agenda::new(lanes);
            assert_eq!(agenda.next_ns(), NEVER_NS);
            let mut times = vec![NEVER_NS; lanes];
            let mut state = 7_u64;
            for _ in 0..2_000 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let lane = (state >> 33) as usize % lanes;
                let time = (state >> 40) % 17;
                times[lane] = if time == 16 { NEVER_NS } else { time };
                agenda.set(lane, times[lane]);
                let earliest = *times.iter().min().unwrap();
                assert_eq!(agenda.next_ns(), earliest);
                if earliest < NEVER_NS {
                    assert_eq!(agenda.next_lane(), times.iter().position(|&time| time == earliest).unwrap());
                }
            }
        }
    }
}
