//! Stamps: numbers by which a host recognises what it wrote, on a drive that keeps no data.
//!
//! ```text
//!   write [A..) stamped 70   sectors A, A+1, A+2 ...  carry 70, 71, 72 ...      a real write, with its time and wear
//!   read  [B..)              each sector: the stamp written last where its data really lies, zeros, or something else
//! ```
//!
//! Two addresses of a counterfeit drive may share one place, and other addresses have none ([`VirtualDrive::place_of`]).
//! The map is beside the drive and not in it: the drive's loops know nothing of stamps. So whoever does anything else
//! to the drive must forget them all; a snapshot has none. What was not stamped reads as "something else".
//! Not modelled here: stamps of data that was lost in a power cut or is read with wrong bits.

use crate::place::Place;
use crate::request::{Drive, Request, RequestKind, SECTOR_BYTES, Status};
use crate::virtual_drive::VirtualDrive;
use std::collections::BTreeMap;

/// What a read finds in a sector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This stamp.
    Stamp(u64),
    /// Zeros.
    Zeros,
    /// Data that was not stamped.
    Other,
}

/// The stamps that are on a drive. See the module's header.
#[derive(Clone, Debug, Default)]
pub struct Stamps {
    /// Place of the first sector of each piece -> its end (exclusive) [bytes], and the stamp of its first sector.
    pieces: BTreeMap<u64, (u64, u64)>,
}

impl Stamps {
    /// Write a range whose sectors carry `stamp`, `stamp + 1` and so on. Returns how the write ended.
    pub fn write(&mut self, drive: &mut VirtualDrive, offset_bytes: u64, length_bytes: u64, stamp: u64) -> Status {
        let status = carried_out(drive, RequestKind::Write, offset_bytes, length_bytes);
        for (index, sector_bytes) in sectors(status, offset_bytes, length_bytes) {
            if let Place::At(at) = drive.place_of(sector_bytes) {
                self.put(at, stamp.wrapping_add(index));
            }
        }
        status
    }

    /// Read a range. Returns how the read ended, and what each sector holds when it was carried out.
    pub fn read(&self, drive: &mut VirtualDrive, offset_bytes: u64, length_bytes: u64) -> (Status, Vec<Found>) {
        let status = carried_out(drive, RequestKind::Read, offset_bytes, length_bytes);
        let found = |(_, sector_bytes)| match drive.place_of(sector_bytes) {
            Place::At(at) => self.get(at),
            Place::Zeros => Found::Zeros,
            Place::Undefined => Found::Other,
        };
        (status, sectors(status, offset_bytes, length_bytes).map(found).collect())
    }

    /// Forget all stamps: something else may have been written.
    pub fn forget(&mut self) {
        self.pieces.clear();
    }

    fn get(&self, at: u64) -> Found {
        let piece = self.pieces.range(..=at).next_back().filter(|&(_, &(end, _))| at < end);
        piece.map_or(Found::Other, |(start, &(_, stamp))| Found::Stamp(stamp.wrapping_add((at - start) / SECTOR_BYTES)))
    }

    /// Stamp one sector. It extends the piece before it when it continues its place and its number.
    fn put(&mut self, at: u64, stamp: u64) {
        let end = at + SECTOR_BYTES;
        self.cut_out(at);
        if let Some((start, (piece_end, first))) = self.pieces.range_mut(..at).next_back() {
            let continues = *piece_end == at && first.wrapping_add((at - start) / SECTOR_BYTES) == stamp;
            if continues {
                *piece_end = end;
                return;
            }
        }
        self.pieces.insert(at, (end, stamp));
    }

    /// Take one sector out of the piece that it lies in, if any.
    fn cut_out(&mut self, at: u64) {
        let Some((&start, &(end, first))) = self.pieces.range(..=at).next_back() else { return };
        if at >= end {
            return;
        }
        self.pieces.remove(&start);
        if start < at {
            self.pieces.insert(start, (at, first));
        }
        let rest = at + SECTOR_BYTES;
        if rest < end {
            self.pieces.insert(rest, (end, first.wrapping_add((rest - start) / SECTOR_BYTES)));
        }
    }
}

/// Send one request and wait for its answer.
pub fn carried_out(drive: &mut VirtualDrive, kind: RequestKind, offset_bytes: u64, length_bytes: u64) -> Status {
    drive.submit(drive.now_ns(), 0, Request { kind, offset_bytes, length_bytes, compressible: 0 });
    let answer = drive.next_completion(u64::MAX).expect("a drive answers every request");
    answer.status
}

/// The sectors of a request that was carried out: their numbers, and their first bytes.
fn sectors(status: Status, offset_bytes: u64, length_bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let count = if status == Status::Done { length_bytes / SECTOR_BYTES } else { 0 };
    (0..count).map(move |index| (index, offset_bytes + index * SECTOR_BYTES))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ssd::config::Beyond;
    use crate::stripe::{Config as StripeConfig, Host};
    use crate::{Memory, Ssd};

    const REAL_BYTES: u64 = 3 << 20;

    fn counterfeit(beyond: Beyond) -> VirtualDrive {
        let mut config = crate::ssd::tests::small_config();
        config.capacity.announced_bytes = 30 << 20;
        config.capacity.beyond = beyond;
        assert_eq!(config.capacity.user_bytes, REAL_BYTES);
        VirtualDrive::Ssd(Box::new(Ssd::new(config, 1).unwrap()))
    }

    fn striped(member: impl Fn() -> VirtualDrive) -> VirtualDrive {
        let host = Host { bytes_per_second: 1_000_000_000, command_cost_ns: 0, command_bytes_max: 0 };
        let members = (0..3).map(|_| member()).collect();
        VirtualDrive::stripe(StripeConfig { chunk_bytes: 4096, host }, members).unwrap()
    }

    fn memory() -> VirtualDrive {
        VirtualDrive::Memory(Box::new(Memory::new(crate::memory::tests::config(1, false)).unwrap()))
    }

    fn found(stamps: &Stamps, drive: &mut VirtualDrive, offset_bytes: u64, sectors: u64) -> Vec<Found> {
        let (status, found) = stamps.read(drive, offset_bytes, sectors * SECTOR_BYTES);
        assert_eq!(status, Status::Done);
        found
    }

    #[test]
    fn an_honest_drive_of_any_kind_gives_back_the_stamps_written_last() {
        for mut drive in [memory(), striped(memory), striped(|| striped(memory))] {
            let mut stamps = Stamps::default();
            let at = 2 * 4096 - 1024;
            assert_eq!(stamps.write(&mut drive, at, 16 * 512, 70), Status::Done);
            assert_eq!(stamps.write(&mut drive, at + 1024, 512, 500), Status::Done);
            let numbers = [70, 71, 500, 73, 74].map(Found::Stamp);
            assert_eq!(found(&stamps, &mut drive, at, 5), numbers);
            assert_eq!(found(&stamps, &mut drive, at + 15 * 512, 2), [Found::Stamp(85), Found::Other]);
            stamps.forget();
            assert_eq!(found(&stamps, &mut drive, at, 1), [Found::Other]);
        }
    }

    #[test]
    fn pieces_hold_the_same_stamps_as_a_plain_map() {
        use flashscope_kernel::random::{Streams, below};
        let mut stream = Streams::new(7).stream("stamps");
        let (mut stamps, mut plain) = (Stamps::default(), vec![Found::Other; 64]);
        for round in 0..2_000_u64 {
            let start = below(&mut stream, 64);
            let end = start + below(&mut stream, 65 - start);
            for sector in start..end {
                stamps.put(sector * SECTOR_BYTES, round * 100 + sector - start);
                plain[sector as usize] = Found::Stamp(round * 100 + sector - start);
            }
            let held: Vec<Found> = (0..64).map(|sector| stamps.get(sector * SECTOR_BYTES)).collect();
            assert_eq!(held, plain);
        }
    }

    #[test]
    fn a_drive_that_wraps_gives_back_what_was_written_last_at_the_same_place() {
        for (mut drive, real_bytes) in
            [(counterfeit(Beyond::Wraps), REAL_BYTES), (striped(|| counterfeit(Beyond::Wraps)), 3 * REAL_BYTES)]
        {
            let mut stamps = Stamps::default();
            stamps.write(&mut drive, 8192, 1024, 1000);
            stamps.write(&mut drive, 2 * real_bytes + 8192 + 512, 512, 2000);
            assert_eq!(found(&stamps, &mut drive, 8192, 2), [1000, 2000].map(Found::Stamp));
            assert_eq!(found(&stamps, &mut drive, real_bytes + 8192, 2), [1000, 2000].map(Found::Stamp));
        }
    }

    #[test]
    fn a_drive_that_drops_writes_acknowledges_them_and_gives_back_zeros_or_something_else() {
        for (beyond, reads) in [(Beyond::Zeros, Found::Zeros), (Beyond::Drops, Found::Other)] {
            let mut drive = counterfeit(beyond);
            let mut stamps = Stamps::default();
            assert_eq!(stamps.write(&mut drive, REAL_BYTES - 512, 1024, 70), Status::Done, "half of it is there");
            assert_eq!(stamps.write(&mut drive, 2 * REAL_BYTES, 512, 80), Status::Done);
            assert_eq!(found(&stamps, &mut drive, REAL_BYTES - 512, 2), [Found::Stamp(70), reads]);
            assert_eq!(found(&stamps, &mut drive, 2 * REAL_BYTES, 1), [reads]);
            drive.check();
        }
    }
}
