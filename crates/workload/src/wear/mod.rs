//! Wearing a virtual drive out: writing for real where something happens, skipping where nothing happens.
//!
//! ```text
//!   fill ---> write a stretch ---> look: what comes next, and when? ---> skip to just before it ---> write through it
//!                  ^                                                                                        |
//!                  '----------------------------------------------------------------------------------------'
//!   comes next: a block at the end of its life, erase counts too far apart, what the caller asked for
//! ```
//!
//! * `in_order.rs`: the host writes in order and the drive is a log. Skipping is exact: the same blocks fail in the
//!   same order.
//! * `settled.rs`: any other load. Rates are measured on stretches that are really written, and measured again whenever
//!   the spare has shrunk noticeably.
//! * `stretch.rs`: how long such a stretch has to be, and what it shows; `pool_shares.rs`: what it shows of the pools.
//!
//! Without skipping (`skips: false`) everything is written; the tests compare the two.
//! Not modelled here: see `crates/ftl`, `translation/wear_forward`, and `crates/drive`, `ssd/wear_forward.rs`.

mod goal;
mod in_order;
mod load;
mod pool_shares;
mod settled;
mod settled_load;
mod stretch;
#[cfg(test)]
mod tests;

pub use goal::Goal;
pub use load::{LoadError, Pattern, WearLoad};

use flashscope_drive::ssd::Cost;
use flashscope_drive::{Drive, Ssd, Status};
use flashscope_kernel::choice;
use flashscope_kernel::random::{Stream, Streams};
use goal::is_reached;
use load::Writes;
use serde::{Deserialize, Serialize};
use settled_load::Settled;

choice! {
    /// Why the run came back.
    pub enum Pause {
        /// The goal is reached.
        Reached = "reached",
        /// The budget of requests is used up; call again.
        Working = "working",
        /// The drive only reads from now on.
        ReadOnly = "read-only",
        /// The drive answers no requests any more.
        Dead = "dead",
        /// The drive has no room for a write, and no block has failed: it has too little spare.
        NoFreeBlock = "no-free-block",
    }
}

/// A drive being worn out.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Wear {
    writes: Writes,
    queue_depth: u32,
    skips: bool,
    /// What the last stretch that was really written cost.
    cost: Option<Cost>,
    /// Units written in a row while the drive was not found to be a log.
    units_not_a_log: u64,
    settled: Settled,
    spread_stream: Stream,
    skipped_bytes: u64,
    skips_count: u64,
    ended: Option<Ended>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Ended {
    ReadOnly,
    Dead,
    NoFreeBlock,
}

impl Ended {
    fn pause(self) -> Pause {
        match self {
            Self::ReadOnly => Pause::ReadOnly,
            Self::Dead => Pause::Dead,
            Self::NoFreeBlock => Pause::NoFreeBlock,
        }
    }
}

impl Wear {
    /// Begin to wear out a drive.
    ///
    /// Refuses a load that does not fit, and, when stretches are to be skipped, a drive whose blocks are not all used
    /// alike.
    pub fn new(load: &WearLoad, drive: &Ssd, seed: u64, skips: bool) -> Result<Self, LoadError> {
        load.check(drive.user_bytes(), drive.sector_bytes())?;
        if skips && drive.layer_of_like_blocks().is_none() {
            return Err(LoadError {
                key: "drive",
                found: "mapped by blocks, or with pSLC, compression, few fine tables or hot and cold data apart".into(),
                accepted: "page-mapped drives whose blocks are all used alike; others only without skipping".into(),
            });
        }
        Ok(Self {
            writes: Writes::new(load, drive.user_bytes(), seed),
            queue_depth: load.queue_depth,
            skips,
            cost: None,
            units_not_a_log: 0,
            settled: Settled::default(),
            spread_stream: Streams::new(seed).stream("wear spread"),
            skipped_bytes: 0,
            skips_count: 0,
            ended: None,
        })
    }

    /// Refuse a drive with which this run cannot go on, for example one of another size.
    pub fn check_drive(&self, drive: &Ssd) -> Result<(), LoadError> {
        self.writes.check_drive(drive.user_bytes(), drive.sector_bytes())
    }

    /// Bytes of the host that were not written one by one.
    pub fn skipped_bytes(&self) -> u64 {
        self.skipped_bytes
    }

    /// Number of skips.
    pub fn skips_count(&self) -> u64 {
        self.skips_count
    }

    /// Go on until the goal, the end of the drive, or for about `budget_requests` requests. The drive is at rest
    /// afterwards.
    ///
    /// The same goals in the same order give the same drive, whatever the budgets.
    pub fn advance(&mut self, drive: &mut Ssd, goal: Goal, budget_requests: u64) -> Pause {
        let mut left = budget_requests;
        loop {
            if let Some(ended) = self.ended {
                return ended.pause();
            }
            if is_reached(drive, goal) {
                return Pause::Reached;
            }
            if left == 0 {
                return Pause::Working;
            }
            let done = if !self.skips || !self.writes.is_filled() {
                self.write_slots(drive, goal, drive.slots_per_round())
            } else if self.writes.is_in_order() && !self.settled.is_chosen() {
                self.step_in_order(drive, goal)
            } else {
                self.step_settled(drive, goal)
            };
            left = left.saturating_sub(done.max(1));
        }
    }

    /// Write about this many slots of the flash, in whole pages, and come to rest. Returns the number of requests.
    fn write_slots(&mut self, drive: &mut Ssd, goal: Goal, slots: u64) -> u64 {
        let before = drive.counters();
        let unit_bytes = u64::from(drive.config().mapping.unit_bytes);
        let most_bytes =
            goal.host_written_bytes.map_or(u64::MAX, |bytes| bytes.saturating_sub(before.host.written_bytes));
        let programmed = |drive: &Ssd| {
            drive.layer_of_like_blocks().map_or(0, |layer| {
                let tally = layer.tally();
                tally.placed_units + tally.moved_units
            })
        };
        let start = programmed(drive);
        let (mut requests, mut bytes) = (0, 0);
        while self.ended.is_none() && bytes < most_bytes {
            let batch = u64::from(self.queue_depth).max(32);
            let mut outstanding = 0;
            let mut submitted = 0;
            while submitted < batch || outstanding > 0 {
                if submitted < batch && outstanding < self.queue_depth && self.ended.is_none() && bytes < most_bytes {
                    let request = self.writes.next();
                    bytes += request.length_bytes;
                    drive.submit(drive.now_ns(), submitted as u32, request);
                    outstanding += 1;
                    submitted += 1;
                    continue;
                }
                if outstanding == 0 {
                    break;
                }
                let Some(completion) = drive.next_completion(u64::MAX) else { break };
                outstanding -= 1;
                self.ended = self.ended.or(match completion.status {
                    Status::ReadOnly => Some(Ended::ReadOnly),
                    Status::Dead => Some(Ended::Dead),
                    Status::NoFreeBlock => Some(Ended::NoFreeBlock),
                    Status::Done | Status::OutOfRange | Status::Unreadable | Status::NotSupported => None,
                });
            }
            requests += submitted;
            let is_enough = match programmed(drive) {
                0 => bytes / unit_bytes >= slots,
                now => now - start >= slots,
            };
            if is_enough {
                break;
            }
        }
        drive.come_to_rest();
        requests
    }

    /// Count what was skipped.
    fn skipped(&mut self, bytes: u64) {
        self.skipped_bytes += bytes;
        self.skips_count += 1;
    }
}
