//! Assembled drives: host queue and link, controller, flash, SMART, snapshot and restore.
//!
//! Reading order: [`request`], [`config`], [`ssd`], [`smart`]; then [`disk`], [`hybrid`], [`memory`], [`stripe`].

pub mod config;
pub mod disk;
pub mod hybrid;
pub mod memory;
pub mod request;
pub mod smart;
pub mod ssd;
pub mod stripe;

pub use config::{Config, ConfigError};
pub use disk::Disk;
pub use flashscope_ftl::translation::Decision;
pub use hybrid::Hybrid;
pub use memory::Memory;
pub use request::{Completion, Drive, Request, RequestKind, Status};
pub use ssd::{Counters, Inside, SnapshotError, Ssd};
pub use stripe::{Member, Stripe};
