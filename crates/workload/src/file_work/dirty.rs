//! What the cache holds and the drive does not have yet: data by file, the oldest file first, and metadata by address.
//!
//! Parts of a file that touch are one range, so the lazy writer writes them in one transfer.
//! Not modelled here: data that is overwritten or deleted before it is written; it is written here all the same.

use std::collections::{BTreeMap, VecDeque};

use super::trace::{Metadata, Part, Place};

/// Dirty data by file.
#[derive(Clone, Debug, Default)]
pub(super) struct DirtyData {
    /// For each file its dirty ranges: first byte, length.
    ranges: Vec<VecDeque<(u64, u64)>>,
    /// True for a file that waits in `queue` or that a thread of the lazy writer is writing.
    known: Vec<bool>,
    /// Files with dirty data that no thread is writing.
    queue: VecDeque<u32>,
    /// Dirty bytes that the lazy writer has not taken yet.
    pub waiting_bytes: u64,
}

impl DirtyData {
    pub fn new(file_count: usize) -> Self {
        Self { ranges: vec![VecDeque::new(); file_count], known: vec![false; file_count], ..Self::default() }
    }

    pub fn add(&mut self, part: Part) {
        let Part { file, from, length } = part;
        self.waiting_bytes += length;
        let ranges = &mut self.ranges[file as usize];
        match ranges.back_mut() {
            Some((start, known)) if *start + *known == from => *known += length,
            _ => ranges.push_back((from, length)),
        }
        if !self.known[file as usize] {
            self.known[file as usize] = true;
            self.queue.push_back(file);
        }
    }

    /// The next file for a thread.
    pub fn next_file(&mut self) -> Option<u32> {
        self.queue.pop_front()
    }

    /// At most `most` bytes of a file, from its oldest range on; `None` when no dirty data is left: the thread is done
    /// with the file.
    pub fn take(&mut self, file: u32, most: u64) -> Option<Part> {
        let ranges = &mut self.ranges[file as usize];
        let Some((from, length)) = ranges.front_mut() else {
            self.known[file as usize] = false;
            return None;
        };
        let part = Part { file, from: *from, length: most.min(*length) };
        *from += part.length;
        *length -= part.length;
        if *length == 0 {
            ranges.pop_front();
        }
        self.waiting_bytes -= part.length;
        Some(part)
    }
}

/// Dirty metadata: what has changed since the last pass began, and what the current pass writes.
#[derive(Clone, Debug, Default)]
pub(super) struct DirtyMetadata {
    /// The journal comes before the rest, each in the order of addresses.
    changed: BTreeMap<(bool, u64), (u64, Metadata)>,
    /// Ranges of the current pass; the next one is at the front.
    pass: VecDeque<(Metadata, Place)>,
}

impl DirtyMetadata {
    pub fn change(&mut self, kind: Metadata, place: Place) {
        let entry = self.changed.entry((kind != Metadata::Journal, place.offset)).or_insert((0, kind));
        entry.0 = entry.0.max(place.length);
    }

    pub fn is_clean(&self) -> bool {
        self.changed.is_empty() && self.pass.is_empty()
    }

    /// A pass takes everything that has changed, unless the previous pass is still under way.
    pub fn begin_pass(&mut self) {
        if self.pass.is_empty() {
            let entries = std::mem::take(&mut self.changed);
            let entry = |((_, offset), (length, kind))| (kind, Place { offset, length });
            self.pass = entries.into_iter().map(entry).collect();
        }
    }

    /// The next transfer of the pass, at most `most` bytes.
    pub fn take(&mut self, most: u64) -> Option<(Metadata, Place)> {
        let (kind, mut place) = self.pass.pop_front()?;
        while kind != Metadata::Record
            && let Some(&(next_kind, next)) = self.pass.front()
            && next_kind == kind
            && next.offset == place.offset + place.length
            && place.length + next.length <= most
        {
            place.length += next.length;
            self.pass.pop_front();
        }
        Some((kind, place))
    }

    /// Give up everything: nothing more is written.
    pub fn forget(&mut self) {
        self.changed.clear();
        self.pass.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(offset: u64, length: u64) -> Place {
        Place { offset, length }
    }

    #[test]
    fn the_journal_goes_first_and_records_one_by_one() {
        let mut dirty = DirtyMetadata::default();
        dirty.change(Metadata::Record, place(1024, 1024));
        dirty.change(Metadata::Record, place(2048, 1024));
        dirty.change(Metadata::Record, place(1024, 1024));
        dirty.change(Metadata::Bitmap, place(8192, 4096));
        dirty.change(Metadata::Bitmap, place(12288, 4096));
        dirty.change(Metadata::Journal, place(65536, 4096));
        dirty.begin_pass();
        let all: Vec<_> = std::iter::from_fn(|| dirty.take(65536)).collect();
        assert_eq!(
            all,
            [
                (Metadata::Journal, place(65536, 4096)),
                (Metadata::Record, place(1024, 1024)),
                (Metadata::Record, place(2048, 1024)),
                (Metadata::Bitmap, place(8192, 8192)),
            ]
        );
        assert!(dirty.is_clean());
    }

    #[test]
    fn parts_that_touch_are_written_together() {
        let mut dirty = DirtyData::new(2);
        for from in [0, 4096, 8192, 40960] {
            dirty.add(Part { file: 1, from, length: 4096 });
        }
        assert_eq!(dirty.next_file(), Some(1));
        assert_eq!(dirty.take(1, 1 << 20), Some(Part { file: 1, from: 0, length: 12288 }));
        assert_eq!(dirty.take(1, 1 << 20), Some(Part { file: 1, from: 40960, length: 4096 }));
        assert_eq!((dirty.take(1, 1 << 20), dirty.waiting_bytes), (None, 0));
        dirty.add(Part { file: 1, from: 0, length: 4096 });
        assert_eq!(dirty.next_file(), Some(1));
    }
}
