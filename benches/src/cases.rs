//! The catalogue: which drive, brought into which state, measured under which load.
//!
//! G1 is the case other simulators were measured with: queue depth 16, 4 KiB uniform random writes from empty,
//! measured from 3 to 5 logical capacities.

use crate::drives::{c300, g1, of_size};
use crate::jobs::{Load, MIXED, RANDOM_READS, RANDOM_WRITES, SEQUENTIAL_WRITES, SHUFFLED_FILL};
use flashscope_drive::Config;

/// How a case is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One drive.
    Drive,
    /// One drive of a row of sizes, with the latency of memory beside it.
    Size,
    /// Many drives, on all cores.
    Fleet {
        /// Number of drives.
        drives: u64,
    },
    /// One drive, put into its state at once; no window is measured.
    Aged,
}

/// One line of the benchmark.
pub struct Case {
    /// Name, as printed and as chosen on the command line.
    pub name: String,
    /// What was done before the measurement and what is measured, in words.
    pub about: &'static str,
    /// How it is run.
    pub kind: Kind,
    /// False for a case that is only run when it is named.
    pub shown: bool,
    /// The drive.
    pub config: Config,
    /// Loads that bring the drive into its state, each with the drive capacities to transfer; they are not measured.
    pub before: Vec<(Load, f64)>,
    /// The load that is measured, and the drive capacities to transfer.
    pub window: (Load, f64),
    /// How often the drive is built anew, and how many windows are measured on each; the fastest window is reported.
    pub repeats: (u32, u32),
}

impl Case {
    /// True when `name` means this case: its own name or its group's.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name) || (name == "sizes" && self.kind == Kind::Size && self.shown)
    }

    /// A load that transfers so many capacities of this drive, as a job.
    pub fn job(&self, (load, capacities): (Load, f64)) -> String {
        load.job((self.config.capacity.user_bytes as f64 * capacities) as u64)
    }
}

/// All cases, the best known first.
pub fn all() -> Vec<Case> {
    let mut cases = on_g1();
    cases.extend([c300_256(), fleet(), aged(), aged_1tib(), tiny()]);
    for bits in [30, 32, 34, 36, 38, 40] {
        let (count, unit) = if bits < 40 { (1 << (bits - 30), "GiB") } else { (1 << (bits - 40), "TiB") };
        cases.push(sized(&format!("{count}{unit}"), 1 << bits));
    }
    cases
}

/// The drive that other simulators were measured with, under four loads.
fn on_g1() -> Vec<Case> {
    let case = |name: &str, about, before, window| Case {
        name: name.into(),
        about,
        kind: Kind::Drive,
        shown: true,
        config: g1(),
        before,
        window,
        repeats: (3, 1),
    };
    let worn_in = vec![(RANDOM_WRITES, 3.0)];
    vec![
        case("G1", "4 KiB random writes from 3 to 5 capacities", worn_in.clone(), (RANDOM_WRITES, 2.0)),
        case(
            "sequential",
            "1 MiB writes, capacities 2 and 3",
            vec![(SEQUENTIAL_WRITES, 1.0)],
            (SEQUENTIAL_WRITES, 2.0),
        ),
        case("mixed", "after 3 capacities of random writes, 70 % reads", worn_in, (MIXED, 3.0)),
        case(
            "reads",
            "after a shuffled fill, 4 KiB random reads at QD32",
            vec![(SHUFFLED_FILL, 1.0)],
            (RANDOM_READS, 4.0),
        ),
    ]
}

fn c300_256() -> Case {
    Case {
        name: "c300-256".into(),
        about: "the part at full size: shuffled fill, 0.15 capacities of random writes, measured over the next 0.1",
        kind: Kind::Drive,
        shown: true,
        config: c300(),
        before: vec![(SHUFFLED_FILL, 1.0), (RANDOM_WRITES, 0.15)],
        window: (RANDOM_WRITES, 0.1),
        repeats: (1, 1),
    }
}

fn fleet() -> Case {
    Case {
        name: "fleet".into(),
        about: "32 drives of 1 GiB on all cores, each written five times over from empty",
        kind: Kind::Fleet { drives: 32 },
        shown: true,
        config: of_size(1 << 30),
        before: vec![],
        window: (RANDOM_WRITES, 5.0),
        repeats: (2, 1),
    }
}

fn aged() -> Case {
    Case {
        name: "aged".into(),
        about: "16 GiB in the steady state of random writes, at once; by writing: 1 capacity in order, 4 at random",
        kind: Kind::Aged,
        shown: true,
        config: of_size(1 << 34),
        before: vec![(SEQUENTIAL_WRITES, 1.0), (RANDOM_WRITES, 4.0)],
        window: (RANDOM_WRITES, 0.0),
        repeats: (3, 1),
    }
}

fn aged_1tib() -> Case {
    Case {
        name: "aged-1TiB".into(),
        about: "1 TiB, at once only: writing it there takes too long",
        shown: false,
        config: of_size(1 << 40),
        before: vec![],
        repeats: (1, 1),
        ..aged()
    }
}

fn tiny() -> Case {
    Case {
        about: "for the tests of this program",
        shown: false,
        window: (RANDOM_WRITES, 3.0),
        repeats: (1, 1),
        ..sized("tiny", 1 << 26)
    }
}

/// The same preparation for all sizes, so that the same work is compared; small drives repeat it more often.
fn sized(name: &str, raw_bytes: u64) -> Case {
    Case {
        name: name.into(),
        about: "shuffled fill, 0.2 capacities of random writes, measured over the next 0.06",
        kind: Kind::Size,
        shown: true,
        config: of_size(raw_bytes),
        before: vec![(SHUFFLED_FILL, 1.0), (RANDOM_WRITES, 0.2)],
        window: (RANDOM_WRITES, 0.06),
        repeats: (((1 << 36) / raw_bytes).clamp(1, 12) as u32, 1),
    }
}
