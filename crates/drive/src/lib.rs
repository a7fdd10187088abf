//! Assembled drives: host queue and link, controller, flash, SMART, snapshot and restore.
//!
//! Reading order: [`request`], `machine`, [`ssd`], [`smart`]; then [`disk`], [`hybrid`], [`memory`], [`stripe`];
//! [`VirtualDrive`] is any of them.

mod config_error;
mod counts;
mod course;
pub mod disk;
pub mod host;
pub mod hybrid;
mod machine;
mod member;
pub mod memory;
mod memory_needed;
mod place;
pub mod request;
pub mod smart;
pub mod snapshot;
pub mod ssd;
pub mod stamps;
pub mod stripe;
mod virtual_drive;
pub mod vocabulary;

pub use config_error::ConfigError;
pub use course::{Course, InOrder};
pub use disk::Disk;
pub use flashscope_ftl::translation::Decision;
pub use flashscope_ftl::{AgedState, FreeBlock, Overwrites};
pub use flashscope_kernel::time::{END_NS, YEAR_NS};
pub use hybrid::Hybrid;
pub use member::Member;
pub use memory::Memory;
pub use place::Place;
pub use request::{Completion, Drive, NoEventsLeft, Request, RequestKind, SECTOR_BYTES, Status};
pub use snapshot::SnapshotError;
pub use ssd::config::Config;
pub use ssd::{Counters, Inside, Ssd};
pub use stripe::Stripe;
pub use virtual_drive::{DriveKind, VirtualConfig, VirtualDrive};
