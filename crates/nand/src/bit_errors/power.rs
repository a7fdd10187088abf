//! Powers of whole numbers, fast: a table with interpolation instead of a logarithm and an exponential.
//!
//! ```text
//!   1  2  3 ... 127 | 128 130 132 ... 254 | 256 260 ...        64 nodes in every octave above 128
//! ```
//!
//! Exact below 128; above, the straight line between two nodes is off by at most
//! `|exponent * (exponent - 1)| / 8 / 64^2` of the value (6e-5 for an exponent of 2). Nothing is kept in a
//! snapshot: the table is a function of the exponent and is built again at its first use.

use serde::{Deserialize, Serialize};

const NODES_PER_OCTAVE: u32 = 64;
const EXACT_BELOW: u64 = 2 * NODES_PER_OCTAVE as u64;

/// `value ^ exponent` for whole values.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct IntegerPower {
    exponent: f64,
    #[serde(skip)]
    nodes: Vec<f64>,
}

impl IntegerPower {
    pub(super) fn new(exponent: f64) -> Self {
        Self { exponent, nodes: Vec::new() }
    }

    /// `value ^ exponent`; 0 for a value of 0, whatever the exponent.
    #[inline]
    pub(super) fn of(&mut self, value: u64) -> f64 {
        if value == 0 {
            return 0.0;
        }
        if self.nodes.is_empty() {
            self.build();
        }
        // A value is split into its leading 7 bits, which select the node, and the rest.
        let shift = (57 - value.leading_zeros().min(57)) as usize;
        let node = shift * NODES_PER_OCTAVE as usize + (value >> shift) as usize;
        let rest = value & ((1 << shift) - 1);
        if rest == 0 {
            return self.nodes[node];
        }
        let share = rest as f64 / (1_u64 << shift) as f64;
        self.nodes[node] + share * (self.nodes[node + 1] - self.nodes[node])
    }

    #[cold]
    fn build(&mut self) {
        // Octave s holds the values m * 2^s for m = 64..128; the first one also those below 64.
        let value_of = |node: u64| {
            let octave = (node / u64::from(NODES_PER_OCTAVE)).saturating_sub(1);
            (node - octave * u64::from(NODES_PER_OCTAVE)) as f64 * libm::pow(2.0, octave as f64)
        };
        let count = EXACT_BELOW + 57 * u64::from(NODES_PER_OCTAVE) + 1;
        self.nodes = (0..count).map(|node| libm::pow(value_of(node), self.exponent)).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_exact_for_small_values_and_close_for_all() {
        for exponent in [0.14, 0.54, 0.9, 1.0, 1.71, 2.05] {
            let mut power = IntegerPower::new(exponent);
            let bound = 1e-9 + (exponent * (exponent - 1.0)).abs() / 8.0 / 64.0 / 64.0;
            let mut value = 1_u64;
            while value < u64::MAX / 32 {
                for near in [value, value + 1, value * 2 - 1] {
                    let exact = libm::pow(near as f64, exponent);
                    let off = (power.of(near) / exact - 1.0).abs();
                    assert!(off <= bound, "{near}^{exponent} is off by {off}");
                    assert!(near >= EXACT_BELOW || off == 0.0, "{near}^{exponent}");
                }
                value = value * 9 / 8 + 1;
            }
            assert_eq!(power.of(0), 0.0);
            assert!(power.of(u64::MAX).is_finite());
        }
    }

    #[test]
    fn a_larger_value_never_has_a_smaller_power() {
        let mut power = IntegerPower::new(1.71);
        let powers: Vec<_> = (0..5_000).map(|value| power.of(value)).collect();
        assert!(powers.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
