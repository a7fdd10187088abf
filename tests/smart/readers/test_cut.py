"""A dump that breaks off is never followed by a reassuring word, wherever it was cut."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from flashscope.cli.main import main
from flashscope.errors import WrongUse
from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.verdict import GOOD, UNKNOWN, judge
from flashscope.smart.dump import Dump
from flashscope.smart.readers.as_smartctl_json import smartctl_json_text
from flashscope.smart.readers.read import read_dump

TABLE = """\
smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)

=== START OF INFORMATION SECTION ===
Device Model:     A DRIVE
User Capacity:    256,060,514,304 bytes [256 GB]
Rotation Rate:    Solid State Device

=== START OF READ SMART DATA SECTION ===
SMART Attributes Data Structure revision number: 16
Vendor Specific SMART Attributes with Thresholds:
ID# ATTRIBUTE_NAME          FLAGS    VALUE WORST THRESH FAIL RAW_VALUE
  5 Unknown_Attribute       PO--CK   100   100   010    -    0
  9 Unknown_Attribute       -O--CK   098   098   000    -    8004
 12 Unknown_Attribute       -O--CK   099   099   000    -    310
177 Unknown_Attribute       PO--C-   099   099   000    -    21
179 Unknown_Attribute       PO--C-   100   100   010    -    0
181 Unknown_Attribute       -O--CK   100   100   010    -    0
182 Unknown_Attribute       -O--CK   100   100   010    -    0
183 Unknown_Attribute       PO--C-   100   100   010    -    0
187 Unknown_Attribute       -O--CK   100   100   000    -    0
190 Unknown_Attribute       -O--CK   070   055   000    -    30
195 Unknown_Attribute       -O-RC-   200   200   000    -    0
199 Unknown_Attribute       -OSRCK   100   100   000    -    0
235 Unknown_Attribute       -O--C-   099   099   000    -    52
241 Unknown_Attribute       -O--CK   099   099   000    -    11052873918
"""
LEGEND = """\
                            ||||||_ K auto-keep
                            |||||__ C event count

SMART Error Log Version: 1
No Errors Logged

"""
NVME = """\
smartctl 7.4 2023-08-01 r5530 [x86_64-linux-6.1.0] (local build)

=== START OF INFORMATION SECTION ===
Model Number:                       A DRIVE

=== START OF SMART DATA SECTION ===
SMART/Health Information (NVMe Log 0x02)
Critical Warning:                   0x00
Temperature:                        35 Celsius
Available Spare:                    100%
Available Spare Threshold:          10%
Percentage Used:                    3%
Data Units Read:                    2,611,312 [1.33 TB]
Data Units Written:                 4,211,008 [2.15 TB]
Host Read Commands:                 31,009,121
Host Write Commands:                58,711,903
Controller Busy Time:               611
Power Cycles:                       207
Power On Hours:                     3,004
Unsafe Shutdowns:                   12
Media and Data Integrity Errors:    0
Error Information Log Entries:      0
"""


def level_of(text: str) -> str:
    try:
        dump = read_dump(text.encode(), "a dump")
    except WrongUse:
        return UNKNOWN
    return judge(read(dump), (), dump).level


def test_the_whole_dumps_are_good() -> None:
    assert level_of(TABLE + LEGEND) == level_of(f"{TABLE}\n") == level_of(f"{NVME}\n") == GOOD


@pytest.mark.parametrize(
    ("text", "told"),
    [(TABLE, len(TABLE) + 1), (NVME, NVME.index("Error Information"))],
    ids=["attribute table", "NVMe health log"],
)
def test_text_cut_anywhere_is_never_good_before_all_was_told(text: str, told: int) -> None:
    assert [place for place in range(len(text) + 1) if level_of(text[:place]) == GOOD and place < told] == []


def test_a_count_that_may_have_lost_digits_is_not_read() -> None:
    dump = read_dump(NVME.replace("Entries:      0", "Entries:      12").rstrip().encode(), "stripped")
    assert (dump.cut, "num_err_log_entries" in dump.nvme_health) == ("", False)
    assert any("Entries" in line for line in dump.unread)


ENDINGS = (
    "\nSMART Error Log Version: 1\nNo Errors Logged",
    "\nSCT Commands not supported",
    "\nSATA Phy Event Counters (GP Log 0x11)\nID      Size     Value  Description\n"
    "0x000d  2            0  Non-CRC errors within host-to-device FIS",
)


@pytest.mark.parametrize("ending", [LEGEND.rstrip(), LEGEND.splitlines()[0], *(LEGEND + end for end in ENDINGS)])
@pytest.mark.parametrize("behind", ["", "\n"], ids=["no line break", "a line break"])
def test_a_dump_without_its_last_line_breaks_is_whole(ending: str, behind: str) -> None:
    assert level_of(TABLE + ending + behind) == GOOD


@pytest.mark.parametrize("behind", ["", "\n"], ids=["no line break", "a line break"])
def test_a_health_log_without_its_last_line_breaks_is_whole(behind: str) -> None:
    assert level_of(NVME.rstrip() + behind) == GOOD


def test_json_cut_anywhere_is_never_good() -> None:
    for text in (TABLE + LEGEND, f"{NVME}\n"):
        whole = smartctl_json_text(read_dump(text.encode(), "a dump"))
        assert level_of(whole) == GOOD
        assert [place for place in range(0, len(whole) - 1, 7) if level_of(whole[:place].rstrip("}\n ")) == GOOD] == []


def test_lines_of_paths_and_values_that_end_in_the_table_are_never_good() -> None:
    document = json.loads(smartctl_json_text(read_dump((TABLE + LEGEND).encode(), "a dump")))
    lines = [f"json.{key} = {json.dumps(document[key])};" for key in ("model_name", "rotation_rate")]
    lines += ["json.smartctl.version[0] = 7;", 'json.device.protocol = "ATA";']
    for place, row in enumerate(document["ata_smart_attributes"]["table"]):
        for key in ("id", "name", "value", "worst", "thresh", "when_failed"):
            lines.append(f"json.ata_smart_attributes.table[{place}].{key} = {json.dumps(row[key])};")
        lines.append(f"json.ata_smart_attributes.table[{place}].flags.value = {row['flags']['value']};")
        lines.append(f"json.ata_smart_attributes.table[{place}].raw.value = {row['raw']['value']};")
    end = "json.power_cycle_count = 310;"
    assert level_of("\n".join([*lines, end, ""])) == GOOD
    assert level_of("\n".join([*lines, ""])) == level_of("\n".join([*lines, end[:-3]])) == UNKNOWN


def test_rows_that_somebody_copied_alone_are_not_called_incomplete() -> None:
    rows = TABLE[TABLE.index("ID#") :]
    assert read_dump(rows.encode(), "rows").cut == ""


@pytest.mark.parametrize("end", [-1, -12, TABLE.index("183") - len(TABLE)], ids=["digit", "raw column", "row"])
def test_the_page_says_in_clear_words_that_the_dump_is_incomplete(tmp_path: Path, end: int) -> None:
    path = tmp_path / "cut.txt"
    path.write_text(TABLE[:end], encoding="utf-8")
    result = CliRunner().invoke(main, ["smart", str(path)])
    assert result.exit_code == 0, result.output
    assert "This dump is incomplete" in result.output
    assert "No sign of a problem" not in result.output
    document = json.loads(CliRunner().invoke(main, ["smart", str(path), "--json"]).stdout)
    assert document["verdict"]["level"] == "unknown"
    assert document["incomplete"]


def test_what_is_seen_to_be_wrong_stays_said_and_the_rest_is_left_open() -> None:
    failing = (SmartAttribute(5, 0x33, 1, 1, (9000).to_bytes(6, "little")),)
    dump = replace(Dump("", "", protocol="ATA", rotation_rpm=7200), attributes=failing, cut="it ends within a line")
    verdict = judge(read(dump), (), dump)
    assert verdict.level == "watch"
    assert any("incomplete" in reason for reason in verdict.reasons)
