//! What a disk is built from, in the words of its data sheet, and the check of these values.
//!
//! No value here is a data rate or a number of requests per second: those follow from the geometry and from virtual
//! time. A maker's free choices that no data sheet states are only in [`WriteCache`] (how many separate runs it can
//! hold, how many it compares before it moves the arm) and in [`Queue`].

pub use super::geometry::Geometry;

use super::layout::Layout;
use crate::config_error::{ConfigError, require};
use crate::host::Link;
use crate::request::SECTOR_BYTES;
use flashscope_kernel::choice;
use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// Times of the arm's movements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seek {
    /// To the neighbouring cylinder.
    pub track_to_track_ns: u64,
    /// Over a third of all cylinders, the mean distance of two random places.
    pub average_ns: u64,
    /// Over all cylinders.
    pub full_stroke_ns: u64,
    /// To another head of the same cylinder.
    pub head_switch_ns: u64,
    /// Added after a move when a write follows: a write needs the head to be steadier than a read does.
    pub write_settle_ns: u64,
}

/// Memory for data read from the platters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadCache {
    /// Separate streams that it can hold; 0 means no read cache and no look-ahead.
    pub segment_count: u32,
    /// Size of each stream's segment [bytes]; also how far the disk reads ahead of the host.
    pub segment_bytes: u64,
}

choice! {
    /// The order in which data in the write cache goes to the platters.
    pub enum FlushOrder {
        /// Oldest first.
        Arrival = "arrival",
        /// By rising address, starting again at the lowest one.
        Elevator = "elevator",
        /// The run that can be reached soonest, among the next few by rising address.
        ShortestPositioning = "shortest-positioning",
    }
}

/// Memory for data not yet on the platters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WriteCache {
    /// Size [bytes]; 0 means that writes are acknowledged when they are on the platters.
    pub bytes: u64,
    /// Separate runs of addresses it can hold (entries of its table).
    pub run_count: u32,
    /// Order of writing out.
    pub flush_order: FlushOrder,
    /// Number of runs that `shortest-positioning` compares.
    pub look_ahead_runs: u32,
    /// Idle time after which a cache that is less than half full is written out.
    pub idle_flush_ns: u64,
}

choice! {
    /// Which waiting request is served next.
    pub enum QueueOrder {
        /// The request that came first.
        Arrival = "arrival",
        /// The request whose first sector is under the head soonest.
        ShortestPositioning = "shortest-positioning",
    }
}

/// Command queuing; its depth is `link.queue_depth`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Queue {
    /// Order of service.
    pub order: QueueOrder,
    /// A request that has waited longer than this goes first.
    pub longest_wait_ns: u64,
}

/// Everything a disk is built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name of the part.
    pub name: String,
    /// Model as the drive reports it.
    pub model: String,
    /// Firmware revision as the drive reports it.
    pub firmware: String,
    /// Capacity shown to the host [bytes].
    pub user_bytes: u64,
    /// Revolutions per minute.
    pub rpm: u32,
    /// The platters.
    pub geometry: Geometry,
    /// The arm.
    pub seek: Seek,
    /// Look-ahead.
    pub read_cache: ReadCache,
    /// Write cache.
    pub write_cache: WriteCache,
    /// Command queuing.
    pub queue: Queue,
    /// Host side.
    pub link: Link,
}

impl Config {
    /// Logical sectors of 512 B in one physical sector.
    pub fn sectors_per_physical(&self) -> u64 {
        u64::from(self.geometry.sector_bytes) / SECTOR_BYTES
    }

    /// Check every value, alone and together with the others; the first contradiction is returned.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.check_platters()?;
        self.check_times()?;
        self.check_memory()
    }

    fn check_platters(&self) -> Result<(), ConfigError> {
        let geometry = &self.geometry;
        require("disk.rpm", self.rpm, (60..=60_000).contains(&self.rpm), || "60 to 60000".into())?;
        let counts = [
            ("disk.geometry.surfaces", geometry.surfaces, 64),
            ("disk.geometry.tracks_per_surface", geometry.tracks_per_surface, 1 << 24),
            ("disk.geometry.inner_sectors_per_track", geometry.inner_sectors_per_track, 1 << 20),
            ("disk.geometry.outer_sectors_per_track", geometry.outer_sectors_per_track, 1 << 20),
        ];
        for (key, found, most) in counts {
            require(key, found, (1..=most).contains(&found), || format!("1 to {most}"))?;
        }
        let (outer, inner) = (geometry.outer_sectors_per_track, geometry.inner_sectors_per_track);
        require("disk.geometry.inner_sectors_per_track", inner, inner <= outer, || {
            format!("at most disk.geometry.outer_sectors_per_track, which is {outer}")
        })?;
        let zones = geometry.zone_count;
        let most = geometry.tracks_per_surface.min(outer - inner + 1);
        let fits = (1..=most).contains(&zones) && (zones > 1 || outer == inner);
        require("disk.geometry.zone_count", zones, fits, || {
            format!("1 to {most}, and 1 only if all tracks have the same number of sectors")
        })?;
        let sector = geometry.sector_bytes;
        require("disk.geometry.sector_bytes", sector, matches!(sector, 512 | 4096), || "512 or 4096".into())?;
        let holds = Layout::new(geometry).physical_sector_count() * u64::from(sector);
        let user = self.user_bytes;
        let whole = user > 0 && user.is_multiple_of(u64::from(sector));
        require("disk.user_bytes", user, whole && user <= holds, || {
            format!("a positive multiple of {sector} B, at most the {holds} B on the platters")
        })
    }

    fn check_times(&self) -> Result<(), ConfigError> {
        let (seek, geometry) = (&self.seek, &self.geometry);
        let times = [
            ("disk.seek.track_to_track_ns", seek.track_to_track_ns),
            ("disk.seek.head_switch_ns", seek.head_switch_ns),
            ("disk.write_cache.idle_flush_ns", self.write_cache.idle_flush_ns),
            ("disk.queue.longest_wait_ns", self.queue.longest_wait_ns),
            ("disk.link.command_cost_ns", self.link.command_cost_ns),
        ];
        for (key, found) in times {
            require(key, found, (1..=1000 * SECOND_NS).contains(&found), || "1 ns to 1000 s; nothing is free".into())?;
        }
        require("disk.seek.average_ns", seek.average_ns, seek.average_ns >= seek.track_to_track_ns, || {
            format!("at least disk.seek.track_to_track_ns, which is {}", seek.track_to_track_ns)
        })?;
        let full = seek.full_stroke_ns;
        require("disk.seek.full_stroke_ns", full, (seek.average_ns..=10 * SECOND_NS).contains(&full), || {
            format!("at least disk.seek.average_ns, which is {}, at most 10 s", seek.average_ns)
        })?;
        let revolution_ns = 60 * SECOND_NS / u64::from(self.rpm);
        let parts_of_a_turn = [
            ("disk.geometry.head_skew_ns", geometry.head_skew_ns),
            ("disk.geometry.cylinder_skew_ns", geometry.cylinder_skew_ns),
            ("disk.seek.write_settle_ns", seek.write_settle_ns),
        ];
        for (key, found) in parts_of_a_turn {
            require(key, found, found < revolution_ns, || format!("less than a revolution, {revolution_ns} ns"))?;
        }
        self.link.check("disk.link.bytes_per_second", "disk.link.queue_depth")
    }

    fn check_memory(&self) -> Result<(), ConfigError> {
        let read = &self.read_cache;
        require("disk.read_cache.segment_count", read.segment_count, read.segment_count <= 1024, || {
            "0 (no read cache) to 1024".into()
        })?;
        let sector = u64::from(self.geometry.sector_bytes);
        let whole = |bytes: u64| bytes.is_multiple_of(sector) && bytes <= self.user_bytes;
        let segment = read.segment_bytes;
        let fits = read.segment_count == 0 || (segment > 0 && whole(segment));
        require("disk.read_cache.segment_bytes", segment, fits, || {
            format!("a positive multiple of {sector} B, no larger than the disk")
        })?;
        let write = &self.write_cache;
        require("disk.write_cache.bytes", write.bytes, whole(write.bytes), || {
            format!("0 (no write cache) or a multiple of {sector} B, no larger than the disk")
        })?;
        let runs = [
            ("disk.write_cache.run_count", write.run_count),
            ("disk.write_cache.look_ahead_runs", write.look_ahead_runs),
        ];
        for (key, found) in runs {
            require(key, found, write.bytes == 0 || (1..=1 << 20).contains(&found), || "1 to 1048576".into())?;
        }
        Ok(())
    }
}
