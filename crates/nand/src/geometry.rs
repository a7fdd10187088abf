//! How the flash of a drive is laid out.
//!
//! ```text
//!   channel 0 --+-- package --+-- die --+-- plane --+-- block --+-- page
//!   channel 1   |   package   |   die   |   plane   |   block   |   page
//!               two packages in lockstep act as one, with a page twice as large
//! ```
//!
//! Three derived words are used everywhere else:
//!
//! * **bank**: the unit that does one operation at a time: a die, or the dies of packages driven in lockstep;
//! * **programmed page**: what one program operation writes: the pages of all lockstep packages and, when
//!   planes are driven together, of all planes;
//! * **pool**: the blocks that are allocated and collected together: those of a bank; of one plane of it when
//!   planes are not driven together; with superblocks those of the whole drive, or of one bank (and plane) of every
//!   channel. A *pool block* is one erase block, or with superblocks one erase block of every bank in it; its pages
//!   alternate over the banks.
//!
//! ```text
//!   channel   0   1   2   3
//!   bank      0   1   2   3     superblock_of = "drive"      all eight: one pool
//!             4   5   6   7     superblock_of = "channels"   a row of four: two pools
//! ```
//!
//! Not modelled here: planes that pair up only sometimes; channels of unequal length.

use flashscope_kernel::choice;
use serde::{Deserialize, Serialize};

choice! {
    /// Which blocks form a superblock.
    #[derive(Default)]
    pub enum SuperblockOf {
        /// One block of every bank and plane of the drive.
        #[default]
        Drive = "drive",
        /// One block of every channel, from the bank (and plane) with the same place on each channel.
        Channels = "channels",
    }
}

/// The layout of the flash, in the terms of a data sheet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Geometry {
    /// Buses between controller and flash.
    pub channels: u32,
    /// Packages on one channel.
    pub packages_per_channel: u32,
    /// Dies in one package.
    pub dies_per_package: u32,
    /// Planes in one die.
    pub planes_per_die: u32,
    /// Erase blocks in one plane, bad ones included.
    pub blocks_per_plane: u32,
    /// Pages in one erase block.
    pub pages_per_block: u32,
    /// Data bytes in one page, spare area not counted.
    pub page_bytes: u32,
    /// Packages that get the same command at the same time, each on its own lane: 1, 2, 4 or 8.
    pub lockstep_packages: u32,
    /// True when all planes of a die program, read and erase together.
    pub multiplane: bool,
    /// True when blocks of several banks are filled, collected and erased together.
    pub superblock: bool,
    /// Which banks share a superblock.
    #[serde(default)]
    pub superblock_of: SuperblockOf,
}

impl Geometry {
    /// Banks on one channel.
    pub fn banks_per_channel(&self) -> u32 {
        self.packages_per_channel / self.lockstep_packages * self.dies_per_package
    }

    /// Banks of the drive.
    pub fn bank_count(&self) -> u32 {
        self.channels * self.banks_per_channel()
    }

    /// Planes of a bank that work independently.
    fn planes_apart(&self) -> u32 {
        if self.multiplane { 1 } else { self.planes_per_die }
    }

    /// Pools of the drive.
    pub fn pool_count(&self) -> u32 {
        self.bank_count() * self.planes_apart() / self.erase_blocks_per_pool_block()
    }

    /// Erase blocks in one pool block.
    pub fn erase_blocks_per_pool_block(&self) -> u32 {
        match (self.superblock, self.superblock_of) {
            (false, _) => 1,
            (true, SuperblockOf::Drive) => self.bank_count() * self.planes_apart(),
            (true, SuperblockOf::Channels) => self.channels,
        }
    }

    /// Banks that share the work on one pool block.
    pub fn banks_per_pool(&self) -> u32 {
        self.erase_blocks_per_pool_block().min(self.bank_count())
    }

    /// The bank that holds a page of a pool. Pages and pools that follow each other are on different channels.
    #[inline(always)]
    pub fn bank_of_page(&self, pool: u32, page_index: u32) -> u32 {
        match (self.superblock, self.superblock_of) {
            (false, _) => pool % self.bank_count(),
            (true, SuperblockOf::Drive) => page_index % self.bank_count(),
            (true, SuperblockOf::Channels) => {
                pool % self.banks_per_channel() * self.channels + page_index % self.channels
            }
        }
    }

    /// The place within its erase block of a page of a pool block.
    #[inline]
    pub fn page_in_erase_block(&self, page_index: u32) -> u32 {
        page_index / self.erase_blocks_per_pool_block()
    }

    /// The channel that serves a bank.
    pub fn channel_of_bank(&self, bank: u32) -> u32 {
        bank % self.channels
    }

    /// Bytes of one programmed page.
    pub fn programmed_page_bytes(&self) -> u32 {
        self.page_bytes * self.lockstep_packages * if self.multiplane { self.planes_per_die } else { 1 }
    }

    /// Blocks of one pool, bad ones included.
    pub fn blocks_per_pool(&self) -> u32 {
        self.blocks_per_plane
    }

    /// Programmed pages in one block of a pool.
    pub fn pages_per_pool_block(&self) -> u32 {
        self.pages_per_block * self.erase_blocks_per_pool_block()
    }

    /// Bytes of one block of a pool.
    pub fn pool_block_bytes(&self) -> u64 {
        u64::from(self.programmed_page_bytes()) * u64::from(self.pages_per_pool_block())
    }

    /// Bytes of all flash, bad blocks included.
    pub fn raw_bytes(&self) -> u64 {
        self.pool_block_bytes() * u64::from(self.blocks_per_pool()) * u64::from(self.pool_count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn onyx() -> Geometry {
        Geometry {
            channels: 4,
            packages_per_channel: 2,
            dies_per_package: 1,
            planes_per_die: 2,
            blocks_per_plane: 2048,
            pages_per_block: 256,
            page_bytes: 4096,
            lockstep_packages: 2,
            multiplane: true,
            superblock: false,
            superblock_of: SuperblockOf::Drive,
        }
    }

    #[test]
    fn lockstep_pairs_of_two_plane_dies_program_sixteen_kib_at_once() {
        let geometry = onyx();
        assert_eq!(geometry.programmed_page_bytes(), 16 << 10);
        assert_eq!(geometry.pool_block_bytes(), 4 << 20);
        assert_eq!(geometry.pool_count(), 4);
        assert_eq!(geometry.raw_bytes(), 32 << 30);
    }

    #[test]
    fn the_raw_size_does_not_depend_on_how_planes_and_packages_are_driven() {
        let apart = Geometry { lockstep_packages: 1, multiplane: false, ..onyx() };
        assert_eq!(apart.raw_bytes(), onyx().raw_bytes());
        assert_eq!(apart.pool_count(), 16);
        let banks: Vec<_> = (0..16).map(|pool| apart.bank_of_page(pool, 77)).collect();
        assert_eq!(banks, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert!((0..8).all(|bank| apart.channel_of_bank(bank) == bank % 4));
        let together = Geometry { superblock: true, ..apart };
        assert_eq!(together.raw_bytes(), onyx().raw_bytes());
        assert_eq!((together.pool_count(), together.pages_per_pool_block()), (1, 16 * 256));
    }

    #[test]
    fn the_pages_of_a_superblock_go_over_the_banks_in_turn() {
        let geometry = Geometry { superblock: true, ..onyx() };
        assert_eq!(geometry.pool_block_bytes(), 16 << 20);
        let places: Vec<_> =
            (3..6).map(|page| (geometry.bank_of_page(0, page), geometry.page_in_erase_block(page))).collect();
        assert_eq!(places, [(3, 0), (0, 1), (1, 1)]);
    }

    #[test]
    fn a_superblock_of_the_channels_has_one_bank_of_each_and_the_rest_makes_more_pools() {
        let geometry = Geometry {
            superblock: true,
            superblock_of: SuperblockOf::Channels,
            lockstep_packages: 1,
            multiplane: false,
            ..onyx()
        };
        assert_eq!(geometry.raw_bytes(), onyx().raw_bytes());
        assert_eq!(
            (geometry.pool_count(), geometry.pages_per_pool_block(), geometry.banks_per_pool()),
            (4, 4 * 256, 4)
        );
        let banks = |pool| (5..9).map(|page| geometry.bank_of_page(pool, page)).collect::<Vec<_>>();
        assert_eq!(banks(0), [1, 2, 3, 0], "the first bank of every channel");
        assert_eq!(banks(1), [5, 6, 7, 4], "the second");
        assert_eq!(banks(2), banks(0), "the other plane of the first");
        assert_eq!(geometry.page_in_erase_block(7), 1);
    }
}
