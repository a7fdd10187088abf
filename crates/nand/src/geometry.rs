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
//! * **bank**: what works as one unit in time: a die, or the dies of packages driven in lockstep;
//! * **programmed page**: what one program operation writes: the pages of all lockstep packages and, when
//!   planes are driven together, of all planes;
//! * **pool**: the blocks that one host stripe position allocates from: a bank, or one plane of it when
//!   planes are not driven together.
//!
//! Not modelled here: planes that pair up only sometimes; channels of unequal length.

use serde::{Deserialize, Serialize};

/// The layout of the flash, in the words of a data sheet.
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
    /// Packages that get the same command at the same time on lanes of their own: 1 or 2.
    pub lockstep_packages: u32,
    /// True when all planes of a die program, read and erase together.
    pub multiplane: bool,
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

    /// Pools that share one bank.
    pub fn pools_per_bank(&self) -> u32 {
        if self.multiplane { 1 } else { self.planes_per_die }
    }

    /// Pools of the drive.
    pub fn pool_count(&self) -> u32 {
        self.bank_count() * self.pools_per_bank()
    }

    /// The bank that serves a pool. Pools that follow each other are on different channels.
    pub fn bank_of_pool(&self, pool: u32) -> u32 {
        pool % self.bank_count()
    }

    /// The channel that serves a bank.
    pub fn channel_of_bank(&self, bank: u32) -> u32 {
        bank % self.channels
    }

    /// Bytes of one programmed page.
    pub fn programmed_page_bytes(&self) -> u32 {
        self.page_bytes * self.lockstep_packages * if self.multiplane { self.planes_per_die } else { 1 }
    }

    /// Blocks of one pool, bad ones included; each has `pages_per_block` programmed pages.
    pub fn blocks_per_pool(&self) -> u32 {
        self.blocks_per_plane
    }

    /// Bytes of one block of a pool.
    pub fn pool_block_bytes(&self) -> u64 {
        u64::from(self.programmed_page_bytes()) * u64::from(self.pages_per_block)
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
        let banks: Vec<_> = (0..16).map(|pool| apart.bank_of_pool(pool)).collect();
        assert_eq!(banks, [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
        assert!((0..8).all(|bank| apart.channel_of_bank(bank) == bank % 4));
    }
}
