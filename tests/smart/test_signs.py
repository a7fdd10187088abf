"""Signs of failure: what the drive says of itself counts; numbers that firmware never fills in raise no alarm."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.clocks import clocks
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Contradiction, Reading
from flashscope.smart.decoding.table import all_tables
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, UNKNOWN, WATCH, Verdict, judge
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic
from flashscope.smart.readers.as_smartctl_json import smartctl_json_text
from flashscope.smart.readers.read import read_dump
from tests.smart.made_up import nameless
from tests.smart.readings import completed
from tests.smart.readings import dump as plain

HEAD = """\
smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)

=== START OF INFORMATION SECTION ===
Device Model:     {model}
User Capacity:    128,035,676,160 bytes [128 GB]
Rotation Rate:    Solid State Device
ATA Version is:   ACS-2

=== START OF READ SMART DATA SECTION ===
SMART overall-health self-assessment test result: {health}

SMART Attributes Data Structure revision number: 4
Vendor Specific SMART Attributes with Thresholds:
ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
"""
SANDISK = """\
  5 Reallocated_Sector_Ct   -O----   100   100   000    -    {gone}
  9 Power_On_Hours          -O----   100   100   000    -    1297
 12 Power_Cycle_Count       -O----   100   100   000    -    471
171 Unknown_Attribute       -O----   100   100   000    -    0
172 Unknown_Attribute       -O----   100   100   000    -    {gone}
173 Unknown_Attribute       -O----   100   100   000    -    4
174 Unknown_Attribute       -O----   100   100   000    -    111
187 Reported_Uncorrect      -O----   100   100   000    -    0
194 Temperature_Celsius     -O---K   063   037   000    -    37
230 Unknown_Attribute       -O----   100   100   000    -    13
232 Available_Reservd_Space PO----   {spare}   100   005    {now}    0
241 Total_LBAs_Written      -O----   100   100   000    -    2279153248
242 Total_LBAs_Read         -O----   100   100   000    -    5236556385

"""
SILICON_MOTION = "".join(
    f"{number:3d} Unknown_Attribute       -O--CK   100   100   050    -    {raw}\n"
    for number, raw in (
        (1, 0), (5, 0), (9, 13173), (12, 1114), (160, 0), (161, 0), (163, 204), (164, 242), (165, 275), (166, 213),
        (167, 239), (168, 0), (169, 100), (177, 6888677), (181, 0), (182, 0), (192, 871), (194, 30), (195, 132367),
        (196, 0), (199, 0), (232, 0), (241, 453905), (242, 236043), (245, 491130),
    )
) + "\n"  # fmt: skip
BLANK_NVME = {
    "critical_warning": 0, "temperature": 308, "avail_spare": 0, "spare_thresh": 0, "percent_used": 0,
    "data_units_read": 0, "data_units_written": 0, "host_read_commands": 0, "host_write_commands": 0,
    "power_cycles": 0, "power_on_hours": 0, "unsafe_shutdowns": 0, "media_errors": 0, "num_err_log_entries": 0,
}  # fmt: skip


def judged(dump: Dump) -> tuple[Reading, Verdict]:
    reading = read(dump)
    return reading, judge(reading, clocks([(None, reading)]), dump)


def sandisk(*, health: str = "PASSED", spare: str = "100", now: str = "-  ", gone: int = 0) -> Dump:
    text = HEAD.format(model="SanDisk SSD U100 128GB", health=health) + SANDISK.format(spare=spare, now=now, gone=gone)
    return read_dump(text.encode(), "a dump")


@pytest.mark.parametrize("form", ["text", "JSON"])
def test_a_failed_self_assessment_asks_to_copy_now_whatever_the_numbers_say(form: str) -> None:
    dump = sandisk(health="FAILED!\nDrive failure expected in less than 24 hours. SAVE ALL DATA.")
    if form == "JSON":
        document = json.loads(smartctl_json_text(sandisk())) | {"smart_status": {"passed": False}}
        dump = read_dump(json.dumps(document).encode(), "a dump")
    _, verdict = judged(dump)
    assert verdict.level == COPY_NOW
    assert "self-assessment failed" in verdict.reasons[0]
    assert verdict.causes[0] == "self_assessment"


def test_a_raw_zero_beside_a_healthy_value_byte_is_no_alarm() -> None:
    reading, verdict = judged(sandisk())
    assert reading.family == "sandisk-embedded"
    assert verdict.level == GOOD
    assert reading.value("spare_left_percent") == 100


def test_no_spare_by_two_numbers_is_an_alarm() -> None:
    worn = SILICON_MOTION
    for number in (5, 182):
        row = f"{number:3d} Unknown_Attribute       -O--CK   100   100   050    -    "
        assert f"{row}0\n" in worn
        worn = worn.replace(f"{row}0\n", f"{row}40\n")
    text = HEAD.format(model="RX7 MSATA 256GB", health="PASSED") + worn
    reading, verdict = judged(read_dump(text.encode(), "a dump"))
    assert reading.family == "silicon-motion"
    assert verdict.level == COPY_NOW
    assert any("spare is used up" in reason for reason in verdict.reasons)


def test_a_value_byte_past_its_threshold_is_an_alarm_with_its_numbers() -> None:
    _, verdict = judged(sandisk(spare="000", now="NOW"))
    assert verdict.level == COPY_NOW
    assert "attribute 232 (available reservd space)" in verdict.reasons[0]
    assert "(0 of 5)" in verdict.reasons[0]


def test_spare_counters_that_are_never_filled_in_are_left_out() -> None:
    dump = read_dump((HEAD.format(model="RX7 MSATA 256GB", health="PASSED") + SILICON_MOTION).encode(), "a dump")
    reading, verdict = judged(dump)
    assert reading.family == "silicon-motion"
    assert verdict.level == GOOD
    assert reading.value("spare_block_count") is None


def test_a_health_log_of_zeros_says_nothing() -> None:
    reading, verdict = judged(Dump("", "smartctl text", protocol="NVMe", nvme_health=BLANK_NVME))
    assert verdict.level == UNKNOWN
    assert not reading.fields
    in_use, _ = judged(Dump("", "", protocol="NVMe", nvme_health=BLANK_NVME | {"power_on_hours": 40}))
    assert in_use.value("power_on_time_hours") == 40
    assert in_use.value("spare_left_percent") is None


def test_near_its_threshold_alone_is_watched_and_with_lost_data_is_an_alarm() -> None:
    printed = {5: PrintedAttribute(threshold=10, pre_failure=True)}
    at = plain(printed=printed, attributes=(low(5, 28),))
    alone = completed("samsung", at, life_left_percent=90)
    assert judge(alone, (), at).level == WATCH
    lost = completed("samsung", at, life_left_percent=90, uncorrectable_error_count=784_821)
    assert judge(lost, (), at).level == COPY_NOW


def test_a_threshold_at_the_value_of_a_new_drive_is_none() -> None:
    printed = {183: PrintedAttribute(threshold=100, when_failed="now", pre_failure=True)}
    at = plain(printed=printed, attributes=(low(183, 100),))
    assert judge(completed("phison", at, life_left_percent=90), (), at).level == GOOD


def test_an_ordinary_attribute_past_its_threshold_is_watched() -> None:
    printed = {202: PrintedAttribute(threshold=1, when_failed="now")}
    at = plain(printed=printed, attributes=(low(202, 0),))
    assert judge(completed("micron", at, life_left_percent=50), (), at).level == WATCH


def test_a_million_damaged_transfers_are_a_reason_with_the_cable_as_the_cure() -> None:
    verdict = judge(completed("phison", life_left_percent=90, link_crc_error_count=1_010_000), (), plain())
    assert (verdict.level, verdict.causes) == (WATCH, ("link",))
    assert "1.01 million" in verdict.reasons[0]
    assert "cable" in verdict.advice
    for packed in (255 << 32, 1 << 24, 0xFFFF00):
        found = completed("phison", life_left_percent=90, link_crc_error_count=packed)
        assert judge(found, (), plain()).level == GOOD


def test_lost_reads_that_the_statistics_do_not_count_name_who_counts_them() -> None:
    counts = {"uncorrectable_error_count": 2, "life_left_percent": 90}
    verdict = judge(completed("phison", **counts, uncorrectable_error_count_statistics=0), (), plain())
    assert verdict.level == WATCH
    assert "none by the Device Statistics" in verdict.reasons[0]
    alike = judge(completed("phison", **counts, uncorrectable_error_count_statistics=2), (), plain())
    assert "Device Statistics" not in alike.reasons[0]


def test_pending_sectors_that_repeat_the_moved_ones_are_not_pending() -> None:
    counts = {"pending_sector_count": 13, "reallocated_sector_count": 13, "life_left_percent": 90}
    assert judge(completed("silicon-motion", **counts), (), plain()).level == GOOD
    assert judge(completed("micron", **counts | {"reallocated_sector_count": 2}), (), plain()).level == WATCH


@pytest.mark.parametrize(
    ("at", "never"),
    [
        (Dump("", "smartctl JSON", protocol="SCSI"), "--json"),
        (Dump("", "smartctl JSON", protocol="ATA", attributes=(SmartAttribute(1, 0, 100, 100, bytes(6)),)), "--json"),
        (Dump("", "smartctl text", protocol="SCSI"), "--json"),
    ],
)
def test_nobody_is_told_to_read_again_what_was_read(at: Dump, never: str) -> None:
    _, verdict = judged(at)
    assert verdict.level == UNKNOWN
    assert verdict.advice
    assert never not in verdict.advice


def test_an_unknown_drive_read_in_full_is_sent_to_learn_and_not_to_read_again() -> None:
    text = HEAD.format(model="SOME DRIVE", health="PASSED")
    text += "  9 Power_On_Hours          -O--CK   100   100   000    -    1297\n"
    text += "251 Unknown_Attribute       -O--CK   100   100   000    -    7\n\n"
    in_part = judged(read_dump(text.encode(), "a dump"))[1]
    in_full = judged(read_dump(f"{text}General Purpose Log Directory Version 1\n\n".encode(), "a dump"))[1]
    assert in_part.level == in_full.level == UNKNOWN
    assert "smartctl -x" in in_part.advice
    assert "learn" in in_full.advice
    assert "smartctl -x" not in in_full.advice
    assert "passed" in in_full.reasons[0]


def test_a_value_byte_of_blocks_bad_from_the_factory_is_no_sign() -> None:
    printed = {170: PrintedAttribute(threshold=10, pre_failure=True)}
    at = plain(printed=printed, attributes=(low(170, 28),))
    made = completed("phison", at, life_left_percent=90, grown_bad_block_count=0)
    fields = {**made.fields, "grown_bad_block_count": replace(made.fields["grown_bad_block_count"], attribute_id=170)}
    assert judge(replace(made, fields=fields), (), at).level == GOOD


def test_the_statistics_of_cloudspeed_drives_repeat_a_constant_beside_the_makers_count() -> None:
    table = next(table for table in all_tables() if table.name == "sandisk-cloudspeed-2")
    made = nameless(table, {13: 0, 245: 97, 9: 29_869}, {13: 100})
    reading, verdict = judged(replace(made, statistics=(Statistic(4, 0x08, 652),)))
    assert (reading.family, reading.value("uncorrectable_error_count")) == ("sandisk-cloudspeed-2", 0)
    assert verdict.level == GOOD


def test_two_counts_of_lost_reads_that_differ_are_shown() -> None:
    found = completed("some", uncorrectable_error_count=0, uncorrectable_error_count_statistics=652)
    assert [one.kind for one in found.contradictions] == ["ErrorCountsDisagree"]
    assert judge(found, (), plain()).level == GOOD
    counts = {"uncorrectable_error_count": 0, "uncorrectable_error_count_statistics": 250}
    worn = completed("some", reallocated_sector_count=270, **counts)
    assert judge(worn, (), plain()).level == WATCH


def test_a_very_high_count_of_lost_reads_that_may_be_packed_needs_lost_blocks_too() -> None:
    packed = (Contradiction("ErrorsPacked", "two numbers are packed into one.", ""),)
    for blocks, level in ((33, WATCH), (1, GOOD)):
        found = replace(completed("micron", grown_bad_block_count=blocks, life_left_percent=90), contradictions=packed)
        assert judge(found, (), plain()).level == level


@pytest.mark.parametrize(
    ("changed", "level"),
    [
        ({}, GOOD),
        ({"critical_warning": 1}, COPY_NOW),
        ({"media_errors": 3}, COPY_NOW),
        ({"percent_used": 80}, COPY_NOW),
    ],
)
def test_no_spare_on_a_hardly_used_drive_that_does_not_warn_is_not_filled_in(
    changed: dict[str, int], level: str
) -> None:
    log = BLANK_NVME | {"power_on_hours": 400, "data_units_written": 10**6, "percent_used": 1, "spare_thresh": 10}
    assert judged(Dump("", "", protocol="NVMe", nvme_health=log | changed))[1].level == level


def test_a_health_log_of_ones_says_nothing() -> None:
    ones = dict.fromkeys(BLANK_NVME, 0xFF) | {"data_units_written": 2**128 - 1}
    assert judged(Dump("", "smartctl text", protocol="NVMe", nvme_health=ones))[1].level == UNKNOWN


@pytest.mark.parametrize(
    ("number", "value", "passed", "level"),
    [(5, 0, 1, WATCH), (194, 20, 1, WATCH), (5, 0, 0, COPY_NOW), (5, 8, 1, COPY_NOW)],
    ids=["never filled in", "hot", "failed", "crossed"],
)
def test_a_threshold_counts_by_what_the_drive_says_itself(number: int, value: int, passed: int, level: str) -> None:
    printed = {number: PrintedAttribute(threshold=30, when_failed="now", pre_failure=True)}
    own_word = {"smartctl": {"smart_passed": passed}}
    at = plain(printed=printed, attributes=(low(number, value),), vendor_logs=own_word)
    assert judge(completed("some", at, life_left_percent=90), (), at).level == level


def test_a_flag_of_read_only_beside_a_healthy_value_byte_needs_a_second_sign() -> None:
    at = plain(attributes=(low(200, 100),))  # made fields are of attribute 200
    flagged = completed("toshiba-hg", at, write_protect_flag=1, life_left_percent=90)
    assert judge(flagged, (), at).level == WATCH
    lost = completed("toshiba-hg", at, write_protect_flag=1, life_left_percent=90, uncorrectable_error_count=3)
    assert judge(lost, (), at).level == COPY_NOW


def test_a_life_that_is_used_up_asks_for_a_plan_and_not_for_another_reading() -> None:
    used = completed("nvme", endurance_used_percent=120)
    assert "plan to replace it" in judge(used, clocks([(None, used)]), plain()).advice


SELF_TESTS = """\
SMART Self-test log structure revision number 1
Num  Test_Description    Status                  Remaining  LifeTime(hours)  LBA_of_first_error
# 1  Vendor (0x4d)       Completed: electrical failure 50%     65280         65535
# 2  Short offline       Aborted by host               10%       640         -
# 3  Extended offline    {newest}       40%       636         0
# 4  Short offline       Completed: read failure       90%       587         5

"""


@pytest.mark.parametrize("form", ["text", "JSON"])
@pytest.mark.parametrize(("newest", "level"), [("Completed: read failure", WATCH), ("Completed without error", GOOD)])
def test_the_newest_self_test_that_was_finished_counts(form: str, newest: str, level: str) -> None:
    rows = SANDISK.format(spare="100", now="-  ", gone=0) + SELF_TESTS.format(newest=newest)
    dump = read_dump((HEAD.format(model="SanDisk SSD U100 128GB", health="PASSED") + rows).encode(), "a dump")
    if form == "JSON":
        dump = read_dump(smartctl_json_text(dump).encode(), "a dump")
    assert judged(dump)[1].level == level


SKDUMP = """\
Size: 122104 MiB
Model: [FLASHSCOPE TEST 128]
SMART Available: yes
SMART Disk Health Good: {good}
ID# Name                        Value Worst Thres Pretty      Raw            Type    Updates Good Good/Past
  5 reallocated-sector-count      {value}    20     10 900 sectors 0x840300000000 prefail online  {above}  {above}
  9 power-on-hours               96    96      0 1.9 years    0x1a4200000000 old-age online  n/a  n/a
"""


@pytest.mark.parametrize(
    ("good", "above", "level"), [("no", "yes", COPY_NOW), ("yes", "no", COPY_NOW), ("yes", "yes", UNKNOWN)]
)
def test_the_word_of_skdump_counts_as_that_of_smartctl(good: str, above: str, level: str) -> None:
    text = SKDUMP.format(good=good, above=above, value=" 5" if above == "no" else "90")
    assert judged(read_dump(text.encode(), "a dump"))[1].level == level


def low(number: int, value: int) -> SmartAttribute:
    return SmartAttribute(number, 0x33, value, value, bytes(6), "Some_Name")
