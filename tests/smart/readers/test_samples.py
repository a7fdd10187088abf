"""Every real dump at hand is read with no crash and no silent loss; what is expected is counted independently."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.path import read_path

_ROW = re.compile(r"^ *\d{1,3} +\S+ +(?:[POSRCK-]{6}|0x[0-9a-f]{4}) +(?:\d{3}|---) ")
_STATISTIC = re.compile(r"^(?:0x0\d| *\d) +0x[0-9a-f]{3} +\d ")
_DIGITS = re.compile(r"\D")
# The table of parts and the tables of endurance tests are no dumps.
_NO_DUMPS = {".csv", ".md"}


def paths(samples: Path) -> list[Path]:
    return sorted(path for path in samples.rglob("*") if path.is_file() and path.suffix not in _NO_DUMPS)


def told(lines: list[str], *labels: str) -> str:
    for line in lines:
        label, _, value = line.partition(":")
        if label in labels:
            return value.strip()
    return ""


def power_on_hours(dump: Dump) -> int | None:
    """Whether the power-on time is in the dump: NVMe health, Device Statistics, attribute 9, or smartctl's own."""
    if "power_on_hours" in dump.nvme_health:
        return dump.nvme_health["power_on_hours"]
    if (hours := dump.statistic(1, 0x10)) is not None:
        return hours
    if nine := dump.attribute(9):
        return int.from_bytes(nine.raw, "little")
    return dump.vendor_logs.get("smartctl", {}).get("power_on_time_hours")


def test_all_that_a_text_says_is_in_its_dump(samples: Path) -> None:
    count = 0
    for path in paths(samples):
        text = path.read_text(encoding="utf-8", errors="replace")
        lines = text.split("\n")
        if path.suffix != ".txt" or not any(line.startswith("=== START") for line in lines):
            continue
        dump = read_path(path)
        count += 1
        assert len(dump.attributes) == sum(bool(_ROW.match(line)) for line in lines), path
        assert len(dump.statistics) == sum(bool(_STATISTIC.match(line)) for line in lines), path
        assert dump.model == told(lines, "Device Model", "Model Number"), path
        assert dump.firmware == told(lines, "Firmware Version"), path
        capacity = told(lines, "User Capacity", "Total NVM Capacity") or told(lines, "Namespace 1 Size/Capacity")
        expected = _DIGITS.sub("", capacity.partition("bytes")[0].partition("[")[0])
        assert dump.user_bytes == (int(expected) if expected else None), path
        assert dump.rotation_rpm == (0 if "Rotation Rate:    Solid State" in text else dump.rotation_rpm), path
        hours = [line for line in lines if re.match(r" *9 |Power On Hours", line)]
        assert (power_on_hours(dump) is not None) == bool(hours), path
        assert dump.unread == (), (path, dump.unread)
    assert count == 431


def test_all_that_a_json_document_says_is_in_its_dump(samples: Path) -> None:
    count = 0
    for path in paths(samples):
        if path.suffix != ".json":
            continue
        document = json.loads(path.read_text(encoding="utf-8"))
        dump = read_path(path)
        count += 1
        rows = document.get("ata_smart_attributes", {}).get("table", [])
        assert [(one.id, one.value, one.worst, one.flags) for one in dump.attributes] == [
            (row["id"], row["value"], row["worst"], row["flags"]["value"]) for row in rows
        ]
        for one, row in zip(dump.attributes, rows, strict=True):
            assert int.from_bytes(one.raw, "little") == row["raw"]["value"] & (1 << 48) - 1, path
            assert dump.printed[one.id].raw_text == row["raw"]["string"]
        assert dump.model == document.get("model_name", document.get("scsi_model_name"))
        assert dump.user_bytes in (document.get("user_capacity", {}).get("bytes"), document.get("nvme_total_capacity"))
        assert dump.rotation_rpm == document.get("rotation_rate")
        health = document.get("nvme_smart_health_information_log", {})
        sensors = health.pop("temperature_sensors", [])
        assert len(dump.nvme_health) == len(health) + len(sensors)
        assert power_on_hours(dump) == document["power_on_time"]["hours"] or dump.attribute(9)
        assert dump.unread == (), path
    assert count == 25


@pytest.mark.parametrize("length_share", [0.1, 0.35, 0.6, 0.85])
def test_a_real_dump_cut_off_gives_only_what_is_whole(samples: Path, length_share: float, tmp_path: Path) -> None:
    for path in paths(samples)[::7]:
        data = path.read_bytes()
        cut = tmp_path / "cut"
        cut.write_bytes(data[: int(len(data) * length_share)])
        whole = read_path(path)
        try:
            part = read_path(cut)
        except WrongUse:
            continue
        assert set(part.attributes) <= set(whole.attributes), path
        assert set(part.statistics) <= set(whole.statistics), path
        assert part.nvme_health.items() <= whole.nvme_health.items(), path


@pytest.mark.parametrize("width", [80, 64])
def test_a_real_dump_wrapped_by_a_terminal_has_no_wrong_number(samples: Path, width: int, tmp_path: Path) -> None:
    for path in sorted(samples.glob("linuxhw/*.txt"))[::3]:
        lines = path.read_bytes().split(b"\n")
        pieces = (line[start : start + width] for line in lines for start in range(0, max(1, len(line)), width))
        narrow = tmp_path / "narrow"
        narrow.write_bytes(b"\n".join(pieces))
        whole, read = read_path(path), read_path(narrow)
        expected = {(one.id, one.value, one.worst, one.raw) for one in whole.attributes}
        assert {(one.id, one.value, one.worst, one.raw) for one in read.attributes} <= expected, path
        assert len(read.attributes) == len(whole.attributes) or read.unread, path
        assert read.nvme_health.items() <= whole.nvme_health.items(), path
        for one in read.statistics:
            assert one.value == whole.statistic(one.page, one.offset_bytes), path


def test_the_statistics_of_an_indilinx_controller_come_out_of_its_hex_dump(samples: Path) -> None:
    dump = read_path(next(samples.glob("forum/*96GB*.txt")))
    assert len(dump.pages["gp_03"]) == 0x1A0
    log = dump.vendor_logs["indilinx_gp_03"]
    assert log["bank_count"] == 12
    banks = sum(log[f"error_bits_bank_{bank}"] for bank in range(12))
    assert banks == pytest.approx(log["attribute_202"], rel=1e-5)
    assert sum(log[f"corrected_read_count_bank_{bank}"] for bank in range(12)) == pytest.approx(
        log["attribute_203"], rel=1e-5
    )


def test_vendor_logs_and_written_tables_are_read(samples: Path) -> None:
    old = read_path(samples / "nvme_vendor/intel_smart-log-add_min4max5.txt").vendor_logs["intel_ca"]
    assert (old["wear_leveling_min"], old["wear_leveling_max"], old["wear_leveling_avg"]) == (4, 5, 4)
    assert (old["nand_bytes_written"], old["host_bytes_written"]) == (155767, 43768)
    assert old["timed_workload_media_wear"] == 65535
    new = read_path(samples / "nvme_vendor/intel_smart-log-add_telegraf.txt").vendor_logs["intel_ca"]
    assert (new["wear_leveling_min"], new["wear_leveling_max"], new["wear_leveling_avg"]) == (163, 164, 163)
    ocp = read_path(samples / "nvme_vendor/ocp_smart-add-log_kdevops_format.txt")
    assert ocp.vendor_logs["ocp_c0"] == {"physical_media_units_written": 527815403860992}
    assert ocp.taken_at_s == 1756823700
    table = read_path(samples / "known_writes/smartmontools_issue578_10GiB.txt")
    assert [(one.id, int.from_bytes(one.raw, "little")) for one in table.attributes] == [
        (164, 20009),
        (241, 50437),
        (242, 70972),
        (245, 19979),
    ]
