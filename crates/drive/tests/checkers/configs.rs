//! Random solid-state drives, over every mechanism that a configuration can have.

use flashscope_drive::Config;
use flashscope_drive::host::Link;
use flashscope_drive::smart::Layout;
use flashscope_drive::ssd::config::{
    Acknowledge, Beyond, Buffer, Capacity, EndOfLife, Mapping, ParitySettings, Smart, SubUnitWrites,
};
use flashscope_drive::ssd::config::{Throttle, Trim};
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{
    Association, FineMapSettings, FreeBlock, GcSettings, IdleCollection, LogBlockSettings, MovedData, Pacing,
    Separation, VictimRule, WearLeveling,
};
use flashscope_kernel::random::{Stream, Streams, below};
use flashscope_nand::timing::PslcTiming;
use flashscope_nand::{Arrhenius, BitErrorLaw, EccSettings, EnduranceLaw, Geometry, Scheduling, SuperblockOf, Timing};

const MS: u64 = 1_000_000;

/// Draws one of several things.
struct Chance(Stream);

impl Chance {
    fn one_in(&mut self, count: u64) -> bool {
        below(&mut self.0, count) == 0
    }

    fn among(&mut self, from: u32, to: u32) -> u32 {
        from + below(&mut self.0, u64::from(to - from) + 1) as u32
    }

    fn pick<T: Copy>(&mut self, things: &[T]) -> T {
        things[below(&mut self.0, things.len() as u64) as usize]
    }
}

/// The drive of this seed: the first drawn configuration that can be built.
pub fn random(seed: u64) -> Config {
    let mut chance = Chance(Streams::new(seed).stream("checkers configuration"));
    loop {
        let config = draw(&mut chance);
        if config.check().is_ok() {
            return config;
        }
    }
}

fn draw(chance: &mut Chance) -> Config {
    let log_blocks = chance.one_in(5).then(|| LogBlockSettings {
        interleaved: false,
        log_block_count: chance.pick(&[0, 2, 6]),
        association: chance.pick(&[Association::Block, Association::Full]),
    });
    let geometry = geometry(chance);
    let unit_bytes = geometry.programmed_page_bytes() >> if log_blocks.is_some() { 0 } else { chance.among(0, 2) };
    let is_fine = log_blocks.is_none() && unit_bytes == geometry.programmed_page_bytes() && chance.one_in(2);
    let fine_map = is_fine.then(|| fine_map(chance, unit_bytes));
    let mut config = Config {
        name: "checkers".into(),
        model: "CHECKERS".into(),
        firmware: "1".into(),
        timing: timing(chance),
        scheduling: Scheduling {
            read_priority: chance.one_in(2),
            program_suspend: chance.one_in(3),
            erase_suspend: chance.one_in(3),
            suspend_latency_ns: chance.pick(&[0, 20_000]),
        },
        bit_errors: bit_errors(chance),
        temperature: Arrhenius::default(),
        ecc: None,
        end_of_life: chance.pick(&[EndOfLife::ReadOnly, EndOfLife::Failed]),
        capacity: capacity(chance),
        link: link(chance),
        buffer: buffer(chance, unit_bytes),
        mapping: Mapping { unit_bytes },
        gc: gc(chance),
        log_blocks,
        fine_map,
        pslc: None,
        compression: None,
        parity: ParitySettings { stripe_pages: chance.pick(&[0, 0, 2, 3, 8]) },
        wear_leveling: WearLeveling {
            free_block: chance.pick(&[FreeBlock::OldestErased, FreeBlock::LeastWorn]),
            static_spread_cycles: chance.one_in(3).then_some(2),
        },
        endurance: None,
        smart: Smart { layout: chance.pick(Layout::ALL) },
        trim: Trim { supported: !chance.one_in(8), delay_ns: chance.pick(&[0, 0, 50 * MS]) },
        throttle: chance.one_in(6).then_some(Throttle { life_ns: 2_000_000 * MS, credit_ns: 1_000 * MS }),
        geometry,
    };
    config.ecc = chance.one_in(2).then(|| EccSettings {
        refresh_threshold_bits: chance.pick(&[0, 3]),
        overdispersion_cv: chance.pick(&[0.0, 0.4]),
        ..EccSettings::bch(512, 5)
    });
    let law = EnduranceLaw { characteristic_cycles: 40.0, shape: 4.0, program_failure_share: 0.5 };
    // A merge of log blocks that finds no free block loses its log block: then the books do not add up.
    config.endurance = (chance.one_in(3) && config.log_blocks.is_none()).then_some(law);
    size(chance, &mut config);
    config
}

fn fine_map(chance: &mut Chance, unit_bytes: u32) -> FineMapSettings {
    FineMapSettings {
        region_bytes: u64::from(unit_bytes * chance.pick(&[2, 5])),
        region_count: chance.pick(&[1, 3]),
        gather_delay_ns: chance.pick(&[0, 50 * MS]),
        merge_bytes: 0, // these drives have no pSLC
    }
}

fn geometry(chance: &mut Chance) -> Geometry {
    let packages_per_channel = chance.among(1, 2);
    Geometry {
        channels: chance.among(1, 2),
        packages_per_channel,
        dies_per_package: chance.among(1, 2),
        planes_per_die: chance.among(1, 2),
        blocks_per_plane: chance.among(16, 28),
        pages_per_block: chance.pick(&[4, 8]),
        page_bytes: 4096,
        lockstep_packages: if packages_per_channel == 2 { chance.among(1, 2) } else { 1 },
        multiplane: chance.one_in(2),
        superblock: chance.one_in(4),
        superblock_of: if chance.one_in(2) { SuperblockOf::Channels } else { SuperblockOf::Drive },
    }
}

fn timing(chance: &mut Chance) -> Timing {
    let pslc = PslcTiming { read_latency_ns: 30_000, program_latency_ns: 200_000, erase_latency_ns: 2 * MS };
    Timing {
        read_latency_ns: 50_000,
        program_latencies_ns: if chance.one_in(2) { vec![300_000, 1_300_000] } else { vec![900_000] },
        erase_latency_ns: 3 * MS,
        bus_bytes_per_second: 40_000_000,
        rated_pe_cycles: 100,
        pslc: chance.one_in(3).then_some(pslc),
        cache_program: chance.one_in(3),
    }
}

fn bit_errors(chance: &mut Chance) -> BitErrorLaw {
    let wear = BitErrorLaw { fresh_ratio: 1e-5, wear_coefficient: 1e-6, wear_exponent: 1.0, ..BitErrorLaw::default() };
    let aging = BitErrorLaw { retention_coefficient: 5e-5, ..BitErrorLaw::mlc_3x_nm() };
    let disturbed = BitErrorLaw {
        disturb_coefficient: 1e-7,
        disturb_wear_exponent: 0.5,
        disturb_reads_exponent: 1.0,
        block_variation_cv: 0.3,
        ..wear.clone()
    };
    match chance.among(0, 3) {
        0 => BitErrorLaw::default(),
        1 => wear,
        2 => aging,
        _ => disturbed,
    }
}

fn capacity(chance: &mut Chance) -> Capacity {
    Capacity {
        user_bytes: 512,
        initial_bad_block_count: chance.among(0, 4),
        reserved_block_count: chance.among(0, 2),
        announced_bytes: 0,
        beyond: Beyond::Wraps,
        spare_block_count: chance.one_in(2).then_some(5),
    }
}

fn link(chance: &mut Chance) -> Link {
    let queue_depth = chance.pick(&[1, 4, 32]);
    let gathers = queue_depth > 1 && chance.one_in(3);
    Link {
        bytes_per_second: 300_000_000,
        command_cost_ns: 5_000,
        queue_depth,
        gather_ns: if gathers { 40_000 } else { 0 },
        gather_requests: if gathers { 3 } else { 0 },
        full_duplex: chance.one_in(2),
    }
}

fn buffer(chance: &mut Chance, unit_bytes: u32) -> Buffer {
    Buffer {
        bytes: u64::from(chance.pick(&[0, 5, 24]) * unit_bytes),
        acknowledge: chance.pick(&[Acknowledge::Buffered, Acknowledge::Buffered, Acknowledge::Programmed]),
        sub_unit_writes: chance.pick(&[SubUnitWrites::Buffered, SubUnitWrites::Through, SubUnitWrites::MergeEnds]),
        idle_flush_ns: 200 * MS,
        flush_order: chance.pick(&[FlushOrder::Arrival, FlushOrder::Sorted]),
        high_water_ratio: chance.pick(&[0.5, 1.0]),
        low_water_ratio: chance.pick(&[0.0, 0.3]),
        stall: chance.pick(&[Stall::UntilRoom, Stall::UntilDrained]),
        past_from_bytes: if chance.one_in(4) { u64::from(2 * unit_bytes) } else { u64::MAX },
        capacitor: chance.one_in(3),
        emptied_by_reads: false,
    }
}

fn gc(chance: &mut Chance) -> GcSettings {
    let low_water_blocks = chance.among(2, 3);
    let idle = IdleCollection { delay_ns: 30 * MS, target_free_blocks: 6, worthwhile_stale_ratio: 0.2 };
    GcSettings {
        policy: chance.pick(VictimRule::ALL),
        choices: 3,
        low_water_blocks,
        high_water_blocks: low_water_blocks + chance.among(1, 2),
        pacing: chance.pick(&[Pacing::Blocking, Pacing::Spread]),
        moved_data: chance.pick(&[MovedData::Apart, MovedData::WithHost]),
        separation: chance.one_in(3).then_some(Separation { hot_age_ratio: 0.4 }),
        idle: chance.one_in(3).then_some(idle),
    }
}

/// The largest possible capacity, or a part of it; some drives report more than they have.
fn size(chance: &mut Chance, config: &mut Config) {
    let pools = u64::from(config.geometry.pool_count());
    let open = config.gc.open_blocks_per_pool(&config.wear_leveling);
    let mut kept = u64::from(config.gc.high_water_blocks + open) * pools;
    if let Some(log_blocks) = &config.log_blocks {
        kept = kept.max((u64::from(log_blocks.log_block_count) + 3) * pools);
    }
    let most_units = config.data_slots().saturating_sub((kept + 1) * config.slots_per_block());
    let units = (most_units * u64::from(chance.pick(&[60_u32, 80, 97])) / 100).max(1);
    let short = if chance.one_in(3) && config.mapping.unit_bytes > 512 { 512 } else { 0 };
    config.capacity.user_bytes = units * u64::from(config.mapping.unit_bytes) - short;
    if chance.one_in(8) {
        config.capacity.announced_bytes = config.capacity.user_bytes * 3;
        config.capacity.beyond = chance.pick(Beyond::ALL);
    }
}

/// Whether a drive has a mechanism.
type IsOn = fn(&Config) -> bool;

/// Every mechanism by name.
pub fn mechanisms() -> Vec<(&'static str, IsOn)> {
    vec![
        ("superblock", |config| config.geometry.superblock),
        ("parity", |config| config.parity.stripe_pages > 0),
        ("multiplane", |config| config.geometry.multiplane && config.geometry.planes_per_die > 1),
        ("lockstep", |config| config.geometry.lockstep_packages == 2),
        ("pslc times", |config| config.timing.pslc.is_some()),
        ("cache programming", |config| config.timing.cache_program),
        ("read priority", |config| config.scheduling.read_priority),
        ("program suspend", |config| config.scheduling.program_suspend),
        ("erase suspend", |config| config.scheduling.erase_suspend),
        ("retention", |config| config.bit_errors.retention_coefficient > 0.0),
        ("read disturb", |config| config.bit_errors.disturb_coefficient > 0.0),
        ("correction", |config| config.ecc.is_some()),
        ("refresh", |config| config.ecc.as_ref().is_some_and(|code| code.refresh_threshold_bits > 0)),
        ("failing at the end", |config| config.endurance.is_some() && config.end_of_life == EndOfLife::Failed),
        ("read-only at the end", |config| config.endurance.is_some() && config.end_of_life == EndOfLife::ReadOnly),
        ("initial bad blocks", |config| config.capacity.initial_bad_block_count > 0),
        ("reserved blocks", |config| config.capacity.reserved_block_count > 0),
        ("counterfeit that wraps", |config| {
            config.capacity.is_counterfeit() && config.capacity.beyond == Beyond::Wraps
        }),
        ("counterfeit that drops", |config| {
            config.capacity.is_counterfeit() && config.capacity.beyond != Beyond::Wraps
        }),
        ("spare blocks", |config| config.capacity.spare_block_count.is_some()),
        ("no queuing", |config| config.link.queue_depth == 1),
        ("gathering", |config| config.link.gather_ns > 0),
        ("full duplex", |config| config.link.full_duplex),
        ("buffer", has_buffer),
        ("sorted buffer", |config| has_buffer(config) && config.buffer.flush_order == FlushOrder::Sorted),
        ("stall until drained", |config| has_buffer(config) && config.buffer.stall == Stall::UntilDrained),
        ("writes through", |config| has_buffer(config) && config.buffer.sub_unit_writes == SubUnitWrites::Through),
        ("merged ends", |config| has_buffer(config) && config.buffer.sub_unit_writes == SubUnitWrites::MergeEnds),
        ("writes past the buffer", |config| has_buffer(config) && config.buffer.past_from_bytes < u64::MAX),
        ("few fine tables", |config| config.fine_map.is_some()),
        ("capacitor", |config| has_buffer(config) && config.buffer.capacitor),
        ("small units", |config| config.slots_per_page() > 1),
        ("capacity that cuts a unit", |config| {
            !config.capacity.user_bytes.is_multiple_of(config.mapping.unit_bytes.into())
        }),
        ("spread pacing", |config| config.gc.pacing == Pacing::Spread),
        ("moved data with the host's", |config| config.gc.moved_data == MovedData::WithHost),
        ("separation", |config| config.gc.separation.is_some()),
        ("idle collection", |config| config.gc.idle.is_some()),
        ("log blocks", |config| config.log_blocks.is_some()),
        ("least worn first", |config| config.wear_leveling.free_block == FreeBlock::LeastWorn),
        ("static levelling", |config| config.wear_leveling.static_spread_cycles.is_some()),
        ("no trim", |config| !config.trim.supported),
        ("late trim", |config| config.trim.delay_ns > 0),
        ("throttling", |config| config.throttle.is_some()),
    ]
}

/// True when the drive answers writes from memory.
pub fn has_buffer(config: &Config) -> bool {
    config.buffer.acknowledge == Acknowledge::Buffered && config.buffer.bytes >= u64::from(config.mapping.unit_bytes)
}
