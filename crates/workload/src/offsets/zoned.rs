//! Zones: shares of the accesses go to shares of the span, in the order of the list; uniform within a zone.

use flashscope_kernel::random::{Rng, Stream, below};

use super::independent::PositionLaw;
use crate::shares::cumulated;

/// The zones of a span.
#[derive(Clone, Debug)]
pub(crate) struct Zoned {
    zones: Vec<Zone>,
}

#[derive(Clone, Debug)]
struct Zone {
    /// Draws from the previous zone's limit up to this one belong to this zone, in 1/2^64.
    up_to: u64,
    first: u64,
    count: u64,
}

impl Zoned {
    /// zones: (share of accesses, share of the span) in per cent.
    pub fn new(count: u64, zones: &[(f64, f64)]) -> Self {
        let accesses = cumulated(zones.iter().map(|zone| zone.0));
        let mut first = 0;
        let ends = cumulated(zones.iter().map(|zone| zone.1)).into_iter().map(|end| {
            // 2^64 - 1 stands for the whole span.
            if end == u64::MAX { count } else { ((u128::from(end) * u128::from(count)) >> 64) as u64 }
        });
        let zones = accesses
            .into_iter()
            .zip(ends)
            .map(|(up_to, end)| {
                // A zone that is too narrow for one position gets the position that it lies in.
                let start = first.min(count - 1);
                first = end;
                Zone { up_to, first: start, count: end.saturating_sub(start).max(1) }
            })
            .collect();
        Self { zones }
    }
}

impl PositionLaw for Zoned {
    #[inline]
    fn draw(&self, stream: &mut Stream) -> u64 {
        let draw = stream.next_u64();
        let zone = &self.zones[self.zones.partition_point(|zone| zone.up_to < draw)];
        zone.first + below(stream, zone.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flashscope_kernel::random::Streams;

    #[test]
    fn each_zone_gets_its_share_of_the_accesses() {
        let zones = [(60.0, 10.0), (30.0, 20.0), (8.0, 30.0), (2.0, 40.0)];
        let law = Zoned::new(1000, &zones);
        let mut stream = Streams::new(8).stream("offsets");
        let mut counts = [0_u32; 4];
        for _ in 0..100_000 {
            let position = law.draw(&mut stream);
            counts[[100, 300, 600].partition_point(|&end| end <= position)] += 1;
        }
        for (count, (access_percent, _)) in counts.iter().zip(zones) {
            // The limit is five standard deviations of at most 155.
            assert!((f64::from(*count) - access_percent * 1000.0).abs() < 775.0, "{counts:?}");
        }
    }

    #[test]
    fn every_position_of_every_zone_is_reached_and_none_outside() {
        let law = Zoned::new(7, &[(50.0, 50.0), (50.0, 50.0)]);
        let mut stream = Streams::new(8).stream("offsets");
        let mut seen = [false; 7];
        for _ in 0..1000 {
            seen[law.draw(&mut stream) as usize] = true;
        }
        assert_eq!(seen, [true; 7]);
        let narrow = Zoned::new(1, &[(10.0, 1.0), (90.0, 99.0)]);
        assert!((0..100).all(|_| narrow.draw(&mut stream) == 0));
    }
}
