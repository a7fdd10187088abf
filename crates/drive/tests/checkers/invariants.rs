//! Invariants, one function each.

use crate::configs::has_buffer;
use crate::host::{Asked, Sums};
use flashscope_drive::SECTOR_BYTES;
use flashscope_drive::host::Link;
use flashscope_drive::ssd::Life;
use flashscope_drive::{Completion, Drive, Inside, RequestKind, Ssd, Status, VirtualDrive};
use flashscope_kernel::time::transfer_ns;

/// All counts by name.
pub type Counts = Vec<(&'static str, u64)>;

/// No count ever decreases.
pub fn counters_never_fall(before: &Counts, now: &Counts) {
    for (&(name, was), &(_, is)) in before.iter().zip(now) {
        assert!(is >= was, "{name} fell from {was} to {is}");
    }
}

/// Time passes up to the returned answer, and never backwards.
pub fn time_never_goes_back(before_ns: u64, drive: &VirtualDrive) {
    assert!(drive.now_ns() >= before_ns, "it was {before_ns} ns and is {} ns", drive.now_ns());
}

/// Answers come in the order of their times, and the drive's time is then that of the answer.
pub fn answers_come_in_order(latest_ns: u64, answer: &Completion, drive: &VirtualDrive) {
    assert!(answer.at_ns >= latest_ns, "an answer at {} ns after one at {latest_ns} ns", answer.at_ns);
    assert_eq!(answer.at_ns, drive.now_ns(), "it is the time of the answer");
}

/// No request is faster than its command and its data on the link.
pub fn answers_take_command_and_link(asked: &Asked, answer: &Completion, drive: &VirtualDrive) {
    let length_bytes = asked.request.length_bytes;
    let carries = match asked.request.kind {
        RequestKind::Read => matches!(answer.status, Status::Done | Status::Unreadable),
        RequestKind::Write => answer.status == Status::Done,
        RequestKind::Trim | RequestKind::Flush => false,
    };
    let by_link =
        |link: &Link| link.command_cost_ns + if carries { transfer_ns(length_bytes, link.bytes_per_second) } else { 0 };
    let least_ns = match drive {
        VirtualDrive::Ssd(ssd) => by_link(&ssd.config().link),
        VirtualDrive::Disk(disk) => by_link(&disk.config().link),
        VirtualDrive::Hybrid(hybrid) => by_link(&hybrid.config().disk.link),
        VirtualDrive::Memory(memory) => match &memory.config().link {
            Some(link) => by_link(link),
            None => memory.config().command_cost_ns,
        },
        VirtualDrive::Stripe(stripe) => {
            let host = &stripe.config().host;
            host.command_cost_ns + if carries { transfer_ns(length_bytes, host.bytes_per_second) } else { 0 }
        }
    };
    let took_ns = answer.at_ns - asked.at_ns;
    assert!(took_ns >= least_ns, "{:?} took {took_ns} ns, less than {least_ns} ns", asked.request);
}

/// Requests outside the drive are refused, and only those; every other request that is not carried out has a reason.
pub fn statuses_have_reasons(asked: &Asked, answer: &Completion, drive: &VirtualDrive) {
    let request = &asked.request;
    let whole = (request.offset_bytes | request.length_bytes).is_multiple_of(drive.sector_bytes().min(SECTOR_BYTES));
    let inside = request.length_bytes > 0 && request.offset_bytes + request.length_bytes <= drive.user_bytes();
    let in_range = request.kind == RequestKind::Flush || (whole && inside);
    assert_eq!(answer.status == Status::OutOfRange, !in_range, "{request:?} ended {:?}", answer.status);
    let Some(ssd) = drive.ssd() else {
        let may_fail = matches!(drive, VirtualDrive::Stripe(_));
        assert!(may_fail || matches!(answer.status, Status::Done | Status::OutOfRange), "{:?}", answer.status);
        return;
    };
    let counters = ssd.counters();
    let lost_blocks = counters.program_failed_blocks + counters.erase_failed_blocks + counters.read_failed_blocks;
    let has_reason = match answer.status {
        Status::Done | Status::OutOfRange => true,
        Status::NoFreeBlock => false,
        Status::ReadOnly => lost_blocks > 0 && ssd.life() == Life::ReadOnly,
        Status::Dead => lost_blocks > 0 && ssd.life() == Life::Dead,
        Status::Unreadable => ssd.config().ecc.is_some() && request.kind == RequestKind::Read,
        Status::NotSupported => !ssd.config().trim.supported && request.kind == RequestKind::Trim,
    };
    assert!(has_reason, "{request:?} ended {:?} without a reason", answer.status);
}

/// Free, open, closed, bad and reserved blocks are all blocks together; the blocks that went bad were counted.
pub fn every_block_is_accounted_for(ssd: &Ssd, inside: &Inside) {
    let count =
        |states: std::ops::RangeInclusive<u8>| inside.states.iter().filter(|&state| states.contains(state)).count();
    let (config, counters) = (ssd.config(), ssd.counters());
    let all = config.geometry.blocks_per_pool() * config.geometry.pool_count();
    assert_eq!((inside.states.len(), count(0..=8)), (all as usize, all as usize), "blocks");
    assert_eq!(count(4..=4), config.capacity.initial_bad_block_count as usize, "initial bad blocks");
    assert_eq!(count(5..=5), config.capacity.reserved_block_count as usize, "reserved blocks");
    assert_eq!(count(6..=6) as u64, counters.erase_failed_blocks, "blocks that could not be erased");
    assert_eq!(count(7..=7) as u64, counters.program_failed_blocks, "blocks that could not be programmed");
    assert_eq!(count(8..=8) as u64, counters.read_failed_blocks, "blocks that could not be read");
    assert_eq!(inside.free_blocks.iter().sum::<u32>() as usize, count(0..=0), "free blocks");
    let in_pools = config.geometry.pool_count() as usize;
    assert_eq!(inside.free_blocks.len(), in_pools, "each pool has its free blocks");
}

/// Every erase was counted, in the block and for the drive.
pub fn erases_add_up(ssd: &Ssd, inside: &Inside) {
    let erases: u64 = inside.erase_counts.iter().map(|&erases| u64::from(erases)).sum();
    assert_eq!(erases, ssd.counters().erased_blocks);
}

/// No more units are mapped than the host can address, no block holds more than fits, free and bad blocks hold nothing.
pub fn no_more_is_mapped_than_there_is(ssd: &Ssd, inside: &Inside) {
    let mapped: u64 = inside.valid_slots.iter().map(|&valid| u64::from(valid)).sum();
    assert!(mapped <= ssd.config().unit_count(), "{mapped} units are mapped of {}", ssd.config().unit_count());
    for (block, (&valid, &state)) in inside.valid_slots.iter().zip(&inside.states).enumerate() {
        let most = if matches!(state, 1..=3) { ssd.config().slots_per_block() } else { 0 };
        assert!(u64::from(valid) <= most, "block {block} in state {state} holds {valid} units");
    }
}

/// Decisions are stored in the order in which they were made, and no bank worked longer than time has passed.
pub fn work_takes_time(ssd: &Ssd, inside: &Inside) {
    assert!(inside.decisions.is_sorted_by_key(|decision| decision.at_ns), "decisions in order");
    assert!(inside.decisions.last().is_none_or(|latest| latest.at_ns <= ssd.now_ns()), "none is from the future");
    assert!(inside.bank_busy_ns.iter().all(|&busy_ns| busy_ns <= ssd.now_ns()), "{:?}", inside.bank_busy_ns);
}

/// Every byte on flash is host data, moved data, filling or parity, or was lost with a failed program.
///
/// `sums.write_pieces` counts a piece for each unit that a write touched; pieces of a unit in a buffer go to flash as
/// one.
pub fn bytes_on_flash_are_host_moved_or_filling(ssd: &Ssd, sums: &Sums) {
    let (config, counters) = (ssd.config(), ssd.counters());
    let pages = counters.host_programmed_pages + counters.gc_programmed_pages;
    let page_bytes = u64::from(config.geometry.programmed_page_bytes());
    assert_eq!(
        counters.nand_written_bytes,
        (pages + counters.parity_pages + counters.failed_programs) * page_bytes,
        "bytes on flash"
    );
    let slots = pages * u64::from(config.slots_per_page());
    let moved = counters.gc_moved_units + counters.gathered_units;
    let most = sums.write_pieces + moved + counters.padded_slots;
    assert!(slots <= most, "{slots} slots were programmed for {most} pieces, moves and fillings");
    if !has_buffer(config) && config.log_blocks.is_none() {
        // Only pages being filled, and pages dropped by cuts and erases, can be missing.
        let lanes = u64::from(config.geometry.pool_count()) * 4 * u64::from(config.slots_per_page());
        let missing = lanes * (1 + sums.cuts + sums.erases);
        let least = sums.done_pieces + moved + counters.padded_slots;
        assert!(slots + missing >= least, "{slots} slots were programmed, at least {least} less {missing} were due");
    }
}

/// With nothing under way, the counts of requests equal what was sent, except for requests lost in a power cut.
pub fn requests_are_counted_once(counts: &Counts, sums: &Sums) {
    let count = |name: &str| counts.iter().find(|count| count.0 == name).map_or(0, |count| count.1);
    for (kind, names) in [
        (RequestKind::Read, ("host_read_requests", "host_read_bytes")),
        (RequestKind::Write, ("host_write_requests", "host_written_bytes")),
        (RequestKind::Trim, ("host_trim_requests", "host_trimmed_bytes")),
    ] {
        let (asked, lost) = (sums.answered(kind), sums.lost(kind));
        for (name, sure, perhaps) in [(names.0, asked.0, lost.0), (names.1, asked.1, lost.1)] {
            let counted = count(name);
            assert!(
                (sure..=sure + perhaps).contains(&counted),
                "{name}: {counted}, asked {sure} and perhaps {perhaps}"
            );
        }
    }
}

/// Units that must hold data do hold data.
pub fn what_is_safe_is_mapped(safe_count: usize, inside: &Inside) {
    let mapped: u64 = inside.valid_slots.iter().map(|&valid| u64::from(valid)).sum();
    assert!(mapped >= safe_count as u64, "{mapped} units are mapped, {safe_count} must be");
}

/// A drive at the end of its life keeps everything as it is.
pub fn a_drive_at_its_end_changes_nothing(at_the_end: &Inside, inside: &Inside) {
    assert_eq!(inside.states, at_the_end.states, "states of a drive at its end");
    assert_eq!(inside.erase_counts, at_the_end.erase_counts, "erase counts of a drive at its end");
    assert_eq!(inside.valid_slots, at_the_end.valid_slots, "valid slots of a drive at its end");
}

/// The counts of each drive add up, those of a stripe's members too.
pub fn all_drives_add_up(drive: &VirtualDrive) {
    drive.check();
    drive.members().iter().for_each(all_drives_add_up);
}
