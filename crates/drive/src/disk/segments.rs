//! The read cache: a few segments, each of which holds a part of one stream of addresses.
//!
//! ```text
//!   segment   [ read earlier ....... | what the host asked last | read ahead ..... ]
//!             start                                     asked_end                 end
//! ```
//!
//! Data read after the end of a segment makes the segment longer; beyond its size the oldest data is dropped at the
//! front. A new stream replaces the segment that was used longest ago.
//!
//! Not modelled here: segments whose number and size change with the load, memory shared with the write cache.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Segment {
    start: u64,
    end: u64,
    asked_end: u64,
    used: u64,
}

/// See the module's header. All addresses are logical sectors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Segments {
    segments: Vec<Segment>,
    most: usize,
    segment_sectors: u64,
    clock: u64,
    /// The segment to which the last data from the platters went.
    active: Option<usize>,
}

impl Segments {
    pub fn new(count: u32, segment_sectors: u64) -> Self {
        Self { segments: Vec::new(), most: count as usize, segment_sectors, clock: 0, active: None }
    }

    /// The end of what is held without a gap from `start` on, if `start` lies in a segment or at its end.
    pub fn held_until(&self, start: u64) -> Option<u64> {
        self.find(start).map(|index| self.segments[index].end)
    }

    fn find(&self, start: u64) -> Option<usize> {
        let holds = |index: &usize| (self.segments[*index].start..=self.segments[*index].end).contains(&start);
        (0..self.segments.len()).filter(holds).max_by_key(|&index| (self.segments[index].end, index))
    }

    /// The host has requested data from `start`, which lies in a segment, to `end`.
    pub fn asked(&mut self, start: u64, end: u64) {
        let Some(index) = self.find(start) else { return };
        self.clock += 1;
        let segment = &mut self.segments[index];
        segment.used = self.clock;
        segment.asked_end = end;
        if self.look_ahead().is_none() {
            self.active = Some(index);
        }
    }

    /// Data of these sectors has come from the platters.
    pub fn add(&mut self, start: u64, end: u64, asked: bool) {
        if self.most == 0 || start == end {
            return;
        }
        self.clock += 1;
        let follows = |segment: &Segment| segment.start <= start && start <= segment.end;
        let index = self.segments.iter().position(follows).unwrap_or_else(|| self.take_oldest(start));
        let segment = &mut self.segments[index];
        segment.end = segment.end.max(end);
        segment.start = segment.start.max(segment.end.saturating_sub(self.segment_sectors));
        segment.used = self.clock;
        if asked {
            segment.asked_end = end;
        }
        self.active = Some(index);
    }

    fn take_oldest(&mut self, start: u64) -> usize {
        let fresh = Segment { start, end: start, asked_end: start, used: self.clock };
        if self.segments.len() < self.most {
            self.segments.push(fresh);
            return self.segments.len() - 1;
        }
        let oldest = (0..self.segments.len()).min_by_key(|&index| self.segments[index].used).unwrap_or(0);
        self.segments[oldest] = fresh;
        oldest
    }

    /// The sector where the disk should go on reading, and the sector where it should stop; `None` when it is far
    /// enough ahead.
    pub fn look_ahead(&self) -> Option<(u64, u64)> {
        let segment = &self.segments[self.active?];
        let until = segment.asked_end + self.segment_sectors;
        (segment.end < until).then_some((segment.end, until))
    }

    /// The arm has moved away: it reads ahead no more until the host reads again.
    pub fn stop_look_ahead(&mut self) {
        self.active = None;
    }

    /// These sectors are being overwritten: segments that hold any of them are dropped.
    pub fn forget(&mut self, start: u64, end: u64) {
        for (index, segment) in self.segments.iter_mut().enumerate() {
            if segment.start < end && start < segment.end {
                *segment = Segment { start: u64::MAX, end: u64::MAX, asked_end: u64::MAX, used: 0 };
                if self.active == Some(index) {
                    self.active = None;
                }
            }
        }
    }

    /// Panics when a segment is larger than allowed.
    pub fn check(&self) {
        assert!(self.segments.len() <= self.most, "no more segments than there are");
        for segment in &self.segments {
            assert!(segment.end - segment.start <= self.segment_sectors, "a segment keeps its size");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_follows_its_stream_and_the_one_used_longest_ago_makes_room() {
        let mut segments = Segments::new(2, 100);
        segments.add(0, 80, true);
        segments.add(80, 150, false);
        assert_eq!((segments.held_until(49), segments.held_until(50)), (None, Some(150)), "100 sectors are kept");
        assert_eq!(segments.look_ahead(), Some((150, 180)), "100 ahead of what was asked");
        segments.add(1000, 1010, true);
        segments.asked(60, 70);
        segments.add(2000, 2010, true);
        assert_eq!(segments.held_until(1005), None);
        assert_eq!(segments.held_until(60), Some(150));
        segments.forget(149, 150);
        assert_eq!(segments.held_until(60), None);
        segments.check();
    }
}
