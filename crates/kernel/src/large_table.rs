//! Tables of hundreds of megabytes, read and written at random places.
//!
//! ```text
//!   new drive    [0 0 0 0 | 0 0 0 0 | 0 0 0 0 ]      a chunk takes memory when it is first written
//!   used         [7 3 0 1 | 0 0 0 0 | 0 2 0 0 ]      chunks 0 and 2 were written
//!   dropped      kept; the next table of this length takes it, with chunks 0 and 2 set to zero again
//! ```
//!
//! *Huge pages.* A page of memory has 4 KiB by default, and the processor keeps the addresses of a few thousand pages. A
//! map of 500 MiB has 128,000 pages, so nearly every access must first look up the address of its page. Huge pages
//! (2 MiB) avoid this. Linux gives them when `/sys/kernel/mm/transparent_hugepage/enabled` says `madvise` or `always`.
//!
//! *Memory is used again.* New memory comes from the system page by page, and in a virtual machine the system may have to
//! ask for it in turn: up to 2.5 s for a gibibyte, where setting it to zero takes 0.1 s. So the memory of a dropped table
//! is kept for the next one of the same length. A table of another length belongs to another kind of drive, and what
//! was kept is given back to the system then.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Entries of a chunk: 2 MiB, a huge page.
const CHUNK_ENTRIES: usize = 1 << 19;
/// Bytes of a table from which on huge pages help: the processor keeps the addresses of all pages of a smaller table.
const WORTH_ASKING_BYTES: usize = 2 << 20;
/// Bytes of a table from which on its memory is kept: the allocator keeps the memory of smaller tables itself.
const WORTH_KEEPING_BYTES: usize = 32 << 20;

/// Dropped tables, all of the lengths that were asked for since the last other one. They hold what they held.
static KEPT: Mutex<Vec<Memory>> = Mutex::new(Vec::new());

/// The memory of a table, and which of its chunks may hold something else than zeros.
#[derive(Debug, Default)]
struct Memory {
    entries: Vec<u32>,
    written: Vec<bool>,
}

/// A table of numbers that are zero until they are set; see the module's header.
#[derive(Debug)]
pub struct LargeTable {
    memory: Memory,
}

impl LargeTable {
    /// A table of `length` zeros.
    pub fn new(length: usize) -> Self {
        let memory = if is_worth_keeping(length) { taken(length) } else { None };
        Self { memory: memory.map_or_else(|| Memory::new(length), Memory::with_zeros) }
    }

    /// Set an entry.
    #[inline]
    pub fn set(&mut self, index: usize, value: u32) {
        self.memory.entries[index] = value;
        self.memory.written[index / CHUNK_ENTRIES] = true;
    }

    /// Set an entry; returns what it was.
    #[inline]
    pub fn replace(&mut self, index: usize, value: u32) -> u32 {
        self.memory.written[index / CHUNK_ENTRIES] = true;
        std::mem::replace(&mut self.memory.entries[index], value)
    }

    /// The entries from `first` on, to be set.
    #[inline]
    pub fn run_mut(&mut self, first: usize, count: usize) -> &mut [u32] {
        if let Some(last) = count.checked_sub(1) {
            self.memory.written[first / CHUNK_ENTRIES..=(first + last) / CHUNK_ENTRIES].fill(true);
        }
        &mut self.memory.entries[first..first + count]
    }

    /// Set an entry that was set before.
    #[inline]
    pub fn set_again(&mut self, index: usize, value: u32) {
        debug_assert!(self.memory.written[index / CHUNK_ENTRIES], "entry {index} was not set before");
        self.memory.entries[index] = value;
    }

    /// Set the entries from `first` on.
    #[inline]
    pub fn set_all(&mut self, first: usize, values: &[u32]) {
        self.run_mut(first, values.len()).copy_from_slice(values);
    }

    /// Set all entries to zero.
    pub fn clear(&mut self) {
        self.memory = std::mem::take(&mut self.memory).with_zeros();
    }
}

impl Deref for LargeTable {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        &self.memory.entries
    }
}

impl Clone for LargeTable {
    /// A copy of what was written; the rest takes no memory in it either.
    fn clone(&self) -> Self {
        let mut copy = Self::new(self.len());
        copy.memory.copy_written(&self.memory);
        copy
    }
}

impl Drop for LargeTable {
    fn drop(&mut self) {
        if is_worth_keeping(self.len()) {
            kept().push(std::mem::take(&mut self.memory));
        }
    }
}

impl Serialize for LargeTable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.memory.entries.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for LargeTable {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let entries: Vec<u32> = Vec::deserialize(deserializer)?;
        let written = vec![true; entries.len().div_ceil(CHUNK_ENTRIES)];
        Ok(Self { memory: Memory { entries, written } })
    }
}

impl Memory {
    fn new(length: usize) -> Self {
        let mut entries = vec![0; length];
        // No page has been used yet: whether a page is huge is decided when it is first used.
        ask_for_huge_pages(&mut entries);
        Self { entries, written: vec![false; length.div_ceil(CHUNK_ENTRIES)] }
    }

    fn with_zeros(mut self) -> Self {
        for (entries, written) in self.entries.chunks_mut(CHUNK_ENTRIES).zip(&mut self.written) {
            if std::mem::take(written) {
                entries.fill(0);
            }
        }
        self
    }

    /// Copy the chunks that were written in another memory of the same length; this one holds zeros.
    fn copy_written(&mut self, from: &Self) {
        let chunks = self.entries.chunks_mut(CHUNK_ENTRIES).zip(from.entries.chunks(CHUNK_ENTRIES));
        for ((entries, others), &written) in chunks.zip(&from.written) {
            if written {
                entries.copy_from_slice(others);
            }
        }
        self.written.clone_from(&from.written);
    }
}

/// Give the memory of dropped tables back to the system.
pub fn give_back_kept_memory() {
    kept().clear();
}

fn kept() -> MutexGuard<'static, Vec<Memory>> {
    // No code that could panic runs while it is locked, and what is kept is valid at each moment.
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The memory of a dropped table of this length, if one is kept; if none is, all that is kept is given back.
fn taken(length: usize) -> Option<Memory> {
    let mut kept = kept();
    let place = kept.iter().position(|memory| memory.entries.len() == length);
    let Some(place) = place else {
        kept.clear();
        return None;
    };
    Some(kept.swap_remove(place))
}

fn is_worth_keeping(length: usize) -> bool {
    length * size_of::<u32>() >= WORTH_KEEPING_BYTES
}

/// Ask the system for huge pages for this memory. Where the system has none, nothing happens.
#[cfg(target_os = "linux")]
#[expect(unsafe_code, reason = "madvise is a call into the system; see the comment at the call")]
fn ask_for_huge_pages<T>(memory: &mut [T]) {
    const PAGE_BYTES: usize = 4096;
    let bytes = size_of_val(memory);
    if bytes < WORTH_ASKING_BYTES {
        return;
    }
    let start = memory.as_mut_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE_BYTES);
    // SAFETY: MADV_HUGEPAGE changes how memory is laid out, never its content. The range lies within `memory`, which is
    // borrowed during the call. An error only means that there are no huge pages, so it is ignored.
    unsafe {
        libc::madvise(start.add(skipped).cast(), bytes - skipped, libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_huge_pages<T>(_memory: &mut [T]) {}

#[cfg(test)]
mod tests {
    use super::{CHUNK_ENTRIES, LargeTable, WORTH_KEEPING_BYTES, give_back_kept_memory, kept};

    #[test]
    fn a_table_holds_zeros_whatever_its_size() {
        for length in [0, 1, 1023, 1 << 19, (1 << 19) + 1, 3_000_001] {
            let table = LargeTable::new(length);
            assert_eq!(table.len(), length);
            assert!(table.iter().all(|&entry| entry == 0));
        }
    }

    /// The only test that keeps memory: what is kept is the same for all threads.
    #[test]
    fn memory_is_used_again_and_holds_zeros_again() {
        let length = WORTH_KEEPING_BYTES / 4 + 5;
        let address = |table: &LargeTable| table.as_ptr() as usize;
        let mut table = LargeTable::new(length);
        table.set(0, 1);
        table.set_all(CHUNK_ENTRIES - 1, &[2, 3]);
        table.set_all(length, &[]);
        assert_eq!(table.replace(length - 1, 4), 0);
        table.set_again(length - 2, 5);
        let copy = table.clone();
        assert!(copy.iter().eq(table.iter()), "a copy holds the same");
        let first = address(&table);
        drop(table);
        let mut again = LargeTable::new(length);
        assert_eq!(address(&again), first, "the memory of the dropped table");
        assert!(again.iter().all(|&entry| entry == 0), "what the dropped table held is not seen");
        again.set(7, 8);
        again.clear();
        assert!(again.iter().all(|&entry| entry == 0));
        assert_eq!((copy[CHUNK_ENTRIES], copy[length - 1]), (3, 4), "a copy is a table of its own");
        drop((copy, again));
        assert_eq!(kept().len(), 2);
        drop(LargeTable::new(length + 1));
        assert_eq!(kept().len(), 1, "only tables of the length that was asked for last");
        give_back_kept_memory();
        assert!(kept().is_empty());
    }
}
