//! What the buffer holds of one unit: which of its sectors, and how compressible they are.
//!
//! ```text
//!   sector   0 1 2 3 4 5 6 7
//!   older      # # #              compressible 200
//!   newer          # # # #        compressible 90
//!   held       # # # # # #        compressible 90: the smaller of the two values
//! ```
//!
//! Not modelled here: the compressibility of single sectors. Older data of which a part is left counts with the
//! value that it had as a whole.

use serde::{Deserialize, Serialize};

/// Sectors of one unit that are in the buffer, one bit each (a unit has at most 128).
pub type Covered = u128;

/// One unit in the buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// Sectors in the buffer.
    pub covered: Covered,
    /// Share that a compressor could save, in 1/255: the smallest of the parts.
    pub compressible: u8,
}

impl Waiting {
    /// The same unit after `sectors` of it were written again.
    #[inline]
    pub fn joined(self, sectors: Covered, compressible: u8) -> Self {
        let older_is_gone = self.covered & !sectors == 0;
        let compressible = if older_is_gone { compressible } else { self.compressible.min(compressible) };
        Self { covered: self.covered | sectors, compressible }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_is_as_compressible_as_the_least_of_its_parts_that_are_still_there() {
        let unit = Waiting::default().joined(0b0011, 200);
        assert_eq!(unit, Waiting { covered: 0b0011, compressible: 200 });
        assert_eq!(unit.joined(0b0110, 90), Waiting { covered: 0b0111, compressible: 90 });
        assert_eq!(unit.joined(0b0110, 255).compressible, 200, "the older part still counts");
        assert_eq!(unit.joined(0b1111, 255).compressible, 255, "nothing is left of it");
    }
}
