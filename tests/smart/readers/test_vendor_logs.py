"""Logs of NVMe drives' makers: text, JSON and raw pages give the same numbers, and no layout takes another's page."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import WrongUse
from flashscope.smart.decoding.decode import read
from flashscope.smart.decoding.reading import Reading
from flashscope.smart.decoding.table import vendor_log_tables
from flashscope.smart.decoding.verdict import judge
from flashscope.smart.readers.read import read_dump, read_dumps
from flashscope.smart.readers.vendor_logs.layouts import Layout, canonical, layouts
from flashscope.smart.readers.vendor_logs.values import printed_number, six_bytes
from tests.known import known
from tests.smart.readers.changed_bytes import CHANGES, Changes, with_changes

from .pages import hex_dump
from .vendor_texts import (
    CAPABILITIES,
    CAPABILITIES_JSON,
    E1,
    FIRMWARE,
    FIRMWARE_JSON,
    HEALTH,
    HYPERSCALE,
    HYPERSCALE_UNITS,
    KIOXIA,
    LATENCY,
    LATENCY_JSON,
    LITEON,
    MICRON_NAND,
    MICRON_OCP,
    PANIC,
    PANIC_JSON,
    SAMSUNG,
    SEAGATE,
    SOLIDIGM,
    SOLIDIGM_JSON,
    TEMPERATURES,
    UNSUPPORTED,
    UNSUPPORTED_JSON,
    WDC_BD_JSON,
    WDC_CA,
    WDC_CA_JSON,
    WDC_D0,
    WDC_EOL,
)  # fmt: skip

TB = 1e12
TOLD: dict[str, tuple[str, dict[str, float]]] = {
    "Micron E1h": (E1, {"grown_bad_block_count": 7, "erase_count_average": 489, "uncorrectable_error_count": 2,
                        "program_failure_block_count": 5, "write_protect_flag": 0}),
    "hyperscale": (HYPERSCALE, {"nand_written_bytes": 254.364204032 * TB, "erase_count_average": 451,
                                "grown_bad_block_count": 7, "raid_recovery_count": 3, "system_area_used_percent": 1}),
    "hyperscale in units": (HYPERSCALE_UNITS, {"erase_count_min": 433, "slc_erase_count_max": 78,
                                               "nand_written_bytes": (484533969 + 12271117) * 512000}),
    "Samsung": (SAMSUNG, {"nand_written_bytes": 5357954930143232, "erase_count_min": 2291, "erase_count_max": 2497,
                          "grown_bad_block_count": 3, "unexpected_power_loss_count": 4, "free_block_percent": 12}),
    "Kioxia": (KIOXIA, {"nand_written_bytes": 1217620973638156, "erase_count_max": 570, "system_area_used_percent": 8}),
    "Seagate": (SEAGATE, {"nand_written_bytes": 0x2D0CDC01B * 512000, "host_written_bytes": 0xEFB8D568 * 512000,
                          "erase_count_max": 2888, "erase_count_min": 2572, "temperature_max_celsius": 55,
                          "life_left_percent": 67, "grown_bad_block_count": 9, "program_failure_block_count": 1}),
    "Lite-On": (LITEON, {"nand_written_bytes": 157035510104064, "erase_count_max": 142}),
    "WDC CAh": (WDC_CA, {"nand_written_bytes": 609651339018240, "erase_count_max": 293, "grown_bad_block_count": 2,
                         "unexpected_power_loss_count": 1, "free_block_percent": 22}),
    "WDC CAh as JSON": (json.dumps(WDC_CA_JSON), {"nand_written_bytes": 609651339018240, "erase_count_min": 197}),
    "WDC D0h": (WDC_D0, {"life_left_percent": 87, "power_on_time_hours": 21044, "retired_block_count": 5,
                         "spare_block_count": 411, "capacitor_health_percent": 98}),
    "WDC end of life": (json.dumps(WDC_EOL), {"life_left_percent": 91, "program_failure_block_count": 1}),
    "Micron NAND": (json.dumps(MICRON_NAND), {"nand_written_bytes": 0x3DF5476DD000, "grown_bad_block_count": 6}),
    "Micron OCP": (json.dumps(MICRON_OCP), {"nand_written_bytes": 0xD848690000, "grown_bad_block_count": 3,
                                            "erase_count_max": 18, "system_area_used_percent": 1}),
    "OCP C1h": (PANIC, {"panic_count": 2, "panic_code": 0x91C4}),
    "OCP C1h as JSON": (json.dumps(PANIC_JSON), {"panic_code": 0}),
    "OCP C3h": (LATENCY, {}),
    "OCP C3h as JSON": (json.dumps(LATENCY_JSON), {}),
    "OCP C2h": (FIRMWARE, {}),
    "OCP C2h as JSON": (json.dumps(FIRMWARE_JSON), {}),
    "OCP C4h": (CAPABILITIES, {}),
    "OCP C4h as JSON": (json.dumps(CAPABILITIES_JSON), {}),
    "OCP C5h": (UNSUPPORTED, {}),
    "OCP C5h as JSON": (json.dumps(UNSUPPORTED_JSON), {}),
    "Solidigm": (SOLIDIGM, {"nand_written_bytes": 2249430 << 25, "erase_count_average": 36, "throttle_count": 5}),
    "Solidigm as JSON": (json.dumps(SOLIDIGM_JSON), {"host_written_bytes": 1723652 << 25, "erase_count_max": 41}),
    "Intel C5h": (TEMPERATURES, {"temperature_max_celsius": 57, "temperature_min_celsius": 17}),
    "WDC in Intel's form": (json.dumps(WDC_BD_JSON), {"nand_written_bytes": 2249430 << 25, "erase_count_min": 30}),
}  # fmt: skip


def reasons_of(text: str) -> tuple[str, ...]:
    dump = read_dump(text.encode(), "a dump")
    return tuple(judge(read(dump), (), dump).reasons)


def reading_of(text: str) -> Reading:
    return read(read_dump(text.encode(), "a dump"))


@pytest.mark.parametrize("form", TOLD)
def test_every_form_gives_its_numbers_and_leaves_nothing_unread(form: str) -> None:
    text, told = TOLD[form]
    dump = read_dump(text.encode(), "a dump")
    reading = read(dump)
    assert {key: reading.value(key) for key in told} == pytest.approx(told, rel=1e-6)
    assert dump.unread == ()
    assert reading.family == "nvme"


@pytest.mark.parametrize("form", [form for form, (text, _) in TOLD.items() if not text.startswith("{")])
def test_a_health_log_before_the_makers_log_is_read_too(form: str) -> None:
    text, told = TOLD[form]
    reading = reading_of(HEALTH + text)
    assert reading.value("endurance_used_percent") == 12
    assert reading.value("power_on_time_hours") == 21044
    assert not told or any(key in reading.fields for key in told)


def test_logs_of_several_makers_in_one_text_keep_their_own_numbers() -> None:
    """One behind the other, with and without lines above them; what is not read is said, and never in another log.

    Only the version of a log's layout, which every OCP log ends with, may stay with the log behind it.
    """
    texts = {form: text for form, (text, _) in TOLD.items() if not text.startswith("{")}
    alone = {form: read_dump(text.encode(), form).vendor_logs for form, text in texts.items()}
    whole = pairs = 0
    for one, other in itertools.permutations(texts, 2):
        if alone[one].keys() & alone[other].keys():
            continue
        dump = read_dump((HEALTH + texts[one] + texts[other]).encode(), "two logs")
        told = {**alone[one], **alone[other]}
        assert dump.vendor_logs.keys() <= told.keys(), (one, other)
        for log, entries in dump.vendor_logs.items():
            assert entries.items() - {("log_page_version", 1)} <= told[log].items(), (one, other)
        assert dump.nvme_health["percent_used"] == 12
        pairs += 1
        whole += dump.vendor_logs == told
        assert dump.vendor_logs == told or dump.unread, (one, other)
    print(f"{whole} of {pairs} pairs are wholly read")
    assert whole >= pairs - 2


@pytest.mark.parametrize(
    ("form", "log", "told"),
    [
        (FIRMWARE, "ocp_c2", {"activation_entry_count": 2}),
        (json.dumps(FIRMWARE_JSON), "ocp_c2", {"activation_entry_count": 1}),
        (CAPABILITIES, "ocp_c4", {"sanitize_command_support": 0x8006, "minimum_valid_dssd_power_state": 5}),
        (json.dumps(CAPABILITIES_JSON), "ocp_c4", {"pci_express_ports": 1, "fused_operation_support": 0x8001}),
        (UNSUPPORTED, "ocp_c5", {"unsupported_requirement_count": 2}),
        (json.dumps(UNSUPPORTED_JSON), "ocp_c5", {"unsupported_requirement_count": 2}),
    ],
)
def test_what_tells_nothing_of_health_is_known_for_what_it_is(form: str, log: str, told: dict[str, int]) -> None:
    dump = read_dump(form.encode(), "an OCP log")
    assert list(dump.vendor_logs) == [log]
    assert {name: dump.vendor_logs[log][name] for name in told} == told
    assert read(dump).fields == {}


@pytest.mark.parametrize("form", [LATENCY, json.dumps(LATENCY_JSON)])
def test_slow_commands_are_counted_by_their_kind(form: str) -> None:
    log = read_dump(form.encode(), "a latency monitor").vendor_logs["ocp_c3"]
    assert [log[f"active_bucket_0_{command}"] for command in ("read", "write", "trim")] == [2716, 198, 0]
    assert [log[f"static_bucket_3_{command}"] for command in ("read", "write", "trim")] == [2, 1, 0]
    assert not any("threshold" in name or "latency" in name for name in log)


def test_temperatures_are_known_without_their_first_line_and_behind_another_log_of_the_maker() -> None:
    bare = TEMPERATURES.partition("--\n")[2]
    for text in (bare, SOLIDIGM + bare):
        log = read_dump(text.encode(), "temperatures").vendor_logs["intel_c5"]
        assert (log["current_temperature"], log["highest_temperature"], log["lowest_temperature"]) == (34, 57, 17)


def test_temperatures_that_no_drive_has_are_not_told() -> None:
    reading = reading_of(TEMPERATURES.replace(": 57", ": 330").replace(": 17", ": 18446744073709551606"))
    assert not {"temperature_max_celsius", "temperature_min_celsius"} & reading.fields.keys()


def test_a_controller_that_stopped_is_watched_and_an_old_page_has_no_count_of_it() -> None:
    assert "a fault inside has stopped its controller" in reasons_of(HEALTH + PANIC)
    old = reading_of(PANIC.replace("Version                  : 0x3", "Version                  : 0x2"))
    assert old.value("panic_count") is None
    assert "a fault inside has stopped its controller" not in reasons_of(HEALTH + PANIC.replace("0x91c4", "0x0"))


def test_a_unit_that_no_drive_allows_is_not_used() -> None:
    reading = reading_of(HYPERSCALE_UNITS)
    assert known(reading.value("nand_written_bytes")) > 433 * 16e9 / 8
    few = HYPERSCALE_UNITS.replace(": 433", ": 0").replace(": 484\n", ": 1\n")
    fields = reading_of(few).fields
    assert fields["nand_written_bytes"].high >= 484533969 * 512000
    assert fields["nand_written_bytes"].low <= 484533969 + 12271117


def test_counts_of_six_bytes_that_programs_print_wrongly_are_put_right() -> None:
    assert six_bytes(7 << 16) == (7, True)
    assert six_bytes(5 << 32) == (5, True)
    assert six_bytes(65535) == (65535, False)
    assert six_bytes(0) == (0, False)
    dump = read_dump(HYPERSCALE.encode(), "a dump")
    assert any("puts its bytes wrongly" in remark for remark in dump.remarks)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", 1234), ("0x4d2", 1234), ("12 %", 12), ("100%", 100), ("1.5 GiB", 3 << 29), ("2,5 TB", 25 * 10**11),
        ("304 K", 304), ("31 °C (304 Kelvin)", 304), ("1 2", (1 << 64) + 2), ("-3", None), ("", None), ("0x", None),
        ("1 99999999999999999999", None), ("nan", None), ("9" * 70, None), ("1.2345 GiB", None), ("٣", None),
    ],
)  # fmt: skip
def test_printed_numbers(text: str, number: int | None) -> None:
    assert printed_number(text) == number


def made_page(layout: Layout) -> bytes:
    """A raw page that its layout allows."""
    marks = known(layout.raw)
    page = bytearray(max(512, marks.length_bytes if marks.guid else 0))
    for entry in layout.entries:
        if 0 < entry.size <= 4:
            page[entry.at : entry.at + entry.size] = (60).to_bytes(entry.size, "little")
        elif entry.size:
            page[entry.at : entry.at + entry.size] = (6_000_000_000_000 % (1 << 40)).to_bytes(entry.size, "little")
    for first, end in marks.zero:
        page[first:end] = bytes(end - first)
    for place, size in marks.some:
        page[place : place + size] = (77).to_bytes(size, "little")
    for place in itertools.chain.from_iterable(marks.ordered):
        page[place : place + 4] = (60).to_bytes(4, "little")
    for place, size, low, _ in marks.within:
        page[place : place + size] = max(low, 60).to_bytes(size, "little")
    if marks.guid:
        page[len(page) - len(marks.guid) :] = marks.guid
    return bytes(page)


RAW = [layout for layout in layouts() if layout.raw is not None]


@pytest.mark.parametrize("layout", RAW, ids=[layout.log for layout in RAW])
def test_a_raw_page_is_recognised_and_read(layout: Layout) -> None:
    marks, page = known(layout.raw), made_page(layout)
    header = f"Device:nvme0 log-id:{marks.id} namespace-id:0xffffffff\n"
    dump = read_dump((header + hex_dump(page)).encode(), "a hex dump")
    log = dump.vendor_logs[layout.log]
    for entry in layout.entries:
        if entry.size:
            stored = int.from_bytes(page[entry.at : entry.at + entry.size], "little")
            assert log[entry.name] == entry.part(stored), entry.name
    if not marks.by_id:
        assert list(read_dump(page, "a page").vendor_logs) == [layout.log]


@pytest.mark.parametrize("layout", RAW, ids=[layout.log for layout in RAW])
def test_a_page_of_noise_is_of_no_maker(layout: Layout) -> None:
    noise = bytes((37 * place * place + 11) % 251 for place in range(512))
    with pytest.raises(WrongUse):
        read_dump(noise, "noise")


def test_every_vendor_table_has_names_once_and_rows_for_what_it_means() -> None:
    tables = vendor_log_tables()
    assert set(tables) == {layout.log for layout in layouts()}
    for layout in layouts():
        names = [entry.name for entry in layout.entries]
        assert len(set(names)) == len(names), layout.log
        assert {name for row in tables[layout.log].rows for name in row.names} <= set(names)
        ends = sorted((entry.at, entry.at + entry.size) for entry in layout.entries if entry.size and not entry.mask)
        assert all(one[1] <= other[0] for one, other in itertools.pairwise(ends)), layout.log


def test_labels_of_all_spellings_are_one() -> None:
    assert canonical("Bad NAND Block Count (Normalised)") == canonical("bad nand block count(normalized)")
    assert canonical("[015:000] PhysicallyWrittenBytes") == "physicallywrittenbytes"
    assert canonical("XOR Recovery Count (Int) ") == "xor_recovery_count"


@pytest.mark.parametrize("form", TOLD)
def test_cut_at_any_line_a_number_is_the_same_or_missing(form: str) -> None:
    text, _ = TOLD[form]
    text = json.dumps(json.loads(text), indent=1) if text.startswith("{") else text
    whole = read_dump(text.encode(), "whole").vendor_logs
    for place in [index for index, sign in enumerate(text) if sign == "\n"]:
        try:
            part = read_dump(text[:place].encode(), "part").vendor_logs
        except WrongUse:
            continue
        for log, entries in part.items():
            assert entries.items() <= whole.get(log, {}).items(), text[:place][-80:]


_FORMS = st.sampled_from(sorted(TOLD))


@settings(max_examples=60, deadline=None)
@given(form=_FORMS, changes=CHANGES, encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_changed_outputs_are_read_or_refused(form: str, changes: Changes, encoding: str) -> None:
    changed_output(form, changes, encoding)


@pytest.mark.long
@settings(max_examples=20_000, deadline=None)
@given(form=_FORMS, changes=CHANGES, encoding=st.sampled_from(["utf-8", "utf-16", "cp1252"]))
def test_20_000_changed_outputs_are_read_or_refused(form: str, changes: Changes, encoding: str) -> None:
    changed_output(form, changes, encoding)


def changed_output(form: str, changes: Changes, encoding: str) -> None:
    """Read an output of which bytes were replaced; every field that comes out is possible."""
    try:
        dumps = read_dumps(with_changes(TOLD[form][0].encode(encoding), changes), "changed")
    except WrongUse:
        return
    for dump in dumps:
        reading = read(dump)
        judge(reading, (), dump)
        assert all(field.low <= field.high for field in reading.fields.values())


@settings(max_examples=80, deadline=None)
@given(layout=st.sampled_from(RAW), changes=CHANGES)
def test_changed_pages_are_read_or_refused(layout: Layout, changes: Changes) -> None:
    page = bytearray(made_page(layout))
    for place, _, added in changes:
        at = place % 500
        page[at : at + len(added)] = added[: 512 - at]
    try:
        dump = read_dump(bytes(page[:512]), "a page")
    except WrongUse:
        return
    read(dump)


_TREE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.just("0x12"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from([*WDC_CA_JSON, "wear_leveling", "min", "raw", "normalized"]), inner, max_size=4),
    max_leaves=15,
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(parts=st.dictionaries(st.sampled_from([*WDC_CA_JSON, *SOLIDIGM_JSON, *MICRON_NAND]), _TREE, max_size=6))
def test_documents_of_any_types_are_read_or_refused(parts: dict[str, Any]) -> None:
    for base in (WDC_CA_JSON, SOLIDIGM_JSON, MICRON_OCP):
        try:
            read(read_dump(json.dumps(base | parts).encode(), "a document"))
        except WrongUse:
            continue
