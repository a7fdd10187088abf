//! Assembled drives: host queue and link, controller, flash, SMART, snapshot and restore.
//!
//! Reading order: [`request`], [`ssd`], [`smart`]; then [`disk`], [`hybrid`], [`memory`], [`stripe`];
//! [`VirtualDrive`] is any of them.

mod counts;
pub mod disk;
mod host;
pub mod hybrid;
mod member;
pub mod memory;
pub mod request;
pub mod smart;
pub mod snapshot;
pub mod ssd;
pub mod stripe;
mod virtual_drive;

pub use disk::Disk;
pub use flashscope_ftl::translation::Decision;
pub use flashscope_ftl::{AgedState, FreeBlock, Overwrites};
pub use hybrid::Hybrid;
pub use member::Member;
pub use memory::Memory;
pub use request::{Completion, Drive, Request, RequestKind, Status};
pub use snapshot::SnapshotError;
pub use ssd::config::{Config, ConfigError};
pub use ssd::{Counters, Inside, Ssd};
pub use stripe::Stripe;
pub use virtual_drive::{VirtualConfig, VirtualDrive};
