//! Why jobs cannot be run.

/// The largest sum of the queue depths of all jobs.
pub const QUEUE_DEPTH_MAX: u32 = 1 << 20;

/// Why a list of jobs cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The JSON is not a list of jobs.
    #[error("not a list of jobs: {0}")]
    NotAJobList(#[source] serde_json::Error),
    /// The JSON is not a host.
    #[error("not a host: {0}")]
    NotAHost(String),
    /// The list of jobs is empty.
    #[error("the list of jobs is empty; give at least one job")]
    NoJobs,
    /// The sampling interval is zero.
    #[error("the sampling interval is 0 ns; give a positive one")]
    NoSampleInterval,
    /// The queues of all jobs together are too deep.
    #[error("the queue depths of all jobs add up to {0}; accepted: at most {QUEUE_DEPTH_MAX}")]
    QueuesTooDeep(u64),
    /// A value is outside what is accepted.
    #[error("job {job}: {key} is {found}; accepted: {accepted}")]
    Refused {
        /// Name of the job.
        job: String,
        /// Name of the field.
        key: &'static str,
        /// The value as given.
        found: String,
        /// What would be accepted.
        accepted: String,
    },
}
