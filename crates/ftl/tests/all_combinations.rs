//! Random use of the translation layer under every combination of its settings; its counts are checked repeatedly.
//!
//! A plain list of units stands beside it: what must be mapped, and which units are safe because their page was
//! reported as programmed. A power cut may lose any of the other units, but none of the safe ones.

use flashscope_ftl::mapping::NOWHERE;
use flashscope_ftl::{
    Compression, FreeBlock, FtlSettings, GcSettings, IdleCollection, MovedData, OpenPage, Pslc, Refusal, Separation,
    Shape, Translation, VictimRule, WearLeveling, WhenFull,
};
use flashscope_kernel::random::{Stream, Streams, below};
use flashscope_nand::EnduranceLaw;
use std::collections::VecDeque;

const OPERATIONS: u32 = 20_000;
/// With pSLC or compression there are five times as many combinations.
const OPERATIONS_EACH: u32 = OPERATIONS / 5;

/// What the host knows about a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Empty,
    /// Written, in this page by number; the page is not known to be on flash.
    Placed(u64),
    /// On flash.
    Safe,
}

/// The layer and its expected state.
struct Pair {
    layer: Translation,
    units: Vec<Known>,
    chance: Stream,
    /// Pages on their way to flash, with their units.
    under_way: VecDeque<(OpenPage, Vec<u32>)>,
    /// The page each stream is filling.
    filling: [Vec<u32>; 2],
    placed: u64,
    name: String,
}

impl Pair {
    fn new(shape: &Shape, settings: &FtlSettings, seed: u64, name: String) -> Self {
        let streams = Streams::new(seed);
        Self {
            layer: Translation::new(shape, settings, &streams),
            units: vec![Known::Empty; shape.unit_count as usize],
            chance: streams.stream("operations"),
            under_way: VecDeque::new(),
            filling: [vec![], vec![]],
            placed: 0,
            name,
        }
    }

    fn page_complete(&mut self, page: OpenPage) {
        let units = std::mem::take(&mut self.filling[usize::from(page.stream)]);
        self.under_way.push_back((page, units));
    }

    fn oldest_page_programmed(&mut self) {
        let Some((page, units)) = self.under_way.pop_front() else { return };
        self.layer.page_programmed(page);
        let pages_under_way = self.under_way.iter().map(|(_, units)| units).chain(&self.filling);
        let newer: Vec<u32> = pages_under_way.flatten().copied().collect();
        for unit in units {
            // A unit that was written again or trimmed meanwhile does not become safe by this page.
            if matches!(self.units[unit as usize], Known::Placed(_)) && !newer.contains(&unit) {
                self.units[unit as usize] = Known::Safe;
            }
        }
    }

    /// Place a unit; the refusal if there was one.
    fn place(&mut self, unit: u32, now_ns: u64) -> Option<Refusal> {
        while self.under_way.len() > 6 {
            self.oldest_page_programmed();
        }
        // A fifth of the units holds random data, a fifth zeros, the others have any compressibility between.
        let compressible = match below(&mut self.chance, 5) {
            0 => 0,
            1 => u8::MAX,
            _ => below(&mut self.chance, 256) as u8,
        };
        if self.layer.note_zeros(unit, compressible) {
            self.units[unit as usize] = Known::Safe;
            return None;
        }
        match self.layer.place(unit, compressible, now_ns) {
            Ok(placed) => {
                self.placed += 1;
                self.units[unit as usize] = Known::Placed(self.placed);
                self.filling[usize::from(placed.stream)].push(unit);
                if let Some(page) = placed.complete {
                    self.page_complete(page);
                }
                None
            }
            Err(refusal) => Some(refusal),
        }
    }

    fn operate(&mut self, now_ns: u64) -> Option<Refusal> {
        let unit_count = self.units.len() as u64;
        // Nine writes in ten go to a tenth of the units.
        let hot = below(&mut self.chance, 10) > 0;
        let unit = below(&mut self.chance, if hot { unit_count / 10 } else { unit_count }) as u32;
        match below(&mut self.chance, 1000) {
            0..800 => return self.place(unit, now_ns),
            800..850 => {
                self.layer.trim(unit);
                self.units[unit as usize] = Known::Empty;
            }
            850..880 => {
                while let Some(page) = self.layer.pad_page() {
                    self.page_complete(page);
                }
            }
            880..940 => self.oldest_page_programmed(),
            940..980 => {
                let _ = self.layer.idle_step(now_ns);
                let pool = below(&mut self.chance, self.layer.free_blocks().len() as u64) as u32;
                let _ = self.layer.fold_step(pool, now_ns);
            }
            980..990 => {
                let block = below(&mut self.chance, self.layer.blocks().count().into()) as u32;
                // A refusal only means that there was no room at this moment.
                let _ = self.layer.refresh_step(block, now_ns);
            }
            990..991 if self.layer.grown_bad_blocks() < 4 => {
                let block = below(&mut self.chance, self.layer.blocks().count().into()) as u32;
                self.layer.retire_after_read_failure(block);
            }
            991..996 => self.power_cut(),
            996 if below(&mut self.chance, 10) == 0 => {
                self.layer.erase_all();
                self.units.fill(Known::Empty);
                self.under_way.clear();
                self.filling = [vec![], vec![]];
            }
            _ => {}
        }
        None
    }

    fn power_cut(&mut self) {
        let lost = self.layer.power_cut();
        self.under_way.clear();
        self.filling = [vec![], vec![]];
        let mut gone = 0;
        for unit in 0..self.units.len() {
            let mapped = self.layer.slot(unit as u32) != NOWHERE;
            let known = &mut self.units[unit];
            assert!(mapped || *known != Known::Safe, "{}: unit {unit} was on flash and is lost", self.name);
            gone += u64::from(!mapped && matches!(known, Known::Placed(_)));
            *known = if mapped { Known::Safe } else { Known::Empty };
        }
        assert_eq!(lost, gone, "{}: units lost in a power cut", self.name);
        assert_eq!(self.layer.pad_page(), None, "{}: no page is being filled after a power cut", self.name);
        self.layer.check();
    }

    fn check(&self) {
        self.layer.check();
        for (unit, known) in self.units.iter().enumerate() {
            let mapped = self.layer.slot(unit as u32) != NOWHERE;
            assert_eq!(mapped, *known != Known::Empty, "{}: unit {unit}", self.name);
        }
    }
}

fn every_setting(policy: VictimRule) -> Vec<(String, FtlSettings)> {
    let mut all = vec![];
    for bits in 0..64_u32 {
        let on = |bit: u32| bits >> bit & 1 == 1;
        let gc = GcSettings {
            moved_data: if on(0) { MovedData::WithHost } else { MovedData::Apart },
            separation: on(1).then_some(Separation { hot_age_ratio: 0.5 }),
            idle: on(2).then_some(IdleCollection { delay_ns: 1, target_free_blocks: 5, worthwhile_stale_ratio: 0.25 }),
            ..GcSettings::plain(policy, 3, 1 + bits % 3, 2 + bits % 3 + u32::from(on(1)))
        };
        let settings = FtlSettings {
            wear_leveling: WearLeveling {
                free_block: if on(3) { FreeBlock::LeastWorn } else { FreeBlock::OldestErased },
                static_spread_cycles: on(4).then_some(3),
            },
            endurance: on(5).then_some(EnduranceLaw {
                characteristic_cycles: 150.0,
                shape: 3.0,
                program_failure_share: 0.5,
            }),
            erase_blocks_per_block: 2,
            spare_blocks: (bits % 5 == 0).then_some(6),
            ..FtlSettings::only(gc)
        };
        all.push((format!("{settings:?}"), settings));
    }
    all
}

fn shape(slots_per_page: u32, pool_count: u32) -> Shape {
    let (pages_per_block, blocks_per_pool) = (8 / slots_per_page, 40 / pool_count + 6);
    let slots = 8 * blocks_per_pool * pool_count;
    Shape {
        unit_count: slots * 5 / 10,
        slots_per_page,
        pages_per_block,
        blocks_per_pool,
        pool_count,
        initial_bad_block_count: 2,
        reserved_block_count: 1,
    }
}

/// Each with and without the other: a pSLC cache, static, dynamic or both; compression, with and without a look for
/// zeros.
fn every_extra() -> Vec<(Option<Pslc>, Option<Compression>)> {
    let pslc = |bits_per_cell, static_block_count, dynamic_keep_free_blocks, when_full| {
        Some(Pslc { bits_per_cell, static_block_count, dynamic_keep_free_blocks, when_full, fold_delay_ns: 1 })
    };
    let compression = |most_units_per_slot, zero_detection| Some(Compression { most_units_per_slot, zero_detection });
    vec![
        (pslc(2, 3, 0, WhenFull::Fold), None),
        (pslc(4, 2, 6, WhenFull::Fold), None),
        (None, compression(2, true)),
        (None, compression(8, false)),
        (pslc(3, 0, 7, WhenFull::Past), compression(3, true)),
        (pslc(2, 0, 6, WhenFull::Reclaim), None),
    ]
}

fn use_with(policy: VictimRule) {
    use_each(every_setting(policy), OPERATIONS);
}

fn use_with_extras(policy: VictimRule) {
    for (pslc, compression) in every_extra() {
        let with_extra = |(_, settings)| {
            let settings = FtlSettings { pslc, compression, ..settings };
            (format!("{settings:?}"), settings)
        };
        use_each(every_setting(policy).into_iter().map(with_extra).collect(), OPERATIONS_EACH);
    }
}

fn use_each(all: Vec<(String, FtlSettings)>, operations: u32) {
    let mut exhausted = 0;
    for (number, (name, settings)) in (0..).zip(all) {
        for shape in [shape(1, 2), shape(4, 1), shape(2, 3)] {
            let mut pair = Pair::new(&shape, &settings, number, format!("{name} {shape:?}"));
            for operation in 0..operations {
                match pair.operate(operation.into()) {
                    None => {}
                    Some(Refusal::SparesExhausted) => {
                        assert!(pair.layer.grown_bad_blocks() > 0 && pair.layer.spares_exhausted(), "{}", pair.name);
                    }
                    Some(Refusal::NoFreeBlock) => panic!("{}: no room after {operation} operations", pair.name),
                }
                if operation % 500 == 0 {
                    pair.check();
                }
            }
            pair.check();
            exhausted += u32::from(pair.layer.spares_exhausted());
        }
    }
    assert!(
        exhausted > 30 || operations < OPERATIONS,
        "many of the drives whose blocks wear out do so, here {exhausted}"
    );
}

/// Each policy on a thread of its own.
fn with_every_policy(test: fn(VictimRule)) {
    std::thread::scope(|scope| VictimRule::ALL.iter().for_each(|&policy| drop(scope.spawn(move || test(policy)))));
}

#[test]
fn the_books_add_up_under_every_setting_with_every_policy() {
    with_every_policy(use_with);
}

#[test]
fn and_also_with_a_pslc_cache_or_compression() {
    with_every_policy(use_with_extras);
}
