//! The direction of a job: the kind of each next request.
//!
//! A mixed job draws the kind of every request on its own with probability `read_share_ratio` (fio also lets
//! a kind catch up after a change; the shares are the same). A trimwrite job trims a block, then writes it.

use flashscope_drive::RequestKind;
use flashscope_kernel::choice;
use flashscope_kernel::random::{Rng, Stream};

use crate::job::{Direction, Job};
use crate::shares::threshold;

choice! {
    /// A kind of request that moves data. `kind as usize` is its index in every array of three.
    pub enum Kind {
        /// Reads.
        Read = "read",
        /// Writes.
        Write = "write",
        /// Trims.
        Trim = "trim",
    }
}

impl From<Kind> for RequestKind {
    #[inline]
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Read => Self::Read,
            Kind::Write => Self::Write,
            Kind::Trim => Self::Trim,
        }
    }
}

impl Direction {
    /// True when requests do not follow each other in sequence.
    pub fn is_random(self) -> bool {
        use Direction::*;
        matches!(self, RandRead | RandWrite | RandTrim | RandRw | RandTrimWrite)
    }
}

/// The kinds of request that a direction finds a place and a size for. (The write of a trimwrite repeats the
/// range of its trim.)
pub(crate) fn placed_kinds(direction: Direction) -> &'static [Kind] {
    use Direction::*;
    match direction {
        Read | RandRead => &[Kind::Read],
        Write | RandWrite => &[Kind::Write],
        Trim | RandTrim | TrimWrite | RandTrimWrite => &[Kind::Trim],
        Rw | RandRw => &[Kind::Read, Kind::Write],
    }
}

/// The rule that says which kind comes next.
#[derive(Clone, Debug)]
pub(crate) enum Turns {
    /// Always the same kind.
    Only(Kind),
    /// Reads below the threshold of a 64-bit draw, writes above.
    Mixed {
        /// Share of reads in 1/2^64.
        read_below: u64,
        /// Where the draws come from.
        stream: Stream,
    },
    /// A trim, then a write of the same block.
    TrimThenWrite,
}

impl Turns {
    /// The rule of a job; `stream` is used by mixed jobs only.
    pub fn new(job: &Job, stream: Stream) -> Self {
        use Direction::*;
        match job.direction {
            Rw | RandRw => Self::Mixed { read_below: threshold(job.read_share_ratio), stream },
            TrimWrite | RandTrimWrite => Self::TrimThenWrite,
            _ => Self::Only(placed_kinds(job.direction)[0]),
        }
    }

    /// The kind whose turn it is, before the rates are considered; a trimwrite is paced as its write.
    #[inline]
    pub fn next(&mut self) -> Kind {
        match self {
            Self::Only(kind) => *kind,
            Self::Mixed { read_below, stream } => {
                // A share of 1 has the threshold 2^64 - 1: `<=` lets every draw through.
                if *read_below > 0 && stream.next_u64() <= *read_below { Kind::Read } else { Kind::Write }
            }
            Self::TrimThenWrite => Kind::Write,
        }
    }

    /// The other kind, which may replace this one when this one is ahead of its rate; `None` unless the job has both
    /// kinds.
    #[inline]
    pub fn stand_in(&self, kind: Kind) -> Option<Kind> {
        match self {
            Self::Mixed { read_below, .. } if *read_below > 0 && *read_below < u64::MAX => {
                Some(if kind == Kind::Read { Kind::Write } else { Kind::Read })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    fn reads_of_10_000(read_share_ratio: f64) -> usize {
        let mut job = Job::new("j", Direction::RandRw);
        job.read_share_ratio = read_share_ratio;
        let mut turns = Turns::new(&job, Streams::new(5).stream("mix"));
        (0..10_000).filter(|_| turns.next() == Kind::Read).count()
    }

    #[test]
    fn a_mixed_job_reads_as_often_as_its_share_says() {
        assert_eq!(reads_of_10_000(0.0), 0);
        assert_eq!(reads_of_10_000(1.0), 10_000);
        // The standard deviation is 46; the limit is five of them.
        assert!(reads_of_10_000(0.7).abs_diff(7000) < 230);
    }

    #[test]
    fn only_a_true_mix_has_a_stand_in() {
        let mut job = Job::new("j", Direction::Rw);
        let stream = Streams::new(5).stream("mix");
        assert_eq!(Turns::new(&job, stream.clone()).stand_in(Kind::Read), Some(Kind::Write));
        job.read_share_ratio = 0.0;
        assert_eq!(Turns::new(&job, stream.clone()).stand_in(Kind::Write), None);
        job.direction = Direction::Write;
        assert_eq!(Turns::new(&job, stream).stand_in(Kind::Write), None);
    }
}
