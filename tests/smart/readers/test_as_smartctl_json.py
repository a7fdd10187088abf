"""A dump written in smartctl's JSON shape reads back the same, and has the shape that the real smartctl prints."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from flashscope.records.smart_snapshot import SmartSnapshot
from flashscope.smart.dump import Dump, Statistic
from flashscope.smart.readers.as_smartctl_json import as_smartctl_json, smartctl_json_text
from flashscope.smart.readers.path import read_path
from flashscope.smart.readers.read import read_dump
from flashscope.smart.readers.virtual import dump_of_virtual_drive

from .texts import ATTRIBUTES, BRIEF, NVME, SCSI


def back(dump: Dump) -> Dump:
    return read_dump(smartctl_json_text(dump).encode(), dump.source)


def assert_the_same(dump: Dump) -> None:
    again = back(dump)
    carried = {
        log: fields for log, fields in dump.vendor_logs.items() if log in ("smartctl", "scsi", "sct", "sata_phy")
    }
    for log, fields in carried.items():
        fields = {name: value for name, value in fields.items() if name != "non_medium_error_count"}
        assert fields.items() <= again.vendor_logs.get(log, {}).items(), log
    assert (
        replace(again, format=dump.format, remarks=dump.remarks, vendor_logs=dump.vendor_logs, unread=dump.unread)
        == dump
    )
    assert again.unread == ()


def test_dumps_of_every_protocol_read_back_the_same() -> None:
    for text in (BRIEF, NVME, SCSI):
        assert_the_same(read_dump(text.encode(), "test"))


def test_every_real_dump_reads_back_the_same(samples: Path) -> None:
    paths = [path for path in samples.rglob("*") if path.suffix in (".txt", ".json")]
    read = [
        dump
        for path in paths
        if (dump := read_path(path)) and not (dump.pages or set(dump.vendor_logs) & {"ocp_c0", "intel_ca"})
    ]
    assert len(read) > 400
    for dump in read:
        taken_at_s = None if dump.taken_at_s is None else float(int(dump.taken_at_s))
        wwn = "" if "..." in dump.wwn else dump.wwn  # blanked names have no place in smartctl's numbers
        assert_the_same(replace(dump, taken_at_s=taken_at_s, wwn=wwn, cut=""))


def test_a_virtual_drive_is_read_like_a_real_one() -> None:
    snapshot = SmartSnapshot(0, "virtual drive", "FLASHSCOPE VIRTUAL", "V1", 128035676160, ATTRIBUTES, 0)
    dump = dump_of_virtual_drive(snapshot)
    assert dump.attributes == ATTRIBUTES
    assert (dump.model, dump.user_bytes, dump.rotation_rpm, dump.protocol) == (
        "FLASHSCOPE VIRTUAL",
        128035676160,
        0,
        "ATA",
    )
    assert_the_same(dump)


def shape(node: Any) -> Any:
    """The types of a document, lists by their first row."""
    if isinstance(node, dict):
        return {key: shape(value) for key, value in node.items()}
    if isinstance(node, list):
        return [shape(node[0])] if node else []
    return type(node).__name__


def assert_shape_within(ours: Any, real: Any, path: str) -> None:
    """All of ours that the real document has too is of the same type."""
    if isinstance(ours, dict) and isinstance(real, dict):
        for key in ours.keys() & real.keys():
            assert_shape_within(ours[key], real[key], f"{path}.{key}")
    elif isinstance(ours, list) and isinstance(real, list):
        if ours and real:
            assert_shape_within(ours[0], real[0], f"{path}[]")
    else:
        assert ours == real, path


def test_the_shape_is_that_of_the_real_smartctl(samples: Path) -> None:
    for path in samples.glob("smartctl_exporter/*.json"):
        real = json.loads(path.read_text(encoding="utf-8"))
        ours = as_smartctl_json(read_path(path))
        assert_shape_within(shape(ours), shape(real), path.name)
        # Nothing is missing that says something of the drive's health.
        for key in (
            "ata_smart_attributes",
            "nvme_smart_health_information_log",
            "user_capacity",
            "power_on_time",
            "temperature",
        ):
            assert key in ours or key not in real, (path.name, key)
        if rows := ours.get("ata_smart_attributes", {}).get("table"):
            real_rows = real["ata_smart_attributes"]["table"]
            assert rows == real_rows or [row["raw"]["value"] for row in rows] != [
                row["raw"]["value"] for row in real_rows
            ]
            assert rows[0].keys() == real_rows[0].keys()


def test_a_statistic_that_is_not_valid_stays_so() -> None:
    dump = Dump("here", "test", statistics=(Statistic(1, 8, None, name="Nothing"), Statistic(7, 8, 3, True, "Used")))
    assert back(dump).statistics == dump.statistics
