//! Tables of hundreds of megabytes, read and written at random places.
//!
//! A page of memory has 4 KiB by default, and the processor keeps the addresses of a few thousand pages. A map of
//! 500 MiB has 128,000 pages, so nearly every access must first look up the address of its page. Huge pages (2 MiB)
//! avoid this. Linux gives them when `/sys/kernel/mm/transparent_hugepage/enabled` says `madvise` or `always`.
//!
//! Not done: asking for huge pages for the copy of a table (a clone, or a drive read from a snapshot). The copy has
//! pages of 4 KiB and gives the same results.

/// Bytes of a table from which on huge pages help: the processor keeps the addresses of all pages of a smaller table.
const WORTH_ASKING_BYTES: usize = 2 << 20;

/// A table of `length` zeros, in huge pages where the system gives them. A page takes memory when it is first written.
pub fn large_table(length: usize) -> Vec<u32> {
    let mut table = vec![0; length];
    // No page has been used yet: whether a page is huge is decided when it is first used.
    ask_for_huge_pages(&mut table);
    table
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
    use super::large_table;

    #[test]
    fn a_table_holds_zeros_whatever_its_size() {
        for length in [0, 1, 1023, 1 << 19, (1 << 19) + 1, 3_000_001] {
            let table = large_table(length);
            assert_eq!((table.len(), table.capacity()), (length, length));
            assert!(table.iter().all(|&entry| entry == 0));
        }
    }
}
