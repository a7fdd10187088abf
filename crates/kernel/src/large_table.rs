//! Tables of hundreds of megabytes, read and written at random places.
//!
//! A page of memory is 4 KiB unless somebody asks, and the processor remembers where a few thousand of them lie. A map of
//! 500 MiB has 128,000: nearly every access first looks up its page. Huge pages (2 MiB) take that away. Linux gives them
//! where it is asked to (`/sys/kernel/mm/transparent_hugepage/enabled` says `madvise` or `always`).
//!
//! Not done: asking again for the copy of a table (a clone, a drive brought back from a snapshot), which has pages of
//! 4 KiB and works as well.

/// Bytes from which on it is worth asking: below, all pages are remembered anyway.
const WORTH_ASKING_BYTES: usize = 2 << 20;

/// A table of `length` zeros, in huge pages where the system gives them. Memory is taken where it is first written to.
pub fn large_table(length: usize) -> Vec<u32> {
    let mut table = vec![0; length];
    // Nothing of it has been touched: a page is huge from its first touch on, or it is not.
    ask_for_huge_pages(&mut table);
    table
}

/// Say that this memory will be used at random. Where the system cannot help, nothing happens.
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
    // SAFETY: MADV_HUGEPAGE changes how memory is laid out and never what it holds. The range lies within `memory`, which
    // is borrowed for as long as the call takes. An error means no huge pages, which is no failure.
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
