//! The duration of a request on the simplest drive, added up by hand.
//!
//! ```text
//!   write   command + data on the link + [collection] + page on the bus + tPROG
//!   read    command + tR + sectors on the bus + data on the link
//!   part    the unit's old data (tR + unit on the bus), then the page
//! ```
//!
//! One bank, one unit in a page, one request at a time: nothing overlaps, so times are sums. The twin's own clock
//! agrees with the drive on every other shape; here that clock is held against arithmetic.

use crate::configs::{fill, plain};
use crate::pair::request;
use flashscope_drive::{Counters, Drive, RequestKind, Ssd, Status};
use flashscope_kernel::random::{Streams, below};

const COMMAND_NS: u64 = 5_000;
const LINK_NS_PER_SECTOR: u64 = 1_250;
const BUS_NS_PER_SECTOR: u64 = 12_500;
const PAGE_ON_BUS_NS: u64 = 8 * BUS_NS_PER_SECTOR;
const READ_NS: u64 = 50_000;
const PROGRAM_NS: u64 = 900_000;
const ERASE_NS: u64 = 2_000_000;

/// What the flash did for a request.
fn difference(after: &Counters, before: &Counters, name: fn(&Counters) -> u64) -> u64 {
    name(after) - name(before)
}

#[test]
fn every_request_on_the_simplest_drive_takes_the_sum_of_its_parts_to_the_nanosecond() {
    let mut config = plain();
    fill(&mut config, 90);
    let sectors = config.capacity.user_bytes / 512;
    let mut drive = Ssd::new(config, 1).unwrap();
    let mut chance = Streams::new(9).stream("twin timing");
    let mut collections = 0;
    for step in 0..4000 {
        let kind = [RequestKind::Write, RequestKind::Write, RequestKind::Write, RequestKind::Read, RequestKind::Trim];
        let kind = kind[below(&mut chance, 5) as usize];
        let first = below(&mut chance, sectors);
        let count = (1 + below(&mut chance, 30)).min(sectors - first);
        let before = drive.counters();
        let start_ns = drive.now_ns();
        drive.submit(start_ns, 0, request(kind, first * 512, count * 512));
        let answer = drive.next_completion(u64::MAX).unwrap();
        assert_eq!(answer.status, Status::Done);
        let after = drive.counters();
        let did = |name| difference(&after, &before, name);
        let link_ns = if kind == RequestKind::Trim { 0 } else { count * LINK_NS_PER_SECTOR };
        let collected_ns = did(|counters| counters.gc_programmed_pages) * (2 * PAGE_ON_BUS_NS + PROGRAM_NS)
            + did(|counters| counters.gc_read_pages) * READ_NS
            + did(|counters| counters.erased_blocks) * ERASE_NS;
        collections += u64::from(collected_ns > 0);
        let old_ns = did(|counters| counters.modify_read_pages) * (READ_NS + PAGE_ON_BUS_NS);
        let programmed_ns = did(|counters| counters.host_programmed_pages) * (PAGE_ON_BUS_NS + PROGRAM_NS);
        let took_ns = answer.at_ns - start_ns;
        let what = format!("step {step}: {kind:?} of {count} sectors from {first}");
        if kind == RequestKind::Read {
            // Pages are sensed and carried one after the other; the link carries what is there meanwhile. What was
            // never written is in memory and goes first.
            assert!(took_ns >= COMMAND_NS + link_ns, "{what}");
            let pages = did(|counters| counters.host_read_pages);
            if pages == 1 && count <= 8 && first / 8 == (first + count - 1) / 8 {
                assert_eq!(took_ns, COMMAND_NS + READ_NS + count * BUS_NS_PER_SECTOR + link_ns, "{what}");
            } else if pages == 0 {
                assert_eq!(took_ns, COMMAND_NS + link_ns, "{what}");
            }
        } else {
            assert_eq!(took_ns, COMMAND_NS + link_ns + old_ns + collected_ns + programmed_ns, "{what}");
        }
    }
    assert!(collections > 200, "{collections} requests had to wait for a collection");
}
