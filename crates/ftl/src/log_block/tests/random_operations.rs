//! Random and exhaustive lists of operations, compared with a plain map.

use super::*;
use crate::OpenPage;
use flashscope_kernel::random::{Stream, below};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

const OPERATIONS: u32 = 20_000;
const UNITS: u32 = 20 * PAGES - 3;

/// A page on its way: its slot and the cycle of its block.
struct UnderWay {
    page: OpenPage,
    slot: u32,
    cycle: u32,
}

/// A layer and the expected state.
struct Scenario {
    layer: LogBlockTranslation,
    chance: Stream,
    /// Units that hold data.
    held: BTreeSet<u32>,
    /// Pages on their way, for each pool in order.
    under_way: Vec<VecDeque<UnderWay>>,
    /// Cycle and page index of the last page the host programmed in each block.
    last_page: BTreeMap<u32, (u32, u32)>,
    reads: u64,
    programs: u64,
    erases: u64,
    refused: u32,
}

impl Scenario {
    fn new(settings: &LogBlockSettings, pool_count: u32, blocks_per_pool: u32, seed: u64) -> Self {
        let streams = Streams::new(seed);
        let shape = Shape {
            initial_bad_block_count: 2,
            reserved_block_count: 1,
            ..shape(UNITS, PAGES, blocks_per_pool, pool_count)
        };
        Self {
            layer: LogBlockTranslation::new(&shape, settings, None, None, &streams),
            chance: streams.stream("operations"),
            held: BTreeSet::new(),
            under_way: (0..pool_count).map(|_| VecDeque::new()).collect(),
            last_page: BTreeMap::new(),
            reads: 0,
            programs: 0,
            erases: 0,
            refused: 0,
        }
    }

    fn below(&mut self, bound: u32) -> u32 {
        below(&mut self.chance, bound.into()) as u32
    }

    fn step(&mut self) {
        let unit = self.below(UNITS);
        match self.below(1000) {
            0 => self.erase_all(),
            1..150 => self.trim(unit, 1),
            150..160 => self.trim(unit - unit % PAGES, PAGES),
            160..200 => self.write(unit - unit % PAGES, PAGES),
            200..300 => self.write(unit - unit % PAGES, unit % PAGES + 1),
            300..400 => self.write(unit, 4),
            400..500 => self.write(unit % (2 * PAGES), 1),
            _ => self.write(unit, 1),
        }
        let arrivals = self.below(4);
        for _ in 0..arrivals {
            let pool = self.below(self.under_way.len() as u32) as usize;
            if let Some(arrived) = self.under_way[pool].pop_front() {
                self.layer.page_programmed(arrived.page);
            }
        }
    }

    fn write(&mut self, first: u32, count: u32) {
        for unit in (first..first + count).filter(|&unit| unit < UNITS) {
            let Ok(placed) = self.layer.place(unit, 0) else {
                self.refused += 1;
                continue;
            };
            self.held.insert(unit);
            let page = placed.complete.expect("a unit is a page");
            let slot = self.layer.slot(unit);
            assert_eq!(self.layer.place_of_slot(slot), (page.pool, page.page_index));
            assert_eq!(placed.pool, page.pool);
            let cycle = self.layer.erase_count_at(slot);
            let last = self.last_page.insert(page.block, (cycle, page.page_index));
            let in_order = last.is_none_or(|(then, index)| then < cycle || index < page.page_index);
            assert!(in_order, "pages of a block are programmed in order: {page:?} after {last:?}");
            self.under_way[page.pool as usize].push_back(UnderWay { page, slot, cycle });
            if let Some(work) = placed.collected {
                self.reads += u64::from(work.reads);
                self.programs += u64::from(work.programs);
                self.erases += u64::from(work.erases);
            }
        }
    }

    fn trim(&mut self, first: u32, count: u32) {
        for unit in (first..first + count).filter(|&unit| unit < UNITS) {
            self.layer.trim(unit);
            self.held.remove(&unit);
        }
    }

    fn erase_all(&mut self) {
        self.erases += self.layer.erase_all().iter().map(|&erased| u64::from(erased)).sum::<u64>();
        self.held.clear();
    }

    fn check(&self) {
        self.layer.check();
        let arriving: BTreeSet<u32> = self
            .under_way
            .iter()
            .flatten()
            .filter(|page| self.layer.erase_count_at(page.slot) == page.cycle)
            .map(|page| page.slot)
            .collect();
        let mut slots = BTreeSet::new();
        for unit in 0..UNITS {
            let slot = self.layer.slot(unit);
            assert_eq!(slot != NOWHERE, self.held.contains(&unit), "unit {unit} is held or not");
            if slot != NOWHERE {
                assert!(slots.insert(slot), "slot {slot} holds one unit");
                assert_eq!(self.layer.is_programmed(slot), !arriving.contains(&slot), "unit {unit} is on flash or not");
            }
        }
        let tally = self.layer.tally();
        if self.refused == 0 {
            let told = (tally.gc_read_pages, tally.gc_pages, tally.erased_blocks);
            assert_eq!((self.reads, self.programs, self.erases), told, "all work is handed out");
        }
    }
}

fn settings() -> impl Iterator<Item = LogBlockSettings> {
    let of = |association| {
        [0, 1, 3, 8].map(|log_block_count| LogBlockSettings { interleaved: false, log_block_count, association })
    };
    of(Association::Block).into_iter().chain(of(Association::Full))
}

#[test]
fn random_operations_agree_with_a_plain_map() {
    for settings in settings() {
        for pool_count in [1, 2] {
            // Three blocks are bad or reserved; the smallest drive is short of blocks now and then.
            for spare in [3, 5, 4 + settings.spare_blocks_per_pool(pool_count)] {
                let mut scenario = Scenario::new(&settings, pool_count, 20 / pool_count + spare, 5);
                for operation in 0..OPERATIONS {
                    scenario.step();
                    if operation % 400 == 0 {
                        scenario.check();
                    }
                }
                scenario.check();
                let roomy = spare > 5 || settings.log_block_count == 0 && spare > 3;
                assert!(!roomy || scenario.refused == 0, "{settings:?} refused {} writes", scenario.refused);
            }
        }
    }
}

#[test]
fn every_short_list_of_operations_on_a_tiny_drive_keeps_the_books() {
    fn go_on(layer: &LogBlockTranslation, units: u32, depth: u32) -> u64 {
        if depth == 0 {
            layer.check();
            return 1;
        }
        let mut lists = 0;
        for operation in 0..2 * units {
            let mut next = layer.clone();
            let unit = operation % units;
            if operation < units {
                place(&mut next, unit);
            } else if layer.slot(unit) != NOWHERE {
                next.trim(unit);
            } else {
                continue;
            }
            lists += go_on(&next, units, depth - 1);
        }
        lists
    }
    for association in [Association::Block, Association::Full] {
        for log_block_count in [0, 1, 2] {
            let layer = drive(2, 2, association, log_block_count);
            assert!(go_on(&layer, 4, 6) > 10_000);
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_a_snapshot_goes_on_like_the_drive() {
    let settings = LogBlockSettings { interleaved: false, log_block_count: 4, association: Association::Full };
    let run = |steps| {
        let mut scenario = Scenario::new(&settings, 2, 18, 9);
        (0..steps).for_each(|_| scenario.step());
        scenario
    };
    let bytes = |layer: &LogBlockTranslation| postcard::to_stdvec(layer).expect("a layer has a form as bytes");
    let mut scenario = run(3000);
    let taken = bytes(&scenario.layer);
    assert_eq!(taken, bytes(&run(3000).layer));
    scenario.layer = postcard::from_bytes(&taken).expect("what was written can be read");
    (0..2000).for_each(|_| scenario.step());
    scenario.check();
    assert_eq!(bytes(&scenario.layer), bytes(&run(5000).layer));
}

#[test]
fn memory_is_little_over_four_bytes_for_a_unit() {
    let layer = full(200, 256, Association::Full, 8);
    let per_unit = layer.memory_bytes() as f64 / f64::from(200 * 256);
    assert!((4.0..5.0).contains(&per_unit), "{per_unit} bytes");
}
