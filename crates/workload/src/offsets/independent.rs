//! Positions that are drawn independently, so that they repeat.

use flashscope_kernel::random::Stream;

use super::placement::Placement;
use crate::direction::Kind;

/// A law of positions `0..count`, each drawn independently.
pub(crate) trait PositionLaw {
    /// The next position.
    fn draw(&self, stream: &mut Stream) -> u64;
}

/// Draws of one law over the grid of each kind of request (grids differ when alignments differ).
#[derive(Clone, Debug)]
pub(crate) struct Independent<Law> {
    pub laws: [Law; 3],
    pub align_bytes: [u64; 3],
    pub stream: Stream,
}

impl<Law: PositionLaw> Placement for Independent<Law> {
    #[inline]
    fn next(&mut self, kind: Kind) -> Option<u64> {
        Some(self.laws[kind as usize].draw(&mut self.stream) * self.align_bytes[kind as usize])
    }

    fn begin_pass(&mut self, _kind: Kind) {}
}
