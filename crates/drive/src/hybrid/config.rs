//! What a hybrid is built from, a disk with its flash, and the check of these values.

use crate::config_error::{ConfigError, require};
use crate::request::SECTOR_BYTES;
use flashscope_kernel::time::SECOND_NS;
use serde::{Deserialize, Serialize};

/// The flash used as a read cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Flash {
    /// Bytes of the disk's data that it can hold.
    pub bytes: u64,
    /// Number of channels that work at the same time.
    pub channels: u32,
    /// Bytes of a page.
    pub page_bytes: u32,
    /// Time from the command until the page is in the chip's register.
    pub read_latency_ns: u64,
    /// Time to program a page.
    pub program_latency_ns: u64,
    /// Rate of one channel's bus.
    pub bus_bytes_per_second: u64,
    /// Time the controller needs for each read that it serves from flash.
    pub command_cost_ns: u64,
}

/// Which data is copied into the cache, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// Size of a line, which is cached and dropped as one piece [bytes].
    pub line_bytes: u64,
    /// Number of reads of a line that make it a candidate.
    pub admit_after_reads: u32,
    /// Idle time after which candidates are copied.
    pub idle_fill_delay_ns: u64,
    /// Reads larger than this go to the platters [bytes].
    pub largest_cached_request_bytes: u64,
    /// True when reads that begin where the previous read ended go to the platters, which are read ahead there anyway.
    pub streams_bypass: bool,
}

/// Everything a hybrid is built from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The disk, host side included.
    pub disk: crate::disk::Config,
    /// The flash.
    pub flash: Flash,
    /// What is cached.
    pub admission: Admission,
}

impl Config {
    /// Number of lines that the flash holds.
    pub fn line_count(&self) -> u64 {
        self.flash.bytes / self.admission.line_bytes
    }

    /// Check every value, alone and together with the others; the first contradiction is returned.
    pub fn check(&self) -> Result<(), ConfigError> {
        self.disk.check()?;
        let (flash, admission) = (&self.flash, &self.admission);
        let counts = [
            ("hybrid.flash.channels", flash.channels, 64),
            ("hybrid.admission.admit_after_reads", admission.admit_after_reads, 1 << 20),
        ];
        for (key, found, most) in counts {
            require(key, found, (1..=most).contains(&found), || format!("1 to {most}"))?;
        }
        let page = flash.page_bytes;
        require("hybrid.flash.page_bytes", page, page.is_power_of_two() && (512..=1 << 16).contains(&page), || {
            "a power of two from 512 B to 64 KiB".into()
        })?;
        let line = admission.line_bytes;
        let unit = u64::from(page.max(self.disk.geometry.sector_bytes));
        require("hybrid.admission.line_bytes", line, line > 0 && line.is_multiple_of(unit) && line <= 1 << 30, || {
            format!("a positive multiple of {unit} B (a page and a physical sector), at most 1 GiB")
        })?;
        let bytes = flash.bytes;
        let fits = bytes >= line && bytes.is_multiple_of(line) && bytes <= self.disk.user_bytes;
        require("hybrid.flash.bytes", bytes, fits, || {
            format!("a multiple of the line of {line} B, no larger than the disk of {} B", self.disk.user_bytes)
        })?;
        let largest = admission.largest_cached_request_bytes;
        require("hybrid.admission.largest_cached_request_bytes", largest, largest >= SECTOR_BYTES, || {
            format!("{SECTOR_BYTES} or more")
        })?;
        let times = [
            ("hybrid.flash.read_latency_ns", flash.read_latency_ns),
            ("hybrid.flash.program_latency_ns", flash.program_latency_ns),
            ("hybrid.flash.command_cost_ns", flash.command_cost_ns),
            ("hybrid.admission.idle_fill_delay_ns", admission.idle_fill_delay_ns),
        ];
        for (key, found) in times {
            require(key, found, (1..=1000 * SECOND_NS).contains(&found), || "1 ns to 1000 s; nothing is free".into())?;
        }
        let rate = flash.bus_bytes_per_second;
        require("hybrid.flash.bus_bytes_per_second", rate, (1_000..=1_000_000_000_000).contains(&rate), || {
            "1 KB/s to 1 TB/s".into()
        })
    }
}
