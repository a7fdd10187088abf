//! The pSLC cache: its size, its times, what happens when it is full, and how it is emptied.

use super::{PSLC_TIMING, latency_ns, request, small_config, small_pslc};
use crate::request::{RequestKind, Status};
use crate::ssd::*;
use crate::{Drive, Member};
use flashscope_ftl::translation::Reason;
use flashscope_ftl::{Pslc, WhenFull};

/// Pages of a pSLC block: a quarter of 16.
const PSLC_PAGES: u64 = 4;
const SLC_WRITE_NS: u64 = (5 + 10 + 100 + 200) * 1000;
const NATIVE_WRITE_NS: u64 = (5 + 10 + 100 + 900) * 1000;
/// Sensing, two bus transfers and programming of a page; erasing of a block.
const FOLD_PAGE_NS: u64 = (20 + 2 * 100 + 900) * 1000;
const FOLD_BLOCK_NS: u64 = PSLC_PAGES * FOLD_PAGE_NS + 1_000_000;

/// One bank of 32 blocks, three of them bad or reserved; four bits per cell.
fn one_bank(pslc: Pslc) -> Config {
    let mut config = small_config();
    config.geometry.channels = 1;
    config.capacity.user_bytes = 1 << 20;
    config.timing.pslc = Some(PSLC_TIMING);
    config.pslc = Some(pslc);
    config
}

fn static_cache(static_block_count: u32, when_full: WhenFull) -> Pslc {
    Pslc { static_block_count, dynamic_keep_free_blocks: 0, ..small_pslc(when_full) }
}

fn write(drive: &mut Ssd, unit: u64) -> u64 {
    latency_ns(drive, request(RequestKind::Write, unit * 4096, 4096))
}

#[test]
fn the_static_cache_holds_its_bytes_exactly_and_then_writes_slow_down_by_the_program_time() {
    let config = one_bank(static_cache(3, WhenFull::Past));
    let cache_bytes = 3 * config.geometry.pool_block_bytes() / 4;
    let mut drive = Ssd::new(config, 1).unwrap();
    let mut fast = 0;
    while write(&mut drive, fast) == SLC_WRITE_NS {
        fast += 1;
    }
    assert_eq!(fast * 4096, cache_bytes);
    assert_eq!(write(&mut drive, 30), NATIVE_WRITE_NS);
    let inside = drive.inside();
    assert_eq!((inside.pslc_block_count, inside.pslc.iter().filter(|&&is_pslc| is_pslc).count()), (3, 3));
    let counters = drive.counters();
    assert_eq!((counters.pslc_written_pages, counters.host_programmed_pages), (fast, fast + 2));
    let read = |drive: &mut Ssd, unit: u64| latency_ns(drive, request(RequestKind::Read, unit * 4096, 4096));
    assert_eq!(read(&mut drive, 0), (5 + 20 + 100 + 10) * 1000, "out of a pSLC block");
    assert_eq!(read(&mut drive, 30), (5 + 50 + 100 + 10) * 1000, "out of a native one");
    drive.check();
}

#[test]
fn a_full_cache_that_folds_first_is_as_slow_as_writing_and_folding_one_after_the_other() {
    let mut drive = Ssd::new(one_bank(static_cache(3, WhenFull::Fold)), 1).unwrap();
    let cache = 3 * PSLC_PAGES;
    (0..cache).for_each(|unit| assert_eq!(write(&mut drive, unit), SLC_WRITE_NS));
    assert_eq!(write(&mut drive, cache), FOLD_BLOCK_NS + SLC_WRITE_NS, "the host waits for one block");
    assert_eq!(write(&mut drive, cache + 1), SLC_WRITE_NS, "and has its room then");
    let written = cache + 2;
    let start_ns = drive.now_ns();
    let rest = 10 * PSLC_PAGES;
    (written..written + rest).for_each(|unit| _ = write(&mut drive, unit));
    let each_ns = (drive.now_ns() - start_ns) / rest;
    let (slc_rate, fold_rate) = (1e9 / SLC_WRITE_NS as f64, 1e9 * PSLC_PAGES as f64 / FOLD_BLOCK_NS as f64);
    let law_ns = (1e9 / slc_rate + 1e9 / fold_rate).round() as u64;
    println!("{each_ns} ns a page; past the cache {NATIVE_WRITE_NS}");
    assert_eq!(each_ns, law_ns, "1 / (1 / R_slc + 1 / R_fold)");
    assert_eq!(drive.counters().folded_units, 11 * PSLC_PAGES);
    assert!(drive.inside().decisions.iter().all(|decision| decision.reason == Reason::Fold));
    drive.check();
}

#[test]
fn an_idle_drive_folds_at_its_delay_and_not_a_nanosecond_before_until_the_cache_is_empty() {
    let mut drive = Ssd::new(one_bank(static_cache(3, WhenFull::Past)), 1).unwrap();
    (0..3 * PSLC_PAGES).for_each(|unit| _ = write(&mut drive, unit));
    // The delay counts from the arrival of the last request, 15 us after its submission.
    let arrived_ns = drive.now_ns() - SLC_WRITE_NS + 15_000;
    let due_ns = arrived_ns + 1_000_000_000;
    drive.idle(due_ns - 1 - drive.now_ns());
    assert_eq!(drive.counters().folded_units, 0, "at t - 1");
    drive.idle(1);
    assert_eq!(drive.counters().folded_units, PSLC_PAGES, "at t");
    drive.idle(3 * FOLD_BLOCK_NS - 1);
    let at_ns: Vec<u64> = drive.inside().decisions.iter().map(|decision| decision.at_ns).collect();
    assert_eq!(at_ns, [0, 1, 2].map(|block| due_ns + block * FOLD_BLOCK_NS), "one block after the other");
    drive.idle(1);
    assert_eq!((drive.inside().pslc_block_count, drive.counters().folded_units), (0, 3 * PSLC_PAGES));
    assert_eq!(write(&mut drive, 0), SLC_WRITE_NS, "there is room again");
    drive.check();
}

#[test]
fn the_dynamic_cache_takes_the_free_blocks_but_those_that_are_kept_and_shrinks_as_the_drive_fills() {
    let pslc = Pslc { static_block_count: 0, dynamic_keep_free_blocks: 9, ..small_pslc(WhenFull::Past) };
    let mut drive = Ssd::new(one_bank(pslc), 1).unwrap();
    let mut unit = 0;
    let mut bursts = vec![];
    while unit < 200 {
        let room = u64::from(drive.inside().free_blocks[0] - 9);
        let before = drive.counters().pslc_written_pages;
        while write(&mut drive, unit) == SLC_WRITE_NS {
            unit += 1;
        }
        let burst = drive.counters().pslc_written_pages - before;
        assert_eq!(burst, PSLC_PAGES * room, "at {unit} units of 256");
        bursts.push(burst);
        // To the end of the native block that was opened; then the cache is folded.
        (1..16).for_each(|offset| _ = write(&mut drive, unit + offset));
        unit += 16;
        drive.idle(60_000_000_000);
    }
    println!("bursts of {bursts:?} pages");
    assert!(bursts.len() > 2 && bursts.is_sorted_by(|a, b| a > b), "{bursts:?}");
    drive.check();
}

#[test]
fn the_cliff_comes_when_writing_has_outrun_folding_by_the_size_of_the_cache() {
    let mut config = one_bank(Pslc { fold_delay_ns: 0, ..static_cache(64, WhenFull::Past) });
    config.geometry.blocks_per_plane = 256;
    config.capacity.user_bytes = 4 << 20;
    let mut drive = Ssd::new(config, 1).unwrap();
    let interval_ns = 1_000_000;
    let mut tag = 0;
    let cliff_ns = loop {
        let at_ns = u64::from(tag) * interval_ns;
        while drive.next_completion(at_ns).is_some() {}
        let counters = drive.counters();
        if counters.host_programmed_pages > counters.pslc_written_pages {
            break at_ns;
        }
        drive.submit(at_ns, tag, request(RequestKind::Write, u64::from(tag) * 4096, 4096));
        tag += 1;
    };
    // Programming with its transfer takes 300 us of each millisecond; the rest of the time is left for folding.
    let rate_in = 1e9 / interval_ns as f64;
    let rate_fold = (1.0 - rate_in * 300e-6) * 1e9 * PSLC_PAGES as f64 / FOLD_BLOCK_NS as f64;
    let law_s = 64.0 * PSLC_PAGES as f64 / (rate_in - rate_fold);
    let found_s = cliff_ns as f64 * 1e-9;
    println!("cliff after {found_s:.3} s, the law says {law_s:.3} s");
    assert!((found_s / law_s - 1.0).abs() < 0.03, "{found_s} s, the law says {law_s} s");
    drive.check();
}

#[test]
fn a_power_cut_keeps_what_is_in_the_cache_and_erasing_all_empties_it() {
    let mut drive = Ssd::new(one_bank(small_pslc(WhenFull::Fold)), 1).unwrap();
    (0..6).for_each(|unit| _ = write(&mut drive, unit));
    drive.submit(drive.now_ns(), 0, request(RequestKind::Write, 6 * 4096, 4096));
    assert_eq!(drive.next_completion(drive.now_ns() + 100_000), None);
    assert_eq!(drive.power_cut(), 1);
    assert_eq!(drive.inside().pslc_block_count, 2, "they stay what they are");
    assert_eq!(drive.inside().valid_slots.iter().sum::<u32>(), 6);
    drive.check();
    drive.idle(60_000_000_000);
    assert_eq!(drive.inside().pslc_block_count, 0);
    (0..40).for_each(|unit| _ = write(&mut drive, unit));
    drive.secure_erase();
    assert_eq!((drive.inside().pslc_block_count, drive.inside().valid_slots.iter().sum::<u32>()), (0, 0));
    drive.check();
    assert_eq!(write(&mut drive, 0), SLC_WRITE_NS);
}

#[test]
fn a_full_drive_goes_on_with_its_cache_in_either_way_under_random_overwrites() {
    for when_full in [WhenFull::Past, WhenFull::Fold] {
        let mut drive = Ssd::new(one_bank(small_pslc(when_full)), 1).unwrap();
        for step in 0..4000_u64 {
            drive.submit(drive.now_ns(), 0, request(RequestKind::Write, step * 331 % 256 * 4096, 4096));
            assert_eq!(drive.next_completion(u64::MAX).unwrap().status, Status::Done);
        }
        let counters = drive.counters();
        let share = counters.pslc_written_pages as f64 / counters.host_programmed_pages as f64;
        println!("{when_full:?}: {:.0} % of the pages went to pSLC blocks", 100.0 * share);
        assert_eq!(share > 0.9, when_full == WhenFull::Fold);
        drive.check();
    }
}

#[test]
fn a_file_rewritten_in_order_stays_in_the_cache_where_stale_blocks_are_reclaimed_for_it() {
    let share_after = |when_full| {
        let mut drive = Ssd::new(one_bank(small_pslc(when_full)), 1).unwrap();
        (0..400).for_each(|step| _ = write(&mut drive, step % 40));
        drive.check();
        let counters = drive.counters();
        counters.pslc_written_pages as f64 / counters.host_programmed_pages as f64
    };
    assert_eq!(share_after(WhenFull::Reclaim), 1.0);
    assert!(share_after(WhenFull::Past) < 0.6);
}

#[test]
fn with_both_counts_0_there_is_no_cache() {
    let off = Pslc { static_block_count: 0, dynamic_keep_free_blocks: 0, ..small_pslc(WhenFull::Fold) };
    let mut drive = Ssd::new(one_bank(off), 1).unwrap();
    assert_eq!(write(&mut drive, 0), NATIVE_WRITE_NS);
    assert_eq!((drive.inside().pslc.len(), drive.inside().pslc_block_count), (0, 0));
}
