//! One SMART attribute as in the drive's table of 512 bytes.

/// Flags of an attribute that predicts failure, and of one that only shows ageing; both are updated continuously.
pub(super) const PRE_FAILURE: u16 = 0x0033;
pub(super) const OLD_AGE: u16 = 0x0032;

/// Three 16-bit words as one raw number, the lowest word first; each word stops at its maximum.
pub(super) fn words(low: u64, middle: u64, high: u64) -> u64 {
    let word = |number: u64| number.min(0xffff);
    word(low) | word(middle) << 16 | word(high) << 32
}

/// One attribute as in the drive's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Attribute number.
    pub id: u8,
    /// Status flags.
    pub flags: u16,
    /// Normalized value.
    pub value: u8,
    /// Lowest normalized value so far.
    pub worst: u8,
    /// Raw bytes, least significant first.
    pub raw: [u8; 6],
}

impl Attribute {
    /// A count that does not predict failure: value 100, and a number in the raw bytes.
    pub(super) fn plain(id: u8, number: u64) -> Self {
        Self::conventional(id, OLD_AGE, 100, number)
    }

    /// An attribute that follows the convention: a normalized value, and a number in the raw bytes.
    pub(super) fn conventional(id: u8, flags: u16, value: u8, number: u64) -> Self {
        let bytes = number.min((1 << 48) - 1).to_le_bytes();
        let raw = [bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]];
        Self { id, flags, value, worst: value, raw }
    }
}
