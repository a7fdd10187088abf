"""smartctl's JSON is read in all its shapes, whole or cut off; its exit status becomes words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.read import read_dump, read_dumps

DOCUMENT: dict[str, Any] = {
    "json_format_version": [1, 0],
    "smartctl": {"version": [7, 5], "argv": ["smartctl", "--json", "-x"], "exit_status": 0},
    "device": {"name": "/dev/sda", "protocol": "ATA"},
    "model_name": "FLASHSCOPE TEST 128",
    "firmware_version": "T1.0",
    "user_capacity": {"bytes": 128035676160},
    "rotation_rate": 0,
    "local_time": {"time_t": 1764374349, "asctime": "Fri Nov 28 23:59:09 2025 UTC"},
    "ata_smart_attributes": {
        "revision": 16,
        "table": [
            {
                "id": 5,
                "name": "Reallocated_Sector_Ct",
                "value": 100,
                "worst": 99,
                "thresh": 10,
                "when_failed": "past",
                "flags": {"value": 51},
                "raw": {"value": 852, "string": "852"},
            },
            {"id": 187, "name": "All_Ones", "value": 100, "worst": 100, "raw": {"value": 281474976710655}},
        ],
    },
    "ata_device_statistics": {
        "pages": [
            {
                "number": 1,
                "table": [
                    {"offset": 24, "name": "Logical Sectors Written", "value": 29682857185, "flags": {"valid": True}},
                    {"offset": 32, "name": "Not Valid", "flags": {"valid": False}},
                ],
            },
            {"number": 7, "table": [{"offset": 8, "value": 1, "flags": {"valid": True, "normalized": True}}]},
        ]
    },
    "endurance_used": {"current_percent": 1},
    "spare_available": {"current_percent": 99, "threshold_percent": 10},
    "ata_smart_error_log": {"extended": {"count": 7}, "summary": {"count": 5}},
    "ata_sct_status": {"temperature": {"current": 33, "lifetime_max": 45}},
}


def read(document: Any) -> Dump:
    return read_dump(json.dumps(document).encode(), "test")


def test_every_part_of_a_document_finds_its_place() -> None:
    dump = read(DOCUMENT)
    assert [(a.id, a.flags, a.value, a.worst, a.raw.hex()) for a in dump.attributes] == [
        (5, 51, 100, 99, "540300000000"),
        (187, 0, 100, 100, "ffffffffffff"),
    ]
    assert (dump.printed[5].threshold, dump.printed[5].when_failed, dump.printed[5].pre_failure) == (10, "past", True)
    assert dump.printed[187].threshold is None
    assert dump.statistic(1, 24) == 29682857185
    assert [one.value for one in dump.statistics] == [29682857185, None, 1]
    assert dump.statistics[2].normalized
    assert dump.vendor_logs["smartctl"] == {
        "endurance_used_percent": 1,
        "spare_available_percent": 99,
        "spare_threshold_percent": 10,
        "ata_error_count": 7,
    }
    assert dump.vendor_logs["sct"] == {"temperature_celsius": 33, "lifetime_temperature_max_celsius": 45}
    assert (dump.taken_at_s, dump.rotation_rpm, dump.unread) == (1764374349, 0, ())


@pytest.mark.parametrize("form", ["array", "lines", "greppable", "UTF-16"])
def test_other_ways_to_write_the_document_read_the_same(form: str) -> None:
    text = json.dumps(DOCUMENT)
    greppable = "\n".join(greppable_lines("json", DOCUMENT))
    data = {
        "array": f"[{text}]".encode(),
        "lines": f"{text}\n{text}\n".encode(),
        "greppable": greppable.encode(),
        "UTF-16": text.encode("utf-16"),
    }[form]
    dump = read_dump(data, "test")
    assert dump.attributes == read(DOCUMENT).attributes
    assert dump.statistics == read(DOCUMENT).statistics
    assert len(read_dumps(data, "test")) == (2 if form == "lines" else 1)


def greppable_lines(path: str, node: Any) -> list[str]:
    """As `smartctl --json=g` writes it."""
    if isinstance(node, dict):
        return [f"{path} = {{}};"] + [
            line for key, one in node.items() for line in greppable_lines(f"{path}.{key}", one)
        ]
    if isinstance(node, list):
        return [f"{path} = [];"] + [
            line for index, one in enumerate(node) for line in greppable_lines(f"{path}[{index}]", one)
        ]
    return [f"{path} = {json.dumps(node)};"]


def test_cut_anywhere_a_document_gives_only_what_is_whole() -> None:
    text, whole = json.dumps(DOCUMENT, indent=1), read(DOCUMENT)
    most = 0
    for length in range(len(text)):
        try:
            part = read_dump(text[:length].encode(), "test")
        except WrongUse:
            continue
        assert set(part.attributes) <= set(whole.attributes)
        assert set(part.statistics) <= set(whole.statistics)
        assert any("cut off" in remark for remark in part.remarks)
        most = max(most, len(part.attributes))
    assert most == 2


def test_the_exit_status_is_said_in_words() -> None:
    remarks = read(DOCUMENT | {"smartctl": {"exit_status": 0b11001100}}).remarks
    assert remarks == (
        "a SMART command failed or a checksum was wrong",
        "the drive says it is failing",
        "the error log holds errors",
        "the self-test log holds errors",
    )


def test_nvme_health_is_given_in_nvme_clis_names_and_kelvin() -> None:
    document = {
        "smartctl": {},
        "device": {"protocol": "NVMe"},
        "nvme_total_capacity": 512110190592,
        "nvme_smart_health_information_log": {
            "temperature": 29,
            "available_spare": 100,
            "percentage_used": 3,
            "host_reads": 5,
            "data_units_written": 9007199254740992,
            "data_units_written_s": "9007199254740993",
            "temperature_sensors": [30, None, 31],
            "something_new": 4,
        },
    }
    dump = read(document)
    assert dump.nvme_health == {
        "temperature": 302,
        "avail_spare": 100,
        "percent_used": 3,
        "host_read_commands": 5,
        "data_units_written": 9007199254740993,
        "temperature_sensor_1": 303,
        "temperature_sensor_3": 304,
    }
    assert dump.unread == ("NVMe health something_new: 4",)


def test_a_key_with_numbers_that_is_not_known_is_kept_as_unread() -> None:
    assert read(DOCUMENT | {"wear_of_tomorrow": {"percent": [3]}}).unread == ('wear_of_tomorrow: {"percent": [3]}',)


def test_jmicrons_big_endian_presets_are_undone() -> None:
    rows = [
        (229, 0x00ECD755B678ECD7, "0x00ecd755b678ecd7"),
        (232, 0x3039303131380802, "0x3039303131380802"),
        (234, 5478 << 24 | 5662, "5478/5662"),
        (235, 16344 << 24 | 1056, "16344/1056"),
    ]
    table = [
        {"id": id, "value": 100, "worst": raw >> 56 if raw >> 48 else raw >> 40, "raw": {"value": raw, "string": text}}
        for id, raw, text in rows
    ]
    dump = read({"smartctl": {}, "ata_smart_attributes": {"table": table}})
    assert [(one.worst, one.raw.hex()) for one in dump.attributes] == [
        (0x00, "ecd755b678ec"),
        (0x30, "393031313808"),
        (0x00, "156600161e00"),
        (0x00, "3fd804200000"),
    ]


def test_an_attribute_in_an_unknown_byte_order_or_not_whole_is_unread_and_said() -> None:
    rows = [
        {"id": 9, "value": 99, "worst": 99, "raw": {"value": 1 << 60}},
        {"id": 12, "value": 99},
        {"id": 5, "value": 1, "worst": 1, "raw": {"value": 3}},
    ]
    dump = read({"smartctl": {}, "ata_smart_attributes": {"table": rows}})
    assert [one.id for one in dump.attributes] == [5]
    assert len(dump.unread) == 2
    assert any("attribute 9 is printed as" in remark for remark in dump.remarks)


def test_json_of_another_program_is_refused() -> None:
    with pytest.raises(WrongUse, match="not of SMART"):
        read({"blockdevices": [{"name": "sda", "size": 5}]})
