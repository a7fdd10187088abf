//! What is under way between the host's requests and the flash, and who is told when it is there.

use flashscope_ftl::OpenPage;
use serde::{Deserialize, Serialize};

/// What the flash array hands back when an operation is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Token {
    /// A page is programmed: its entry in `pages`.
    Page(u32),
    /// A page was read for a host request.
    HostRead { request: u32, bytes: u32 },
    /// The old data of a partly written unit was read: its entry in `modifies`.
    Modify(u32),
    /// The parity of a stripe is programmed, which nobody waits for.
    Parity,
}

/// Whose unit it is: who is told when it is on flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Owner {
    /// The buffer, which gets its room back.
    Buffer,
    /// The buffer, and the ends of other writes that wait for this one's (`merges.rs`).
    Merge,
    /// The request of that number, which is then answered.
    Request(u32),
    /// Nobody any more: the power went, and with it whoever waited.
    Nobody,
}

/// Whose data is in a page.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenPageUse {
    /// The page itself, once it is complete.
    pub page: Option<OpenPage>,
    /// Units whose room in the buffer is given back when the page is programmed.
    pub buffered_units: u32,
    /// Some of them were ends of a write that have been merged.
    pub has_merged: bool,
    /// The request that waits for the page.
    pub request: Option<u32>,
}

/// A partly written unit whose old data is being read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Modify {
    pub unit: u32,
    pub owner: Owner,
    /// As in the request; of several, the least.
    pub compressible: u8,
}

impl Modify {
    /// The request that waited is gone; what it wrote goes to flash all the same.
    pub fn forget_request(&mut self) {
        if let Owner::Request(_) = self.owner {
            self.owner = Owner::Nobody;
        }
    }
}
