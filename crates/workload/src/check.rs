//! What a job may ask for: every value is checked against the drive before the first request.

use flashscope_kernel::time::END_NS;

use crate::direction::{Kind, placed_kinds};
use crate::job::{BlockSizes, DistributionKind, Job, RateProcess};
use crate::job_error::{JobError, QUEUE_DEPTH_MAX};

/// Checks all jobs of a run; see [`check`] and the other variants of `JobError`.
pub(crate) fn check_all(
    jobs: &[Job],
    sample_interval_ns: u64,
    user_bytes: u64,
    sector_bytes: u64,
) -> Result<(), JobError> {
    if jobs.is_empty() {
        return Err(JobError::NoJobs);
    }
    if sample_interval_ns == 0 {
        return Err(JobError::NoSampleInterval);
    }
    jobs.iter().try_for_each(|job| check(job, user_bytes, sector_bytes))?;
    match jobs.iter().map(|job| u64::from(job.queue_depth)).sum() {
        depth if depth > u64::from(QUEUE_DEPTH_MAX) => Err(JobError::QueuesTooDeep(depth)),
        _ => Ok(()),
    }
}

/// Checks one job against a drive of `user_bytes` with sectors of `sector_bytes`.
///
/// Errors: `JobError::Refused` names the first field that cannot be run.
pub fn check(job: &Job, user_bytes: u64, sector_bytes: u64) -> Result<(), JobError> {
    let span_bytes = checked_span_bytes(job, user_bytes, sector_bytes)?;
    for &kind in placed_kinds(job.direction) {
        let sizes = sizes_of(job, kind);
        let key = ["read_sizes", "write_sizes", "trim_sizes"][kind as usize];
        if let Some(accepted) = wrong_sizes(sizes, sector_bytes, span_bytes) {
            return refuse(job, key, sizes.to_string(), accepted);
        }
    }
    for (key, ratio) in [("read_share_ratio", job.read_share_ratio), ("compressible_ratio", job.compressible_ratio)] {
        if !(0.0..=1.0).contains(&ratio) {
            return refuse(job, key, ratio.to_string(), "0 to 1".to_owned());
        }
    }
    check_times(job)?;
    check_rates(job)?;
    check_places(job)
}

fn refuse<T>(job: &Job, key: &'static str, found: String, accepted: String) -> Result<T, JobError> {
    Err(JobError::Refused { job: job.name.clone(), key, found, accepted })
}

/// The span of a job if it lies on whole sectors inside the drive.
fn checked_span_bytes(job: &Job, user_bytes: u64, sector_bytes: u64) -> Result<u64, JobError> {
    let sectors = format!("whole sectors of {sector_bytes} bytes");
    if !job.offset_bytes.is_multiple_of(sector_bytes) || job.offset_bytes >= user_bytes {
        let accepted = format!("{sectors}, below the drive's {user_bytes} bytes");
        return refuse(job, "offset_bytes", job.offset_bytes.to_string(), accepted);
    }
    let room_bytes = user_bytes - job.offset_bytes;
    if !job.size_bytes.is_multiple_of(sector_bytes) || job.size_bytes > room_bytes {
        let accepted = format!("{sectors}, at most {room_bytes} bytes from the offset to the end of the drive");
        return refuse(job, "size_bytes", job.size_bytes.to_string(), accepted);
    }
    Ok(if job.size_bytes == 0 { room_bytes } else { job.size_bytes })
}

fn check_times(job: &Job) -> Result<(), JobError> {
    for (key, found_ns) in [("runtime_ns", job.runtime_ns), ("thinktime_ns", job.thinktime_ns)] {
        if found_ns > END_NS {
            let accepted = format!("up to {END_NS}, 250 years: there virtual time ends");
            return refuse(job, key, found_ns.to_string(), accepted);
        }
    }
    if job.time_based && job.runtime_ns == 0 {
        return refuse(job, "time_based", "true".to_owned(), "only together with a runtime_ns above 0".to_owned());
    }
    Ok(())
}

fn check_rates(job: &Job) -> Result<(), JobError> {
    if job.queue_depth == 0 || job.queue_depth > QUEUE_DEPTH_MAX {
        return refuse(job, "queue_depth", job.queue_depth.to_string(), format!("1 to {QUEUE_DEPTH_MAX}"));
    }
    if job.thinktime_blocks == 0 {
        return refuse(job, "thinktime_blocks", "0".to_owned(), "1 or more".to_owned());
    }
    for (kind, name) in Kind::ALL.iter().map(|kind| kind.name()).enumerate() {
        if job.rate_bytes_per_second[kind] > 0 && job.rate_requests_per_second[kind] > 0 {
            let found = format!("set for {name} beside rate_requests_per_second");
            return refuse(job, "rate_bytes_per_second", found, "one of the two per kind".to_owned());
        }
    }
    if job.rate_process == RateProcess::Poisson && job.rate_requests_per_second == [0; 3] {
        let accepted = "only together with a rate_requests_per_second above 0".to_owned();
        return refuse(job, "rate_process", "poisson".to_owned(), accepted);
    }
    Ok(())
}

fn check_places(job: &Job) -> Result<(), JobError> {
    if job.direction.is_random() {
        if let Some((key, found, accepted)) = wrong_distribution(job) {
            return refuse(job, key, found, accepted.to_owned());
        }
        let mut kinds = placed_kinds(job.direction).iter().map(|&kind| sizes_of(job, kind).align_bytes);
        let first = kinds.next();
        if job.uses_random_map() && kinds.any(|align_bytes| Some(align_bytes) != first) {
            let accepted = "false when the kinds of a mixed job start on different grids (align_bytes)";
            return refuse(job, "random_map", "true".to_owned(), accepted.to_owned());
        }
    }
    Ok(())
}

/// The sizes of one kind of request of a job.
pub(crate) fn sizes_of(job: &Job, kind: Kind) -> &BlockSizes {
    [&job.read_sizes, &job.write_sizes, &job.trim_sizes][kind as usize]
}

/// Returns what would be accepted when the sizes are not.
fn wrong_sizes(sizes: &BlockSizes, sector_bytes: u64, span_bytes: u64) -> Option<String> {
    let whole = |bytes: u64| bytes > 0 && bytes.is_multiple_of(sector_bytes);
    let sizes_whole = match sizes.range_bytes {
        Some((low, high)) => sizes.weighted.is_empty() && whole(low) && whole(high) && low <= high,
        None => !sizes.weighted.is_empty() && sizes.weighted.iter().all(|&(bytes, _)| whole(bytes)),
    };
    if !sizes_whole || !whole(sizes.align_bytes) {
        return Some(format!(
            "either weighted sizes or a range from low to high; sizes and align_bytes in whole sectors of {sector_bytes} bytes"
        ));
    }
    let sum: f64 = sizes.weighted.iter().map(|&(_, weight)| weight).sum();
    let weights_valid = sizes.weighted.iter().all(|&(_, weight)| weight >= 0.0) && (sum - 100.0).abs() < 1e-6;
    if sizes.range_bytes.is_none() && !weights_valid {
        return Some("weights of at least 0 that sum to 100".to_owned());
    }
    if sizes.smallest_bytes() > span_bytes {
        return Some(format!("a smallest size within the span of {span_bytes} bytes"));
    }
    None
}

/// Returns field, value and what would be accepted when the distribution is not.
fn wrong_distribution(job: &Job) -> Option<(&'static str, String, &'static str)> {
    let distribution = &job.distribution;
    let theta = distribution.theta;
    match distribution.kind {
        DistributionKind::Uniform => None,
        DistributionKind::Zipf if theta > 0.0 && theta.is_finite() && theta != 1.0 => None,
        DistributionKind::Zipf => Some(("distribution.theta", theta.to_string(), "above 0 and not 1 for zipf")),
        DistributionKind::Pareto if theta > 0.0 && theta < 1.0 => None,
        DistributionKind::Pareto => {
            Some(("distribution.theta", theta.to_string(), "between 0 and 1, both excluded, for pareto"))
        }
        DistributionKind::Zoned => {
            let sums = distribution.zones.iter().fold((0.0, 0.0), |sums, zone| (sums.0 + zone.0, sums.1 + zone.1));
            let shares_valid = distribution.zones.iter().all(|zone| zone.0 >= 0.0 && zone.1 > 0.0);
            if shares_valid && (sums.0 - 100.0_f64).abs() < 1e-6 && (sums.1 - 100.0_f64).abs() < 1e-6 {
                return None;
            }
            let accepted = "(share of accesses, share of the span) in per cent, each summing to 100, no empty span";
            Some(("distribution.zones", format!("{:?}", distribution.zones), accepted))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Direction, Distribution};

    fn refused_key(change: impl FnOnce(&mut Job)) -> &'static str {
        let mut job = Job::new("j", Direction::RandRw);
        change(&mut job);
        match check(&job, 1 << 20, 512) {
            Err(JobError::Refused { key, .. }) => key,
            other => panic!("{other:?}"),
        }
    }

    fn distribution(kind: DistributionKind, theta: f64, zones: Vec<(f64, f64)>) -> Distribution {
        Distribution { kind, theta, zones }
    }

    #[test]
    fn the_default_job_is_accepted_in_every_direction() {
        use Direction::*;
        for direction in [Read, Write, Trim, RandRead, RandWrite, RandTrim, Rw, RandRw, TrimWrite, RandTrimWrite] {
            check(&Job::new("j", direction), 1 << 20, 512).unwrap();
        }
    }

    #[test]
    fn every_wrong_value_is_refused_under_its_own_name() {
        assert_eq!(refused_key(|job| job.offset_bytes = 100), "offset_bytes");
        assert_eq!(refused_key(|job| job.offset_bytes = 1 << 20), "offset_bytes");
        assert_eq!(refused_key(|job| job.size_bytes = (1 << 20) + 512), "size_bytes");
        assert_eq!(refused_key(|job| job.read_sizes = BlockSizes::fixed(1000)), "read_sizes");
        assert_eq!(refused_key(|job| job.write_sizes = BlockSizes::fixed(2 << 20)), "write_sizes");
        assert_eq!(refused_key(|job| job.write_sizes.weighted = vec![(4096, 50.0), (512, 40.0)]), "write_sizes");
        assert_eq!(refused_key(|job| job.write_sizes.weighted = vec![]), "write_sizes");
        assert_eq!(refused_key(|job| job.write_sizes.range_bytes = Some((512, 4096))), "write_sizes");
        assert_eq!(refused_key(|job| job.read_share_ratio = 1.5), "read_share_ratio");
        assert_eq!(refused_key(|job| job.compressible_ratio = f64::NAN), "compressible_ratio");
        assert_eq!(refused_key(|job| job.time_based = true), "time_based");
        assert_eq!(refused_key(|job| job.runtime_ns = END_NS + 1), "runtime_ns");
        assert_eq!(refused_key(|job| job.thinktime_ns = u64::MAX), "thinktime_ns");
        assert_eq!(refused_key(|job| job.queue_depth = 0), "queue_depth");
        assert_eq!(refused_key(|job| job.queue_depth = QUEUE_DEPTH_MAX + 1), "queue_depth");
        assert_eq!(refused_key(|job| job.thinktime_blocks = 0), "thinktime_blocks");
        assert_eq!(
            refused_key(|job| (job.rate_bytes_per_second, job.rate_requests_per_second) = ([0, 1, 0], [0, 1, 0])),
            "rate_bytes_per_second"
        );
        assert_eq!(refused_key(|job| job.rate_process = RateProcess::Poisson), "rate_process");
        assert_eq!(refused_key(|job| job.read_sizes.align_bytes = 8192), "random_map");
        use DistributionKind::*;
        assert_eq!(refused_key(|job| job.distribution = distribution(Zipf, 1.0, vec![])), "distribution.theta");
        assert_eq!(refused_key(|job| job.distribution = distribution(Pareto, 1.0, vec![])), "distribution.theta");
        let zones = vec![(60.0, 10.0), (30.0, 90.0)];
        assert_eq!(refused_key(|job| job.distribution = distribution(Zoned, 0.0, zones)), "distribution.zones");
    }

    #[test]
    fn sizes_of_kinds_that_the_job_never_issues_are_not_looked_at() {
        let mut job = Job::new("j", Direction::Read);
        job.write_sizes = BlockSizes::fixed(3);
        check(&job, 1 << 20, 512).unwrap();
    }

    #[test]
    fn sizes_are_shown_in_the_words_of_fio() {
        let mut job = Job::new("mix", Direction::Write);
        job.write_sizes.weighted = vec![(4096, 50.0), (100, 50.0)];
        let message = check(&job, 1 << 20, 512).unwrap_err().to_string();
        assert!(
            message.starts_with("job mix: write_sizes is 4096/50:100/50 on a grid of 4096; accepted: "),
            "{message}"
        );
    }

    #[test]
    fn the_message_says_job_key_value_and_what_is_accepted() {
        let mut job = Job::new("mix", Direction::Read);
        job.queue_depth = 0;
        let message = check(&job, 1 << 20, 512).unwrap_err().to_string();
        assert_eq!(message, "job mix: queue_depth is 0; accepted: 1 to 1048576");
    }
}
