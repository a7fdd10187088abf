//! SMART: the counters a drive shows, in the byte layout of the controller family it stands for.
//!
//! ```text
//!   counters of the drive --> Health --Layout--> attributes: id, flags, value, worst, six raw bytes   (ATA)
//!                                            \--> the fields of log 02h, by name                      (NVMe)
//! ```
//!
//! Only what the layout has is shown; nothing is rounded or hidden that the real family shows. To add a
//! family: a file beside these with an `attributes` function, and a line at the end of [`Layout`].
//!
//! Not modelled here: thresholds, the reserved twelfth byte of an entry, temperature (a running drive has none),
//! errors of the link.

pub(crate) mod disk;
mod indilinx;
mod intel_sandforce;
mod intel_x25;
mod jmicron_602;
mod micron;
mod nvme_health;
mod samsung_old;
mod sandforce;
mod toshiba_hg;

use flashscope_kernel::choice;

choice! {
    /// The attribute layouts a drive can speak.
    pub enum Layout {
        /// Indilinx Barefoot and Amigos.
        Indilinx = "indilinx",
        /// Micron and Crucial with Marvell controllers (C300).
        Micron = "micron",
        /// SandForce SF-1200 and SF-2200.
        Sandforce = "sandforce",
        /// None: a drive without SMART, or of a family whose layout is not modelled here.
        None = "none",
        // Snapshots keep the place in this list: new ones go to its end.
        /// Intel X25-M and X25-V with Intel's own controller.
        IntelX25 = "intel-x25",
        /// Intel 520: SandForce SF-2200 with Intel's numbering.
        IntelSandforce = "intel-sandforce",
        /// Samsung of 2008 to 2010 (MMC, PM800).
        SamsungOld = "samsung-old",
        /// Toshiba HG2 and HG3.
        ToshibaHg = "toshiba-hg",
        /// JMicron JMF601 and JMF602.
        Jmicron602 = "jmicron-602",
        /// No attributes: NVMe's health log 02h.
        NvmeHealth = "nvme-health",
    }
}

/// Flags of an attribute that is a sign of failure to come, and of one that only ages; both kept up to date.
const PRE_FAILURE: u16 = 0x0033;
const OLD_AGE: u16 = 0x0032;

/// Three 16-bit words as one raw number, the lowest first; each stays at its most.
fn words(low: u64, middle: u64, high: u64) -> u64 {
    let word = |number: u64| number.min(0xffff);
    word(low) | word(middle) << 16 | word(high) << 32
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
    /// A count that foretells nothing: value 100, and a number in the raw bytes.
    fn plain(id: u8, number: u64) -> Self {
        Self::conventional(id, OLD_AGE, 100, number)
    }

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
    /// Times the power went without warning.
    pub power_cuts: u64,
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
    /// Reads from flash with more wrong bits than can be corrected.
    pub unreadable_reads: u64,
    /// Programs that failed.
    pub failed_programs: u64,
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
    /// The most blocks that went bad in use in one pool, and the most of them by a failed program and a failed erase.
    pub worst_pool: PoolFailures,
    /// Pools.
    pub pools: u64,
    /// Blocks that may go bad in use before the drive takes no more writes; `None` where nobody said how many.
    pub spare_blocks: Option<u64>,
    /// No spare block is left.
    pub spares_exhausted: bool,
    /// Blocks that hold host data now or later.
    pub usable_blocks: u64,
    /// Blocks the controller keeps for itself.
    pub reserved_blocks: u64,
    /// Sectors of a block.
    pub block_sectors: u64,
}

/// Blocks of one pool that went bad in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PoolFailures {
    /// All of them.
    pub grown_bad_blocks: u64,
    /// Those that failed to program.
    pub program_failed_blocks: u64,
    /// Those that failed to erase.
    pub erase_failed_blocks: u64,
}

impl PoolFailures {
    /// The larger of each count.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        Self {
            grown_bad_blocks: self.grown_bad_blocks.max(other.grown_bad_blocks),
            program_failed_blocks: self.program_failed_blocks.max(other.program_failed_blocks),
            erase_failed_blocks: self.erase_failed_blocks.max(other.erase_failed_blocks),
        }
    }
}

impl Health {
    /// Blocks that went bad in use.
    fn grown_bad_blocks(&self) -> u64 {
        self.program_failed_blocks + self.erase_failed_blocks + self.read_failed_blocks
    }

    /// Rated life used, by the average of all blocks in use; passes 100 [per cent, rounded down].
    fn used_percent(&self) -> u64 {
        100 * self.erase_count_average / self.rated_pe_cycles.max(1)
    }

    /// Rated life left, no less than `least` [per cent].
    fn life_left_percent(&self, least: u64) -> u8 {
        100_u64.saturating_sub(self.used_percent()).max(least) as u8
    }

    /// Spare blocks left.
    fn spare_left_blocks(&self) -> u64 {
        self.spare_blocks.unwrap_or(0).saturating_sub(self.grown_bad_blocks())
    }

    /// Spare blocks left; 100 until the end where nobody said how many there are [per cent, rounded down].
    fn spare_left_percent(&self) -> u8 {
        match self.spare_blocks {
            _ if self.spares_exhausted => 0,
            Some(spare @ 1..) => (100 * self.spare_left_blocks() / spare) as u8,
            _ => 100,
        }
    }
}

impl Layout {
    /// The attribute table of a drive in this health; empty where the family has none.
    pub fn attributes(self, health: &Health) -> Vec<Attribute> {
        match self {
            Self::Indilinx => indilinx::attributes(health),
            Self::Micron => micron::attributes(health),
            Self::Sandforce => sandforce::attributes(health),
            Self::IntelX25 => intel_x25::attributes(health),
            Self::IntelSandforce => intel_sandforce::attributes(health),
            Self::SamsungOld => samsung_old::attributes(health),
            Self::ToshibaHg => toshiba_hg::attributes(health),
            Self::Jmicron602 => jmicron_602::attributes(health),
            Self::NvmeHealth | Self::None => Vec::new(),
        }
    }

    /// The fields of NVMe's log 02h of a drive in this health, by name; empty for a drive that does not speak NVMe.
    pub fn nvme_health(self, health: &Health) -> Vec<(&'static str, u64)> {
        match self {
            Self::NvmeHealth => nvme_health::fields(health),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_stands_once_in_a_table_and_a_drive_has_attributes_or_a_log_but_not_both() {
        for &layout in Layout::ALL {
            let health = Health { rated_pe_cycles: 3000, ..Health::default() };
            let (attributes, log) = (layout.attributes(&health), layout.nvme_health(&health));
            let mut ids: Vec<u8> = attributes.iter().map(|attribute| attribute.id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), attributes.len(), "{layout:?}");
            assert!(attributes.len() <= 30, "a table has room for 30");
            assert_eq!(attributes.is_empty() && log.is_empty(), layout == Layout::None);
            assert!(attributes.is_empty() || log.is_empty());
        }
    }

    #[test]
    fn a_drive_far_past_its_rating_with_all_its_spare_blocks_gone_still_shows_every_table() {
        let health = Health {
            rated_pe_cycles: 500,
            erase_count_min: 1,
            erase_count_average: 90_000,
            erase_count_max: u32::MAX.into(),
            program_failed_blocks: 70_000,
            spare_blocks: Some(60_000),
            spares_exhausted: true,
            usable_blocks: 1 << 25,
            reserved_blocks: 1 << 20,
            unreadable_reads: 1 << 40,
            ..Health::default()
        };
        for &layout in Layout::ALL {
            assert_eq!(layout.attributes(&health).is_empty(), matches!(layout, Layout::None | Layout::NvmeHealth));
        }
        assert_eq!(health.spare_left_percent(), 0);
        assert_eq!(words(70_000, 3, 70_000), 0xffff_0003_ffff, "a word stays at its most");
    }
}
