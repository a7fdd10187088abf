"""SCSI drives written for the tests: a SAS disk, a SAS solid-state drive, an old disk, a volume; no maker's own."""

from __future__ import annotations

from typing import Any

HEAD = "smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)\n\n=== START OF INFORMATION SECTION ===\n"
SAS_SSD = f"""\
{HEAD}Vendor:               FLASH
Product:              SCOPE-SSD
Revision:             B21C
Compliance:           SPC-5
User Capacity:        3,840,755,982,336 bytes [3.84 TB]
Logical block size:   512 bytes
Physical block size:  4096 bytes
Formatted with type 2 protection
8 bytes of protection information per logical block
LU is resource provisioned, LBPRZ=1
Rotation Rate:        Solid State Device
Form Factor:          2.5 inches
Logical Unit id:      0x5002538b0156bb30
Serial number:        F0002
Device type:          disk
Transport protocol:   SAS (SPL-4)
Local Time is:        Wed Aug 30 12:39:17 2023 UTC
SMART support is:     Available - device has SMART capability.
SMART support is:     Enabled
Temperature Warning:  Enabled
Read Cache is:        Enabled
Writeback Cache is:   Disabled

=== START OF READ SMART DATA SECTION ===
SMART Health Status: OK

Percentage used endurance indicator: 11%
Grown defects during certification <not available>
Total blocks reassigned during format <not available>
Total new blocks reassigned = 3
Power on minutes since format = 1972226
Current temperature = 31
Lifetime maximum temperature = 47
Lifetime minimum temperature = 19
Maximum temperature since power on = 33
Minimum temperature since power on = 30
Manufactured in week 21 of year 2021
Accumulated start-stop cycles:  12
Specified load-unload count over device lifetime:  0
Accumulated load-unload cycles:  0
Elements in grown defect list: 4

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
               ECC          rereads/    errors   algorithm      processed    uncorrected
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
read:          0        0         0         0          0     110374,315           0
write:         0        0         0         0          0     110385,698           0
verify:        0        0         0         0          0      75570,557           0

Non-medium error count:     7748

  Pending defect count:0 Pending Defects
SMART Self-test log
Num  Test              Status                 segment  LifeTime  LBA_first_err [SK ASC ASQ]
     Description                              number   (hours)
# 1  Background short  Completed                   -   33609                 - [-   -    -]
# 2  Background long   Aborted (by user command)   -   30001                 - [-   -    -]

Long (extended) Self-test duration: 3600 seconds [60.0 minutes]

Background scan results log
  Status: scan is active
    Accumulated power on time, hours:minutes 33651:44 [2019104 minutes]
    Number of background scans performed: 51,  scan progress: 0,01%
    Number of background medium scans performed: 51

General statistics and performance log page:
  General access statistics and performance:
    number of read commands = 4041928822
    number of logical blocks received = 215597066406

Protocol Specific port log page for SAS SSP
relative target port id = 1
  generation code = 4
  number of phys = 1
  phy identifier = 0
    attached device type: expander device
    SAS address = 0x5002538b0156bb31
    Invalid DWORD count = 3
    Running disparity error count = 2
    Loss of DWORD synchronization count = 1
    Phy reset problem count = 0
    Phy event descriptors:
     Received ERROR count: 0
relative target port id = 2
  phy identifier = 1
    Invalid DWORD count = 4
    Running disparity error count = 0
    Loss of DWORD synchronization count = 0
    Phy reset problem count = 0

"""
SAS_DISK = f"""\
{HEAD}Vendor:               FLASH
Product:              SCOPE15K
Revision:             0004
User Capacity:        450,098,159,616 bytes [450 GB]
Logical block size:   512 bytes
Rotation Rate:        15000 rpm
Serial number:        F0003
Transport protocol:   SAS (SPL-3)
Temperature Warning:  Disabled or Not Supported

=== START OF READ SMART DATA SECTION ===
SMART Health Status: FAILURE PREDICTION THRESHOLD EXCEEDED [asc=5d, ascq=0]

Current Drive Temperature:     41 C
Drive Trip Temperature:        68 C

Manufactured in week 04 of year 2014
Specified cycle count over device lifetime:  10000
Accumulated start-stop cycles:  211
Specified load-unload count over device lifetime:  300000
Accumulated load-unload cycles:  1843
Elements in grown defect list: 2066

Vendor (Seagate Cache) information
  Blocks sent to initiator = 3540208858
  Number of read and write commands whose size <= segment size = 1683632186

Vendor (Seagate/Hitachi) factory information
  number of hours powered up = 69502.72
  number of minutes until next internal SMART test = 40

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
               ECC          rereads/    errors   algorithm      processed    uncorrected
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
read:   2853453453       14         0  2853453467         14     460659.950          31
write:         0        0       219       219        300      44976.018           0
verify: 73819931        1         0  73819932          1      90001.250           2

Non-medium error count:        9

[GLTSD (Global Logging Target Save Disable) set. Enable Save with '-S on']
SMART Self-test log
Num  Test              Status                 segment  LifeTime  LBA_first_err [SK ASC ASQ]
     Description                              number   (hours)
# 1  Background long   Failed in segment -->       3   62012          48152613 [0x3 0x11 0x0]
# 2  Background short  Completed                   -   61980                 - [-   -    -]
# 3  Background long   Failed in first segment     1   51012          48152613 [0x3 0x11 0x0]

Background scan results log
  Status: waiting until BMS interval timer expires
    Accumulated power on time, hours:minutes 69502:43 [4170163 minutes]
    Number of background scans performed: 812,  scan progress: 0.00%
    Number of background medium scans performed: 810

   #  when        lba(hex)    [sk,asc,ascq]    reassign_status
   1 61708:31  0000000002dec0e5  [3,11,0]   Require Write or Reassign Blocks command
   2 61882:38  0000000002dec0f5  [1,17,1]   Recovered via rewrite in-place
   3 62201:47  0000000002dec1a1  [3,11,0]   Reassignment by disk failed
 33024 62208:31  0008012701180900  [f,3,7e]   Reserved [0x0]

"""
OLD_DISK = """\
smartctl version 5.38 [i686-pc-linux-gnu] Copyright (C) 2002-8 Bruce Allen
Home page is http://smartmontools.sourceforge.net/

Device: FLASH    SCOPE10K         Version: D105
Serial number: F0004
Device type: disk
Transport protocol: SAS
Local Time is: Tue Jan  6 14:34:22 2009 UTC
Device supports SMART and is Enabled
Temperature Warning Enabled
SMART Health Status: OK

Current Drive Temperature:     28 C
Drive Trip Temperature:        85 C
Manufactured in week 12 of year 2007
Current start stop count:      31 times
Recommended maximum start stop count:  10000 times
Elements in grown defect list: 0

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
               EEC          rereads/    errors   algorithm      processed    uncorrected
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
read:    1234567        5         0   1234572    1234572       8123.410           0
write:         0        0         7         7          7       2113.001           0

Non-medium error count:        2
No self-tests have been logged
Long (extended) Self Test duration: 1740 seconds [29.0 minutes]
"""
VOLUME = f"""\
{HEAD}Vendor:               RAIDERS
Product:              RR9999-8i
Revision:             4.72
User Capacity:        959,119,884,288 bytes [959 GB]
Serial number:        00574c0df553f2000000349c07b26200
SMART support is:     Unavailable - device lacks SMART capability.

=== START OF READ SMART DATA SECTION ===
Current Drive Temperature:     0 C
Drive Trip Temperature:        0 C

Error Counter logging not supported

Device does not support Self Test logging
"""
DOCUMENT: dict[str, Any] = {
    "smartctl": {"version": [7, 4], "exit_status": 0, "argv": ["smartctl", "-xj", "-d", "megaraid,3", "/dev/sda"]},
    "device": {"name": "/dev/sda", "info_name": "/dev/sda [megaraid_disk_03]", "type": "scsi", "protocol": "SCSI"},
    "scsi_vendor": "FLASH",
    "scsi_product": "SCOPE-SSD",
    "scsi_model_name": "FLASH SCOPE-SSD",
    "scsi_revision": "B21C",
    "user_capacity": {"blocks": 7501476528, "bytes": 3840755982336},
    "rotation_rate": 0,
    "logical_unit_id": "0x5002538b0156bb30",
    "serial_number": "F0002",
    "smart_support": {"available": True, "enabled": True},
    "smart_status": {"passed": True},
    "scsi_percentage_used_endurance_indicator": 11,
    "scsi_format_status": {"total_new_block_since_format": 3, "power_on_minutes_since_format": 1972226},
    "scsi_environmental_reports": {
        "temperature_1": {"parameter_code": 0, "current": 31, "lifetime_maximum": 47, "lifetime_minimum": 19,
                          "maximum_since_power_on": 33, "minimum_since_power_on": 30}
    },
    "power_on_time": {"hours": 33651, "minutes": 44},
    "scsi_start_stop_cycle_counter": {
        "year_of_manufacture": "2021", "week_of_manufacture": "21", "accumulated_start_stop_cycles": 12,
        "specified_load_unload_count_over_device_lifetime": 0, "accumulated_load_unload_cycles": 0
    },
    "scsi_grown_defect_list": 4,
    "scsi_error_counter_log": {
        kind: {"errors_corrected_by_eccfast": 0, "errors_corrected_by_eccdelayed": 0,
               "errors_corrected_by_rereads_rewrites": 0, "total_errors_corrected": 0,
               "correction_algorithm_invocations": 0, "gigabytes_processed": giga, "total_uncorrected_errors": 0}
        for kind, giga in (("read", "110374.315"), ("write", "110385.698"), ("verify", "75570.557"))
    },
    "scsi_pending_defects": {"count": 0},
    "scsi_self_test_0": {"code": {"value": 1, "string": "Background short"},
                         "result": {"value": 0, "string": "Completed"},
                         "power_on_time": {"hours": 33609, "aka": "accumulated_power_on_hours"}},
    "scsi_self_test_1": {"code": {"value": 2, "string": "Background long"},
                         "result": {"value": 1, "string": "Aborted (by user command)"},
                         "power_on_time": {"hours": 30001, "aka": "accumulated_power_on_hours"}},
    "scsi_extended_self_test_seconds": 3600,
    "scsi_background_scan": {
        "status": {"value": 1, "string": "scan is active", "number_scans_performed": 51, "scan_progress": "0.01%",
                   "number_medium_scans_performed": 51}
    },
    "scsi_sas_port_0": {"relative_target_port_id": 1, "phy_0": {"identifier": 0, "invalid_dword_count": 3,
        "running_disparity_error_count": 2, "loss_of_dword_synchronization_count": 1, "phy_reset_problem_count": 0}},
    "scsi_sas_port_1": {"relative_target_port_id": 2, "phy_0": {"identifier": 1, "invalid_dword_count": 4,
        "running_disparity_error_count": 0, "loss_of_dword_synchronization_count": 0, "phy_reset_problem_count": 0}},
}  # fmt: skip
"""The SAS solid-state drive above, as JSON, behind a RAID controller."""
