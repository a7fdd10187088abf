//! The host that runs the programs: its mechanisms and their sizes, the same for every drive.
//!
//! The values and their sources are in one file, `src/flashscope/workloads/file_system/host.py`.
//! Not modelled here: other programs, paging, the time a request spends in drivers.

use flashscope_kernel::time::YEAR_NS;
use serde::Deserialize;

/// The longest transfer that a program or a cache passes on at once [bytes].
const TRANSFER_BYTES_MAX: u64 = 1 << 30;

/// The settings of a host.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Host {
    /// Programs that can compute at the same time.
    pub core_count: u32,
    /// Largest request that a driver passes to a drive [bytes]; a longer transfer becomes several requests at once.
    pub transfer_bytes_max: u64,
    /// How much the cache reads at once when it reads ahead, or as much as the program reads if that is more [bytes].
    pub read_ahead_request_bytes: u64,
    /// How far reading goes ahead of a program that reads in sequence, or the length of the program's read if that is
    /// more [bytes].
    pub read_ahead_bytes: u64,
    /// How much one thread of the lazy writer writes at once [bytes].
    pub lazy_write_bytes: u64,
    /// Threads of the lazy writer; each writes one file at a time, one transfer at a time.
    pub lazy_writer_count: u32,
    /// Time between two passes of the lazy writer [ns].
    pub lazy_pass_ns: u64,
    /// A pass writes at least 1/n of the dirty data; this is n.
    pub lazy_pass_divisor: u64,
    /// Dirty data at which programs that write are held back [bytes].
    pub dirty_limit_bytes: u64,
    /// The files written last, up to this size in all, are read from memory when they are read again [bytes].
    pub cache_bytes: u64,
}

impl Host {
    /// What is wrong with the settings; `None` when nothing is wrong.
    pub fn fault(&self, sector_bytes: u64) -> Option<String> {
        let sizes = [
            ("transfer_bytes_max", self.transfer_bytes_max),
            ("read_ahead_request_bytes", self.read_ahead_request_bytes),
            ("lazy_write_bytes", self.lazy_write_bytes),
        ];
        for (name, bytes) in sizes {
            if bytes == 0 || !bytes.is_multiple_of(sector_bytes) || bytes > TRANSFER_BYTES_MAX {
                return Some(format!(
                    "{name} is {bytes}; accepted: whole sectors of {sector_bytes} B, up to {TRANSFER_BYTES_MAX} B"
                ));
            }
        }
        let counts = [
            ("core_count", u64::from(self.core_count), 1 << 20),
            ("lazy_writer_count", u64::from(self.lazy_writer_count), 1 << 10),
            ("lazy_pass_ns", self.lazy_pass_ns, YEAR_NS),
            ("lazy_pass_divisor", self.lazy_pass_divisor, u64::MAX),
            ("read_ahead_bytes", self.read_ahead_bytes.max(1), 1 << 40),
        ];
        let wrong = counts.into_iter().find(|(_, found, most)| !(1..=*most).contains(found));
        wrong.map(|(name, found, most)| format!("{name} is {found}; accepted: 1 to {most}"))
    }
}
