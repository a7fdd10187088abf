//! A drive that was read from bytes, and the values in it that contradict each other.
//!
//! Its configuration must be one that a drive can be built from. Its tables must be as long as those of a drive with
//! that configuration. Its time must not have ended. No request may wait for an answer that nobody would take. The
//! invariants are checked last: they are written for drives whose tables fit each other.

use crate::request::Drive as _;
use crate::virtual_drive::VirtualDrive;
use crate::{Ssd, with_drive};
use flashscope_kernel::time::END_NS;

/// The first contradiction, `None` when there is none. May panic: a check of an invariant reports by a panic that it
/// does not hold.
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

/// The error for tables that do not fit the drive's configuration.
fn other_tables(ssd: &Ssd) -> Option<String> {
    let geometry = &ssd.config().geometry;
    let (blocks, wanted) = (ssd.block_count(), geometry.blocks_per_pool() * geometry.pool_count());
    (blocks != wanted).then(|| format!("it has {blocks} blocks, and its configuration makes {wanted}"))
}
