//! What is printed of a case: for people a line, or a row of the table of sizes; for programs JSON.

use crate::cases::Case;
use crate::window::Window;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The figures of one case. Times are CPU times of the fastest window.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Line {
    /// Name of the case.
    pub case: String,
    /// What was done, in words.
    pub about: String,
    /// Flash of the drive [bytes].
    pub raw_bytes: u64,
    /// CPU time of the window [s].
    pub cpu_seconds: f64,
    /// Pages programmed in the window.
    pub programs: u64,
    /// Requests answered in the window.
    pub requests: u64,
    /// Pages programmed per CPU-second; 0 where none were programmed.
    pub programs_per_cpu_second: f64,
    /// Requests answered per CPU-second.
    pub requests_per_cpu_second: f64,
    /// NAND bytes per host byte, 0 where the host wrote nothing.
    pub write_amplification: f64,
    /// Memory of the drive that grows with its size, per page of flash [bytes].
    pub drive_bytes_per_page: f64,
    /// Largest memory of the process [bytes].
    pub memory_peak_bytes: u64,
    /// Latency of a dependent random load from a table of one entry per page [ns].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dependent_load_ns: Option<f64>,
    /// The figures of a fleet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<FleetLine>,
    /// What it would have cost to bring an aged drive into its state by writing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aged: Option<AgedLine>,
}

/// The other way to reach the state that an aged drive was put into at once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct AgedLine {
    /// CPU time of writing the drive into that state [s]; none where that was not tried.
    pub by_writing_cpu_seconds: Option<f64>,
}

/// How many drives ran side by side, and how well the cores were used.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct FleetLine {
    /// Number of drives.
    pub drives: u64,
    /// Threads, one per core.
    pub threads: u64,
    /// Elapsed time [s].
    pub wall_seconds: f64,
    /// CPU time over elapsed time: how many cores were really used.
    pub speed_up_ratio: f64,
    /// Pages programmed per second of elapsed time.
    pub programs_per_wall_second: f64,
}

/// The header of the table of sizes.
pub const SIZES_HEADING: &str = "drive    M programs/CPU-s   ns/program   ns/host write   write amplification   B/page   peak \
                                 MiB   dependent load ns";

impl Line {
    /// The figures of a window.
    pub fn new(case: &Case, window: &Window, drive_bytes: usize) -> Self {
        let geometry = &case.config.geometry;
        let pages = geometry.raw_bytes() / u64::from(geometry.programmed_page_bytes());
        Self {
            case: case.name.clone(),
            about: case.about.into(),
            raw_bytes: geometry.raw_bytes(),
            cpu_seconds: window.cpu_seconds,
            programs: window.programs,
            requests: window.requests,
            programs_per_cpu_second: window.programs as f64 / window.cpu_seconds,
            requests_per_cpu_second: window.requests as f64 / window.cpu_seconds,
            write_amplification: window.nand_written_bytes as f64 / window.host_written_bytes.max(1) as f64,
            drive_bytes_per_page: drive_bytes as f64 / pages as f64,
            ..Self::default()
        }
    }

    /// One JSON object on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a line of numbers can be written")
    }

    /// The row of the table of sizes.
    pub fn table_row(&self) -> String {
        format!(
            "{:<9}{:16.1}{:13.1}{:16.0}{:22.3}{:9.2}{:11}{:20.1}",
            self.case,
            self.programs_per_cpu_second / 1e6,
            1e9 / self.programs_per_cpu_second,
            1e9 / self.requests_per_cpu_second,
            self.write_amplification,
            self.drive_bytes_per_page,
            self.memory_peak_bytes >> 20,
            self.dependent_load_ns.unwrap_or(f64::NAN),
        )
    }
}

impl Line {
    fn write_rate(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let writes_only = self.programs >= self.requests;
        let (rate, what) = if writes_only {
            (self.programs_per_cpu_second, "programs")
        } else {
            (self.requests_per_cpu_second, "requests")
        };
        write!(formatter, "{:<11}{:5.1} M {what}/CPU-s{:7.1} ns each", self.case, rate / 1e6, 1e9 / rate)
    }

    fn write_aged(&self, formatter: &mut fmt::Formatter<'_>, aged: &AgedLine) -> fmt::Result {
        write!(formatter, "{:<11}{:5.2} CPU-s at once", self.case, self.cpu_seconds)?;
        aged.by_writing_cpu_seconds.map_or(Ok(()), |by_writing| {
            write!(formatter, ", {by_writing:.1} by writing, {:.0} times as long", by_writing / self.cpu_seconds)
        })
    }
}

impl fmt::Display for Line {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.aged {
            None => self.write_rate(formatter)?,
            Some(aged) => self.write_aged(formatter, aged)?,
        }
        if self.programs > 0 {
            write!(formatter, "   write amplification {:.3}", self.write_amplification)?;
        }
        write!(formatter, "   {:.1} B/page   peak {} MiB", self.drive_bytes_per_page, self.memory_peak_bytes >> 20)?;
        if let Some(fleet) = &self.fleet {
            write!(
                formatter,
                "\n{:<11}{:5.1} M programs/s of wall time: {} drives, {} threads, {:.2} times one core",
                "",
                fleet.programs_per_wall_second / 1e6,
                fleet.drives,
                fleet.threads,
                fleet.speed_up_ratio
            )?;
        }
        write!(formatter, "\n{:<11}{}", "", self.about)
    }
}
