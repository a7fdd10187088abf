//! The sizes and policies of a translation layer.

use crate::compression::Compression;
use crate::gc::GcSettings;
use crate::pslc::Pslc;
use crate::wear_leveling::WearLeveling;
use flashscope_kernel::random::Streams;
use flashscope_nand::{BlockLives, EnduranceLaw};

/// The sizes a translation layer is built with.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Units the host can address.
    pub unit_count: u32,
    /// Units that fit one programmed page.
    pub slots_per_page: u32,
    /// Programmed pages in a block.
    pub pages_per_block: u32,
    /// Blocks in a pool, bad ones included.
    pub blocks_per_pool: u32,
    /// Pools.
    pub pool_count: u32,
    /// Blocks that are bad from the factory, in any pool.
    pub initial_bad_block_count: u32,
    /// Blocks kept for the controller's own data, spread over the pools.
    pub reserved_block_count: u32,
}

/// The policies a translation layer is built with.
#[derive(Clone, Debug)]
pub struct FtlSettings {
    /// Garbage collection.
    pub gc: GcSettings,
    /// Wear levelling.
    pub wear_leveling: WearLeveling,
    /// How blocks fail; without it they last for ever.
    pub endurance: Option<EnduranceLaw>,
    /// Erase blocks that one block consists of: they are erased, and retired, together.
    pub erase_blocks_per_block: u32,
    /// Blocks that may go bad in use before the drive takes no more writes; without it, as many as the pools can
    /// spare.
    pub spare_blocks: Option<u32>,
    /// The pSLC cache: blocks that hold host data with one bit in a cell.
    pub pslc: Option<Pslc>,
    /// Compression: a unit takes less room the more compressible it is.
    pub compression: Option<Compression>,
    /// Pages of a stripe of which one is parity; 0 for none.
    pub parity_stripe_pages: u32,
}

impl FtlSettings {
    /// When each block fails; `None` when they last for ever.
    pub(crate) fn block_lives(&self, streams: &Streams) -> Option<BlockLives> {
        let law = self.endurance.as_ref()?;
        Some(BlockLives::new(law, self.erase_blocks_per_block, streams))
    }

    /// Only garbage collection: blocks last for ever and there is no wear levelling.
    pub fn only(gc: GcSettings) -> Self {
        Self {
            gc,
            wear_leveling: WearLeveling::default(),
            endurance: None,
            erase_blocks_per_block: 1,
            spare_blocks: None,
            pslc: None,
            compression: None,
            parity_stripe_pages: 0,
        }
    }
}
