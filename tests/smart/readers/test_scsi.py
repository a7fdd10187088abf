"""SAS and SCSI drives: text and JSON say the same, every dump tells health, hours, wear and errors, none misleads."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.verdict import COPY_NOW, GOOD, UNKNOWN, Verdict, judge
from flashscope.smart.dump import Dump
from flashscope.smart.readers.as_smartctl_json import smartctl_json_text
from flashscope.smart.readers.read import read_dump, read_dumps
from tests.known import known

from .scsi_texts import DOCUMENT, OLD_DISK, SAS_DISK, SAS_SSD, VOLUME

FORMS = {
    "SSD as text": SAS_SSD, "disk": SAS_DISK, "disk of 2008": OLD_DISK, "SSD as JSON": json.dumps(DOCUMENT)
}  # fmt: skip
_POPULATION = Path(__file__).parents[4] / "shared"


def dump_of(text: str) -> Dump:
    return read_dump(text.encode(), "a dump")


def reading_of(text: str) -> Reading:
    return read(dump_of(text))


def verdict_of(text: str) -> Verdict:
    dump = dump_of(text)
    return judge(read(dump), (), dump)


def changed(*path: str, to: Any) -> str:
    """The JSON dump with one entry replaced."""
    document = copy.deepcopy(DOCUMENT)
    here = document
    for key in path[:-1]:
        here = here.setdefault(key, {})
    here[path[-1]] = to
    return json.dumps(document)


def test_text_and_json_of_one_drive_say_the_same() -> None:
    text, document = dump_of(SAS_SSD), dump_of(json.dumps(DOCUMENT))
    assert text.unread == document.unread == ()
    only_text = {"non_medium_error_count", "logical_blocks_received", "read_commands"}
    assert {key: value for key, value in text.vendor_logs["scsi"].items() if key not in only_text} == dict(
        document.vendor_logs["scsi"]
    )
    assert (text.model, text.serial, text.wwn, text.firmware) == (
        document.model, document.serial, document.wwn, document.firmware
    )  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_every_scsi_dump_is_wholly_read_and_tells_errors_and_traffic(form: str) -> None:
    dump = dump_of(FORMS[form])
    reading = read(dump)
    assert (dump.unread, dump.cut, dump.protocol) == ((), "", "SCSI")
    assert known(reading.value("host_written_bytes")) > 1e12
    for key in ("uncorrectable_error_count", "reallocated_sector_count", "temperature_celsius", "start_stop_count"):
        assert reading.value(key) is not None, key
    assert "smart_passed" in dump.vendor_logs["smartctl"]
    assert reading.family == ("scsi" if "SSD" in form else "disk")


def test_a_sas_ssd_tells_hours_wear_and_the_errors_of_its_link() -> None:
    reading = reading_of(SAS_SSD)
    assert reading.value("power_on_time_hours") == 33651
    assert reading.value("endurance_used_percent") == 11
    assert reading.value("remaining_life_ratio") == pytest.approx(0.89)
    assert reading.value("link_invalid_dword_count") == 7
    assert (reading.value("temperature_min_celsius"), reading.value("temperature_max_celsius")) == (19, 47)
    assert verdict_of(SAS_SSD).level == GOOD


def test_a_failure_prediction_is_copy_now_and_the_reasons_are_named() -> None:
    reading, verdict = reading_of(SAS_DISK), verdict_of(SAS_DISK)
    assert verdict.level == COPY_NOW
    assert reading.value("uncorrectable_error_count") == 33
    assert reading.value("pending_sector_count") == 2
    assert reading.value("self_test_failed_count") == 2
    assert reading.value("self_test_newest_failed") == 1
    assert reading.value("background_scan_defect_count") == 3, "the row with a reserved status is no defect"


@pytest.mark.parametrize(
    ("asc", "ascq", "words", "passed", "warning"),
    [
        (0x5D, 0x00, "FAILURE PREDICTION THRESHOLD EXCEEDED", 0, 4),
        (0x5D, 0x03, "SPARE AREA EXHAUSTION PREDICTION THRESHOLD EXCEEDED", 0, 1),
        (0x5D, 0xFF, "FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE)", 1, 0),
        (0x0B, 0x01, "WARNING - SPECIFIED TEMPERATURE EXCEEDED", None, 2),
        (0x44, 0x00, "INTERNAL TARGET FAILURE", 0, 0),
    ],
)
def test_what_the_sense_code_of_the_health_means(
    asc: int, ascq: int, words: str, passed: int | None, warning: int
) -> None:
    text = SAS_SSD.replace("Health Status: OK", f"Health Status: {words} [asc={asc:x}, ascq={ascq:x}]")
    status = {"passed": False, "scsi": {"asc": asc, "ascq": ascq, "ie_string": words}}
    for form in (text, changed("smart_status", to=status)):
        dump = dump_of(form)
        assert dump.vendor_logs.get("smartctl", {}).get("smart_passed") == passed
        assert read(dump).value("critical_warning") == warning


def test_a_volume_of_a_raid_controller_is_told_from_a_drive() -> None:
    verdict = verdict_of(VOLUME)
    assert verdict.level == UNKNOWN
    assert "volume of a RAID controller" in verdict.advice
    named = VOLUME.replace("RAIDERS", "HP").replace("RR9999-8i", "LOGICAL VOLUME")
    without = "".join(line for line in named.splitlines(keepends=True) if "Temperature" not in line)
    assert "volume of a RAID controller" in verdict_of(without).advice
    assert "is_volume" not in dump_of(SAS_DISK).vendor_logs["scsi"]


@pytest.mark.parametrize("text", [SAS_SSD, SAS_DISK, OLD_DISK, VOLUME])
def test_a_missing_line_break_at_the_end_cuts_nothing(text: str) -> None:
    assert dump_of(text.rstrip("\n")).cut == "" or text.rstrip("\n")[-1].isdigit()


@pytest.mark.parametrize("text", [SAS_SSD, OLD_DISK], ids=["SSD", "disk of 2008"])
def test_text_cut_before_the_end_of_its_error_counters_is_never_good(text: str) -> None:
    last = text.index("\n\nNon-medium") + 2
    assert [place for place in range(0, last - 1, 3) if _level(text[:place]) == GOOD] == []
    assert _level(text) == GOOD


def test_json_cut_anywhere_is_never_good() -> None:
    text = json.dumps(DOCUMENT, indent=1)
    assert [place for place in range(0, len(text) - 1, 5) if _level(text[:place].rstrip("}\n ")) == GOOD] == []


@pytest.mark.parametrize("form", FORMS)
def test_a_dump_cut_at_any_line_never_shows_another_number(form: str) -> None:
    text = FORMS[form] if "JSON" not in form else json.dumps(DOCUMENT, indent=1)
    whole = reading_of(text)
    sums = ("uncorrectable", "corrected", "reread", "link_", "self_test", "background_scan", "pending")
    for place in [index for index, sign in enumerate(text) if sign == "\n"]:
        try:
            part = reading_of(text[:place])
        except WrongUse:
            continue
        for key, field in part.fields.items():
            told = whole.fields[key].value if key in whole.fields else None
            assert field.value == told or (key.startswith(sums) and field.value <= known(told)), (
                key,
                text[:place][-90:],
            )


def _level(text: str) -> str:
    try:
        return verdict_of(text).level
    except WrongUse:
        return UNKNOWN


def test_drives_behind_controllers_one_after_another_are_told_apart() -> None:
    opened = "/dev/sda [megaraid_disk_0{}] [SAT]: Device open changed type from 'megaraid' to 'sat'\n\n"
    texts = [SAS_SSD.replace("F0002", f"F100{drive}") for drive in range(3)]
    both = "".join(opened.format(drive) + text for drive, text in enumerate(texts))
    assert [dump.serial for dump in read_dumps(both.encode(), "three")] == ["F1000", "F1001", "F1002"]
    old = OLD_DISK + OLD_DISK.replace("F0004", "F0005")
    assert [dump.serial for dump in read_dumps(old.encode(), "two")] == ["F0004", "F0005"]
    with pytest.raises(WrongUse, match="3 drives"):
        read_dump(both.encode(), "three")


@pytest.mark.parametrize("place", ["[cciss_disk_02] [SCSI]", "[areca_disk#03_enc#01]", "[3ware_disk_05]"])
def test_the_lines_of_controllers_are_understood(place: str) -> None:
    dump = dump_of(f"/dev/sg2 {place}: Device open changed type from 'scsi' to 'sat'\n{SAS_SSD}")
    assert dump.unread == ()
    assert any(place in remark for remark in dump.remarks)


@pytest.mark.parametrize(
    ("path", "told", "key"),
    [
        (("power_on_time", "minutes"), 75, "power_on_time_hours"),
        (("power_on_time", "hours"), 71582788, "power_on_time_hours"),
        (("power_on_time", "hours"), -1, "power_on_time_hours"),
        (("scsi_percentage_used_endurance_indicator",), 255, "endurance_used_percent"),
        (("scsi_grown_defect_list",), -4, "reallocated_sector_count"),
        (("scsi_grown_defect_list",), 0xFFFF_FFFF, "reallocated_sector_count"),
        (("scsi_error_counter_log", "write", "gigabytes_processed"), "1.5e6", "host_written_bytes"),
        (("scsi_error_counter_log", "write", "gigabytes_processed"), "-12.000", "host_written_bytes"),
        (("scsi_environmental_reports", "temperature_1", "current"), "unknown", "temperature_celsius"),
    ],
)
def test_an_impossible_number_is_left_out(path: tuple[str, ...], told: object, key: str) -> None:
    assert reading_of(json.dumps(DOCUMENT)).value(key) is not None, "where it is possible, it is told"
    found = reading_of(changed(*path, to=told)).value(key)
    assert found is None or (key == "endurance_used_percent" and found == 255)


def test_an_impossible_date_leaves_the_rest_and_new_fields_are_kept_as_unread() -> None:
    for time_t in (-(10**15), 1 << 60, "never", None):
        dump = dump_of(changed("local_time", to={"time_t": time_t}))
        assert dump.taken_at_s is None
        assert read(dump).value("power_on_time_hours") == 33651
    assert any("scsi_new_page" in line for line in dump_of(changed("scsi_new_page", to={"count": 7})).unread)


def test_more_bytes_than_a_disk_moves_in_its_hours_are_doubted() -> None:
    text = SAS_DISK.replace("69502.72", "982.01").replace("69502:43", "982:01")
    assert [one.kind for one in reading_of(text).contradictions] == ["FasterThanTheDrive"]
    assert reading_of(SAS_DISK).contradictions == ()


def test_json_written_from_the_text_reads_the_same() -> None:
    for text in (SAS_SSD, OLD_DISK):
        kept = {"non_medium_error_count", "logical_blocks_received", "read_commands", "self_test_failed_count",
                "self_test_newest_failed"}  # fmt: skip
        before = dump_of(text)
        after = dump_of(smartctl_json_text(before))
        assert {key: value for key, value in before.vendor_logs["scsi"].items() if key not in kept} == dict(
            after.vendor_logs["scsi"]
        )


_LINES = st.lists(
    st.tuples(st.integers(0, 200), st.sampled_from(["drop", "double", "swap", "cut", "noise", "digits"]),
              st.integers(0, 90), st.binary(max_size=6)), max_size=6
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(form=st.sampled_from(sorted(FORMS)), changes=_LINES, encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_mangled_scsi_dumps_are_read_or_refused(
    form: str, changes: list[tuple[int, str, int, bytes]], encoding: str
) -> None:
    mangled(form, changes, encoding)


@pytest.mark.long
@settings(max_examples=20_000, deadline=None)
@given(form=st.sampled_from(sorted(FORMS)), changes=_LINES, encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_20_000_mangled_scsi_dumps_are_read_or_refused(
    form: str, changes: list[tuple[int, str, int, bytes]], encoding: str
) -> None:
    mangled(form, changes, encoding)


def mangled(form: str, changes: list[tuple[int, str, int, bytes]], encoding: str) -> None:
    """Read a dump whose lines were changed; every field that comes out is possible."""
    text = FORMS[form] if "JSON" not in form else json.dumps(DOCUMENT, indent=1)
    lines = text.split("\n")
    for place, what, column, noise in changes:
        at = place % len(lines)
        if what == "drop":
            lines[at] = ""
        elif what == "double":
            lines.insert(at, lines[at])
        elif what == "swap":
            lines[at], lines[-at - 1] = lines[-at - 1], lines[at]
        elif what == "cut":
            lines[at] = lines[at][:column]
        elif what == "digits":
            lines[at] = lines[at].replace("0", "9" * (column % 30))
        else:
            lines[at] = lines[at][:column] + noise.decode("latin-1") + lines[at][column:]
    data = "\n".join(lines).encode(encoding, "replace")
    try:
        dumps = read_dumps(data, "mangled")
    except WrongUse:
        return
    for dump in dumps:
        reading = read(dump)
        judge(reading, (), dump)
        for key, field in reading.fields.items():
            assert field.low <= field.value <= field.high or field.low == field.high, key
            assert field.value >= 0 or key.endswith("celsius"), key
        smartctl_json_text(dump)


_TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["read", "write", "current", "status", "value", "result", "phy_0", "invalid_dword_count",
                         "gigabytes_processed", "hours", "minutes", "passed", "scsi", "asc", "ascq", "temperature_1",
                         "result_1", "reassign_status", "count", "number_scans_performed"]), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(parts=st.dictionaries(st.sampled_from(sorted(DOCUMENT)), _TREE, max_size=5))
def test_scsi_documents_of_any_types_are_read_or_refused(parts: dict[str, object]) -> None:
    try:
        dump = read_dump(json.dumps(DOCUMENT | parts).encode(), "a document")
    except WrongUse:
        return
    judge(read(dump), (), dump)


@pytest.mark.parametrize(
    ("name", "hours", "errors"),
    [
        ("smart-population/named/smart-scsi-failed.json", 43549, 3),
        ("smart-population/named/smart-scsi-sas-env-temp.json", 12345, 0),
        ("smart-samples/smartctl_exporter/HITACHI_H109060SESUN600G_9.json", 982, 0),
    ],
)
def test_the_sas_dumps_at_hand_tell_hours_and_errors(name: str, hours: int, errors: int) -> None:
    path = _POPULATION / name
    if not path.exists():
        pytest.skip(f"{path} is not here")
    dump = read_dump(path.read_bytes(), name)
    reading = read(dump)
    assert reading.value("power_on_time_hours") == hours
    assert reading.value("uncorrectable_error_count") == errors
    assert reading.value("temperature_celsius")
    assert judge(reading, (), dump).level != UNKNOWN
