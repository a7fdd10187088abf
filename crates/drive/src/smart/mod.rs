//! SMART: the counters a drive shows, in the byte layout of the controller family it stands for.
//!
//! Only what the layout has is shown; nothing is rounded or hidden that the real family shows. To add a
//! family: a file beside these with an `attributes` function, and a line in [`Layout`].

mod indilinx;
mod micron;
mod sandforce;

use serde::{Deserialize, Serialize};

/// The attribute layouts a drive can speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Indilinx Barefoot and Amigos.
    Indilinx,
    /// Micron and Crucial with Marvell controllers (C300).
    Micron,
    /// SandForce SF-1200 and SF-2200.
    Sandforce,
    /// None: a drive without SMART, or of a family whose layout is not modelled here.
    None,
}

/// One attribute as it stands in the drive's table.
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
    /// An attribute that follows the convention: a normalized value, and a number in the raw bytes.
    fn conventional(id: u8, flags: u16, value: u8, number: u64) -> Self {
        let bytes = number.min((1 << 48) - 1).to_le_bytes();
        let raw = [bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5]];
        Self { id, flags, value, worst: value, raw }
    }
}

/// What a drive knows of itself and a layout may show.
#[derive(Clone, Copy, Debug, Default)]
pub struct Health {
    /// Hours since it was built, powered all the time.
    pub power_on_hours: u64,
    /// Power cycles.
    pub power_cycles: u64,
    /// Blocks bad from the factory.
    pub initial_bad_blocks: u64,
    /// Sectors the host has read.
    pub host_read_sectors: u64,
    /// Sectors the host has written.
    pub host_written_sectors: u64,
    /// Read commands.
    pub host_read_commands: u64,
    /// Write commands.
    pub host_write_commands: u64,
    /// Bytes programmed to flash.
    pub nand_written_bytes: u64,
    /// Wrong bits in what was read from flash.
    pub error_bits: u64,
    /// Reads from flash with wrong bits.
    pub corrected_reads: u64,
    /// Cycles a block is rated for.
    pub rated_pe_cycles: u64,
    /// Fewest cycles of a block in use.
    pub erase_count_min: u64,
    /// Most cycles of a block in use.
    pub erase_count_max: u64,
    /// Cycles of all blocks in use divided by their number, rounded down.
    pub erase_count_average: u64,
    /// Writes that did not start and end on 4 KiB.
    pub unaligned_writes: u64,
    /// Blocks retired because a program failed.
    pub program_failed_blocks: u64,
    /// Blocks retired because they could not be erased.
    pub erase_failed_blocks: u64,
    /// Blocks retired because they could not be read.
    pub read_failed_blocks: u64,
    /// No spare block is left.
    pub spares_exhausted: bool,
}

impl Layout {
    /// The attribute table of a drive in this health.
    pub fn attributes(self, health: &Health) -> Vec<Attribute> {
        match self {
            Self::Indilinx => indilinx::attributes(health),
            Self::Micron => micron::attributes(health),
            Self::Sandforce => sandforce::attributes(health),
            Self::None => Vec::new(),
        }
    }
}
