//! The host's side of a drive, the same for every kind: the link and its queue, and what came over it.

mod counts;
mod link;
mod side;

pub use counts::HostCounts;
pub use link::Link;
pub(crate) use side::HostSide;
