//! Work under way between the host's requests and the flash, and what gets its result.

use flashscope_ftl::OpenPage;
use serde::{Deserialize, Serialize};

/// What the flash array returns when an operation has ended.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) enum Token {
    /// A page is programmed: its entry in `pages`.
    Page(u32),
    /// A page was read for a host request.
    HostRead { request: u32, bytes: u32 },
    /// The old data of a partly written unit was read: its entry in `modifies`.
    Modify(u32),
    /// The parity of a stripe is programmed; nothing waits for it.
    Parity,
}

/// The owner of a unit, which is notified when the unit is on flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Owner {
    /// The buffer, which gets its room back.
    Buffer,
    /// The buffer, and the ends of other writes that wait for this one's (`merges.rs`).
    Merge,
    /// The request with that number, which is then answered.
    Request(u32),
    /// Nothing any more: the power was cut, so no request waits.
    Nobody,
}

/// What waits for a page.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct OpenPageUse {
    /// The page itself, when it is complete.
    pub page: Option<OpenPage>,
    /// Units whose room in the buffer is given back when the page is programmed.
    pub buffered_units: u32,
    /// True when some of them were merged ends of a write.
    pub has_merged: bool,
    /// The request that waits for the page.
    pub request: Option<u32>,
}

/// A partly written unit whose old data is being read.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Modify {
    pub unit: u32,
    pub owner: Owner,
    /// As in the request; of several requests, the lowest value.
    pub compressible: u8,
}

impl Modify {
    /// The request that waited is gone; its data goes to flash all the same.
    pub fn forget_request(&mut self) {
        if let Owner::Request(_) = self.owner {
            self.owner = Owner::Nobody;
        }
    }
}
