//! A solid-state drive, assembled.
//!
//! ```text
//!   host/side.rs     buffering.rs  writes.rs  reads.rs      flash array (crates/nand)
//!   queue -> controller -> write buffer -> translation --> bank queues -> channel -> die
//!            and link           |              |                             |
//!   completions <---------------+--------------+------------- tokens --------+
//! ```
//!
//! What happens next, and in what order, is in `impl Machine`; the loop itself is every drive's (`machine.rs`). Events at
//! the same nanosecond: flash first, then arrivals from the host, then the idle flush; completions last.
//!
//! Beside this way stand `gate.rs` (end of life, throttling, wrapped addresses), `trim.rs`, `idle.rs`, `data_age.rs`
//! (retention and read disturb), `power_cut.rs`. `docs/reference/mechanisms.md` lists all of them with their tests.
//!
//! Not modelled here: data rebuilt from parity, the flash traffic of the map and of the controller's own data,
//! secure erase in the times of pSLC blocks (all blocks take the native time).

pub(crate) mod ageing;
mod buffering;
pub mod config;
mod counters;
mod data_age;
mod fine_regions;
mod gate;
mod health;
mod idle;
mod inside;
mod merges;
mod power_cut;
mod reads;
mod run_merges;
#[cfg(test)]
pub(crate) mod tests;
mod trim;
mod wear_forward;
mod writes;
mod zeros;

pub use counters::Counters;
pub use gate::Life;
pub use inside::Inside;
pub use wear_forward::{Books, Cost};

use crate::config_error::ConfigError;
use crate::host::HostSide;
use crate::machine::{Machine, Space};
use crate::request::SECTOR_BYTES;
use crate::request::{Completion, Request};
use crate::smart::Attribute;
use crate::ssd::config::{Config, SubUnitWrites};
use data_age::DataAge;
use flashscope_ftl::buffer::WriteBack;
use flashscope_ftl::gc::separation::STREAMS;
use flashscope_ftl::{Collected, FineMap, FtlSettings, Parity, Shape, TranslationLayer};
use flashscope_kernel::random::Streams;
use flashscope_kernel::slab::Slab;
use flashscope_nand::{BitErrors, EccSettings, FlashArray};
use merges::Merges;
use run_merges::RunMerges;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use trim::Noted;
use writes::{Modify, OpenPageUse};

/// What the flash array hands back when an operation is finished.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum Token {
    /// A page is programmed: its entry in `pages`.
    Page(u32),
    /// A page was read for a host request.
    HostRead { request: u32, bytes: u32 },
    /// The old data of a partly written unit was read: its entry in `modifies`.
    Modify(u32),
    /// The parity of a stripe is programmed, which nobody waits for.
    Parity,
}

/// A virtual solid-state drive.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ssd {
    config: Config,
    /// What chance is drawn from later, by name.
    streams: Streams,
    now_ns: u64,
    host: HostSide,
    array: FlashArray<Token>,
    translation: TranslationLayer,
    parity: Parity,
    buffer: WriteBack,
    /// Which regions may be scattered, on a drive that cannot map all of them finely.
    fine_map: Option<FineMap>,
    run_merges: RunMerges,
    bit_errors: BitErrors,
    counters: Counters,
    /// Pages on their way to flash.
    pages: Slab<OpenPageUse>,
    /// Who has data in the page being filled, per stream of the translation layer.
    open_pages: [OpenPageUse; STREAMS],
    /// Partly written units whose old data is being read.
    modifies: Slab<Modify>,
    /// Write requests that wait for room in the buffer, in order.
    stalled: VecDeque<u32>,
    /// Flush requests that wait until the buffer is empty.
    flushing: Vec<u32>,
    /// Work of collections that is still to be done, per pool, when it is spread.
    owed: Vec<Collected>,
    /// What was trimmed and not yet looked at.
    noted_trims: Noted,
    life: Life,
    data_age: DataAge,
    /// There is something the drive does in idle time besides emptying its buffer.
    works_when_idle: bool,
    /// Idle collection found nothing more to do.
    nothing_to_collect: bool,
    /// There is no pSLC block to fold.
    nothing_to_fold: bool,
    /// Units left the buffer without a page, zeros or refused ones, and nobody has looked yet who waits for their room.
    room_came_back: bool,
    /// Requests have to pass the gate first.
    gated: bool,
    last_arrival_ns: u64,
    /// Ends of buffered writes that are being completed with their old data.
    merges: Merges,
    merges_ends: bool,
    /// Writes that begin or end within a unit go past the buffer when they are shorter.
    through_below_bytes: u64,
    shown_bytes: u64,
    unit_shift: u32,
}

impl Ssd {
    /// A new drive, all blocks erased. The same configuration and seed give the same drive, always.
    pub fn new(config: Config, seed: u64) -> Result<Self, ConfigError> {
        config.check()?;
        let streams = Streams::new(seed);
        let shape = Shape {
            unit_count: config.unit_count() as u32,
            slots_per_page: config.slots_per_page(),
            pages_per_block: config.geometry.pages_per_pool_block(),
            blocks_per_pool: config.geometry.blocks_per_pool(),
            pool_count: config.geometry.pool_count(),
            initial_bad_block_count: config.capacity.initial_bad_block_count,
            reserved_block_count: config.capacity.reserved_block_count,
        };
        let settings = FtlSettings {
            gc: config.gc.clone(),
            wear_leveling: config.wear_leveling,
            endurance: config.endurance.clone(),
            erase_blocks_per_block: config.geometry.erase_blocks_per_pool_block(),
            spare_blocks: config.capacity.spare_block_count,
            pslc: config.pslc,
            compression: config.compression,
            parity_stripe_pages: config.parity.stripe_pages,
        };
        let buffer = WriteBack::new(config.buffer_settings());
        let law = config.error_law();
        let fine_map = config.fine_map.map(|fine| {
            let units_per_region = (fine.region_bytes / u64::from(config.mapping.unit_bytes)) as u32;
            FineMap::new(shape.unit_count, units_per_region, fine.region_count)
        });
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
            noted_trims: Noted::default(),
            life: Life::Good,
            data_age: DataAge::new(law.ages(), law.is_disturbed(), shape.blocks_per_pool * shape.pool_count),
            works_when_idle: config.trim.delay_ns > 0
                || config.gc.idle.is_some()
                || config.pslc.is_some()
                || config.fine_map.is_some(),
            nothing_to_collect: false,
            nothing_to_fold: false,
            room_came_back: false,
            gated: false,
            last_arrival_ns: 0,
            merges: Merges::default(),
            merges_ends: config.buffer.sub_unit_writes == SubUnitWrites::MergeEnds,
            through_below_bytes: match config.buffer.sub_unit_writes {
                SubUnitWrites::Buffered => 0,
                SubUnitWrites::MergeEnds => u64::from(config.mapping.unit_bytes),
                SubUnitWrites::Through => u64::MAX,
            },
            buffer,
            run_merges: RunMerges::new(&config),
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

    /// The host's side of a drive; writes that go past the buffer are begun with their first page.
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

    /// Let everything that is under way come to its end; what waits in the buffer is written out.
    fn settle(&mut self) {
        loop {
            let next_ns = self.array.next_event_ns().min(self.host.next_arrival_ns());
            if next_ns != u64::MAX {
                self.advance_to(next_ns);
            } else if self.idle_flush_due_ns() != u64::MAX {
                self.write_out_buffer();
            } else {
                break;
            }
        }
    }

    /// Bring the drive back to its first state: all blocks erased, all data gone, wear kept.
    ///
    /// Returns the time it took [ns]: the banks erase in parallel, each its blocks one after another. No
    /// request may be outstanding.
    pub fn secure_erase(&mut self) -> u64 {
        assert!(self.host.is_idle(), "secure erase with requests outstanding");
        self.settle();
        self.owed.fill(Collected::default());
        self.fine_map.iter_mut().for_each(FineMap::clear);
        self.run_merges.forget();
        let geometry = &self.config.geometry;
        let mut erased_per_bank = vec![0_u64; geometry.bank_count() as usize];
        for (pool, erased) in self.translation.erase_all().into_iter().enumerate() {
            for part in 0..geometry.erase_blocks_per_pool_block() {
                erased_per_bank[geometry.bank_of_page(pool as u32, part) as usize] += u64::from(erased);
            }
        }
        let most = erased_per_bank.into_iter().max().unwrap_or(0);
        let duration_ns = most * self.config.timing.erase_latency_ns + self.config.link.command_cost_ns;
        self.now_ns += duration_ns;
        duration_ns
    }

    /// Forget all data at once and leave the blocks to be erased when they are needed, as formatting does.
    ///
    /// Returns the time it took [ns]. No request may be outstanding.
    pub fn format(&mut self) -> u64 {
        assert!(self.host.is_idle(), "formatted with requests outstanding");
        self.settle();
        for unit in 0..self.config.unit_count() as u32 {
            self.translation.trim(unit);
        }
        self.noted_trims = Noted::default();
        self.fine_map.iter_mut().for_each(FineMap::clear);
        self.run_merges.forget();
        self.nothing_to_collect = false;
        self.now_ns += self.config.link.command_cost_ns;
        self.config.link.command_cost_ns
    }

    /// The drive's SMART attributes in the layout of its family.
    pub fn smart_attributes(&self) -> Vec<Attribute> {
        self.config.smart.layout.attributes(&self.health())
    }

    /// The fields of NVMe's health log, by name; none for a drive that does not speak NVMe.
    pub fn nvme_health(&self) -> Vec<(&'static str, u64)> {
        self.config.smart.layout.nvme_health(&self.health())
    }

    /// Check every invariant, slowly. Panics when one does not hold: then we are wrong.
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

impl Machine for Ssd {
    fn space(&self) -> Space {
        Space { user_bytes: self.shown_bytes, sector_bytes: SECTOR_BYTES }
    }

    #[inline]
    fn clock_ns(&self) -> u64 {
        self.now_ns
    }

    #[inline]
    fn set_clock(&mut self, now_ns: u64) {
        self.now_ns = now_ns;
    }

    #[inline]
    fn take(&mut self, at_ns: u64, tag: u32, request: Request) {
        self.host.submit(at_ns, tag, request, self.shown_bytes);
    }

    #[inline]
    fn next_event_ns(&self) -> u64 {
        self.array.next_event_ns().min(self.host.next_arrival_ns()).min(self.idle_due_ns())
    }

    #[inline]
    fn happen(&mut self, at_ns: u64) {
        if self.array.next_event_ns() <= at_ns {
            match self.array.step() {
                Some(Token::Page(page)) => self.page_programmed(page),
                Some(Token::HostRead { request, bytes }) => self.host_data_read(request, bytes),
                Some(Token::Modify(modify)) => self.old_data_read(modify),
                Some(Token::Parity) | None => {}
            }
        } else if self.host.next_arrival_ns() <= at_ns {
            if let Some((request, kind)) = self.host.arrived(at_ns) {
                self.last_arrival_ns = self.now_ns;
                self.nothing_to_collect = false;
                self.nothing_to_fold = false;
                if self.gated {
                    self.pass_gate(request, kind);
                } else {
                    self.request_arrived(request, kind);
                }
            }
        } else {
            self.idle_work();
        }
        if self.room_came_back {
            self.use_room();
        }
    }

    #[inline]
    fn next_answer_ns(&self) -> u64 {
        self.host.next_answer_ns()
    }

    #[inline]
    fn answer(&mut self) -> Option<Completion> {
        self.host.answer()
    }

    #[inline]
    fn foresee(&mut self, offsets_bytes: &[u64]) {
        self.translation.touch(offsets_bytes.iter().map(|offset_bytes| (offset_bytes >> self.unit_shift) as u32));
    }
}
