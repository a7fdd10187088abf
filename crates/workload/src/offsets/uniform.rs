//! All positions equally likely, each draw independent (fio's norandommap).

use flashscope_kernel::random::{Stream, below};

use super::independent::PositionLaw;

/// Uniform over `0..count`.
#[derive(Clone, Debug)]
pub(crate) struct Uniform {
    count: u64,
}

impl Uniform {
    pub fn new(count: u64) -> Self {
        Self { count }
    }
}

impl PositionLaw for Uniform {
    #[inline]
    fn draw(&self, stream: &mut Stream) -> u64 {
        below(stream, self.count)
    }
}
