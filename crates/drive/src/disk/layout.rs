//! Where a physical sector lies: zone, cylinder, head, and place on the track.
//!
//! ```text
//!   outer rim  |  zone 0   |  zone 1   | ... |  zone n  |  spindle
//!   addresses -> track 0 of all heads, then track 1 of all heads, ...
//!                sectors per track fall from zone to zone in equal steps
//! ```
//!
//! Not modelled here: spare sectors and remapped ones, serpentine addressing (one surface at a time within
//! a zone), surfaces with different densities.

use super::geometry::Geometry;
use serde::{Deserialize, Serialize};

/// A place on the platters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    pub cylinder: u32,
    pub head: u32,
    /// Number of the sector on its track.
    pub sector: u32,
    /// Sectors of that track.
    pub sectors_per_track: u32,
    /// Angle between the start of this track and the start of the first track, as rotation time.
    pub skew_ns: u64,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Zone {
    first_sector: u64,
    first_cylinder: u32,
    sectors_per_track: u32,
}

/// See the module's header.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Layout {
    zones: Vec<Zone>,
    surfaces: u32,
    sector_count: u64,
    head_skew_ns: u64,
    skew_per_cylinder_ns: u64,
}

impl Layout {
    /// The layout of a geometry whose counts are all positive.
    pub fn new(geometry: &Geometry) -> Self {
        let zone_count = u64::from(geometry.zone_count);
        let span = u64::from(geometry.outer_sectors_per_track - geometry.inner_sectors_per_track);
        let cylinders = u64::from(geometry.tracks_per_surface);
        let surfaces = u64::from(geometry.surfaces);
        let mut zones = Vec::with_capacity(zone_count as usize);
        let mut sector_count = 0;
        for zone in 0..zone_count {
            let fewer = span * zone / (zone_count - 1).max(1);
            let sectors_per_track = geometry.outer_sectors_per_track - fewer as u32;
            let (first, end) = (cylinders * zone / zone_count, cylinders * (zone + 1) / zone_count);
            zones.push(Zone { first_sector: sector_count, first_cylinder: first as u32, sectors_per_track });
            sector_count += (end - first) * surfaces * u64::from(sectors_per_track);
        }
        let skew_per_cylinder_ns = (surfaces - 1) * geometry.head_skew_ns + geometry.cylinder_skew_ns;
        Self {
            zones,
            surfaces: geometry.surfaces,
            sector_count,
            head_skew_ns: geometry.head_skew_ns,
            skew_per_cylinder_ns,
        }
    }

    /// Physical sectors on all tracks.
    pub fn physical_sector_count(&self) -> u64 {
        self.sector_count
    }

    /// Zone, cylinder, head and place of this physical sector.
    #[inline]
    pub fn place(&self, sector: u64) -> Place {
        let zone = &self.zones[self.zones.partition_point(|zone| zone.first_sector <= sector) - 1];
        let (within, per_track) = (sector - zone.first_sector, u64::from(zone.sectors_per_track));
        let track = within / per_track;
        let cylinder = u64::from(zone.first_cylinder) + track / u64::from(self.surfaces);
        let head = track % u64::from(self.surfaces);
        Place {
            cylinder: cylinder as u32,
            head: head as u32,
            sector: (within % per_track) as u32,
            sectors_per_track: zone.sectors_per_track,
            skew_ns: cylinder * self.skew_per_cylinder_ns + head * self.head_skew_ns,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_sector_has_a_place_of_its_own_and_inner_tracks_hold_fewer() {
        let geometry = Geometry {
            surfaces: 3,
            tracks_per_surface: 10,
            zone_count: 4,
            outer_sectors_per_track: 16,
            inner_sectors_per_track: 10,
            sector_bytes: 512,
            head_skew_ns: 5,
            cylinder_skew_ns: 7,
        };
        let layout = Layout::new(&geometry);
        let places: Vec<_> = (0..layout.physical_sector_count()).map(|sector| layout.place(sector)).collect();
        let distinct: BTreeSet<_> = places.iter().map(|place| (place.cylinder, place.head, place.sector)).collect();
        assert_eq!(distinct.len(), places.len());
        assert!(places.is_sorted_by_key(|place| (place.cylinder, place.head, place.sector)));
        assert!(places.is_sorted_by_key(|place| 16 - place.sectors_per_track));
        assert_eq!(places.last().map(|place| (place.cylinder, place.head, place.sectors_per_track)), Some((9, 2, 10)));
        assert_eq!(layout.place(16 * 3).skew_ns, 2 * 5 + 7, "two heads and one cylinder further");
    }
}
