//! The platters, in the words of a data sheet.

use serde::{Deserialize, Serialize};

/// The platters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Recorded surfaces, one head each.
    pub surfaces: u32,
    /// Tracks of one surface; a cylinder is the tracks of all surfaces at one arm position.
    pub tracks_per_surface: u32,
    /// Number of zones; all have equal width, and each has its own number of sectors per track.
    pub zone_count: u32,
    /// Physical sectors on a track of the outermost zone, where the addresses begin.
    pub outer_sectors_per_track: u32,
    /// Physical sectors on a track of the innermost zone.
    pub inner_sectors_per_track: u32,
    /// Bytes of a physical sector, the smallest amount that can be written: 512 or 4096.
    pub sector_bytes: u32,
    /// Angle between the end of a track and the start of the next one under another head, as rotation time.
    pub head_skew_ns: u64,
    /// Angle between the end of a cylinder and the start of the next one, as rotation time.
    pub cylinder_skew_ns: u64,
}
