//! Text comes in parts of any size and goes out as rows of the wanted columns.

use crate::surprises::{is_plain, may_have_fractions};
use crate::words::find_commas;
use std::io::Write as _;
use std::ops::Range;

/// The longest line that is cut [bytes]; a longer one is a surprise.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// Cuts one text, from its first byte to its last.
///
/// The first line, the headings, is not given out. Of every other line comes a line: the place of its first byte in the
/// text [bytes], and its wanted columns in the order in which they stand there.
pub struct Cutter {
    column_count: usize,
    /// Wanted columns that stand side by side.
    runs: Vec<Range<usize>>,
    /// The numbers of the commas before and behind the runs, and where they stand in the line at hand.
    stops: Vec<usize>,
    stop_places: Vec<usize>,
    /// The line whose end has not come yet.
    begun: Vec<u8>,
    line_count: u64,
    taken_bytes: u64,
    is_plain: bool,
    has_fractions: bool,
    /// The last two bytes so far.
    end: Vec<u8>,
}

impl Cutter {
    /// column_count: of a whole line. wanted: ascending, without repetition, below column_count.
    ///
    /// Returns None when `wanted` is not that, or is empty.
    #[must_use]
    pub fn new(column_count: usize, wanted: &[usize]) -> Option<Self> {
        if !wanted.is_sorted_by(|one, next| one < next) || wanted.last()? >= &column_count {
            return None;
        }
        let mut runs: Vec<Range<usize>> = Vec::new();
        for column in wanted {
            match runs.last_mut() {
                Some(run) if run.end == *column => run.end += 1,
                _ => runs.push(*column..column + 1),
            }
        }
        let behind_last = column_count - 1; // the comma there is one too many
        let mut stops: Vec<usize> = runs.iter().flat_map(|run| [run.start.wrapping_sub(1), run.end - 1]).collect();
        stops.retain(|stop| *stop < behind_last);
        stops.push(behind_last);
        stops.dedup();
        Some(Self {
            column_count,
            stop_places: vec![0; stops.len()],
            runs,
            stops,
            begun: Vec::new(),
            line_count: 0,
            taken_bytes: 0,
            is_plain: true,
            has_fractions: false,
            end: Vec::new(),
        })
    }

    /// The cut rows of all lines that end in this part of the text.
    ///
    /// Once the text is not plain, nothing more comes.
    pub fn cut(&mut self, part: &[u8]) -> Vec<u8> {
        let mut rows = Vec::with_capacity(part.len() / 4);
        self.is_plain &= is_plain(part);
        let seam = [&self.end[..], &part[..part.len().min(2)]].concat();
        self.has_fractions |= may_have_fractions(part) || may_have_fractions(&seam);
        self.end.extend_from_slice(&part[part.len().saturating_sub(2)..]);
        self.end.drain(..self.end.len().saturating_sub(2));
        if !self.is_plain {
            self.line_count += memchr::memchr_iter(b'\n', part).count() as u64;
            return rows;
        }
        let mut rest = part;
        while let Some(length) = memchr::memchr(b'\n', rest) {
            let (line, behind) = (&rest[..length], &rest[length + 1..]);
            if self.begun.is_empty() {
                self.cut_line(line, &mut rows);
            } else {
                let mut begun = std::mem::take(&mut self.begun);
                begun.extend_from_slice(line);
                self.cut_line(&begun, &mut rows);
                begun.clear();
                self.begun = begun;
            }
            rest = behind;
        }
        self.begun.extend_from_slice(rest);
        self.is_plain &= self.begun.len() < LINE_BYTES_MAX;
        rows
    }

    /// Whether the text so far was plain; of one that is not, the cut rows are worth nothing.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether a number of the text so far may have a fraction.
    #[must_use]
    pub fn has_fractions(&self) -> bool {
        self.has_fractions
    }

    /// The lines that ended so far, the headings included.
    #[must_use]
    pub fn line_count(&self) -> u64 {
        self.line_count
    }

    fn cut_line(&mut self, line: &[u8], rows: &mut Vec<u8>) {
        let place = self.taken_bytes;
        self.taken_bytes += line.len() as u64 + 1;
        self.line_count += 1;
        self.is_plain &= line.len() < LINE_BYTES_MAX;
        if self.line_count == 1 {
            return;
        }
        if line.is_empty() {
            rows.push(b'\n'); // who reads the text steps over it
            return;
        }
        let columns = find_commas(line, &self.stops, &mut self.stop_places) + 1;
        write!(rows, "{place}").expect("memory takes what is written");
        if columns < self.column_count {
            rows.push(b'\n'); // one column, where more are needed
            return;
        }
        for run in &self.runs {
            let start = if run.start == 0 { 0 } else { self.place_of(run.start - 1) + 1 };
            let end = if run.end == columns { line.len() } else { self.place_of(run.end - 1) };
            rows.push(b',');
            rows.extend_from_slice(&line[start..end]);
        }
        if columns > self.column_count {
            rows.extend_from_slice(&line[self.place_of(self.column_count - 1)..]);
        }
        rows.push(b'\n');
    }

    /// Where comma number `stop` stands in the line at hand.
    fn place_of(&self, stop: usize) -> usize {
        self.stop_places[self.stops.partition_point(|one| *one < stop)]
    }
}
