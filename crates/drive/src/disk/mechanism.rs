//! The arm and the platters: the time until a sector is under the head, and until it has passed.
//!
//! ```text
//!   now ---- seek or head switch ----+---- wait for the sector ----+---- sectors pass ----+
//!                                 on track                      first                    last
//! ```
//!
//! The angle of the platters is a function of virtual time alone: `now * rpm` modulo one minute, exact in integers,
//! with [`TURN`] steps per revolution. The end of a sector is computed from this angle and rounded up to the
//! nanosecond, so rounding errors never add up. A sector whose start passed less than a nanosecond ago still counts as
//! reached; otherwise rounding would cost a revolution.
//!
//! The seek curve goes through the three times in the data sheet: `t(d) = a + b sqrt(d - 1)` from one cylinder to a
//! third of the stroke (the arm speeds up and brakes), then a straight line to the full stroke (it coasts).
//!
//! Not modelled here: reading a track from the sector where the head arrives (zero-latency reads), errors that cost
//! another turn, slow recalibration, vibration.

use super::config::{Config, Seek};
use super::layout::{Layout, Place};
use serde::{Deserialize, Serialize};

/// Steps per revolution: in one nanosecond the platters turn by `rpm` steps.
const TURN: u64 = 60_000_000_000;

/// The seek curve.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SeekCurve {
    seek: Seek,
    third: u64,
    full: u64,
}

impl SeekCurve {
    fn new(seek: &Seek, cylinders: u32) -> Self {
        let full = u64::from(cylinders).saturating_sub(1).max(1);
        Self { seek: seek.clone(), third: (u64::from(cylinders) / 3).max(1), full }
    }

    /// Time to move the arm by `distance` cylinders [ns].
    fn time_ns(&self, distance: u64) -> u64 {
        let Seek { track_to_track_ns, average_ns, full_stroke_ns, .. } = self.seek;
        if distance == 0 {
            0
        } else if distance <= self.third {
            // Square roots of integers with 16 more bits: the result is the same on every platform.
            let root = |number: u64| (number << 32).isqrt();
            let whole = root(self.third - 1).max(1);
            track_to_track_ns
                + (u128::from(average_ns - track_to_track_ns) * u128::from(root(distance - 1)) / u128::from(whole))
                    as u64
        } else {
            let rest = (self.full - self.third).max(1);
            average_ns + (full_stroke_ns - average_ns) * (distance - self.third) / rest
        }
    }
}

/// Consecutive sectors of one track as they pass the head.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Pass {
    /// When the head is on the track [ns].
    pub on_track_ns: u64,
    /// Steps from there to the first sector; slightly negative if the start of that sector passed within the
    /// nanosecond.
    wait_steps: i64,
    sector: u32,
    sectors_per_track: u32,
    rpm: u32,
}

impl Pass {
    /// When the first `count` sectors have passed [ns].
    #[inline]
    pub fn passed_ns(&self, count: u64) -> u64 {
        let steps = self.wait_steps + arc_steps(self.sector, count, self.sectors_per_track) as i64;
        self.on_track_ns + (steps.max(0) as u64).div_ceil(u64::from(self.rpm))
    }

    /// The same, one revolution later [ns].
    #[inline]
    pub fn passed_again_ns(&self, count: u64) -> u64 {
        let steps = self.wait_steps + (TURN + arc_steps(self.sector, count, self.sectors_per_track)) as i64;
        self.on_track_ns + (steps.max(0) as u64).div_ceil(u64::from(self.rpm))
    }

    /// How many of the sectors, up to `most`, have passed by `now_ns`.
    pub fn passed_count(&self, now_ns: u64, most: u64) -> u64 {
        let (mut passed, mut not_passed) = (0, most + 1);
        while not_passed - passed > 1 {
            let middle = passed.midpoint(not_passed);
            if self.passed_ns(middle) <= now_ns {
                passed = middle;
            } else {
                not_passed = middle;
            }
        }
        passed
    }
}

/// Steps between the starts of two sectors of a track, `count` apart.
#[inline]
fn arc_steps(sector: u32, count: u64, sectors_per_track: u32) -> u64 {
    let start = |sector: u64| sector * TURN / u64::from(sectors_per_track);
    start(u64::from(sector) + count) - start(u64::from(sector))
}

/// The moving parts of a disk.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mechanism {
    layout: Layout,
    curve: SeekCurve,
    rpm: u32,
    cylinder: u32,
    head: u32,
    /// Moves to another cylinder.
    pub seek_count: u64,
    /// Moves to another head of the same cylinder.
    pub head_switch_count: u64,
}

impl Mechanism {
    pub fn new(config: &Config) -> Self {
        Self {
            layout: Layout::new(&config.geometry),
            curve: SeekCurve::new(&config.seek, config.geometry.tracks_per_surface),
            rpm: config.rpm,
            cylinder: 0,
            head: 0,
            seek_count: 0,
            head_switch_count: 0,
        }
    }

    /// Time from `now_ns` until this physical sector is under the head [ns].
    #[inline]
    pub fn positioning_ns(&self, now_ns: u64, sector: u64, for_write: bool) -> u64 {
        self.approach(now_ns, &self.layout.place(sector), for_write).passed_ns(0) - now_ns
    }

    /// Number of sectors from this one to the end of the track, itself included.
    #[inline]
    pub fn left_on_track(&self, sector: u64) -> u64 {
        let place = self.layout.place(sector);
        u64::from(place.sectors_per_track - place.sector)
    }

    /// Move to this physical sector.
    pub fn go(&mut self, now_ns: u64, sector: u64, for_write: bool) -> Pass {
        let place = self.layout.place(sector);
        let pass = self.approach(now_ns, &place, for_write);
        if place.cylinder != self.cylinder {
            self.seek_count += 1;
        } else if place.head != self.head {
            self.head_switch_count += 1;
        }
        (self.cylinder, self.head) = (place.cylinder, place.head);
        pass
    }

    #[inline]
    fn approach(&self, now_ns: u64, place: &Place, for_write: bool) -> Pass {
        let on_track_ns = now_ns + self.move_ns(place, for_write);
        let rpm = u64::from(self.rpm);
        let angle = (on_track_ns % TURN) * rpm % TURN;
        let start = arc_steps(0, u64::from(place.sector), place.sectors_per_track);
        let target = (start + (place.skew_ns % TURN) * rpm % TURN) % TURN;
        let ahead = (target + TURN - angle) % TURN;
        let just_passed = TURN - ahead < rpm;
        let wait_steps = if just_passed { ahead as i64 - TURN as i64 } else { ahead as i64 };
        Pass {
            on_track_ns,
            wait_steps,
            sector: place.sector,
            sectors_per_track: place.sectors_per_track,
            rpm: self.rpm,
        }
    }

    #[inline]
    fn move_ns(&self, place: &Place, for_write: bool) -> u64 {
        let distance = u64::from(place.cylinder.abs_diff(self.cylinder));
        let other_head = place.head != self.head;
        if distance == 0 && !other_head {
            return 0;
        }
        let switch_ns = if other_head { self.curve.seek.head_switch_ns } else { 0 };
        let settle_ns = if for_write { self.curve.seek.write_settle_ns } else { 0 };
        self.curve.time_ns(distance).max(switch_ns) + settle_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seek_curve_goes_through_the_three_numbers_of_the_data_sheet_and_never_falls() {
        let seek = Seek {
            track_to_track_ns: 800_000,
            average_ns: 8_500_000,
            full_stroke_ns: 18_000_000,
            head_switch_ns: 1,
            write_settle_ns: 0,
        };
        let curve = SeekCurve::new(&seek, 90_001);
        let times: Vec<_> = [0, 1, 30_000, 90_000].map(|distance| curve.time_ns(distance)).into();
        assert_eq!(times, [0, 800_000, 8_500_000, 18_000_000]);
        assert!((1..90_000).all(|distance| curve.time_ns(distance) <= curve.time_ns(distance + 1)));
        let quarter = curve.time_ns(1 + (30_000 - 1) / 4);
        assert!(quarter.abs_diff(800_000 + 7_700_000 / 2) < 1_000, "half the way up at a quarter, {quarter}");
    }

    #[test]
    fn a_disk_of_one_or_two_cylinders_has_a_seek_curve_too() {
        let seek =
            Seek { track_to_track_ns: 1, average_ns: 2, full_stroke_ns: 3, head_switch_ns: 1, write_settle_ns: 0 };
        for cylinders in [1, 2, 3, 4] {
            let curve = SeekCurve::new(&seek, cylinders);
            assert!(curve.time_ns(u64::from(cylinders - 1)) <= 3);
        }
    }
}
