//! Assembled drives: host queue and link, controller, flash, SMART, snapshot and restore.
//!
//! Reading order: [`request`], [`config`], [`ssd`], [`smart`].

pub mod config;
pub mod request;
pub mod smart;
pub mod ssd;

pub use config::{Config, ConfigError};
pub use flashscope_ftl::translation::Decision;
pub use request::{Completion, Drive, Request, RequestKind, Status};
pub use ssd::{Counters, Inside, SnapshotError, Ssd};
