//! The host's side of a drive, the same for every kind that has a link.

mod link;
mod side;

pub use link::Link;
pub(crate) use side::HostSide;
