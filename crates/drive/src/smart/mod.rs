//! SMART: the counters that a drive shows, in the byte layout of its controller family.
//!
//! ```text
//!   counters of the drive --> Health --Layout--> attributes: id, flags, value, worst, six raw bytes   (ATA)
//!                                            \--> the fields of log 02h, by name                      (NVMe)
//! ```
//!
//! Only what the layout has is shown; nothing is rounded or hidden that the real family shows. To add a family: add a
//! file with an `attributes` function to this folder, and a line at the end of [`Layout`].
//!
//! Not modelled here: thresholds, the reserved twelfth byte of an entry, temperature (a running drive has none),
//! errors of the link.

mod attribute;
pub(crate) mod disk;
mod health;
mod indilinx;
mod intel_sandforce;
mod intel_x25;
mod jmicron_602;
mod micron;
mod nvme_health;
mod samsung_old;
mod sandforce;
mod toshiba_hg;

pub use attribute::Attribute;
pub use health::{Health, PoolFailures};

use flashscope_kernel::choice;

choice! {
    /// The attribute layouts that a drive can have.
    pub enum Layout {
        /// Indilinx Barefoot and Amigos.
        Indilinx = "indilinx",
        /// Micron and Crucial with Marvell controllers (C300).
        Micron = "micron",
        /// SandForce SF-1200 and SF-2200.
        Sandforce = "sandforce",
        /// None: a drive without SMART, or of a family whose layout is not modelled here.
        None = "none",
        // Snapshots store the place in this list, so new layouts are added at its end.
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

impl Layout {
    /// The attribute table of a drive with this health; empty where the family has none.
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

    /// The fields of NVMe's log 02h of a drive with this health, by name; empty for a drive without NVMe.
    pub fn nvme_health(self, health: &Health) -> Vec<(&'static str, u64)> {
        match self {
            Self::NvmeHealth => nvme_health::fields(health),
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::attribute::words;
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
