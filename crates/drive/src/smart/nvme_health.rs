//! NVMe's health log 02h, by nvme-cli's names; the same for every maker.
//!
//! Data units are thousands of 512 B, rounded up; 0 means "not reported", so also that nothing was transferred yet.
//! Life used may be above 100 and stops at 255. The log has no bytes written to flash and no erase count.
//!
//! Not modelled here, and left out: temperature and the times above its limits, busy time of the controller.
//! The error log has one entry for each read that failed, and none for refused commands.

use super::health::Health;

/// Thousands of sectors in a data unit.
const SECTORS_PER_DATA_UNIT: u64 = 1000;
/// The drive warns when fewer spare blocks are left [per cent]; the usual value.
const SPARE_THRESHOLD_PERCENT: u64 = 10;
const SPARE_IS_LOW: u64 = 1 << 0;
const READ_ONLY: u64 = 1 << 3;

pub(super) fn fields(health: &Health) -> Vec<(&'static str, u64)> {
    let spare_left = u64::from(health.spare_left_percent());
    let low = if spare_left < SPARE_THRESHOLD_PERCENT { SPARE_IS_LOW } else { 0 };
    let ended = if health.spares_exhausted { READ_ONLY } else { 0 };
    vec![
        ("critical_warning", low | ended),
        ("avail_spare", spare_left),
        ("spare_thresh", SPARE_THRESHOLD_PERCENT),
        ("percent_used", health.used_percent().min(255)),
        ("data_units_read", health.host_read_sectors.div_ceil(SECTORS_PER_DATA_UNIT)),
        ("data_units_written", health.host_written_sectors.div_ceil(SECTORS_PER_DATA_UNIT)),
        ("host_read_commands", health.host_read_commands),
        ("host_write_commands", health.host_write_commands),
        ("power_cycles", health.power_cycles),
        ("power_on_hours", health.power_on_hours),
        ("unsafe_shutdowns", health.power_cuts),
        ("media_errors", health.unreadable_reads),
        ("num_err_log_entries", health.unreadable_reads),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(health: &Health, wanted: &str) -> u64 {
        fields(health).into_iter().find(|(name, _)| *name == wanted).unwrap().1
    }

    #[test]
    fn data_units_are_rounded_up() {
        let written =
            |sectors| field(&Health { host_written_sectors: sectors, ..Health::default() }, "data_units_written");
        assert_eq!([written(0), written(1), written(1000), written(1001)], [0, 1, 1, 2]);
    }

    #[test]
    fn the_warning_for_spare_blocks_comes_below_the_threshold() {
        let warning = |failed| {
            let health = Health { program_failed_blocks: failed, spare_blocks: Some(100), ..Health::default() };
            (field(&health, "avail_spare"), field(&health, "critical_warning"))
        };
        assert_eq!([warning(0), warning(90), warning(91)], [(100, 0), (10, 0), (9, 1)]);
        let ended = Health { spares_exhausted: true, ..Health::default() };
        assert_eq!((field(&ended, "avail_spare"), field(&ended, "critical_warning")), (0, 0b1001));
    }
}
