//! What a solid-state drive is built from: the numbers of a part, in base units. `check.rs` checks whether they can be
//! true together.

mod buffer;
mod capacity;
mod check;
mod parts;
mod throttle;
mod trim;

pub use buffer::{Acknowledge, Buffer, SubUnitWrites};
pub use capacity::{Beyond, Capacity};
pub use throttle::Throttle;
pub use trim::Trim;

use crate::host::Link;
use crate::request::SECTOR_BYTES;
use crate::smart::Layout;
use flashscope_ftl::buffer::BufferSettings;
use flashscope_ftl::{Compression, FineMapSettings, GcSettings, LogBlockSettings, Parity, Pslc, WearLeveling};
use flashscope_kernel::choice;
use flashscope_nand::{Arrhenius, BitErrorLaw, EccSettings, EnduranceLaw, Geometry, Scheduling, Timing};
use serde::{Deserialize, Serialize};

/// The mapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mapping {
    /// Size of a mapping unit [bytes].
    pub unit_bytes: u32,
}

/// Parity pages, from which a page that cannot be read could be reconstructed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParitySettings {
    /// Pages of a stripe in a block, including its last page, the parity; 0 for no parity.
    #[serde(default)]
    pub stripe_pages: u32,
}

choice! {
    /// What a drive does when its spare blocks are used up.
    #[derive(Default)]
    pub enum EndOfLife {
        /// It takes no writes any more and can still be read.
        #[default]
        ReadOnly = "read-only",
        /// It answers no requests any more.
        Failed = "failed",
    }
}

/// Which counters the drive shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Smart {
    /// The attribute layout of the drive's controller family.
    pub layout: Layout,
}

/// Everything a solid-state drive is built from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Name of the part.
    pub name: String,
    /// Model as the drive reports it.
    pub model: String,
    /// Firmware revision as the drive reports it.
    pub firmware: String,
    /// Layout of the flash.
    pub geometry: Geometry,
    /// Times of the flash and its bus.
    pub timing: Timing,
    /// How a bank orders its work.
    #[serde(default)]
    pub scheduling: Scheduling,
    /// Errors of the flash; its disturb term counts reads of a page.
    pub bit_errors: BitErrorLaw,
    /// How much faster data ages at higher temperature.
    #[serde(default)]
    pub temperature: Arrhenius,
    /// The code that corrects the errors; without it errors are only counted.
    #[serde(default)]
    pub ecc: Option<EccSettings>,
    /// What the drive does when its spare blocks are used up.
    #[serde(default)]
    pub end_of_life: EndOfLife,
    /// Capacity and reserved blocks.
    pub capacity: Capacity,
    /// Host side.
    pub link: Link,
    /// Write buffer.
    pub buffer: Buffer,
    /// Mapping.
    pub mapping: Mapping,
    /// Garbage collection.
    pub gc: GcSettings,
    /// A block-mapped drive: the blocks that take overwrites before they are merged.
    #[serde(default)]
    pub log_blocks: Option<LogBlockSettings>,
    /// A map with few fine tables: when all are in use, scattered regions are rewritten in order.
    #[serde(default)]
    pub fine_map: Option<FineMapSettings>,
    /// Blocks that take host data with one bit per cell.
    #[serde(default)]
    pub pslc: Option<Pslc>,
    /// Compression: data takes the less room, the more compressible it is.
    #[serde(default)]
    pub compression: Option<Compression>,
    /// Parity of stripes of pages.
    #[serde(default)]
    pub parity: ParitySettings,
    /// Wear levelling.
    #[serde(default)]
    pub wear_leveling: WearLeveling,
    /// How blocks fail; without it they last for ever.
    #[serde(default)]
    pub endurance: Option<EnduranceLaw>,
    /// SMART counters.
    pub smart: Smart,
    /// TRIM.
    #[serde(default)]
    pub trim: Trim,
    /// Life-time throttling.
    #[serde(default)]
    pub throttle: Option<Throttle>,
}

impl Config {
    /// The law of bit errors, with reads counted by block.
    pub fn error_law(&self) -> BitErrorLaw {
        self.bit_errors.clone().counted_per_block(self.geometry.pages_per_pool_block())
    }

    /// Slots of one programmed page.
    pub fn slots_per_page(&self) -> u32 {
        self.geometry.programmed_page_bytes() / self.mapping.unit_bytes
    }

    /// Bytes that the drive reports to the host.
    pub fn shown_bytes(&self) -> u64 {
        self.capacity.user_bytes.max(self.capacity.announced_bytes)
    }

    /// Units the host can address.
    pub fn unit_count(&self) -> u64 {
        self.capacity.user_bytes.div_ceil(u64::from(self.mapping.unit_bytes))
    }

    /// Slots of all blocks that can hold host data.
    pub fn data_slots(&self) -> u64 {
        let blocks = u64::from(self.geometry.blocks_per_pool()) * u64::from(self.geometry.pool_count());
        let lost = u64::from(self.capacity.initial_bad_block_count) + u64::from(self.capacity.reserved_block_count);
        blocks.saturating_sub(lost) * self.slots_per_block()
    }

    /// Bytes that the host can fill while every pool still has the blocks that it keeps free and those that it is
    /// filling [bytes]. A drive that shows more capacity has no spare at all: sooner or later a write finds no free
    /// block.
    pub fn bytes_with_spare(&self) -> u64 {
        let always_pslc = self.pslc.map_or(0, |pslc| pslc.static_block_count);
        let open = self.gc.open_blocks_per_pool(&self.wear_leveling);
        let kept_blocks = self.gc.high_water_blocks + open + always_pslc;
        let kept_slots = u64::from(kept_blocks) * u64::from(self.geometry.pool_count()) * self.slots_per_block();
        self.data_slots().saturating_sub(kept_slots) * u64::from(self.mapping.unit_bytes)
    }

    /// Where data and parity lie in a block.
    pub fn parity(&self) -> Parity {
        Parity::new(self.parity.stripe_pages)
    }

    /// Slots of one block; its parity pages have none.
    pub fn slots_per_block(&self) -> u64 {
        let data_pages = self.parity().data_pages(self.geometry.pages_per_pool_block());
        u64::from(self.slots_per_page()) * u64::from(data_pages)
    }

    /// The write buffer in units of the map.
    pub(crate) fn buffer_settings(&self) -> BufferSettings {
        let buffer = &self.buffer;
        let unit_bytes = u64::from(self.mapping.unit_bytes);
        let buffered = buffer.acknowledge == Acknowledge::Buffered;
        let room_units = if buffered { (buffer.bytes / unit_bytes).min(u64::from(u32::MAX)) as u32 } else { 0 };
        let mark = |ratio: f64| (ratio * f64::from(room_units)) as u32;
        // One page under way and one waiting keep each bank at work; with more, no units would be left to sort.
        let pages_under_way = self.geometry.bank_count().saturating_mul(2);
        BufferSettings {
            room_units,
            flush_order: buffer.flush_order,
            stall: buffer.stall,
            high_water_units: mark(buffer.high_water_ratio),
            low_water_units: mark(buffer.low_water_ratio),
            under_way_units: pages_under_way.saturating_mul(self.slots_per_page()),
            sectors_per_unit: (unit_bytes / SECTOR_BYTES) as u32,
        }
    }
}
