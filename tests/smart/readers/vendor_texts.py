"""What plugins of nvme-cli print of makers' logs: drives made up for the tests, in the shapes of its versions."""

from __future__ import annotations

from typing import Any

E1 = """\
SMART Extended Log:0xE1
Grown Bad Block Count                    : 0x7
Per Block Max Erase Count                : 0x21c
Power On Minutes                         : 0x10e3d0
Write Protect Reason                     : 0x0
Drive Capacity                           : 0x1bf1fc56000
Total Erase Count                        : 0x4d2f10
Lifetime Use Rate                        : 0x0
Erase Fail Count                         : 0x0
Reported UC Errors                       : 0x2
Program Fail Count                       : 0x5
Total Bytes Read                         : 0x1e84a3c00000
Total Bytes Written                      : 0x35f0a3c00000
TU Size                                  : 0x1000
User Block Min Erase Count               : 0x1c1
User Block Avg Erase Count               : 0x1e9
User Block Max Erase Count               : 0x21c
"""
HYPERSCALE = """\
  SMART Cloud Attributes :-
  Physical Media Units Written TLC (Bytes): 248081392128000
  Physical Media Units Written - TLC (Bytes): 248081392128000
  Physical Media Units Written - SLC (Bytes): 6282811904000
  Bad User NAND Block Count (Normalized) (Int) : 100
  Bad User NAND Block Count (Raw) (Int)\t: 458752
  XOR Recovery Count (Int) : 3
  Uncorrectable Read Error Count (Int) : 0
  System Data % life-used : 1 %
  User data erase counts (Minimum TLC) (Int) : 433
  User data erase counts (Maximum TLC) (Int) : 484
  User data erase counts (Average TLC) (Int) : 451
  Program Fail Count (Normalized) (Int) : 100
  Program Fail Count (Raw) (Int) : 0
  Total # of Soft ECC Error Count (Int)\t: 12
  Thermal Throttling Status & Count (Number of thermal throttling events) (Int) : 0
  Total Physical Media Units Read (Bytes) (Int)\t:  265326216704000
"""
HYPERSCALE_UNITS = """\
Physical Media Units Written - TLC                                          : 484533969
Physical Media Units Written - SLC                                          : 12271117
Bad User NAND Block Count (Normalized)                                      : 100
Bad User NAND Block Count (Raw)                                             : 0
Uncorrectable Read error count                                              : 0
System data %% life-used                                                    : 1%
User data erase counts (Minimum TLC)                                        : 433
User data erase counts (Maximum TLC)                                        : 484
User data erase counts (Minimum SLC)                                        : 68
User data erase counts (Maximum SLC)                                        : 78
Physical Media Units Read                                                   : 518215267
"""
PANIC = """\
  Error Recovery/C1 Log Page Data
  Panic Reset Wait Time             : 0x1388
  Panic Reset Action                : 0x1f
  Device Recovery Action 1          : 0x8
  Panic ID                          : 0x91c4
  Device Capabilities               : 0x3
  Vendor Specific Recovery Opcode   : 0x0
  Vendor Specific Command CDW12     : 0x0
  Vendor Specific Command CDW13     : 0x0
  Vendor Specific Command Timeout   : 0x0
  Device Recovery Action 2          : 0x0
  Device Recovery Action 2 Timeout  : 0x0
  Panic Count                       : 0x2
  Previous Panic IDs: Panic ID N-1 : 0x91c4
                      Panic ID N-2 : 0x8010
                      Panic ID N-3 : 0x0
                      Panic ID N-4 : 0x0
  Log Page Version                  : 0x3
  Log page GUID                     : 0x5a1983ba3dfd4dabae3430fe2131d944
"""
PANIC_JSON: dict[str, Any] = {
    "Panic Reset Wait Time": 5000,
    "Panic Reset Action": 31,
    "Device Recovery Action 1": 8,
    "Panic ID": 0,
    "Device Capabilities": 3,
    "Vendor Specific Recovery Opcode": 0,
    "Log Page Version": 2,
    "Log page GUID": "0x5a1983ba3dfd4dabae3430fe2131d944",
}
LATENCY = """\
-Latency Monitor/C3 Log Page Data-
  Controller   :  nvme0
  Feature Status                     0x7
  Active Bucket Timer                11105 min
  Active Bucket Timer Threshold      10080 min
  Active Threshold A                 5 ms
  Active Threshold B                 10 ms
  Active Threshold C                 15 ms
  Active Threshold D                 1280 ms
  Active Latency Configuration       0xfff
  Active Latency Minimum Window      100 ms
  Active Latency Stamp Units         0
  Static Latency Stamp Units         0
  Debug Log Trigger Enable           0
  Debug Log Measured Latency         0
  Debug Log Latency Time Stamp       N/A
  Debug Log Pointer                  0
  Debug Counter Trigger Source       0
  Debug Log Stamp Units              0
  Log Page Version                   1
  Log Page GUID                      85D45E58D4E643709C6C84D08CC07A92

                                    Read               Write     Deallocate/Trim
  Active Bucket Counter: Bucket 0                        2716                         198                           0
  Active Bucket Counter: Bucket 3                           1                           0                           0
  Active Latency Time Stamp: Bucket 0   2024-02-11 08:12:31.101 GMT     2024-02-11 08:12:31.000 GMT     N/A
  Active Measured Latency: Bucket 0   9 ms     7 ms     0 ms

  Static Bucket Counter: Bucket 0                        3310                         244                           5
  Static Bucket Counter: Bucket 3                           2                           1                           0
"""
LATENCY_JSON: dict[str, Any] = {
    "Feature Status": 7,
    "Active Bucket Timer": 11105,
    "Active Threshold A": 5,
    "Active Bucket Counter: Bucket 0": {"Trim": 0, "Write": 198, "Read": 2716},
    "Active Latency Time Stamp: Bucket 0": {"Trim": "NA", "Write": "2024-02-11 08:12:31.000 GMT"},
    "Active Measured Latency: Bucket 0": {"Trim": 0, "Write": 7, "Read": 9},
    "Static Bucket Counter: Bucket 3": {"Trim": 0, "Write": 1, "Read": 2},
    "Debug Log Trigger Enable": 0,
    "Log Page Version": 1,
    "Log Page GUID": "85D45E58D4E643709C6C84D08CC07A92",
}
SAMSUNG = """\
[015:000] PhysicallyWrittenBytes                            : 5357954930143232
[031:016] Physically Read Bytes                             : 7095487750725632
[037:032] Bad NAND Block Count (Raw Value)                  : 3
[039:038] Bad NAND Block Count (Normalized Value)           : 99
[047:040] Uncorrectable Read Error Count                    : 0
[059:056] SSD End to end Correction Count (Detected Errors) : 0
[064:064] System Data Percentage Used                       : 1
[068:065] User Data Erase Count (Min)                       : 2291
[072:069] User Data Erase Count (Max)                       : 2497
[080:073] Refresh Count                                     : 23063
[118:115] Incomplete Shutdowns                              : 4
[119:119] % Free Blocks                                     : 12
"""
KIOXIA = """\
Vendor Log Page 0xCA for NVME device:nvme0 namespace-id:ffffffff
Total data written to NAND               : 1133997.9 GiB
Total data read from NAND                : 1463243.5 GiB
Bad NAND Block Count (Normalised)        : 100
Bad NAND Block Count (Raw)               : 0
Uncorrectable Read Error Count           : 0
System Data Used                         : 8 %
User Data Erase Count (Max)              : 570
User Data Erase Count (Min)              : 470
Incomplete Shutdowns                     : 0
Free blocks                              : 13 %
"""
SEAGATE = """\
Seagate Extended SMART Information :
Description                             Ext-Smart-Id    Ext-Smart-Value
--------------------------------------------------------------------------------
Bad NAND block count                    40              0x0064000000000009
Uncorrectable Read Error Count          188             0x0000000000000000
System data % used                      173             0x0000000000000045
User data erase counts                  42              0x00000b4800000a0c
Program fail count                      171             0x0064000000000001
Retired block count                     170             0x0000000000000f29
Max lifetime temperature                194             0x0000000000000148
Remaining SSD life                      231             0x0000000000000043
Physical (NAND) bytes written           60137           0x000000000000000000000002d0cdc01b
Physical (HOST) bytes written           62193           0x000000000000000000000000efb8d568
Trim count                              64506           0x00000000000000000000000000000000
"""
LITEON = """\
Physical(NAND) bytes written                  : 157,035,510,104,064
Physical(NAND) bytes read                     : 158,313,163,558,912
Bad NAND block count(normalized)              : 0
Bad NAND block count(raw)                     : 0
Uncorrectable read error count                : 0
User data erase counts maximum                : 142
User data erase counts minimum                : 109
Incomplete shutdowns                          : 0
"""
WDC_CA = """\
  CA Log Page Performance Statistics :-
  NAND Bytes Written                                                0     609651339018240
  NAND Bytes Read                                                   0     567611790770176
  NAND Bad Block Count (Normalized)                               100
  NAND Bad Block Count (Raw)                                        2
  Uncorrectable Read Count                                          0
  System Data Percent Used                                          4%
  User Data Erase Counts Max                                      293
  User Data Erase Counts Min                                      197
  Incomplete Shutdown Count                                         1
  Percent Free Blocks                                              22%
"""
WDC_CA_JSON: dict[str, Any] = {
    "NAND Bytes Written Hi": 0,
    "NAND Bytes Written Lo": 609651339018240,
    "NAND Bytes Read Hi": 0,
    "NAND Bytes Read Lo": 567611790770176,
    "NAND Bad Block Count (Normalized)": 100,
    "NAND Bad Block Count (Raw)": 2,
    "Uncorrectable Read Count": 0,
    "System Data Percent Used": 4,
    "User Data Erase Counts Max": 293,
    "User Data Erase Counts Min": 197,
    "Incomplete Shutdown Count": 1,
    "Percent Free Blocks": 22,
}
WDC_D0 = """\
  D0 Smart Log Page Statistics :-
  Lifetime Reallocated Erase Block Count\t\t            3
  Lifetime Power on Hours\t\t\t         21044
  Lifetime UECC Count\t\t\t                     0
  Lifetime Write Amplification Factor\t                  1711
  Reserve Erase Block Count\t\t\t           411
  Lifetime Program Fail Count\t\t\t             2
  Lifetime Unclean Shutdowns on Power Loss\t            17
  Lifetime Retired Block Count\t\t\t             5
  Lifetime NAND Writes\t                              88112003
  Capacitor Health\t\t\t \t                    98%
  Percentage of P/E Cycles Remaining                         87%
"""
WDC_EOL: dict[str, Any] = {
    "Realloc Block Count": 4,
    "Write Amp": 130,
    "Percent Life Remaining": 91,
    "Program Fail Count": 1,
    "Erase Fail Count": 0,
    "Raw Read Error Rate": 0,
}
MICRON_NAND: dict[str, Any] = {
    "Extended Smart Log Page : 0xD0": [
        {
            "NAND Writes (Bytes Written)": "0x3df5476dd000",
            "Program Failure Count": "0x1",
            "Erase Failures": "0x0",
            "Bad Block Count": "0x6",
            "NAND XOR/RAID Recovery Trigger Events": "0x5",
            "NSZE Change Supported": "0x1",
            "Number of NSZE Modifications": "0x0",
        }
    ]
}
MICRON_OCP: dict[str, Any] = {
    "OCP DataCenter SMART Health Log: 0xC0": [
        {
            "Physical Media Units Written": "0xd848690000",
            "Physical Media Units Read": "0x1d848690000",
            "Raw Bad User NAND Block Count": "0x3",
            "Normalized Bad User NAND Block Count": "0x64",
            "XOR Recovery Count": "0x0",
            "Uncorrectable Read Error Count": "0x0",
            "System data % life-used": "0x1",
            "Maximum User Data Erase Count": "0x12",
            "Minimum User Data Erase Count": "0x3",
            "Incomplete Shutdowns": "0x2",
            "Capacitor Health": "0x64",
            "Log Page Version": "0x2",
        }
    ]
}
SOLIDIGM = """\
Additional Smart Log for NVME device:nvme0 namespace-id:ffffffff UUID-idx:0
ID             KEY                                 Normalized     Raw
0xab    program_fail_count                             100         0
0xac    erase_fail_count                               100         1
0xad    wear_leveling_count                             98         min: 30, max: 41, avg: 36
0xb8    e2e_error_detect_count                         100         0
0xc7    bad_tlp_count                                  100         3
0xe2    media_wear_percentage                          100         65535
0xea    thermal_throttle_status                        100         12%, cnt: 5
0xf3    pll_lock_loss_counter                          100         gain0: 0, loss0: 0, gain1: 0, loss1: 0, legacy:7
0xf4    nand_bytes_written                             100         2249430
0xf5    host_bytes_written                             100         1723652
"""
SOLIDIGM_JSON: dict[str, Any] = {
    "Solidigm SMART log": "nvme0",
    "Device stats": {
        "program_fail_count": {"normalized": 100, "raw": 0},
        "erase_fail_count": {"normalized": 100, "raw": 1},
        "wear_leveling_count": {"normalized": 98, "min": 30, "max": 41, "avg": 36},
        "e2e_error_detect_count": {"normalized": 100, "raw": 0},
        "bad_tlp_count": {"normalized": 100, "raw": 3},
        "thermal_throttle_status": {"normalized": 100, "percentage": 12, "count": 5},
        "pll_lock_loss_counter": {
            "normalized": 100, "gain0": 0, "loss0": 0, "gain1": 0, "loss1": 0, "legacy": 7
        },
        "nand_bytes_written": {"normalized": 100, "raw": 2249430},
        "host_bytes_written": {"normalized": 100, "raw": 1723652},
    },
}  # fmt: skip
WDC_BD_JSON: dict[str, Any] = {
    "program_fail_count normalized": 100,
    "program_fail_count raw": 0,
    "wear_leveling normalized": 99,
    "wear_leveling min": 30,
    "wear_leveling max": 41,
    "wear_leveling avg": 36,
    "timed_workload_media_wear normalized": 100,
    "timed_workload_media_wear raw": 63.5,
    "thermal_throttle_status normalized": 100,
    "thermal_throttle_status": 0,
    "thermal_throttle_cnt": 5,
    "nand_bytes_written normalized": 100,
    "nand_bytes_written raw": 2249430,
}
HEALTH = """\
Smart Log for NVME device:nvme0 namespace-id:ffffffff
critical_warning                        : 0
temperature                             : 32 C (305 Kelvin)
available_spare                         : 100%
available_spare_threshold               : 10%
percentage_used                         : 12%
data_units_read                         : 812,448,420
data_units_written                      : 120,020,507
power_on_hours                          : 21044
media_errors                            : 0
num_err_log_entries                     : 3
"""
FIRMWARE = """\
Firmware History Log:
  log identifier:           194
  valid entries:            2
  entries:
    entry[0]:
      version number:       1
      entry length:         64
      activation count:     7
      timestamp:            1675000000000
      power cycle count:    11
      previous firmware:    E2MU110
      new firmware:         E2MU200
      slot number:          1
      commit action type:   3
      result:               0
    entry[1]:
      version number:       1
      entry length:         64
      activation count:     8
      timestamp:            1685000000000
      power cycle count:    12
      previous firmware:    E2MU200
      new firmware:         E2MU300
      slot number:          1
      commit action type:   3
      result:               0
  log page version:         1
  log page guid:            0xd11cf3ac8ab24de2a3f6dab4769a796d
"""
FIRMWARE_JSON: dict[str, Any] = {
    "log identifier": 194,
    "valid entries": 1,
    "entries": [
        {"version number": 1, "entry length": 64, "activation count": 7, "timestamp": 1675000000000,
         "power cycle count": 11, "previous firmware": "E2MU110", "new firmware": "E2MU200", "slot number": 1,
         "commit action type": 3, "result": 0},
    ],
    "log page version": 1,
    "log page guid": "0xd11cf3ac8ab24de2a3f6dab4769a796d",
}  # fmt: skip
CAPABILITIES = """\
  Device Capability/C4 Log Page Data
  PCI Express Ports                    : 0x1
  OOB Management Support               : 0x8001
  Write Zeroes Command Support         : 0x8003
  Sanitize Command Support             : 0x8006
  Dataset Management Command Support   : 0x8001
  Write Uncorrectable Command Support  : 0x8003
  Fused Operation Support              : 0x8001
  Minimum Valid DSSD Power State       : 0x5
  DSSD Power State Descriptor 0        : 0x19
  DSSD Power State Descriptor 1        : 0x14
  Log Page Version                     : 0x1
  Log page GUID                        : 0xb7053c914b58495d98c9e1d10d054297
"""
CAPABILITIES_JSON: dict[str, Any] = {
    "PCI Express Ports": 1,
    "OOB Management Support": 32769,
    "Write Zeroes Command Support": 32771,
    "Sanitize Command Support": 32774,
    "Dataset Management Command Support": 32769,
    "Write Uncorrectable Command Support": 32771,
    "Fused Operation Support": 32769,
    "Minimum Valid DSSD Power State": 5,
    "DSSD Power State Descriptors": 25,
    "Log Page Version": 1,
    "Log page GUID": "0xb7053c914b58495d98c9e1d10d054297",
}
UNSUPPORTED = """\
Unsupported Requirement-C5 Log Page Data-
  Number Unsupported Req IDs\t\t: 0x2
  Unsupported Requirement List 0\t: SEC-13
  Unsupported Requirement List 1\t: GLP-4
  Log Page Version\t\t\t: 0x1
  Log page GUID\t\t\t\t: 0xc7bb98b7d0324863bb2c23990e9c722f
"""
UNSUPPORTED_JSON: dict[str, Any] = {
    "Number Unsupported Req IDs": 2,
    "Unsupported Requirement List 0": "SEC-13",
    "Unsupported Requirement List 1": "GLP-4",
    "Log Page Version": 1,
    "Log page GUID": "c7bb98b7d0324863bb2c23990e9c722f",
}
TEMPERATURES = """\
  Intel Temperature Statistics
--------------------------------
Current temperature         : 34
Last critical overtemp flag : 0
Life critical overtemp flag : 0
Highest temperature         : 57
Lowest temperature          : 17
Max operating temperature   : 70
Min operating temperature   : 0
Estimated offset            : 5
"""
"""As `nvme intel temp-stats` prints it; `nvme solidigm temp-stats` prints the same without the first two lines."""
