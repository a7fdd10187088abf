//! Where the next request starts, counted from the start of the job's span.
//!
//! ```text
//! sequential    one after the other; reads, writes and trims have a position each
//! random_map    every grid position once per pass, in random order (one fixed request size)
//! free_map      every grid cell once per pass when sizes vary (requests are cut to the free run)
//! uniform, zipf, pareto, zoned    each draw is independent; positions repeat
//! ```
//!
//! A pass ends when nothing is left; `request_stream.rs` decides whether another one begins.

mod free_map;
mod independent;
mod pareto;
mod placement;
mod random_map;
mod scatter;
mod sequential;
mod uniform;
mod zipf;
mod zoned;

use flashscope_kernel::random::Stream;

use crate::check::sizes_of;
use crate::direction::{Kind, placed_kinds};
use crate::job::{DistributionKind, Job};
use free_map::FreeMap;
use independent::Independent;
use pareto::Pareto;
use random_map::RandomMap;
use sequential::Sequential;
use uniform::Uniform;
use zipf::Zipf;
use zoned::Zoned;

/// The rule of a job's offsets.
#[derive(Clone, Debug)]
pub(crate) enum Offsets {
    Sequential(Sequential),
    RandomMap(RandomMap),
    FreeMap(FreeMap),
    Uniform(Independent<Uniform>),
    Zipf(Independent<Zipf>),
    Pareto(Independent<Pareto>),
    Zoned(Independent<Zoned>),
}

/// Evaluates an expression with the rule inside an `Offsets`; the expression is compiled once per rule.
macro_rules! with_placement {
    ($offsets:expr, $rule:ident => $value:expr) => {
        match $offsets {
            $crate::offsets::Offsets::Sequential($rule) => $value,
            $crate::offsets::Offsets::RandomMap($rule) => $value,
            $crate::offsets::Offsets::FreeMap($rule) => $value,
            $crate::offsets::Offsets::Uniform($rule) => $value,
            $crate::offsets::Offsets::Zipf($rule) => $value,
            $crate::offsets::Offsets::Pareto($rule) => $value,
            $crate::offsets::Offsets::Zoned($rule) => $value,
        }
    };
}
pub(crate) use placement::Placement;
pub(crate) use with_placement;

impl Job {
    /// True when the job visits every block once before any twice. As in fio, this does not hold for
    /// distributions other than uniform.
    pub fn uses_random_map(&self) -> bool {
        self.random_map && self.distribution.kind == DistributionKind::Uniform
    }
}

impl Offsets {
    /// The rule of a checked job with a span of `span_bytes`.
    pub fn new(job: &Job, span_bytes: u64, mut stream: Stream) -> Self {
        if !job.direction.is_random() {
            return Self::Sequential(Sequential::new(span_bytes));
        }
        let kinds = placed_kinds(job.direction);
        let first = sizes_of(job, kinds[0]);
        if job.uses_random_map() {
            let size_bytes = first.smallest_bytes();
            let one_size = kinds
                .iter()
                .map(|&kind| sizes_of(job, kind))
                .all(|sizes| sizes.smallest_bytes() == size_bytes && sizes.largest_bytes() == size_bytes);
            if one_size {
                let count = position_count(span_bytes, size_bytes, first.align_bytes);
                return Self::RandomMap(RandomMap::new(count, first.align_bytes, stream));
            }
            return Self::FreeMap(FreeMap::new(span_bytes / first.align_bytes, first.align_bytes, stream));
        }
        let grid = |kind: Kind| {
            // A kind that the job never issues gets the first kind's grid.
            let sizes = if kinds.contains(&kind) { sizes_of(job, kind) } else { first };
            (position_count(span_bytes, sizes.smallest_bytes(), sizes.align_bytes), sizes.align_bytes)
        };
        let grids = [Kind::Read, Kind::Write, Kind::Trim].map(grid);
        let (counts, align_bytes) = (grids.map(|grid| grid.0), grids.map(|grid| grid.1));
        let theta = job.distribution.theta;
        match job.distribution.kind {
            DistributionKind::Uniform => {
                Self::Uniform(Independent { laws: counts.map(Uniform::new), align_bytes, stream })
            }
            DistributionKind::Zipf => {
                let laws = counts.map(|count| Zipf::new(count, theta, &mut stream));
                Self::Zipf(Independent { laws, align_bytes, stream })
            }
            DistributionKind::Pareto => {
                let laws = counts.map(|count| Pareto::new(count, theta, &mut stream));
                Self::Pareto(Independent { laws, align_bytes, stream })
            }
            DistributionKind::Zoned => {
                let laws = counts.map(|count| Zoned::new(count, &job.distribution.zones));
                Self::Zoned(Independent { laws, align_bytes, stream })
            }
        }
    }
}

/// Grid positions at which a request of `smallest_bytes` lies inside the span.
///
/// As in fio, a grid that is coarser than the requests has as many positions as complete cells.
fn position_count(span_bytes: u64, smallest_bytes: u64, align_bytes: u64) -> u64 {
    (span_bytes - smallest_bytes.saturating_sub(align_bytes)) / align_bytes
}
