//! Where a drive really keeps the data of an address: elsewhere or nowhere on a counterfeit one.

/// Where a drive keeps the data of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// At this address, counted in the address space of the whole drive [bytes].
    At(u64),
    /// Nowhere: it reads as zeros.
    Zeros,
    /// Nowhere: it reads as anything.
    Undefined,
}
