//! What each job did over time, with the latencies of each interval: for a report on a job file.
//!
//! ```text
//! job "reader"  |....|....|....|   a row for each interval: bytes, requests, latencies in buckets
//! job "writer"  |....|....|....|
//! ```
//!
//! Rows cover intervals as in [`crate::series`]. When there are too many of them, each two become one: buckets can be
//! added, so the latencies stay exact to a bucket. Jobs beyond the first few share one track.
//! Kept only when asked for: a search in a short list for each request, and some megabytes.

use crate::direction::Kind;
use crate::latency_histogram::{LatencyHistogram, bucket_of};

/// Most jobs that are told apart; all later ones are one track, named [`OTHERS`].
const TRACKS_MAX: usize = 16;
/// Name of the track of all later jobs.
pub const OTHERS: &str = "all other jobs";
/// Most rows of a track.
const ROWS_MAX: u64 = 512;

/// The requests of one kind that ended in one interval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Bytes completed.
    pub bytes: u64,
    /// Requests completed.
    pub requests: u64,
    /// Longest latency [ns].
    pub max_ns: u64,
    /// (bucket, requests) of every bucket that is not empty, in ascending order.
    counts: Vec<(u16, u32)>,
}

impl Cell {
    #[inline]
    fn record(&mut self, length_bytes: u64, latency_ns: u64) {
        self.bytes += length_bytes;
        self.requests += 1;
        self.max_ns = self.max_ns.max(latency_ns);
        self.add(bucket_of(latency_ns) as u16, 1);
    }

    #[inline]
    fn add(&mut self, bucket: u16, count: u32) {
        match self.counts.binary_search_by_key(&bucket, |&(bucket, _)| bucket) {
            Ok(place) => self.counts[place].1 = self.counts[place].1.saturating_add(count),
            Err(place) => self.counts.insert(place, (bucket, count)),
        }
    }

    fn merge(&mut self, other: &Self) {
        self.bytes += other.bytes;
        self.requests += other.requests;
        self.max_ns = self.max_ns.max(other.max_ns);
        other.counts.iter().for_each(|&(bucket, count)| self.add(bucket, count));
    }

    /// The bucket of the latency that `share` of the requests does not exceed (share above 0); `None` without requests.
    pub fn bucket_at(&self, share: f64) -> Option<u16> {
        let wanted = share * self.counts.iter().map(|&(_, count)| f64::from(count)).sum::<f64>() - 1e-9;
        let mut reached = 0.0;
        let found = self.counts.iter().find(|&&(_, count)| {
            reached += f64::from(count);
            reached >= wanted
        });
        found.or(self.counts.last()).map(|&(bucket, _)| bucket)
    }
}

/// The rows and latencies of one job, or of all jobs of one name.
#[derive(Clone, Debug)]
pub struct Track {
    /// The job's name; empty for all jobs together.
    pub name: String,
    /// Per interval, by kind.
    pub rows: Vec<[Cell; 3]>,
    /// Over the whole run, by kind.
    pub latency: [LatencyHistogram; 3],
}

impl Track {
    fn new(name: &str) -> Self {
        Self { name: name.to_owned(), rows: Vec::new(), latency: Default::default() }
    }

    fn row(&mut self, index: usize) -> &mut [Cell; 3] {
        if self.rows.len() <= index {
            self.rows.resize_with(index + 1, Default::default);
        }
        &mut self.rows[index]
    }

    fn coarsen(&mut self) {
        let mut merged: Vec<[Cell; 3]> = Vec::with_capacity(self.rows.len().div_ceil(2));
        for (index, row) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            match merged.last_mut() {
                Some(last) if index % 2 == 1 => last.iter_mut().zip(&row).for_each(|(cell, other)| cell.merge(other)),
                _ => merged.push(row),
            }
        }
        self.rows = merged;
    }

    fn merge(&mut self, other: &Self) {
        for (index, row) in other.rows.iter().enumerate() {
            self.row(index).iter_mut().zip(row).for_each(|(cell, other)| cell.merge(other));
        }
        self.latency.iter_mut().zip(&other.latency).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// The tracks of a run while they are counted.
#[derive(Clone, Debug)]
pub struct ByJob {
    interval_ns: u64,
    tracks: Vec<Track>,
    /// The track of each job, by its place in the run.
    track_of: Vec<usize>,
}

impl ByJob {
    /// For jobs of these names, in the order of their places. interval_ns: of a row, at first.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>, interval_ns: u64) -> Self {
        let (mut tracks, mut track_of): (Vec<Track>, Vec<usize>) = (Vec::new(), Vec::new());
        for name in names {
            let known = tracks.iter().position(|track| track.name == name);
            track_of.push(known.unwrap_or_else(|| {
                if tracks.len() < TRACKS_MAX {
                    tracks.push(Track::new(name));
                } else {
                    OTHERS.clone_into(&mut tracks[TRACKS_MAX - 1].name);
                }
                tracks.len() - 1
            }));
        }
        Self { interval_ns, tracks, track_of }
    }

    /// Counts one request that was done.
    #[inline]
    pub fn record(&mut self, place: usize, kind: Kind, length_bytes: u64, latency_ns: u64, elapsed_ns: u64) {
        let last_ns = elapsed_ns.saturating_sub(1);
        while last_ns / self.interval_ns >= ROWS_MAX {
            self.interval_ns = self.interval_ns.saturating_mul(2);
            self.tracks.iter_mut().for_each(Track::coarsen);
        }
        let row = (last_ns / self.interval_ns) as usize;
        let track = &mut self.tracks[self.track_of[place]];
        track.row(row)[kind as usize].record(length_bytes, latency_ns);
        track.latency[kind as usize].record(latency_ns);
    }

    /// All jobs together, then, if there are several, each one; and the length of a row [ns].
    /// Every track has the same number of rows.
    pub fn tracks(&self) -> (Vec<Track>, u64) {
        let mut sum = Track::new("");
        self.tracks.iter().for_each(|track| sum.merge(track));
        let row_count = sum.rows.len();
        let mut all = vec![sum];
        if self.tracks.len() > 1 {
            all.extend(self.tracks.iter().cloned());
        }
        all.iter_mut().for_each(|track| track.rows.resize_with(row_count, Default::default));
        (all, self.interval_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_job_has_its_rows_and_all_of_them_sum_up() {
        let mut by_job = ByJob::new(["a", "b", "a"].into_iter(), 100);
        by_job.record(0, Kind::Read, 10, 50, 100);
        by_job.record(2, Kind::Read, 10, 70, 250);
        by_job.record(1, Kind::Write, 30, 900, 101);
        let (tracks, interval_ns) = by_job.tracks();
        assert_eq!(interval_ns, 100);
        assert_eq!(tracks.iter().map(|track| track.name.as_str()).collect::<Vec<_>>(), ["", "a", "b"]);
        let reads = |track: &Track| track.rows.iter().map(|row| row[0].requests).collect::<Vec<_>>();
        assert_eq!(tracks.iter().map(reads).collect::<Vec<_>>(), [vec![1, 0, 1], vec![1, 0, 1], vec![0, 0, 0]]);
        assert_eq!(tracks[0].rows[1][1].bytes, 30);
        assert_eq!(tracks[0].latency[0].total(), 2);
        assert_eq!(tracks[2].rows[1][1].bucket_at(0.99), Some(bucket_of(900) as u16));
    }

    #[test]
    fn many_rows_become_few_without_losing_a_request_or_a_latency() {
        let mut by_job = ByJob::new(["a"].into_iter(), 1);
        for at_ns in 1..=5000 {
            by_job.record(0, Kind::Write, 1, at_ns, at_ns);
        }
        let (tracks, interval_ns) = by_job.tracks();
        assert_eq!((tracks.len(), interval_ns), (1, 16));
        assert!(tracks[0].rows.len() as u64 <= ROWS_MAX);
        assert_eq!(tracks[0].rows.iter().map(|row| row[1].requests).sum::<u64>(), 5000);
        assert_eq!(tracks[0].rows[0][1].max_ns, 16);
        assert_eq!(tracks[0].rows[0][1].bucket_at(0.5), Some(8));
    }

    #[test]
    fn jobs_beyond_the_first_few_share_a_track() {
        let names: Vec<String> = (0..40).map(|number| format!("job{number}")).collect();
        let mut by_job = ByJob::new(names.iter().map(String::as_str), 100);
        by_job.record(39, Kind::Read, 1, 1, 1);
        let (tracks, _) = by_job.tracks();
        assert_eq!(tracks.len(), TRACKS_MAX + 1);
        assert_eq!((tracks[TRACKS_MAX].name.as_str(), tracks[TRACKS_MAX].latency[0].total()), (OTHERS, 1));
    }
}
