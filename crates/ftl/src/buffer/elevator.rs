//! Units leave by address, upwards from the last one, and after the highest the lowest follows.
//!
//! ```text
//!   unit    3  4  5 . . 9 . . . 20 21         last left: 5
//!                       ^ next: 9, then 20, 21, then 3, 4, ...
//!                           [9]  [20 21]  [3 4]   three runs
//! ```
//!
//! Units with consecutive addresses leave one after the other, so they are placed in the same page or in pages
//! that are programmed together: a run. The buffer is not searched linearly: O(log n) for each unit.
//! Not modelled here: downward sweeps (a run would then be written backwards), the longest run first.

use super::waiting::Waiting;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// See the module's header.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Elevator {
    last: Option<u32>,
    /// Number of runs begun.
    pub runs: u64,
}

impl Elevator {
    /// The unit that leaves next.
    pub fn next(&mut self, waiting: &BTreeMap<u32, Waiting>) -> Option<u32> {
        let neighbour = self.last.and_then(|last| last.checked_add(1));
        let from = neighbour.unwrap_or(0);
        let unit = *waiting.range(from..).next().or_else(|| waiting.first_key_value())?.0;
        self.runs += u64::from(neighbour != Some(unit));
        self.last = Some(unit);
        Some(unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sweep(elevator: &mut Elevator, units: &[u32]) -> Vec<u32> {
        let mut waiting: BTreeMap<u32, Waiting> = units.iter().map(|&unit| (unit, Waiting::default())).collect();
        std::iter::from_fn(|| {
            let unit = elevator.next(&waiting)?;
            waiting.remove(&unit);
            Some(unit)
        })
        .collect()
    }

    #[test]
    fn units_leave_upwards_from_the_last_position_and_then_from_the_lowest() {
        let mut elevator = Elevator::default();
        assert_eq!(sweep(&mut elevator, &[5, 3, 4]), [3, 4, 5]);
        assert_eq!(elevator.runs, 1);
        assert_eq!(sweep(&mut elevator, &[4, 21, 3, 9, 20]), [9, 20, 21, 3, 4]);
        assert_eq!(elevator.runs, 1 + 3);
        assert_eq!(sweep(&mut elevator, &[5]), [5]);
        assert_eq!(elevator.runs, 4, "5 follows 4: the same run goes on");
    }

    #[test]
    fn the_highest_unit_there_can_be_is_followed_by_the_lowest() {
        let mut elevator = Elevator::default();
        assert_eq!(sweep(&mut elevator, &[u32::MAX]), [u32::MAX]);
        assert_eq!(sweep(&mut elevator, &[0]), [0]);
        assert_eq!(elevator.runs, 2);
    }
}
