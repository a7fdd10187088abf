//! What was done in each sampling interval, by completion time.
//!
//! Row i covers the time (i * interval, (i + 1) * interval] since the start; a request that completes at the
//! very start belongs to row 0. The last row ends where the step ends, so that rates over it are correct.
//!
//! A run that idles for years has more intervals than anybody reads. When there are too many rows, each two rows become
//! one and the interval doubles, as often as needed; `elapsed_ns` gives the final interval.

use crate::direction::Kind;

/// Columns of one row per sampling interval; the arrays are indexed by kind (read, write, trim).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Series {
    /// End of the interval since the start [ns].
    pub elapsed_ns: Vec<u64>,
    /// Bytes completed in the interval.
    pub bytes: [Vec<u64>; 3],
    /// Requests completed in the interval.
    pub requests: [Vec<u64>; 3],
}

/// The most rows that are kept.
const ROWS_MAX: u64 = 1 << 20;

/// The rows while they are counted.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    interval_ns: u64,
    rows: Vec<Row>,
    /// The current row, the time after which it begins, and its length (0 before the first row) [ns].
    current: usize,
    current_after_ns: u64,
    current_length_ns: u64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    bytes: [u64; 3],
    requests: [u64; 3],
}

impl Rows {
    pub fn new(interval_ns: u64) -> Self {
        Self { interval_ns, rows: Vec::new(), current: 0, current_after_ns: 0, current_length_ns: 0 }
    }

    /// Counts one completed request.
    #[inline]
    pub fn record(&mut self, kind: Kind, length_bytes: u64, elapsed_ns: u64) {
        let last_ns = elapsed_ns.saturating_sub(1);
        if last_ns.wrapping_sub(self.current_after_ns) >= self.current_length_ns {
            self.turn_to(last_ns);
        }
        let row = &mut self.rows[self.current];
        row.bytes[kind as usize] += length_bytes;
        row.requests[kind as usize] += 1;
    }

    #[cold]
    fn turn_to(&mut self, last_ns: u64) {
        while last_ns / self.interval_ns >= ROWS_MAX {
            self.coarsen();
        }
        let index = last_ns / self.interval_ns;
        self.current_after_ns = index * self.interval_ns;
        self.current_length_ns = self.interval_ns;
        self.current = index as usize;
        if self.rows.len() <= self.current {
            self.rows.resize(self.current + 1, Row::default());
        }
    }

    /// Makes one row of each two, and doubles the interval.
    fn coarsen(&mut self) {
        self.interval_ns = self.interval_ns.saturating_mul(2);
        let pairs = self.rows.chunks(2).map(|pair| {
            pair.iter().fold(Row::default(), |sum, row| Row {
                bytes: std::array::from_fn(|kind| sum.bytes[kind] + row.bytes[kind]),
                requests: std::array::from_fn(|kind| sum.requests[kind] + row.requests[kind]),
            })
        });
        self.rows = pairs.collect();
    }

    /// Bytes of all rows and kinds.
    pub fn total_bytes(&self) -> u64 {
        self.rows.iter().flat_map(|row| row.bytes).sum()
    }

    /// Requests of all rows and kinds.
    pub fn total_requests(&self) -> u64 {
        self.rows.iter().flat_map(|row| row.requests).sum()
    }

    /// The columns of a step that has lasted `duration_ns`.
    pub fn columns(&self, duration_ns: u64) -> Series {
        let end_ns = |index: usize| ((index as u64 + 1).saturating_mul(self.interval_ns)).min(duration_ns);
        let column = |value: fn(&Row, usize) -> u64| {
            std::array::from_fn(|kind| self.rows.iter().map(|row| value(row, kind)).collect())
        };
        Series {
            elapsed_ns: (0..self.rows.len()).map(end_ns).collect(),
            bytes: column(|row, kind| row.bytes[kind]),
            requests: column(|row, kind| row.requests[kind]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_completion_belongs_to_the_interval_that_it_ends_in() {
        let mut rows = Rows::new(100);
        use Kind::*;
        for (kind, elapsed_ns) in [(Read, 0), (Read, 100), (Write, 101), (Read, 50), (Trim, 350)] {
            rows.record(kind, 4096, elapsed_ns);
        }
        let series = rows.columns(350);
        assert_eq!(series.elapsed_ns, vec![100, 200, 300, 350]);
        assert_eq!(series.requests, [vec![3, 0, 0, 0], vec![0, 1, 0, 0], vec![0, 0, 0, 1]]);
        assert_eq!(series.bytes[0], vec![3 * 4096, 0, 0, 0]);
    }

    #[test]
    fn a_request_after_years_of_rest_takes_no_row_for_each_interval_in_between() {
        let mut rows = Rows::new(100);
        for elapsed_ns in [50, 150, 250, flashscope_kernel::time::END_NS] {
            rows.record(Kind::Write, 4096, elapsed_ns);
        }
        assert!(rows.rows.len() as u64 <= ROWS_MAX, "{} rows", rows.rows.len());
        assert_eq!((rows.total_bytes(), rows.total_requests()), (4 * 4096, 4), "nothing is lost");
        let series = rows.columns(flashscope_kernel::time::END_NS);
        assert_eq!(series.requests[1][0], 3, "what lies close together lies in one row now");
        assert_eq!(series.elapsed_ns.last(), Some(&flashscope_kernel::time::END_NS));
        assert!(series.elapsed_ns[0].is_multiple_of(100), "rows end where intervals of the old grid ended");
    }

    #[test]
    fn nothing_counted_is_no_row() {
        assert_eq!(Rows::new(100).columns(0), Series::default());
    }
}
