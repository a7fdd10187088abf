//! The drives that are compared: a plain one, and any other by a list of choices.
//!
//! A list of zeros is the plainest drive, so that shrinking a list takes mechanisms away.

use flashscope_drive::Config;
use flashscope_drive::host::Link;
use flashscope_drive::smart::Layout;
use flashscope_drive::ssd::config::Trim;
use flashscope_drive::ssd::config::{
    Acknowledge, Beyond, Buffer, Capacity, EndOfLife, Mapping, ParitySettings, Smart, SubUnitWrites,
};
use flashscope_ftl::buffer::{FlushOrder, Stall};
use flashscope_ftl::{FreeBlock, GcSettings, IdleCollection, MovedData, Pacing, Separation, VictimRule, WearLeveling};
use flashscope_nand::{Arrhenius, BitErrorLaw, EnduranceLaw, Geometry, Scheduling, SuperblockOf, Timing};

/// One bank of 32 blocks with 8 pages of 4 KiB; no buffer; writes answered when programmed.
pub fn plain() -> Config {
    Config {
        name: "twin".into(),
        model: "TWIN".into(),
        firmware: "1".into(),
        geometry: one_bank(),
        timing: Timing {
            read_latency_ns: 50_000,
            program_latencies_ns: vec![900_000],
            erase_latency_ns: 2_000_000,
            bus_bytes_per_second: 40_960_000, // a page in 100 us
            rated_pe_cycles: 3000,
            pslc: None,
            cache_program: false,
        },
        scheduling: Scheduling::default(),
        bit_errors: BitErrorLaw::default(),
        temperature: Arrhenius::default(),
        ecc: None,
        end_of_life: EndOfLife::ReadOnly,
        capacity: Capacity {
            user_bytes: 200 * 4096,
            initial_bad_block_count: 0,
            reserved_block_count: 0,
            announced_bytes: 0,
            beyond: Beyond::Wraps,
            spare_block_count: None,
        },
        link: Link {
            bytes_per_second: 409_600_000, // 4 KiB in 10 us
            command_cost_ns: 5_000,
            queue_depth: 1,
            gather_ns: 0,
            gather_requests: 0,
            full_duplex: false,
        },
        buffer: no_buffer(),
        mapping: Mapping { unit_bytes: 4096 },
        gc: GcSettings::plain(VictimRule::Greedy, 3, 1, 2),
        log_blocks: None,
        fine_map: None,
        pslc: None,
        compression: None,
        wear_leveling: WearLeveling::default(),
        endurance: None,
        smart: Smart { layout: Layout::Indilinx },
        trim: Trim::default(),
        throttle: None,
        parity: ParitySettings::default(),
    }
}

/// One bank of 32 blocks with 8 pages of 4 KiB.
fn one_bank() -> Geometry {
    Geometry {
        channels: 1,
        packages_per_channel: 1,
        dies_per_package: 1,
        planes_per_die: 1,
        blocks_per_plane: 32,
        pages_per_block: 8,
        page_bytes: 4096,
        lockstep_packages: 1,
        multiplane: false,
        superblock: false,
        superblock_of: SuperblockOf::Drive,
    }
}

/// Writes are answered when programmed.
fn no_buffer() -> Buffer {
    Buffer {
        bytes: 0,
        acknowledge: Acknowledge::Programmed,
        sub_unit_writes: SubUnitWrites::Through,
        idle_flush_ns: 1_000_000_000,
        flush_order: FlushOrder::Arrival,
        high_water_ratio: 0.5,
        low_water_ratio: 0.0,
        stall: Stall::UntilRoom,
        past_from_bytes: u64::MAX,
        capacitor: false,
        emptied_by_reads: false,
    }
}

/// Number of choices that describe a drive.
pub const CHOICES: usize = 30;

/// The drive that these choices make.
pub fn chosen(choices: &[u8]) -> Config {
    let mut rest = choices.iter().copied();
    let mut choose = |count: u32| u32::from(rest.next().unwrap_or(0)) % count;
    let mut config = plain();
    let geometry = &mut config.geometry;
    geometry.channels = 1 + choose(2);
    geometry.packages_per_channel = 1 + choose(2);
    geometry.planes_per_die = 1 + choose(2);
    geometry.multiplane = choose(2) == 1;
    geometry.superblock = choose(2) == 1;
    geometry.superblock_of = [SuperblockOf::Drive, SuperblockOf::Channels][choose(2) as usize];
    geometry.lockstep_packages = if geometry.packages_per_channel == 2 { 1 + choose(2) } else { 1 };
    geometry.pages_per_block = 8 >> choose(2);
    config.mapping.unit_bytes = geometry.programmed_page_bytes() >> choose(3);
    let gc = &mut config.gc;
    gc.policy = VictimRule::ALL[choose(VictimRule::ALL.len() as u32) as usize];
    gc.low_water_blocks = 1 + choose(3);
    gc.high_water_blocks = gc.low_water_blocks + 1 + choose(2);
    gc.pacing = if choose(2) == 1 { Pacing::Spread } else { Pacing::Blocking };
    gc.moved_data = if choose(2) == 1 { MovedData::WithHost } else { MovedData::Apart };
    gc.separation = (choose(3) == 1).then_some(Separation { hot_age_ratio: 0.4 });
    let worthwhile_stale_ratio = [0.0, 0.3][choose(2) as usize];
    let idle = IdleCollection { delay_ns: 300_000_000, target_free_blocks: 6, worthwhile_stale_ratio };
    gc.idle = (choose(3) == 1).then_some(idle);
    config.wear_leveling.free_block = if choose(2) == 1 { FreeBlock::LeastWorn } else { FreeBlock::OldestErased };
    config.wear_leveling.static_spread_cycles = (choose(3) == 1).then_some(2);
    config.geometry.blocks_per_plane = if config.geometry.pool_count() > 2 { 16 } else { 24 } + choose(8);
    config.capacity.initial_bad_block_count = choose(4);
    config.capacity.reserved_block_count = choose(3);
    let program_failure_share = [0.5, 0.0, 1.0][choose(3) as usize];
    let law = EnduranceLaw { characteristic_cycles: f64::from(4 + choose(20)), shape: 3.0, program_failure_share };
    config.endurance = (choose(3) == 1).then_some(law);
    config.capacity.spare_block_count = [None, Some(4)][choose(2) as usize];
    config.end_of_life = [EndOfLife::ReadOnly, EndOfLife::Failed][choose(2) as usize];
    config.timing.program_latencies_ns = if choose(2) == 1 { vec![300_000, 1_300_000] } else { vec![900_000] };
    // The pages of a superblock may end in another order than they began; the drive does not track that.
    if choose(3) == 1 && !config.geometry.superblock {
        config.buffer.acknowledge = Acknowledge::Buffered;
        config.buffer.bytes = 12 * u64::from(config.mapping.unit_bytes);
    }
    let per_cent = [70, 95, 50][choose(3) as usize];
    config.parity.stripe_pages = [0, 0, 2, 3, 4, 7][choose(6) as usize];
    fill(&mut config, per_cent);
    config
}

/// Let the host see this share of what the drive can hold [per cent]. Without a buffer the last unit is cut short by a
/// sector; with one, the drive takes a write that covers such a unit for a partial one, and the twin does not.
pub fn fill(config: &mut Config, per_cent: u64) {
    let pools = u64::from(config.geometry.pool_count());
    let kept = u64::from(config.gc.high_water_blocks + config.gc.open_blocks_per_pool(&config.wear_leveling)) * pools;
    let most_units = config.data_slots().saturating_sub(kept * config.slots_per_block());
    let units = (most_units.saturating_sub(1) * per_cent / 100).max(1);
    let unit_bytes = u64::from(config.mapping.unit_bytes);
    config.capacity.user_bytes =
        units * unit_bytes - if unit_bytes > 512 && config.buffer.bytes == 0 { 512 } else { 0 };
}

/// A drive in words, for a failure to print.
pub fn describe(config: &Config) -> String {
    format!("{config:?}")
}
