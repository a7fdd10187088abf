"""A drive is read through smartctl and nvme-cli; what keeps it from being read is said, with what to do."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from flashscope.errors import DriveFailed, WrongUse
from flashscope.smart.readers.live import read_device

from . import pages
from .test_smartctl_json import DOCUMENT

NVME_DOCUMENT = {
    "smartctl": {"exit_status": 0},
    "device": {"protocol": "NVMe"},
    "model_name": "FLASHSCOPE NVME",
    "nvme_smart_health_information_log": {"temperature": 29, "percentage_used": 3},
}


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is first on the PATH, with a file "drive" in it."""
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/usr/bin{os.pathsep}/bin")
    (tmp_path / "drive").write_bytes(b"")
    return tmp_path


def program(bench: Path, name: str, script: str) -> None:
    (bench / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    (bench / name).chmod(0o755)


def smartctl_prints(bench: Path, document: object, status: int = 0) -> None:
    (bench / "answer").write_text(json.dumps(document), encoding="utf-8")
    program(
        bench,
        "smartctl",
        f'test "$*" = "--json --xall --presets=ignore -- {bench}/drive" && cat {bench}/answer; exit {status}',
    )


def test_an_ata_drive_is_read(bench: Path) -> None:
    smartctl_prints(bench, DOCUMENT, status=64)
    dump = read_device(bench / "drive")
    assert len(dump.attributes) == 2
    assert dump.statistic(1, 24) == 29682857185
    assert dump.source == f"smartctl --json --xall --presets=ignore {bench}/drive"


def test_an_nvme_drive_gives_its_ocp_and_intel_logs_as_well(bench: Path) -> None:
    smartctl_prints(bench, NVME_DOCUMENT)
    (bench / "c0").write_bytes(pages.ocp_page(4, nand_avg_erase_count=5))
    (bench / "ca").write_bytes(pages.intel_page(*pages.INTEL_ITEMS))
    program(bench, "nvme", f"case $3 in --log-id=0xc0) cat {bench}/c0;; --log-id=0xca) cat {bench}/ca;; esac")
    dump = read_device(bench / "drive")
    assert dump.nvme_health["temperature"] == 302
    assert dump.vendor_logs["ocp_c0"]["nand_avg_erase_count"] == 5
    assert dump.vendor_logs["intel_ca"]["nand_bytes_written"] == 155767
    assert dump.taken_at_s is not None


def test_a_namespace_tells_an_nvme_drive_that_has_no_serial_number(bench: Path) -> None:
    namespace = {"nsze": 100, "ncap": 100, "eui64": "0025385a91b02a3f", "nguid": "0" * 32}
    (bench / "ns").write_text(json.dumps(namespace))
    program(bench, "nvme", f'test "$1" = id-ns && cat {bench}/ns')
    smartctl_prints(bench, NVME_DOCUMENT)
    assert read_device(bench / "drive").wwn == "002538 5a91b02a3f"
    smartctl_prints(bench, NVME_DOCUMENT | {"serial_number": "S-1"})
    assert read_device(bench / "drive").wwn == "", "not asked for where the serial number tells"


@pytest.mark.parametrize(
    "script", ["exit 1", "echo NVMe status: Invalid Log Page >&2; exit 9", "head -c 512 /dev/zero"]
)
def test_an_nvme_drive_without_such_logs_is_read_all_the_same(bench: Path, script: str) -> None:
    smartctl_prints(bench, NVME_DOCUMENT)
    program(bench, "nvme", script)
    dump = read_device(bench / "drive")
    assert dump.nvme_health["percent_used"] == 3
    assert set(dump.vendor_logs) <= {"smartctl"}


def test_without_nvme_cli_the_dump_says_what_was_not_asked_for(bench: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bench, "smartctl", f"/bin/cat {bench}/answer")
    (bench / "answer").write_text(json.dumps(NVME_DOCUMENT), encoding="utf-8")
    monkeypatch.setenv("PATH", str(bench))
    assert any("package nvme-cli" in remark for remark in read_device(bench / "drive").remarks)


def test_missing_smartctl_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WrongUse) as caught:
        read_device(tmp_path)
    assert "smartmontools" in caught.value.advice


def test_no_permission_says_how_to_get_it(bench: Path) -> None:
    message = {"string": "Smartctl open device: /dev/sda failed: Permission denied", "severity": "error"}
    smartctl_prints(bench, {"smartctl": {"exit_status": 2, "messages": [message]}}, status=2)
    with pytest.raises(WrongUse) as caught:
        read_device(bench / "drive")
    assert "sudo" in caught.value.advice


def test_a_drive_that_smartctl_cannot_reach_is_refused_with_its_reason(bench: Path) -> None:
    message = {"string": "/dev/sdb: Unknown USB bridge [0x1234:0x5678]", "severity": "error"}
    smartctl_prints(bench, {"smartctl": {"exit_status": 1, "messages": [message]}}, status=1)
    with pytest.raises(WrongUse, match="Unknown USB bridge") as caught:
        read_device(bench / "drive")
    assert "-d sat" in caught.value.advice


def test_a_drive_that_does_not_answer_has_failed(bench: Path) -> None:
    program(bench, "smartctl", "exec sleep 5")
    with pytest.raises(DriveFailed, match=r"did not answer smartctl within 0\.1 s"):
        read_device(bench / "drive", time_limit_s=0.1)


@pytest.mark.parametrize(
    "script", ["exit 0", "echo smartctl 6.6; echo UNRECOGNIZED OPTION: json", "echo '{\"smartctl\": {'"]
)
def test_a_smartctl_without_whole_json_is_refused(bench: Path, script: str) -> None:
    program(bench, "smartctl", script)
    with pytest.raises(WrongUse, match="printed no JSON"):
        read_device(bench / "drive")


def test_a_drive_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WrongUse, match="there is no drive"):
        read_device(tmp_path / "none")
