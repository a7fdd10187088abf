//! Compression in the layer: the spare area that it adds, and the write amplification with it.

use crate::compression::Compression;
use crate::gc::{GcSettings, VictimRule};
use crate::translation::*;
use flashscope_kernel::random::{Stream, Streams, below};

const BLOCKS: u32 = 1024;
const SLOTS_PER_BLOCK: u32 = 64;
const SPARE: f64 = 0.10;

/// Write amplification of greedy collection for blocks of `b` units, of which a share is spare: the law for
/// infinitely many blocks, b rho (H_b - H_j + (j - X) / j) = b - X with j = ceil X, solved for X by bisection.
fn greedy_law(b: f64, spare: f64) -> f64 {
    // H_n - H_j of real n: between the harmonic numbers around it, as the digamma function has it.
    let harmonic = |n: f64| n.ln() + 0.577_215_664_9 + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n);
    let load = b * (1.0 - spare);
    let gap = |x: f64| {
        let j = x.ceil().max(1.0);
        load * (harmonic(b) - harmonic(j) + (j - x) / j) - (b - x)
    };
    let (mut low, mut high) = (1e-6, b * (1.0 - spare));
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if gap(middle) > 0.0 { low = middle } else { high = middle }
    }
    b / (b - low)
}

/// Moves per write, and programmed slots per write, under uniform random overwrites of data that is
/// `compressible(unit)`.
fn amplification(compressible: impl Fn(u32, &mut Stream) -> u8) -> (f64, f64) {
    let shape = Shape {
        unit_count: (f64::from(BLOCKS * SLOTS_PER_BLOCK) * (1.0 - SPARE)) as u32,
        slots_per_page: 1,
        pages_per_block: SLOTS_PER_BLOCK,
        blocks_per_pool: BLOCKS,
        pool_count: 1,
        initial_bad_block_count: 0,
        reserved_block_count: 0,
    };
    let settings = FtlSettings {
        compression: Some(Compression { most_units_per_slot: 2, zero_detection: true }),
        ..FtlSettings::only(GcSettings::plain(VictimRule::Greedy, 1, 1, 2))
    };
    let mut layer = Translation::new(&shape, &settings, &Streams::new(1));
    let mut chance = Streams::new(2).stream("writes");
    let mut write = |layer: &mut Translation, unit: Option<u32>| {
        let unit = unit.unwrap_or_else(|| below(&mut chance, shape.unit_count.into()) as u32);
        let compressible = compressible(unit, &mut chance);
        if layer.note_zeros(unit, compressible) {
            return;
        }
        if let Some(page) = layer.place(unit, compressible, 0).expect("there is room").complete {
            layer.page_programmed(page);
        }
    };
    (0..shape.unit_count).for_each(|unit| write(&mut layer, Some(unit)));
    let writes = 10 * shape.unit_count;
    (0..writes).for_each(|_| write(&mut layer, None));
    let before = layer.tally();
    (0..writes).for_each(|_| write(&mut layer, None));
    layer.check();
    let after = layer.tally();
    let moves = (after.moved_units - before.moved_units) as f64;
    let pages = (after.programmed_pages() - before.programmed_pages()) as f64;
    (moves / f64::from(writes), pages / f64::from(writes))
}

/// The spare of blocks whose data takes `size` of its slots: all blocks but a free one and two being filled hold 1 /
/// `size` times as many units.
fn effective_spare(size: f64) -> f64 {
    let blocks = f64::from(BLOCKS) - 2.0;
    1.0 - (1.0 - SPARE) * f64::from(BLOCKS) * size / blocks
}

#[test]
fn the_law_for_random_data_is_what_the_reference_says() {
    assert!((greedy_law(64.0, 0.10) / 4.821 - 1.0).abs() < 0.002, "{}", greedy_law(64.0, 0.10));
    assert!((greedy_law(128.0, 0.20) / 2.645 - 1.0).abs() < 0.002, "{}", greedy_law(128.0, 0.20));
}

#[test]
fn compressible_data_amplifies_as_the_law_says_for_the_spare_it_gains() {
    for compressible in [0, 16, 32, 64, 128] {
        let size = (1.0 - f64::from(compressible) / 255.0).max(0.5);
        let law = greedy_law(f64::from(SLOTS_PER_BLOCK) / size, effective_spare(size));
        let (moves, slots) = amplification(|_, _| compressible);
        println!(
            "size {size:.3}: {:.3} of the spare, write amplification {:.3} of units (law {law:.3}), {slots:.3} of bytes",
            effective_spare(size),
            1.0 + moves,
        );
        assert!(((1.0 + moves) / law - 1.0).abs() < 0.01, "{compressible}: {} units, the law says {law}", 1.0 + moves);
        assert!((slots / (size * (1.0 + moves)) - 1.0).abs() < 0.01, "bytes are units by their size");
    }
}

#[test]
fn a_mix_amplifies_as_data_of_its_mean_size_does() {
    let (alike, _) = amplification(|_, _| 51);
    let (mixed, _) = amplification(|_, chance| if below(chance, 2) == 0 { 0 } else { 102 });
    println!("moves per write: {alike:.3} all of size 0.8, {mixed:.3} half of size 1, half of size 0.6");
    assert!((mixed / alike - 1.0).abs() < 0.02, "{alike} and {mixed}");
}

#[test]
fn data_that_nobody_overwrites_and_that_does_not_compress_is_not_moved_for_ever() {
    // The lower half holds random data and is not overwritten. Its blocks have the fewest units, but collecting them
    // gains nothing.
    let (moves, _) = amplification(|unit, _| if unit.is_multiple_of(2) { 0 } else { 128 });
    assert!(moves < 3.0, "{moves} moves per write");
}

#[test]
fn a_unit_of_zeros_leaves_its_slot_and_can_be_written_again() {
    let settings = FtlSettings {
        compression: Some(Compression { most_units_per_slot: 1, zero_detection: true }),
        ..FtlSettings::only(GcSettings::plain(VictimRule::Greedy, 1, 1, 2))
    };
    let shape = Shape {
        unit_count: 32,
        slots_per_page: 2,
        pages_per_block: 4,
        blocks_per_pool: 16,
        pool_count: 1,
        initial_bad_block_count: 0,
        reserved_block_count: 0,
    };
    let mut layer = Translation::new(&shape, &settings, &Streams::new(1));
    layer.place(3, 0, 0).unwrap();
    assert!(!layer.note_zeros(3, 254), "not all of it");
    assert!(layer.note_zeros(3, 255));
    assert!(layer.note_zeros(4, 255));
    assert_eq!((layer.slot(3), layer.slot(4)), (crate::mapping::ZERO, crate::mapping::ZERO));
    assert_eq!(layer.compressible(3), 255);
    layer.check();
    layer.trim(3);
    layer.place(4, 7, 0).unwrap();
    assert_eq!((layer.slot(3), layer.compressible(4)), (crate::mapping::NOWHERE, 7));
    layer.check();
    let tally = layer.tally();
    assert_eq!((tally.placed_units, tally.zero_units), (2, 2));
}
