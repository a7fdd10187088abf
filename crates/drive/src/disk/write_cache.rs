//! The write cache: runs of addresses that are acknowledged and not yet on the platters.
//!
//! ```text
//!   addresses   ..[run]......[====run====]..[run]....[run]..   neighbours and overlaps become one run
//!                                 ^arm
//!   elevator: the next run to the right, then again from the left
//!   shortest positioning: of the next few to the right, the one whose start is under the head soonest
//! ```
//!
//! Data that overwrites cached data takes no more room, and the overwritten data never reaches the platters.
//! A part on its way to the platters keeps its room until it is there.

use super::config::{FlushOrder, WriteCache as Settings};
use super::mechanism::Mechanism;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Run {
    end: u64,
    /// Number of the write that began it; each run has another number.
    age: u64,
}

/// See the module's header. All addresses are logical sectors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct WriteCache {
    runs: BTreeMap<u64, Run>,
    start_of_age: BTreeMap<u64, u64>,
    used_sectors: u64,
    in_flight_sectors: u64,
    room_sectors: u64,
    run_count: usize,
    order: FlushOrder,
    look_ahead_runs: usize,
    next_age: u64,
    /// The sector after the one written last: the position of the elevator.
    elevator: u64,
    /// Sectors that were overwritten before they were written out.
    pub absorbed_sectors: u64,
}

impl WriteCache {
    pub fn new(settings: &Settings) -> Self {
        Self {
            runs: BTreeMap::new(),
            start_of_age: BTreeMap::new(),
            used_sectors: 0,
            in_flight_sectors: 0,
            room_sectors: settings.bytes / crate::request::SECTOR_BYTES,
            run_count: settings.run_count as usize,
            order: settings.flush_order,
            look_ahead_runs: settings.look_ahead_runs as usize,
            next_age: 0,
            elevator: 0,
            absorbed_sectors: 0,
        }
    }

    pub fn exists(&self) -> bool {
        self.room_sectors > 0
    }

    /// True when no data waits here or is on its way.
    pub fn is_clean(&self) -> bool {
        self.used_sectors + self.in_flight_sectors == 0
    }

    pub fn has_waiting(&self) -> bool {
        !self.runs.is_empty()
    }

    /// True when more than half of the room or of the runs is taken.
    pub fn is_half_full(&self) -> bool {
        2 * (self.used_sectors + self.in_flight_sectors) > self.room_sectors || 2 * self.runs.len() > self.run_count
    }

    /// Sectors that are not on the platters.
    pub fn dirty_sectors(&self) -> u64 {
        self.used_sectors + self.in_flight_sectors
    }

    /// True if all these sectors are in the cache.
    pub fn covers(&self, start: u64, end: u64) -> bool {
        self.runs.range(..=start).next_back().is_some_and(|(_, run)| run.end >= end)
    }

    /// Take as many sectors from `start` on as there is room for, up to `end`; returns how many.
    pub fn take(&mut self, start: u64, end: u64, sectors_per_physical: u64) -> u64 {
        if self.covers(start, end) {
            self.insert(start, end);
            return end - start;
        }
        let room = self.room_sectors.saturating_sub(self.used_sectors + self.in_flight_sectors);
        let mut taken_end = end.min(start + room);
        if taken_end < end {
            taken_end -= taken_end % sectors_per_physical;
        }
        let joins = self.runs.range(..=taken_end).next_back().is_some_and(|(_, run)| run.end >= start);
        if taken_end <= start || (!joins && self.runs.len() >= self.run_count) {
            return 0;
        }
        self.insert(start, taken_end);
        taken_end - start
    }

    fn insert(&mut self, start: u64, end: u64) {
        let mut joined = Run { end, age: self.next_age };
        self.next_age += 1;
        let (mut joined_start, mut replaced) = (start, 0);
        while let Some((&run_start, &run)) = self.runs.range(..=joined.end).next_back() {
            if run.end < joined_start {
                break;
            }
            self.runs.remove(&run_start);
            self.start_of_age.remove(&run.age);
            replaced += run.end - run_start;
            joined_start = joined_start.min(run_start);
            joined = Run { end: joined.end.max(run.end), age: joined.age.min(run.age) };
        }
        let added = joined.end - joined_start - replaced;
        self.absorbed_sectors += end - start - added;
        self.used_sectors += added;
        self.runs.insert(joined_start, joined);
        self.start_of_age.insert(joined.age, joined_start);
    }

    /// The age that the next run will have: everything in the cache is older.
    pub fn next_age(&self) -> u64 {
        self.next_age
    }

    /// True while data older than `age` waits.
    pub fn holds_older_than(&self, age: u64) -> bool {
        self.start_of_age.first_key_value().is_some_and(|(&oldest, _)| oldest < age)
    }

    /// Where to write next: start and end of a run. With `older_than`, runs of that age or younger wait.
    pub fn choose(&self, now_ns: u64, mechanism: &Mechanism, per: u64, older_than: Option<u64>) -> Option<(u64, u64)> {
        let limit = older_than.filter(|&age| self.holds_older_than(age)).unwrap_or(u64::MAX);
        let ahead = self.runs.range(self.elevator..).chain(self.runs.range(..self.elevator));
        let mut candidates = ahead.filter(|(_, run)| run.age < limit).map(|(&start, run)| (start, run.end));
        match self.order {
            FlushOrder::Arrival => {
                let (_, start) = self.start_of_age.first_key_value()?;
                self.runs.get(start).map(|run| (*start, run.end))
            }
            FlushOrder::Elevator => candidates.next(),
            FlushOrder::ShortestPositioning => candidates
                .take(self.look_ahead_runs)
                .min_by_key(|&(start, _)| mechanism.positioning_ns(now_ns, start / per, true)),
        }
    }

    /// The sectors from `start`, the start of a run, to `end` go to the platters.
    pub fn start_writing(&mut self, start: u64, end: u64) {
        let run = self.runs.remove(&start).expect("what goes to the platters was chosen here");
        self.start_of_age.remove(&run.age);
        if end < run.end {
            self.runs.insert(end, run);
            self.start_of_age.insert(run.age, end);
        }
        self.used_sectors -= end - start;
        self.in_flight_sectors += end - start;
        self.elevator = end;
    }

    /// These sectors are on the platters.
    pub fn written(&mut self, sectors: u64) {
        self.in_flight_sectors -= sectors;
    }

    /// Panics when the counts of the runs contradict each other.
    pub fn check(&self) {
        let lengths: u64 = self.runs.iter().map(|(start, run)| run.end - start).sum();
        assert_eq!(lengths, self.used_sectors, "runs add up to the room in use");
        assert!(self.used_sectors + self.in_flight_sectors <= self.room_sectors, "no more than there is room for");
        assert!(self.runs.len() <= self.run_count, "no more runs than the table holds");
        assert!(self.start_of_age.iter().all(|(age, start)| self.runs.get(start).is_some_and(|run| run.age == *age)));
        assert_eq!(self.start_of_age.len(), self.runs.len(), "each run has one age");
        let mut previous_end = None;
        for (&start, run) in &self.runs {
            assert!(start < run.end && previous_end.is_none_or(|end| end < start), "runs lie apart");
            previous_end = Some(run.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache(bytes: u64, run_count: u32) -> WriteCache {
        WriteCache::new(&Settings {
            bytes,
            run_count,
            flush_order: FlushOrder::Elevator,
            look_ahead_runs: 1,
            idle_flush_ns: 1,
        })
    }

    #[test]
    fn neighbours_join_overwrites_are_absorbed_and_a_full_table_takes_only_what_joins() {
        let mut cache = cache(100 * 512, 2);
        assert_eq!(cache.take(10, 20, 1), 10);
        assert_eq!(cache.take(20, 30, 1), 10);
        assert_eq!(cache.take(15, 25, 1), 10, "takes no more room");
        assert_eq!((cache.dirty_sectors(), cache.absorbed_sectors), (20, 10));
        assert_eq!(cache.take(50, 60, 1), 10);
        assert_eq!(cache.take(70, 80, 1), 0, "a third run has no place");
        assert_eq!(cache.take(30, 50, 1), 20, "but what joins two has");
        assert!(cache.covers(10, 60));
        assert_eq!(cache.take(60, 200, 8), 44, "there is room up to 110: the last physical sector ends at 104");
        cache.check();
    }

    #[test]
    fn data_on_its_way_keeps_its_room_until_it_is_there() {
        let mut cache = cache(16 * 512, 8);
        assert_eq!(cache.take(0, 16, 1), 16);
        cache.start_writing(0, 6);
        assert_eq!(cache.take(100, 101, 1), 0);
        cache.check();
        cache.written(6);
        assert_eq!(cache.take(100, 101, 1), 1);
        assert!(cache.holds_older_than(1) && !cache.holds_older_than(0));
        cache.check();
    }
}
