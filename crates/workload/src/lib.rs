//! Request streams in the terms of fio's job language, and the virtual-time runner that feeds them to a drive.
//!
//! ```text
//! Job (JSON)  ->  check  ->  request_stream: direction, offsets, block_sizes
//!                                   |
//!                            job_in_time: queue depth, pacing; host_thread: what a request costs on the host
//!                                   |
//!                            virtual_time: Run  <->  any Drive          (repeating: passes over repetitions)
//!                                   |
//!                            result: series, latency_histogram, totals; by_job on request
//! ```
//!
//! Beside it stands [`file_work`]: programs on files, run by a model of a host.
//!
//! Reading order: [`job`], [`mod@check`], [`direction`], then along the arrows.
//!
//! The jobs, the seed and the drive determine a run completely. All time is integer nanoseconds. Floating-point numbers
//! are used only where shares and the constants of the zipf and pareto laws are set up, and in the draws of these two
//! laws. They are computed in software or by single IEEE operations, so streams are the same on every platform.

mod block_sizes;
pub mod by_job;
pub mod check;
pub mod direction;
pub mod file_work;
mod host_thread;
pub mod job;
mod job_error;
mod job_in_time;
pub mod latency_histogram;
mod offsets;
mod pacing;
mod repeating;
mod request_stream;
pub mod result;
pub mod series;
mod shares;
pub mod virtual_time;
pub mod vocabulary;
pub mod wear;

pub use by_job::{ByJob, Cell, Track};
pub use check::check;
pub use direction::Kind;
pub use host_thread::HostCosts;
pub use job::{BlockSizes, Direction, Distribution, DistributionKind, Job, RateProcess, read_jobs};
pub use job_error::{JobError, QUEUE_DEPTH_MAX};
pub use latency_histogram::LatencyHistogram;
pub use result::{Ended, WorkloadResult};
pub use series::Series;
pub use virtual_time::{Progress, Run};
