//! What a drive that was read from bytes says of itself, and what of it cannot be true.
//!
//! Its configuration is one that a drive can be built from, its tables are as long as those of a drive built from it, its
//! time has not ended, and no request waits for an answer that nobody would take. What the invariants say comes last:
//! they are written for drives whose tables fit each other.

use crate::request::Drive as _;
use crate::virtual_drive::VirtualDrive;
use crate::{Ssd, with_drive};
use flashscope_kernel::time::END_NS;

/// The first contradiction, `None` when there is none. May panic: an invariant that does not hold says so that way.
pub(super) fn contradiction_of(drive: &VirtualDrive) -> Option<String> {
    if drive.now_ns() > END_NS {
        return Some(format!("it is {} ns old, and virtual time ends at {END_NS} ns", drive.now_ns()));
    }
    if !with_drive!(drive, drive => drive.is_idle()) {
        return Some("requests are under way, and whoever sent them is not there".into());
    }
    let refused = match drive {
        VirtualDrive::Ssd(ssd) => ssd.config().check().err(),
        VirtualDrive::Disk(disk) => disk.config().check().err(),
        VirtualDrive::Hybrid(hybrid) => hybrid.config().check().err(),
        VirtualDrive::Memory(memory) => memory.config().check().err(),
        VirtualDrive::Stripe(stripe) => stripe.config().check(stripe.members()).err(),
    };
    if let Some(refused) = refused {
        return Some(refused.to_string());
    }
    let inside = match drive {
        VirtualDrive::Ssd(ssd) => other_tables(ssd),
        VirtualDrive::Stripe(stripe) => stripe.members().iter().find_map(contradiction_of),
        VirtualDrive::Disk(_) | VirtualDrive::Hybrid(_) | VirtualDrive::Memory(_) => None,
    };
    if inside.is_none() {
        drive.check();
    }
    inside
}

/// Tables that are not those of a drive of that configuration.
fn other_tables(ssd: &Ssd) -> Option<String> {
    let geometry = &ssd.config().geometry;
    let (blocks, wanted) = (ssd.block_count(), geometry.blocks_per_pool() * geometry.pool_count());
    (blocks != wanted).then(|| format!("it has {blocks} blocks, and its configuration makes {wanted}"))
}
