"""What nvme-cli and smartctl print of errors, self-tests, endurance groups and events, written for the tests."""

from __future__ import annotations

from typing import Any

ERRORS = """\
Error Log Entries for device:nvme0 entries:4
.................
 Entry[ 0]
.................
error_count\t: 283
sqid\t\t: 3
cmdid\t\t: 0x14
status_field\t: 0x281(Unrecovered Read Error: The read data could not be recovered from the media)
phase_tag\t: 0
parm_err_loc\t: 0xffff
lba\t\t: 0x1f30
nsid\t\t: 1
trtype\t\t: The transport type is not indicated or the error is not transport related.
.................
 Entry[ 1]
.................
error_count\t: 282
status_field\t: 0x2002(Invalid Field in Command: A reserved coded value or an unsupported value)
phase_tag\t: 0
.................
 Entry[ 2]
.................
error_count\t: 281
status_field\t: 0x6(Internal Error: The command was not completed successfully due to an internal error)
phase_tag\t: 1
.................
 Entry[ 3]
.................
error_count\t: 0
status_field\t: 0(Successful Completion: The command completed without error)
phase_tag\t: 0
.................
"""
OLD_ERRORS = """\
Error Log Entries for device:nvme0 entries:2
.................
 Entry[ 0]
.................
error_count  : 9
status_field : 0x502(UNRECOVERED_READ_ERROR)
parm_err_loc : 0
.................
 Entry[ 1]
.................
error_count  : 8
status_field : 0x4004(INVALID_FIELD: A reserved coded value or an unsupported value in a defined field)
.................
"""
SELF_TESTS = """\
Device Self Test Log for NVME device:nvme0
Current operation  : 0
Current Completion : 0%
Self Test Result[0]:
  Operation Result             : 0x7 Operation completed with one or more failed segments
  Self Test Code               : 0x2
  Valid Diagnostic Information : 0xf
  Power on hours (POH)         : 0x1c8
  Failing LBA                  : 0x1000
Self Test Result[1]:
  Operation Result             : 0
  Self Test Code               : 1
  Power on hours (POH)         : 0x1c0
Self Test Result[2]:
  Operation Result             : 0x1
Self Test Result[3]:
  Operation Result             : 0xf
"""
ENDURANCE = """\
Endurance Group Log for NVME device:nvme0 Group ID:1
critical_warning         : 0
endurance_group_features : 0
avl_spare                : 100
avl_spare_threshold      : 10
percent_used             : 7%
domain_identifier        : 0
endurance_estimate       : 28,030,000
data_units_read          : 70,211
data_units_written       : 61,450
media_units_written      : 92,113
host_read_cmds           : 1,812,411,009
host_write_cmds          : 911,214,530
media_data_integrity_err : 0
num_err_info_log_entries : 3
"""
EVENTS = """\
Persistent Event Log for device: nvme0
Action for Persistent Event Log: 0
Log Identifier: 13
Total Number of Events: 4
Power On Hours: 21044
Event Number: 0
Event Type: Power-on or Reset(0x4)
Event Type Revision: 1
Event Number: 1
Event Type: SMART/Health Log Snapshot(0x1)
Smart Health Event Entry:
critical_warning\t\t\t: 0x1
temperature\t\t\t: 31 C
Smart Log for NVME device:nvme0 namespace-id:ffffffff
percentage_used\t\t\t: 99%
Event Number: 2
Event Type: NVM Subsystem Hardware Error(0x5)
Event Number: 3
Event Type Field: Thermal Excursion
"""
SMARTCTL = """\
=== START OF INFORMATION SECTION ===
Model Number:                       FLASHSCOPE NVME
Firmware Version:                   N2
NVMe Version:                       1.4

=== START OF SMART DATA SECTION ===
SMART overall-health self-assessment test result: PASSED

SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        33 Celsius
Available Spare:                    100%
Available Spare Threshold:          10%
Percentage Used:                    3%
Data Units Written:                 24,287,809 [12.4 TB]
Power On Hours:                     823
Media and Data Integrity Errors:    0
Error Information Log Entries:      2,276

Error Information (NVMe Log 0x01, 16 of 63 entries)
Num   ErrCount  SQId   CmdId  Status  PELoc          LBA  NSID    VS  Message
  0       2276     0  0x6008  0x4005  0x028            0     0     -  Invalid Field in Command
  1       2275     3  0x01f2  0x0502      -         8192     1     -  Unrecovered Read Error
... (47 entries not read)

Self-test Log (NVMe Log 0x06, NSID 0xffffffff)
Self-test status: No self-test in progress
Num  Test_Description  Status                       Power_on_Hours  Failing_LBA  NSID Seg SCT Code
 0   Extended          Completed: failed segments             812         8192     1   2 0x2 0x81
 1   Short             Completed without error                800            -     -   -   -    -
 2   Short             Aborted: Controller Reset              700            -     -   -   -    -

"""
SMARTCTL_JSON: dict[str, Any] = {
    "smartctl": {"version": [7, 4], "exit_status": 0},
    "device": {"name": "/dev/nvme0", "type": "nvme", "protocol": "NVMe"},
    "model_name": "FLASHSCOPE NVME",
    "nvme_smart_health_information_log": {
        "critical_warning": 0, "temperature": 33, "available_spare": 100, "available_spare_threshold": 10,
        "percentage_used": 3, "data_units_written": 24287809, "power_on_hours": 823, "media_errors": 0,
        "num_err_log_entries": 2276,
    },
    "nvme_error_information_log": {
        "size": 63, "read": 16, "unread": 47,
        "table": [
            {"error_count": 2276, "status_field": {"value": 8194, "status_code_type": 0, "status_code": 2}},
            {"error_count": 2275, "status_field": {"value": 641, "status_code_type": 2, "status_code": 129}},
        ],
    },
    "nvme_self_test_log": {
        "current_self_test_operation": {"value": 0},
        "table": [
            {"self_test_code": {"value": 2}, "self_test_result": {"value": 7}, "power_on_hours": 812},
            {"self_test_code": {"value": 1}, "self_test_result": {"value": 0}, "power_on_hours": 800},
            {"self_test_code": {"value": 1}, "self_test_result": {"value": 2}, "power_on_hours": 700},
        ],
    },
}  # fmt: skip
ERRORS_JSON: dict[str, Any] = {
    "errors": [
        {"error_count": 283, "sqid": 3, "status_field": 641, "phase_tag": 0},
        {"error_count": 282, "sqid": 0, "status_field": 8194, "phase_tag": 0},
        {"error_count": 281, "sqid": 0, "status_field": 6, "phase_tag": 0},
        {"error_count": 0, "sqid": 0, "status_field": 0, "phase_tag": 0},
    ]
}
SELF_TESTS_JSON: dict[str, Any] = {
    "Current Device Self-Test Operation": 0,
    "Current Device Self-Test Completion": 0,
    "List of Valid Reports": [
        {"Self test result": 7, "Self test code": 2, "Power on hours": 456},
        {"Self test result": 0, "Self test code": 1, "Power on hours": 448},
        {"Self test result": 1, "Self test code": 1, "Power on hours": 448},
        {"Self test result": 15},
    ],
}
ENDURANCE_JSON: dict[str, Any] = {
    "critical_warning": 0, "endurance_group_features": 0, "avl_spare": 100, "avl_spare_threshold": 10,
    "percent_used": 7, "domain_identifier": 0, "endurance_estimate": 28030000, "data_units_read": 70211,
    "data_units_written": 61450, "media_units_written": 92113, "host_read_cmds": 1812411009,
    "host_write_cmds": 911214530, "media_data_integrity_err": 0, "num_err_info_log_entries": 3,
}  # fmt: skip
EVENTS_JSON: dict[str, Any] = {
    "log_id": 13,
    "total_num_of_events": 4,
    "list_of_event_entries": [
        {"event_number": 0, "event_type": 4},
        {"event_number": 1, "event_type": 1, "critical_warning": 1, "percent_used": 99, "temperature": 304},
        {"event_number": 2, "event_type": 5, "nss_hw_err_code": 4},
        {"event_number": 3, "event_type": "Thermal Excursion"},
    ],
}
