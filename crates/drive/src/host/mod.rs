//! The host's side of a drive, the same for every kind that has a link.

mod side;

pub(crate) use side::{HostSide, is_in_range};
