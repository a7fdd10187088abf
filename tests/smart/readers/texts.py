"""Dumps written for the tests: one drive of no maker, in the shapes that programs print."""

from __future__ import annotations

from flashscope.records.smart_snapshot import SmartAttribute

BRIEF = """\
smartctl 7.3 2022-02-28 r5338 [x86_64-linux] (local build)

=== START OF INFORMATION SECTION ===
Model Family:     Fictional based SSDs
Device Model:     FLASHSCOPE TEST 128
Serial Number:    F0001
Firmware Version: T1.0
User Capacity:    128,035,676,160 bytes [128 GB]
Rotation Rate:    Solid State Device
ATA Version is:   ACS-3 T13/2161-D revision 5
Local Time is:    Sat Nov 29 00:59:09 2025 CET

=== START OF READ SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED

General SMART Values:
Offline data collection status:  (0x00)\tnever started.

SMART Attributes Data Structure revision number: 16
Vendor Specific SMART Attributes with Thresholds:
ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
  5 Reallocated_Sector_Ct   PO--CK   100   100   010    -    852
  9 Power_On_Hours          -O--CK   096   096   000    -    16922
190 Airflow_Temperature_Cel -O--CK   067   055   040    Past 33 (Min/Max 18/45)
241 Total_LBAs_Written      -O--CK   099   099   000    NOW  29682857185
                            ||||||_ K auto-keep
                            |||||__ C event count

SMART Error Log Version: 1
ATA Error Count: 7 (device log contains only the most recent five errors)

SCT Status Version:                  3
Current Temperature:                    33 Celsius
Lifetime    Min/Max Temperature:     18/45 Celsius

Device Statistics (GP Log 0x04)
Page  Offset Size        Value Flags Description
0x01  =====  =               =  ===  == General Statistics (rev 1) ==
0x01  0x010  4           16922  ---  Power-on Hours
0x01  0x018  6     29682857185  ---  Logical Sectors Written
0x05  0x028  1              -4  ---  Lowest Temperature
0x07  0x008  1               1  N--  Percentage Used Endurance Indicator
0x07  0x010  1               -  -D-  Something Not Valid

SATA Phy Event Counters (GP Log 0x11)
ID      Size     Value  Description
0x0009  2           13  Transition from drive PhyRdy to drive PhyNRdy

"""
OLD_ROWS = """\
ID# ATTRIBUTE_NAME          FLAG     VALUE WORST THRESH TYPE      UPDATED  WHEN_FAILED RAW_VALUE
  5 Reallocated_Sector_Ct   0x0033   100   100   010    Pre-fail  Always       -       852
  9 Power_On_Hours          0x0032   096   096   000    Old_age   Always       -       16922
190 Airflow_Temperature_Cel 0x0032   067   055   040    Old_age   Always   In_the_past 33 (Min/Max 18/45)
241 Total_LBAs_Written      0x0032   099   099   000    Old_age   Always   FAILING_NOW 29682857185
"""
ATTRIBUTES = (
    SmartAttribute(5, 0x33, 100, 100, (852).to_bytes(6, "little"), "Reallocated_Sector_Ct"),
    SmartAttribute(9, 0x32, 96, 96, (16922).to_bytes(6, "little"), "Power_On_Hours"),
    SmartAttribute(190, 0x32, 67, 55, bytes((33, 0, 18, 45, 0, 0)), "Airflow_Temperature_Cel"),
    SmartAttribute(241, 0x32, 99, 99, (29682857185).to_bytes(6, "little"), "Total_LBAs_Written"),
)
NVME = """\
=== START OF INFORMATION SECTION ===
Model Number:                       FLASHSCOPE NVME
Firmware Version:                   N2
Total NVM Capacity:                 512,110,190,592 [512 GB]
NVMe Version:                       1.4

=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: FAILED!
- available spare has fallen below threshold

SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x01
Temperature:                        -3 Celsius
Available Spare:                    9%
Available Spare Threshold:          10%
Percentage Used:                    103%
Data Units Read:                    24,781,409 [12.6 TB]
Data Units Written:                 24,287,809 [12.4 TB]
Host Read Commands:                 281,587,588
Power On Hours:                     823
Temperature Sensor 2:               61 Celsius

"""
SCSI = """\
=== START OF INFORMATION SECTION ===
Vendor:               FLASH
Product:              SCOPE
Revision:             0001
User Capacity:        600,127,266,816 bytes [600 GB]
Rotation Rate:        10020 rpm
Transport protocol:   SAS (SPL-4)
SMART Health Status: OK

Percentage used endurance indicator: 3%
Current Drive Temperature:     27 C
Accumulated start-stop cycles:  45
Elements in grown defect list: 2

Error counter log:
           Errors Corrected by           Total   Correction     Gigabytes    Total
               ECC          rereads/    errors   algorithm      processed    uncorrected
           fast | delayed   rewrites  corrected  invocations   [10^9 bytes]  errors
read:          1        2         3         6    2272755     111593.179           4
write:         0        0         0         0    4882199     292086,584           0

Non-medium error count:        5
"""
NVME_CLI = """\
Smart Log for NVME device:nvme1n1 namespace-id:ffffffff
critical_warning\t\t\t: 0
temperature\t\t\t\t: 32 °C (305 K)
available_spare\t\t\t\t: 100%
available_spare_threshold\t\t: 10%
percentage_used\t\t\t\t: 0%
endurance group critical warning summary: 0
Data Units Read\t\t\t\t: 12,448,420 (6.37 TB)
data_units_written\t\t\t: 16\u202f584\u202f005
host_read_commands\t\t\t: 1.106.256.291
host_write_commands\t\t\t: 6,19,82,961
power_on_hours\t\t\t\t: 75
Warning Temperature Time\t\t: 0
Critical Composite Temperature Time\t: 0
Temperature Sensor 1           : 38 C
Thermal Management T1 Trans Count\t: 4
"""
