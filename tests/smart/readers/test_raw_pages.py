"""Raw pages are told by what is in them, and read byte for byte."""

from __future__ import annotations

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import read_dump

from . import pages
from .texts import ATTRIBUTES


def read(data: bytes) -> Dump:
    return read_dump(data, "test")


def test_smart_data_gives_its_attributes_and_the_thresholds_behind_it() -> None:
    dump = read(pages.smart_data() + pages.thresholds())
    assert [(a.id, a.flags, a.value, a.worst, a.raw) for a in dump.attributes] == [
        (a.id, a.flags, a.value, a.worst, a.raw) for a in ATTRIBUTES
    ]
    assert {id: one.threshold for id, one in dump.printed.items()} == {5: 10, 9: 0, 190: 40, 241: 0}
    assert (dump.protocol, dump.unread, dump.remarks) == ("ATA", (), ())


def test_a_wrong_checksum_is_said() -> None:
    page = bytearray(pages.smart_data())
    page[-1] ^= 1
    dump = read(bytes(page))
    assert len(dump.attributes) == len(ATTRIBUTES)
    assert dump.remarks == ("the checksum of the SMART data is wrong",)


def test_pages_of_device_statistics_are_read_with_their_flags() -> None:
    listed = bytearray(pages.PAGE_BYTES)
    listed[0], listed[8:12] = 1, bytes((3, 0, 1, 5))
    data = (
        bytes(listed)
        + pages.statistics_page(1, {0x10: (0xC0, 16922), 0x18: (0xC0, 29682857185), 0x20: (0x80, 0)})
        + pages.statistics_page(5, {0x28: (0xC0, 0xFC)})
        + pages.statistics_page(7, {0x08: (0xE0, 103)})
    )
    dump = read(data)
    assert dump.statistic(1, 0x10) == 16922
    assert dump.statistic(1, 0x18) == 29682857185
    assert dump.statistics[2].value is None
    assert dump.statistic(5, 0x28) == -4
    assert (dump.statistics[-1].value, dump.statistics[-1].normalized) == (103, True)


def test_the_nvme_health_log_is_read() -> None:
    fields = {"temperature": 305, "avail_spare": 100, "data_units_written": 1 << 90, "thm_temp2_total_time": 9}
    dump = read(pages.nvme_page(**fields, power_on_hours=5))
    assert fields.items() <= dump.nvme_health.items()
    assert dump.protocol == "NVMe"


def test_the_ocp_log_is_told_by_its_guid_and_its_version_decides_the_fields() -> None:
    old = read(pages.ocp_page(1, physical_media_units_written=1 << 70, nand_avg_erase_count=5))
    assert old.vendor_logs["ocp_c0"]["physical_media_units_written"] == 1 << 70
    assert "nand_avg_erase_count" not in old.vendor_logs["ocp_c0"]
    new = read(pages.ocp_page(4, nand_avg_erase_count=5))
    assert new.vendor_logs["ocp_c0"]["nand_avg_erase_count"] == 5


def test_intels_log_is_read_item_by_item() -> None:
    log = read(pages.intel_page(*pages.INTEL_ITEMS)).vendor_logs["intel_ca"]
    assert (log["wear_leveling_min"], log["wear_leveling_max"], log["wear_leveling_avg"]) == (4, 5, 4)
    assert (log["thermal_throttle_status"], log["thermal_throttle_count"]) == (7, 258)
    assert (log["nand_bytes_written"], log["wear_leveling_normalized"]) == (155767, 99)


@pytest.mark.parametrize("form", ["raw", "smartctl's hex", "hex alone"])
def test_the_statistics_of_an_indilinx_controller_come_with_their_banks(form: str) -> None:
    page = pages.indilinx_page()
    text = pages.hex_dump(page)
    header = "General Purpose Log 0x03 [Ext. Comprehensive SMART error log], Page 0-0 (of 77)\n"
    data = {"raw": page, "smartctl's hex": (header + text).encode(), "hex alone": text.encode()}[form]
    dump = read(data)
    log = dump.vendor_logs["indilinx_gp_03"]
    assert (log["attribute_9"], log["attribute_199"], log["attribute_205"]) == (10454, 6_330_340_287, 5000)
    assert log["bank_count"] == 2
    assert [log[f"error_bits_bank_{bank}"] for bank in range(2)] == [30, 12]
    assert dump.pages["gp_03"] == page


def test_banks_that_do_not_sum_to_the_total_are_not_believed() -> None:
    page = bytearray(pages.indilinx_page())
    page[0xE1] = 9
    with pytest.raises(WrongUse, match="not a known page"):
        read(bytes(page))


@pytest.mark.parametrize(
    "data", [bytes(range(256)) * 8, b"\x1f\x8b\x08" + bytes(range(1, 256)) * 5], ids=["counting", "gzip"]
)
def test_pages_of_other_things_are_not_taken_for_smart_data(data: bytes) -> None:
    with pytest.raises(WrongUse, match="not a known page"):
        read(data)


def test_a_hex_dump_with_a_gap_keeps_what_stands_before_it() -> None:
    lines = pages.hex_dump(pages.indilinx_page()).split("\n")
    header = "General Purpose Log 0x03 [Ext. Comprehensive SMART error log], Page 0-0 (of 77)"
    dump = read("\n".join([header, *lines[:4], *lines[5:]]).encode())
    assert len(dump.pages["gp_03"]) == 64
    assert any("gap after 64 bytes" in remark for remark in dump.remarks)


def test_a_page_beside_known_ones_that_is_of_no_known_kind_is_kept_as_unread() -> None:
    dump = read(pages.smart_data() + bytes((1, 2, 3)) * 170 + b"\1\2" + b"rest")
    assert len(dump.attributes) == len(ATTRIBUTES)
    assert len(dump.unread) == 2
