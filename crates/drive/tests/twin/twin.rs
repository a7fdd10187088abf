//! The twin: the complete state of a drive, and the loop that handles the earliest event.
//!
//! ```text
//!   ask(request) --> command --> link --> arrived (requests.rs) --> pages to the banks --> answer
//! ```
//!
//! One request at a time. At the same nanosecond the flash comes first, then the request that arrives, then what the
//! drive does in idle time; the answer goes out when all else of that nanosecond is done.
//! Not modelled here: queues, gathering, throttling, trims that are put off, partly written units that wait in a
//! buffer, sorted buffers, log blocks, flash that suspends or caches, bits that err (but for flash that never reads
//! well).

use crate::banks::Banks;
use crate::factory;
use crate::flash::Flash;
use crate::placing::{HostPage, SentPage};
use crate::pool::Pool;
use crate::requests::UnderWay;
use crate::work::Work;
use flashscope_drive::ssd::config::{Acknowledge, EndOfLife};
use flashscope_drive::{Config, Counters, Decision, Request, RequestKind, Status};
use flashscope_kernel::random::Streams;
use flashscope_kernel::time::transfer_ns;
use flashscope_nand::BlockLives;
use std::collections::{BTreeMap, BTreeSet};

/// Why a unit finds no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    NoFreeBlock,
    SparesExhausted,
}

/// The purpose of an operation of a bank.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    Page(SentPage),
    HostRead { bytes: u64 },
    OldData { unit: u32 },
}

/// A slow, obvious solid-state drive.
#[derive(Clone, Debug)]
pub struct Twin {
    pub config: Config,
    pub counters: Counters,
    pub decisions: Vec<Decision>,
    pub now_ns: u64,
    pub flash: Flash,
    pub pools: Vec<Pool>,
    pub banks: Banks<Purpose>,
    pub lives: Option<BlockLives>,
    /// Blocks that could not be read and are to be retired.
    pub unreadable: BTreeSet<usize>,
    /// No read of flash succeeds.
    pub reads_fail: bool,
    /// So many blocks were lost that no more are opened.
    pub exhausted: bool,
    /// How writes end when the drive is at its end.
    pub life_over: Option<Status>,
    /// By temperature.
    pub host_pages: [HostPage; 2],
    /// Units the host has placed.
    pub placed_units: u64,
    pub closed_blocks_ever: u64,
    pub under_way: Option<UnderWay>,
    /// Units that have room in the buffer.
    pub buffered_units: u32,
    pub sent_pages: u32,
    pub reading_old: u32,
    pub last_arrival_ns: u64,
    pub nothing_to_collect: bool,
    /// When a request arrives that is on its way.
    arrival_ns: Option<u64>,
    link_free_ns: u64,
}

impl Twin {
    pub fn new(config: Config, seed: u64) -> Self {
        let streams = Streams::new(seed);
        let geometry = &config.geometry;
        let flash = factory::flash(&config, &streams);
        let pool_blocks = geometry.blocks_per_pool() as usize;
        let pools = (0..geometry.pool_count() as usize).map(|pool| {
            let (first, end) = (pool * pool_blocks, (pool + 1) * pool_blocks);
            let is_free = |block: &usize| flash.blocks[*block].state == crate::flash::State::Free;
            Pool {
                first,
                end,
                free: (first..end).filter(is_free).collect(),
                open: BTreeMap::new(),
                search_from: first,
                chance: streams.stream(&format!("victims of pool {pool}")),
                erases: 0,
                unpaid: Work::default(),
                owed: Work::default(),
            }
        });
        let parts = geometry.erase_blocks_per_pool_block();
        let pools = pools.collect();
        Self {
            counters: Counters { power_cycles: 1, ..Counters::default() },
            decisions: vec![],
            now_ns: 0,
            pools,
            banks: new_banks(&config),
            lives: config.endurance.as_ref().map(|law| BlockLives::new(law, parts, &streams)),
            unreadable: BTreeSet::new(),
            reads_fail: false,
            exhausted: false,
            life_over: None,
            host_pages: [HostPage::default(); 2],
            placed_units: 0,
            closed_blocks_ever: 0,
            under_way: None,
            buffered_units: 0,
            sent_pages: 0,
            reading_old: 0,
            last_arrival_ns: 0,
            nothing_to_collect: false,
            arrival_ns: None,
            link_free_ns: 0,
            flash,
            config,
        }
    }

    /// One request on a drive that has answered all earlier ones; returns its status.
    pub fn ask(&mut self, request: Request) -> Status {
        let known_ns = self.now_ns + self.config.link.command_cost_ns;
        let carries = request.kind == RequestKind::Write;
        let data_ns = if carries { transfer_ns(request.length_bytes, self.config.link.bytes_per_second) } else { 0 };
        self.arrival_ns = Some(known_ns + data_ns);
        self.under_way = Some(UnderWay::new(request));
        loop {
            let next_ns = self.next_ns();
            if let Some(answer_ns) = self.under_way.as_ref().and_then(|request| request.answer_ns)
                && answer_ns < next_ns
            {
                self.now_ns = answer_ns;
                return self.under_way.take().map_or(Status::Done, |request| request.status);
            }
            assert!(next_ns < u64::MAX, "a request is never answered");
            self.let_happen(next_ns);
        }
    }

    /// Leave the drive alone for a time.
    pub fn idle(&mut self, duration_ns: u64) {
        let until_ns = self.now_ns + duration_ns;
        while self.next_ns() <= until_ns {
            self.let_happen(self.next_ns());
        }
        self.now_ns = until_ns;
    }

    fn next_ns(&self) -> u64 {
        self.banks.next_ns().min(self.arrival_ns.unwrap_or(u64::MAX)).min(self.idle_due_ns())
    }

    fn let_happen(&mut self, at_ns: u64) {
        self.now_ns = self.now_ns.max(at_ns);
        if self.banks.next_ns() <= at_ns {
            match self.banks.step() {
                Some(Purpose::Page(page)) => self.page_programmed(page),
                Some(Purpose::HostRead { bytes }) => {
                    self.send_to_host(bytes);
                    self.end_part();
                }
                Some(Purpose::OldData { unit }) => self.old_data_read(unit),
                None => {}
            }
        } else if self.arrival_ns.is_some_and(|arrival_ns| arrival_ns <= at_ns) {
            self.arrival_ns = None;
            self.last_arrival_ns = self.now_ns;
            self.nothing_to_collect = false;
            self.arrived();
        } else {
            self.work_while_idle();
        }
    }

    /// Send data of a read over the link.
    pub fn send_to_host(&mut self, bytes: u64) {
        let duration_ns = transfer_ns(bytes, self.config.link.bytes_per_second);
        self.link_free_ns = self.now_ns.max(self.link_free_ns) + duration_ns;
        let link_free_ns = self.link_free_ns;
        self.request().data_out_ns = link_free_ns;
    }

    /// The request under way.
    pub fn request(&mut self) -> &mut UnderWay {
        self.under_way.as_mut().expect("a request is under way")
    }

    /// Let everything under way come to its end, then send what is being filled, and wait for that too.
    pub fn settle(&mut self) {
        loop {
            while self.banks.next_ns() < u64::MAX {
                self.let_happen(self.banks.next_ns());
            }
            if self.flush_due_ns() == u64::MAX {
                return;
            }
            self.pad_pages();
        }
    }

    /// The power is cut: whatever was under way is lost.
    pub fn forget_operations(&mut self) {
        self.banks = new_banks(&self.config);
        (self.sent_pages, self.reading_old, self.buffered_units) = (0, 0, 0);
        (self.arrival_ns, self.under_way, self.link_free_ns) = (None, None, 0);
        self.pools.iter_mut().for_each(|pool| pool.owed = Work::default());
    }

    pub fn pool_of(&self, block: usize) -> usize {
        self.pools.iter().position(|pool| (pool.first..pool.end).contains(&block)).expect("blocks are in pools")
    }

    /// The bank of a page.
    pub fn bank_of(&self, block: usize, page: usize) -> usize {
        self.config.geometry.bank_of_page(self.pool_of(block) as u32, self.place_of(page) as u32) as usize
    }

    /// Units the buffer has room for; 0 without one.
    pub fn buffer_room(&self) -> u32 {
        let buffer = &self.config.buffer;
        let buffered = buffer.acknowledge == Acknowledge::Buffered;
        if buffered { (buffer.bytes / u64::from(self.config.mapping.unit_bytes)) as u32 } else { 0 }
    }

    /// The status of a write that finds no place.
    pub fn refused(&mut self, refused: Refused) -> Status {
        self.counters.refused_units += 1;
        match refused {
            Refused::NoFreeBlock => Status::NoFreeBlock,
            Refused::SparesExhausted => {
                let status = match self.config.end_of_life {
                    EndOfLife::ReadOnly => Status::ReadOnly,
                    EndOfLife::Failed => Status::Dead,
                };
                self.life_over = Some(status);
                status
            }
        }
    }

    /// All counters, the bytes on flash added up.
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters;
        let pages = counters.host_programmed_pages
            + counters.gc_programmed_pages
            + counters.parity_pages
            + counters.failed_programs;
        counters.nand_written_bytes = pages * u64::from(self.config.geometry.programmed_page_bytes());
        counters
    }
}

fn new_banks(config: &Config) -> Banks<Purpose> {
    let geometry = &config.geometry;
    let channels = (0..geometry.bank_count()).map(|bank| geometry.channel_of_bank(bank) as usize);
    Banks::new(geometry.channels as usize, channels)
}
