//! What memory itself costs: the latency of a random load whose address is the value loaded before.
//!
//! ```text
//!   table   [ 7 2 5 0 .. ]       at = table[at]; at = table[at]; ...      one long cycle through all entries
//! ```
//!
//! The table is as large as the drive's map: one 4-byte entry per page. No load can begin before the previous one has
//! ended, so this is the cost of a cache miss (and of its page walk) that nothing can hide. Where the cost of a host
//! write grows in step with this number, the memory causes the growth, not the algorithm.
//!
//! Assumes that a full-period congruential sequence looks random to the prefetchers.

use crate::clock::cpu_seconds;
use crate::line::Line;
use std::hint::black_box;

const LOADS: u32 = 4_000_000;

/// The line with the latency of memory for a table of the drive's size.
pub fn beside(line: Line) -> Line {
    let entries = (line.raw_bytes / 4096).next_power_of_two() as u32;
    Line { dependent_load_ns: Some(dependent_load_ns(entries)), ..line }
}

/// Latency in a table of `entries`, a power of two [ns]; the fastest of three.
fn dependent_load_ns(entries: u32) -> f64 {
    let table = cycle(entries);
    let mut at = 0;
    let mut fastest = f64::INFINITY;
    for _ in 0..3 {
        let start = cpu_seconds();
        for _ in 0..LOADS {
            at = table[at as usize];
        }
        at = black_box(at);
        fastest = fastest.min((cpu_seconds() - start) * 1e9 / f64::from(LOADS));
    }
    fastest
}

/// A permutation that is one cycle (Hull and Dobell, 1962: the factor is 1 modulo 4, the increment odd).
fn cycle(entries: u32) -> Vec<u32> {
    let mask = entries - 1;
    (0..entries).map(|at| at.wrapping_mul(2_654_435_761).wrapping_add(1_013_904_223) & mask).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_visits_every_entry_before_it_repeats() {
        let table = cycle(1 << 12);
        let mut at = 0;
        let steps = (1..).find(|_| {
            at = table[at as usize];
            at == 0
        });
        assert_eq!(steps, Some(1 << 12));
    }
}
