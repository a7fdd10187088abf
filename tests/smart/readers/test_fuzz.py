"""Whatever the bytes, a reader gives a dump or says in words what is wrong: no other error ever comes out."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flashscope.errors import DriveFailed, WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers import as_smartctl_json
from flashscope.smart.readers.read import read_dumps

from . import pages
from .test_nvme_cli import V1
from .test_smartctl_json import DOCUMENT
from .texts import BRIEF, NVME, NVME_CLI, OLD_ROWS, SCSI

HEX = "General Purpose Log 0x03 [Ext. Comprehensive SMART error log], Page 0-0\n" + pages.hex_dump(
    pages.indilinx_page()
)
SKDUMP = """\
Size: 122104 MiB
Model: [FLASHSCOPE TEST 128]
SMART Available: yes
ID# Name                        Value Worst Thres Pretty      Raw            Type    Updates Good Good/Past
  9 power-on-hours               96    96      0 1.9 years    0x1a4200000000 old-age online  n/a  n/a
"""
WRITTEN = "# id name value worst thresh raw_before raw_after\n164 Erases 100 100 050 19917 20009\n"
VALID: dict[str, bytes] = {
    "smartctl text": BRIEF.encode(),
    "old rows": OLD_ROWS.encode(),
    "NVMe text": NVME.encode(),
    "SCSI text": SCSI.encode(),
    "nvme-cli text": NVME_CLI.encode(),
    "UTF-16": BRIEF.encode("utf-16"),
    "hex": HEX.encode(),
    "smartctl JSON": json.dumps(DOCUMENT).encode(),
    "OCP JSON": f"2025-09-02 14:30:00\n{json.dumps(V1)}".encode(),
    "nvme-cli JSON": b'{"temperature": 305, "avail_spare": 100, "percent_used": 1, "power_on_hours": "12"}',
    "skdump": SKDUMP.encode(),
    "written table": WRITTEN.encode(),
    "SMART data": pages.smart_data() + pages.thresholds(),
    "statistics": pages.statistics_page(1, {0x10: (0xC0, 16922)}),
    "NVMe page": pages.nvme_page(temperature=305, power_on_hours=7),
    "OCP page": pages.ocp_page(4, nand_avg_erase_count=5),
    "Intel page": pages.intel_page(*pages.INTEL_ITEMS),
    "Indilinx page": pages.indilinx_page(),
}
_SNIPPETS = st.sampled_from(
    [b"", b"\0", b"\n", b"-", b"---", b"\xff" * 9, b"9" * 70, b"0x", b"{", b"[", b"[[[[" * 60, b"}", b'"', b"1e999",
     b"null", b"-1", b"\xa0", b"ID# ATTRIBUTE_NAME\n", b"true", b"Device Statistics (GP Log 0x04)\n", b"65536",
     b"4294967295", b"1.5", b"NaN", b"\\u0000", "\u202f".encode(), "٣".encode(), "²".encode(), b"(Min/Max -/-)"]
)  # fmt: skip
_CHANGES = st.lists(
    st.tuples(st.integers(0, 4000), st.integers(0, 40), st.one_of(_SNIPPETS, st.binary(max_size=8))), max_size=6
)


def read_or_refused(data: bytes) -> tuple[Dump, ...]:
    try:
        return read_dumps(data, "the fuzz")
    except (WrongUse, DriveFailed):
        return ()


@pytest.mark.parametrize("form", VALID)
def test_every_valid_form_is_read(form: str) -> None:
    assert read_or_refused(VALID[form])


_CHANGED = given(form=st.sampled_from(sorted(VALID)), changes=_CHANGES, length=st.none() | st.integers(0, 4000))


@settings(max_examples=300, deadline=None)
@_CHANGED
def test_changed_dumps_are_read_or_refused(
    form: str, changes: list[tuple[int, int, bytes]], length: int | None
) -> None:
    read_changed(form, changes, length)


@pytest.mark.long
@settings(max_examples=10_000, deadline=None)
@_CHANGED
def test_10_000_changed_dumps_are_read_or_refused(
    form: str, changes: list[tuple[int, int, bytes]], length: int | None
) -> None:
    read_changed(form, changes, length)


def read_changed(form: str, changes: list[tuple[int, int, bytes]], length: int | None) -> None:
    """Read a dump in which some bytes were replaced; what comes out is within its bounds."""
    data = VALID[form][:length]
    for place, removed, added in changes:
        at = place % (len(data) + 1)
        data = data[:at] + added + data[at + removed :]
    for dump in read_or_refused(data):
        assert all(len(one.raw) == 6 and 0 < one.id < 256 for one in dump.attributes)
        assert all(0 <= one.value < 256 and 0 <= one.worst < 256 for one in dump.attributes)
        assert all(isinstance(value, int) for value in dump.nvme_health.values())
        assert all(isinstance(value, int) for log in dump.vendor_logs.values() for value in log.values())
        as_smartctl_json.smartctl_json_text(dump)


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=2100) | st.text(max_size=600).map(str.encode))
def test_arbitrary_bytes_are_read_or_refused(data: bytes) -> None:
    read_or_refused(data)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(
        {"id", "value", "worst", "raw", "flags", "table", "pages", "offset", "number", "string", "temperature", "bytes",
         "ata_smart_attributes", "nvme_smart_health_information_log", "ata_device_statistics", "user_capacity", "hi",
         "lo", "temperature_sensors", "scsi_error_counter_log", "read", "gigabytes_processed", "argv",
         "exit_status", "count", "messages", "ata_smart_error_log", "local_time", "time_t", "Device stats",
         "wear_leveling", "timestamp"}
    )), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(parts=st.dictionaries(st.sampled_from(sorted(DOCUMENT)), _JSON, max_size=6), own=_JSON)
def test_documents_of_any_types_are_read_or_refused(parts: dict[str, object], own: object) -> None:
    extra = own if isinstance(own, dict) else {"scsi_error_counter_log": own}
    read_or_refused(json.dumps({"smartctl": {}} | parts | extra).encode())
    read_or_refused(json.dumps({"Device stats": own, "Intel Smart log": "nvme0"}).encode())
    read_or_refused(json.dumps({"physical_media_units_written": own, "temperature": own}).encode())
