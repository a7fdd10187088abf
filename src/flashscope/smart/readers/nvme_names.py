"""The fields of NVMe's SMART/health log (02h), by nvme-cli's names, and what other programs call them.

Temperatures are in kelvin in the log; smartctl and nvme-cli's text show degrees Celsius as kelvin less 273.
"""

from __future__ import annotations

KELVIN_OF_0_CELSIUS = 273
SENSOR_COUNT = 8
# (name, place in the log in bytes, size in bytes), NVM Express base specification, SMART / Health Information.
LAYOUT: tuple[tuple[str, int, int], ...] = (
    ("critical_warning", 0, 1),
    ("temperature", 1, 2),
    ("avail_spare", 3, 1),
    ("spare_thresh", 4, 1),
    ("percent_used", 5, 1),
    ("endurance_grp_critical_warning_summary", 6, 1),
    ("data_units_read", 32, 16),
    ("data_units_written", 48, 16),
    ("host_read_commands", 64, 16),
    ("host_write_commands", 80, 16),
    ("controller_busy_time", 96, 16),
    ("power_cycles", 112, 16),
    ("power_on_hours", 128, 16),
    ("unsafe_shutdowns", 144, 16),
    ("media_errors", 160, 16),
    ("num_err_log_entries", 176, 16),
    ("warning_temp_time", 192, 4),
    ("critical_comp_time", 196, 4),
    *((f"temperature_sensor_{sensor + 1}", 200 + 2 * sensor, 2) for sensor in range(SENSOR_COUNT)),
    ("thm_temp1_trans_count", 216, 4),
    ("thm_temp2_trans_count", 220, 4),
    ("thm_temp1_total_time", 224, 4),
    ("thm_temp2_total_time", 228, 4),
)
NAMES = frozenset(name for name, _, _ in LAYOUT)
FROM_SMARTCTL = {
    "available_spare": "avail_spare",
    "available_spare_threshold": "spare_thresh",
    "percentage_used": "percent_used",
    "host_reads": "host_read_commands",
    "host_writes": "host_write_commands",
}
"""smartctl's JSON key -> our name; other keys are the same."""
TO_SMARTCTL = {ours: theirs for theirs, ours in FROM_SMARTCTL.items()}
BY_SMARTCTL_LABEL = {
    "Critical Warning": "critical_warning",
    "Temperature": "temperature",
    "Available Spare": "avail_spare",
    "Available Spare Threshold": "spare_thresh",
    "Percentage Used": "percent_used",
    "Data Units Read": "data_units_read",
    "Data Units Written": "data_units_written",
    "Host Read Commands": "host_read_commands",
    "Host Write Commands": "host_write_commands",
    "Controller Busy Time": "controller_busy_time",
    "Power Cycles": "power_cycles",
    "Power On Hours": "power_on_hours",
    "Unsafe Shutdowns": "unsafe_shutdowns",
    "Media and Data Integrity Errors": "media_errors",
    "Error Information Log Entries": "num_err_log_entries",
    "Warning Comp. Temperature Time": "warning_temp_time",
    "Critical Comp. Temperature Time": "critical_comp_time",
    "Thermal Temp. 1 Transition Count": "thm_temp1_trans_count",
    "Thermal Temp. 2 Transition Count": "thm_temp2_trans_count",
    "Thermal Temp. 1 Total Time": "thm_temp1_total_time",
    "Thermal Temp. 2 Total Time": "thm_temp2_total_time",
} | {f"Temperature Sensor {sensor}": f"temperature_sensor_{sensor}" for sensor in range(1, SENSOR_COUNT + 1)}
"""The label in smartctl's text -> our name."""
