//! A solid-state drive, assembled.
//!
//! ```text
//!   host/side.rs     buffering.rs  writes.rs  reads.rs      flash array (crates/nand)
//!   queue -> controller -> write buffer -> translation --> bank queues -> channel -> die
//!            and link           |              |                             |
//!   completions <---------------+--------------+------------- tokens --------+
//! ```
//!
//! This file defines what a drive consists of; the other files what it does. `events.rs` decides what happens next, and
//! in what order; the loop itself is the same for every kind of drive (`machine.rs`).
//!
//! Besides these there are `erase.rs`, `gate.rs` (end of life, throttling, wrapped addresses), `trim.rs`, `idle.rs`,
//! `data_age.rs` (retention and read disturb), `power_cut.rs`. `docs/reference/mechanisms.md` lists all of them with
//! their tests.
//!
//! Not modelled here: reconstruction of data from parity, the flash traffic of the map and of the controller's own
//! data,
//! secure erase in the times of pSLC blocks (all blocks take the native time).

pub(crate) mod ageing;
mod all_counts;
mod block_state;
mod buffering;
pub mod config;
mod counters;
mod data_age;
mod erase;
mod events;
mod fine_regions;
mod gate;
mod health;
mod idle;
mod inside;
mod life;
mod merge_places;
mod merges;
mod open_run;
mod power_cut;
mod power_off;
mod reads;
mod repeating;
mod run_merges;
#[cfg(test)]
pub(crate) mod tests;
mod trim;
mod under_way;
mod wear_forward;
mod writes;
mod zeros;

pub use counters::Counters;
pub use inside::Inside;
pub use life::Life;
pub use wear_forward::{Books, Cost};

use crate::config_error::ConfigError;
use crate::host::HostSide;
use crate::smart::Attribute;
use crate::ssd::config::{Config, SubUnitWrites};
use data_age::DataAge;
use flashscope_ftl::buffer::WriteBack;
use flashscope_ftl::gc::separation::STREAMS;
use flashscope_ftl::{Collected, FineMap, Parity, TranslationLayer};
use flashscope_kernel::random::Streams;
use flashscope_kernel::ranges::Ranges;
use flashscope_kernel::slab::Slab;
use flashscope_nand::{BitErrors, EccSettings, FlashArray};
use merge_places::MergePlaces;
use open_run::OpenRun;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use under_way::{Modify, OpenPageUse, Token};

/// A virtual solid-state drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ssd {
    config: Config,
    /// The named streams of random numbers for later draws.
    streams: Streams,
    now_ns: u64,
    host: HostSide,
    array: FlashArray<Token>,
    translation: TranslationLayer,
    parity: Parity,
    buffer: WriteBack,
    /// Which regions may be scattered, on a drive that cannot map all of them finely.
    fine_map: Option<FineMap>,
    open_run: OpenRun,
    bit_errors: BitErrors,
    counters: Counters,
    /// Pages on their way to flash.
    pages: Slab<OpenPageUse>,
    /// What has data in the page being filled, per stream of the translation layer.
    open_pages: [OpenPageUse; STREAMS],
    /// Partly written units whose old data is being read.
    modifies: Slab<Modify>,
    /// Write requests that wait for room in the buffer, in order.
    stalled: VecDeque<u32>,
    /// Flush requests that wait until the buffer is empty.
    flushing: Vec<u32>,
    /// Work of collections that is still to be done, per pool, when it is spread over the pages to come.
    owed: Vec<Collected>,
    /// Ranges of the trims that are not carried out yet.
    noted_trims: Ranges,
    life: Life,
    data_age: DataAge,
    /// The drive has idle work besides emptying its buffer.
    works_when_idle: bool,
    /// Idle collection found no more work.
    nothing_to_collect: bool,
    /// There is no pSLC block to fold.
    nothing_to_fold: bool,
    /// Units left the buffer without a page (zeros or refused units), and the requests that wait for their room were
    /// not continued yet.
    room_came_back: bool,
    /// Requests must pass the gate first.
    gated: bool,
    last_arrival_ns: u64,
    /// Ends of buffered writes that are being completed with their old data.
    merges: MergePlaces,
    merges_ends: bool,
    /// Writes that begin or end within a unit bypass the buffer when they are shorter than this [bytes].
    through_below_bytes: u64,
    shown_bytes: u64,
    unit_shift: u32,
}

impl Ssd {
    /// A new drive, all blocks erased. The same configuration and seed give the same drive, always.
    pub fn new(config: Config, seed: u64) -> Result<Self, ConfigError> {
        config.check()?;
        let streams = Streams::new(seed);
        let (shape, settings) = (config.flash_shape(), config.translation_settings());
        let buffer = WriteBack::new(config.buffer_settings());
        let law = config.error_law();
        let fine_map = config.new_fine_map();
        let mut drive = Self {
            now_ns: 0,
            host: Self::host_side(&config),
            array: FlashArray::new(&config.geometry, &config.timing, &config.scheduling),
            translation: TranslationLayer::new(&shape, &settings, config.log_blocks.as_ref(), &streams),
            parity: config.parity(),
            bit_errors: BitErrors::new(law.clone(), config.ecc.clone().map(EccSettings::completed), &streams),
            counters: Counters::default(),
            pages: Slab::default(),
            open_pages: [OpenPageUse::default(); STREAMS],
            modifies: Slab::default(),
            stalled: VecDeque::new(),
            flushing: Vec::new(),
            owed: vec![Collected::default(); config.geometry.pool_count() as usize],
            noted_trims: Ranges::default(),
            life: Life::Good,
            data_age: DataAge::new(law.ages(), law.is_disturbed(), shape.blocks_per_pool * shape.pool_count),
            works_when_idle: config.works_when_idle(),
            nothing_to_collect: false,
            nothing_to_fold: false,
            room_came_back: false,
            gated: false,
            last_arrival_ns: 0,
            merges: MergePlaces::default(),
            merges_ends: config.buffer.sub_unit_writes == SubUnitWrites::MergeEnds,
            through_below_bytes: config.through_below_bytes(),
            buffer,
            open_run: OpenRun::new(&config),
            fine_map,
            shown_bytes: config.shown_bytes(),
            unit_shift: config.mapping.unit_bytes.trailing_zeros(),
            config,
            streams,
        };
        drive.translation.interleave(drive.config.geometry.erase_blocks_per_pool_block());
        drive.gated = drive.needs_gate();
        drive.counters.power_cycles = 1;
        if law.ages() {
            drive.translation.keep_dates();
        }
        Ok(drive)
    }

    /// The host's side of a drive; writes that bypass the buffer begin with their first page.
    fn host_side(config: &Config) -> HostSide {
        let page_bytes = u64::from(config.geometry.programmed_page_bytes());
        HostSide::new(&config.link).streaming(config.buffer.past_from_bytes, page_bytes)
    }

    /// True when no request of the host is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.host.is_idle()
    }

    /// What the drive was built from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The drive's SMART attributes in the layout of its family.
    pub fn smart_attributes(&self) -> Vec<Attribute> {
        self.config.smart.layout.attributes(&self.health())
    }

    /// The fields of NVMe's health log, by name; none for a drive without NVMe.
    pub fn nvme_health(&self) -> Vec<(&'static str, u64)> {
        self.config.smart.layout.nvme_health(&self.health())
    }

    /// Check every invariant, slowly. Panics when one does not hold: then the program has a fault.
    pub fn check(&self) {
        self.translation.check();
        self.fine_map.iter().for_each(FineMap::check);
        let tally = self.translation.tally();
        let page_bytes = u64::from(self.config.geometry.programmed_page_bytes());
        let counters = self.counters();
        assert_eq!(counters.nand_written_bytes, tally.programmed_pages() * page_bytes);
        self.check_buffer();
        self.host.check();
    }
}
