"""What smartctl prints is understood, and what keeps it from printing is said."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from flashscope.errors import DriveFailed, WrongUse
from flashscope.records.smart_snapshot import SmartSnapshot
from flashscope.smart.decoding.decode import decode
from flashscope.smart.readers.read import read_dump
from flashscope.smart.readers.snapshot import parse_smartctl_json, read_with_smartctl

# id -> number, in the Indilinx layout.
INDILINX = {1: 7, 9: 10454, 12: 0, 184: 8, 198: 9_936_715_024, 199: 6_330_340_287, 205: 10000, 208: 3799}


def printed(numbers: dict[int, int], *, preset: bool, status: int = 0, **more: Any) -> str:
    """What smartctl prints of value-first numbers, with or without its preset for Indilinx."""
    table = [
        {
            "id": number,
            "value": whole & 0xFF,
            "worst": whole >> 8 & 0xFF,
            "flags": {"value": 0},
            "raw": {"value": whole if preset else whole >> 16},
        }
        for number, whole in numbers.items()
    ]
    document = {
        "smartctl": {"exit_status": status},
        "device": {"protocol": "ATA"},
        "model_name": "OCZ-ONYX",
        "firmware_version": "1.6",
        "user_capacity": {"bytes": 32_017_047_552},
        "ata_smart_attributes": {"table": table},
    }
    return json.dumps(document | more)


def raw_of(snapshot: SmartSnapshot) -> dict[int, tuple[int, int, bytes]]:
    return {one.id: (one.value, one.worst, one.raw) for one in snapshot.attributes}


def test_the_drives_bytes_are_the_same_with_and_without_smartctls_preset() -> None:
    plain = parse_smartctl_json(printed(INDILINX, preset=False))
    preset = parse_smartctl_json(printed(INDILINX, preset=True))
    assert raw_of(plain) == raw_of(preset)
    assert raw_of(plain)[199] == (191, 83, (96593).to_bytes(6, "little"))
    assert (plain.model, plain.firmware, plain.user_bytes) == ("OCZ-ONYX", "1.6", 32_017_047_552)


def test_a_reserved_byte_on_top_is_left_out_and_an_unknown_byte_order_is_refused() -> None:
    row = {"id": 9, "value": 99, "worst": 99, "raw": {"value": 0x12_3456_0000_051C}}
    document: dict[str, Any] = {"smartctl": {}, "ata_smart_attributes": {"table": [row]}}
    (attribute,) = parse_smartctl_json(json.dumps(document)).attributes
    assert attribute.raw == (0x3456_0000_051C).to_bytes(6, "little")
    row["raw"] = {"value": 1 << 60}
    with pytest.raises(WrongUse, match="attribute 9 is printed as"):
        parse_smartctl_json(json.dumps(document))


def test_remarks_in_the_exit_status_are_kept_with_the_source() -> None:
    snapshot = parse_smartctl_json(printed(INDILINX, preset=False, status=8 + 64), source="here")
    assert snapshot.source == "here (the drive says it is failing; the error log holds errors)"
    assert len(snapshot.attributes) == len(INDILINX)


@pytest.mark.parametrize(
    ("document", "why"),
    [
        ({"smartctl": {}, "device": {"protocol": "NVMe"}}, "the drive speaks NVMe"),
        ({"smartctl": {"exit_status": 1, "messages": [{"string": "Unknown USB bridge"}]}}, "Unknown USB bridge"),
        ({"smartctl": {}, "device": {"protocol": "ATA"}, "smart_support": {"available": False}}, "has no SMART"),
        ({"smartctl": [], "ata_smart_attributes": [], "user_capacity": "big"}, "has no SMART"),
    ],
)
def test_a_drive_without_attributes_says_why(document: dict[str, Any], why: str) -> None:
    snapshot = parse_smartctl_json(json.dumps(document))
    assert snapshot.attributes == ()
    assert why in snapshot.source
    assert decode(snapshot).family == "no SMART"


@pytest.mark.parametrize("text", ["", "smartctl 6.6\nUNRECOGNIZED OPTION: json", "[]", "{}", '{"smartctl"'])
def test_what_is_not_smartctls_json_is_refused(text: str) -> None:
    with pytest.raises(WrongUse, match="printed no JSON") as caught:
        parse_smartctl_json(text)
    assert "7.0" in caught.value.advice


@pytest.mark.parametrize("row", [{"id": 5}, {"id": 5, "value": None, "worst": 1, "raw": {"value": 1}}])
def test_a_broken_attribute_is_refused(row: dict[str, Any]) -> None:
    with pytest.raises(WrongUse, match="not complete"):
        parse_smartctl_json(json.dumps({"smartctl": {}, "ata_smart_attributes": {"table": [row]}}))


def test_a_drive_that_may_not_be_opened_asks_for_root() -> None:
    message = {"string": "Smartctl open device: /dev/sda failed: Permission denied"}
    with pytest.raises(WrongUse) as caught:
        parse_smartctl_json(json.dumps({"smartctl": {"exit_status": 2, "messages": [message]}}))
    assert "sudo" in caught.value.advice


def test_all_json_samples_are_read(samples: Path) -> None:
    paths = sorted(samples.glob("*/*.json"))
    assert len(paths) == 25
    with_attributes = [p for p in paths if parse_smartctl_json(p.read_text(encoding="utf-8")).attributes]
    assert len(with_attributes) == 16


def fake_smartctl(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = folder / "smartctl"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_smartctl_is_run_and_its_answer_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "answer").write_text(printed(INDILINX, preset=False, status=4), encoding="utf-8")
    fake_smartctl(
        tmp_path,
        f'test "$*" = "--json --all --presets=ignore -- {tmp_path}" && cat {tmp_path}/answer; exit 4',
        monkeypatch,
    )
    snapshot = read_with_smartctl(tmp_path, 5)
    assert snapshot.elapsed_ns == 5
    assert len(snapshot.attributes) == len(INDILINX)
    assert snapshot.source.startswith(f"smartctl --json --all --presets=ignore {tmp_path} (a SMART command failed")


def test_missing_smartctl_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WrongUse) as caught:
        read_with_smartctl(tmp_path, 0)
    assert "smartmontools" in caught.value.advice


def test_a_drive_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="there is no drive"):
        read_with_smartctl(tmp_path / "none", 0)


def test_a_drive_that_does_not_answer_has_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake_smartctl(tmp_path, "exec sleep 5", monkeypatch)
    monkeypatch.setattr("flashscope.smart.readers.snapshot.TIME_LIMIT_SECONDS", 0.1)
    with pytest.raises(DriveFailed, match="did not answer"):
        read_with_smartctl(tmp_path, 0)


def test_a_plain_file_has_no_smart_by_the_real_smartctl(tmp_path: Path) -> None:
    try:
        subprocess.run(["smartctl", "--version"], capture_output=True, check=True)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"smartctl cannot be run: {error}")
    image = tmp_path / "drive.img"
    image.write_bytes(bytes(4096))
    snapshot = read_with_smartctl(image, 0)
    assert snapshot.attributes == ()
    assert "Unable to detect device type" in snapshot.source


def test_daily_rows_of_a_fleet_name_the_command_that_reads_them() -> None:
    with pytest.raises(WrongUse, match="read them with `flashscope smart archive`"):
        read_dump(b'"date","serial_number","model","failure"\n2024-01-01,A,M,0\n', "2024-01-01.csv")
    with pytest.raises(WrongUse) as refused:
        read_dump(b"date,price\n2024-01-01,3\n", "prices.csv")
    assert "archive" not in str(refused.value)
