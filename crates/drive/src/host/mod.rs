//! The host's side of a drive, the same for every kind: the link, its queue, and the counts of requests.

mod counts;
mod link;
mod repeating;
mod side;

pub use counts::HostCounts;
pub use link::Link;
pub(crate) use side::HostSide;
