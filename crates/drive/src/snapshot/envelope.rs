//! The envelope of every state that is stored as bytes: its kind, its format, and whether it is complete.
//!
//! ```text
//!   kind (16 bytes)   format (4)   length of the state (8)   CRC-32 of the state (4)   state
//! ```
//!
//! Numbers are little-endian. The checksum is the one of gzip and Ethernet: it finds damage by storage and copying, but
//! is no protection against deliberate changes.

/// Bytes before the state.
const HEAD_BYTES: usize = 16 + 4 + 8 + 4;

/// Why bytes are not the state that was requested.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    /// They do not begin like a snapshot.
    #[error("this is not a snapshot of a {0}")]
    NotASnapshot(&'static str),
    /// They were written by another version.
    #[error("the snapshot has format {found}; this version reads format {accepted}")]
    OtherFormat {
        /// Format of the snapshot.
        found: u32,
        /// Format this version reads.
        accepted: u32,
    },
    /// They are incomplete or damaged.
    #[error("the snapshot is damaged: {0}")]
    Damaged(String),
}

/// A kind of state, and its format in this version.
#[derive(Clone, Copy, Debug)]
pub struct Envelope {
    /// The first 16 bytes.
    pub magic: &'static [u8; 16],
    /// Its name in errors.
    pub what: &'static str,
    /// Increased whenever the format of the state changes; older snapshots are then refused.
    pub format: u32,
}

impl Envelope {
    /// Put the bytes that `write` appends into the envelope.
    pub fn seal(&self, write: impl FnOnce(Vec<u8>) -> Vec<u8>) -> Vec<u8> {
        let mut head = self.magic.to_vec();
        head.extend(self.format.to_le_bytes());
        head.resize(HEAD_BYTES, 0);
        let mut bytes = write(head);
        let length = (bytes.len() - HEAD_BYTES) as u64;
        let checksum = crc32fast::hash(&bytes[HEAD_BYTES..]);
        bytes[20..28].copy_from_slice(&length.to_le_bytes());
        bytes[28..32].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The state in the envelope, if it has this kind and format and is complete.
    pub fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], SnapshotError> {
        let rest = bytes.strip_prefix(self.magic).ok_or(SnapshotError::NotASnapshot(self.what))?;
        let (format, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
        let found = u32::from_le_bytes(*format);
        if found != self.format {
            return Err(SnapshotError::OtherFormat { found, accepted: self.format });
        }
        let (length, rest) = rest.split_first_chunk().ok_or_else(cut_short)?;
        let (checksum, state) = rest.split_first_chunk().ok_or_else(cut_short)?;
        let length = u64::from_le_bytes(*length);
        if state.len() as u64 != length {
            let found = state.len();
            return Err(SnapshotError::Damaged(format!("it says that {length} bytes follow, and {found} do")));
        }
        let (said, is) = (u32::from_le_bytes(*checksum), crc32fast::hash(state));
        if said != is {
            return Err(SnapshotError::Damaged(format!(
                "its checksum is {is:08x}, and {said:08x} was written with it"
            )));
        }
        Ok(state)
    }
}

fn cut_short() -> SnapshotError {
    SnapshotError::Damaged("it ends before its state begins".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENVELOPE: Envelope = Envelope { magic: b"flashscope test ", what: "test", format: 3 };

    fn sealed(state: &[u8]) -> Vec<u8> {
        ENVELOPE.seal(|mut bytes| {
            bytes.extend(state);
            bytes
        })
    }

    #[test]
    fn what_was_sealed_is_opened() {
        for state in [&b""[..], b"1", b"123456789"] {
            assert_eq!(ENVELOPE.open(&sealed(state)), Ok(state));
        }
        assert_eq!(sealed(b"123456789")[28..32], 0xcbf4_3926_u32.to_le_bytes(), "the check value of CRC-32");
    }

    #[test]
    fn every_changed_bit_and_every_missing_byte_is_found() {
        let whole = sealed(b"state");
        for at in 0..whole.len() * 8 {
            let mut changed = whole.clone();
            changed[at / 8] ^= 1 << (at % 8);
            assert!(ENVELOPE.open(&changed).is_err(), "bit {at}");
        }
        for length in 0..whole.len() {
            assert!(ENVELOPE.open(&whole[..length]).is_err(), "{length} bytes");
        }
        assert!(ENVELOPE.open(&[&whole[..], b"x"].concat()).is_err(), "one byte more");
    }

    #[test]
    fn another_kind_and_another_format_are_told_apart_from_damage() {
        let whole = sealed(b"state");
        let other = Envelope { magic: b"flashscope other", ..ENVELOPE };
        assert_eq!(other.open(&whole), Err(SnapshotError::NotASnapshot("test")));
        let later = Envelope { format: 4, ..ENVELOPE };
        assert_eq!(later.open(&whole), Err(SnapshotError::OtherFormat { found: 3, accepted: 4 }));
    }
}
