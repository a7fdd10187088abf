//! Why a unit cannot be placed.

use std::fmt;

/// Why a unit cannot be placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No pool can take the unit: every block is full of valid data.
    NoFreeBlock,
    /// So many blocks have gone bad that the drive accepts no more writes.
    SparesExhausted,
}

impl fmt::Display for Refusal {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::NoFreeBlock => "no free block: every block is full of valid data",
            Self::SparesExhausted => "no spare blocks left: too many blocks have gone bad",
        })
    }
}

impl std::error::Error for Refusal {}
