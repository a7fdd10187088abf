"""A dump in the shape of `smartctl --json --xall --presets=ignore`, so that other programs can read it.

It states that flashscope wrote it. Not written, since smartctl has no place for them: OCP and vendor logs, pages, of
SCSI the non-medium errors and the counts of self-tests and scan results, `unread`, where it was cut off, world wide
names with digits blanked. Nothing is interpreted, so `power_on_time` and `temperature` are written only where the dump
states them directly (NVMe health, Device Statistics, or a dump that was smartctl's before).
"""

from __future__ import annotations

import json
import time
from typing import Any

from flashscope.smart.dump import Dump, Statistic
from flashscope.smart.readers.nvme_names import KELVIN_OF_0_CELSIUS, SENSOR_COUNT, TO_SMARTCTL
from flashscope.smart.readers.scsi.names import COUNTERS, JSON_PLACES, KINDS, PHY_ERRORS, START_STOP

_FLAGS = ("prefailure", "updated_online", "performance", "error_rate", "event_count", "auto_keep")
_LETTERS = "POSRCK"
_SECTOR_BYTES = 512
_PAGES = {
    1: "General Statistics",
    2: "Free-Fall Statistics",
    3: "Rotating Media Statistics",
    4: "General Errors Statistics",
    5: "Temperature Statistics",
    6: "Transport Statistics",
    7: "Solid State Device Statistics",
}
_WORKED_OUT = {
    "power_cycle_count": ("power_cycle_count",),
    "temperature_celsius": ("temperature", "current"),
    "endurance_used_percent": ("endurance_used", "current_percent"),
    "spare_available_percent": ("spare_available", "current_percent"),
    "spare_threshold_percent": ("spare_available", "threshold_percent"),
    "power_on_time_hours": ("power_on_time", "hours"),
    "power_on_time_minutes_more": ("power_on_time", "minutes"),
    "ata_error_count": ("ata_smart_error_log", "summary", "count"),
    "self_test_failed_count": ("ata_smart_self_test_log", "standard", "error_count_total"),
    "pending_defect_count": ("ata_pending_defects_log", "count"),
}


def as_smartctl_json(dump: Dump) -> dict[str, Any]:
    """The dump as the document that smartctl would print of it."""
    document: dict[str, Any] = {
        "json_format_version": [1, 0],
        "smartctl": {
            "version": [7, 4],
            "argv": ["smartctl", "--json", "--xall", "--presets=ignore", dump.source],
            "messages": [{"string": "written by flashscope, not by smartctl", "severity": "information"}],
            "exit_status": 0,
        },
        "device": {"name": dump.source, "info_name": dump.source, "type": _type(dump), "protocol": dump.protocol},
    }
    for key, told in (
        ("model_family", dump.family_printed),
        ("scsi_model_name" if dump.protocol == "SCSI" else "model_name", dump.model),
        ("serial_number", dump.serial),
        ("scsi_revision" if dump.protocol == "SCSI" else "firmware_version", dump.firmware),
    ):
        if told:
            document[key] = told
    if dump.wwn:
        _world_wide_name(dump, document)
    if dump.user_bytes is not None:
        document["user_capacity"] = {"blocks": dump.user_bytes // _SECTOR_BYTES, "bytes": dump.user_bytes}
    if dump.rotation_rpm is not None:
        document["rotation_rate"] = dump.rotation_rpm
    if dump.taken_at_s is not None:
        document["local_time"] = _time(dump.taken_at_s)
    if dump.attributes:
        document["ata_smart_attributes"] = {"revision": 1, "table": _attributes(dump)}
    if dump.statistics:
        document["ata_device_statistics"] = {"pages": _statistics(dump.statistics)}
    if dump.nvme_health:
        _nvme(dump, document)
    _logs(dump, document)
    return document


def smartctl_json_text(dump: Dump) -> str:
    """The document as text, ending in a line break."""
    return json.dumps(as_smartctl_json(dump), indent=2, ensure_ascii=False) + "\n"


def _world_wide_name(dump: Dump, document: dict[str, Any]) -> None:
    """The name in parts, when all digits are known; a SCSI name is kept unchanged."""
    parts = dump.wwn.split(" ")
    try:
        numbers = [int(part, 16) for part in parts]
    except ValueError:
        return
    if dump.protocol == "SCSI" or len(parts) == 1:
        document["logical_unit_id"] = dump.wwn
    elif len(parts) == 3:
        document["wwn"] = dict(zip(("naa", "oui", "id"), numbers, strict=True))
    elif len(parts) == 2:
        document["nvme_namespaces"] = [{"id": 1, "eui64": dict(zip(("oui", "ext_id"), numbers, strict=True))}]


def _type(dump: Dump) -> str:
    return {"NVMe": "nvme", "SCSI": "scsi"}.get(dump.protocol, "sat")


def _time(taken_at_s: float) -> dict[str, Any]:
    moment = time.gmtime(taken_at_s)
    return {"time_t": int(taken_at_s), "asctime": f"{time.asctime(moment)} UTC"}


def _attributes(dump: Dump) -> list[dict[str, Any]]:
    rows = []
    for one in dump.attributes:
        printed = dump.printed.get(one.id)
        number = int.from_bytes(one.raw, "little")
        row: dict[str, Any] = {
            "id": one.id,
            "name": one.name or "Unknown_Attribute",
            "value": one.value,
            "worst": one.worst,
        }
        if printed and printed.threshold is not None:
            row["thresh"] = printed.threshold
        row["when_failed"] = printed.when_failed if printed else ""
        letters = "".join(letter if one.flags >> bit & 1 else "-" for bit, letter in enumerate(_LETTERS))
        row["flags"] = {
            "value": one.flags,
            "string": f"{letters}{'+' if one.flags >> len(_LETTERS) else ' '}",
            **{name: bool(one.flags >> bit & 1) for bit, name in enumerate(_FLAGS)},
        }
        row["raw"] = {"value": number, "string": printed.raw_text if printed and printed.raw_text else str(number)}
        rows.append(row)
    return rows


def _statistics(statistics: tuple[Statistic, ...]) -> list[dict[str, Any]]:
    pages: dict[int, list[dict[str, Any]]] = {}
    for one in statistics:
        entry: dict[str, Any] = {"offset": one.offset_bytes, "name": one.name, "size": 4}
        if one.value is not None:
            entry["value"] = one.value
        valid = one.value is not None
        entry["flags"] = {
            "value": 0x80 | valid << 6 | one.normalized << 5,
            "string": f"{'V' if valid else '-'}{'N' if one.normalized else '-'}-- ",
            "valid": valid,
            "normalized": one.normalized,
            "supports_dsn": False,
            "monitored_condition_met": False,
        }
        pages.setdefault(one.page, []).append(entry)
    return [
        {"number": number, "name": _PAGES.get(number, f"Page {number:#04x}"), "revision": 1, "table": table}
        for number, table in pages.items()
    ]


def _nvme(dump: Dump, document: dict[str, Any]) -> None:
    log: dict[str, Any] = {}
    sensors: list[int | None] = [None] * SENSOR_COUNT
    for name, value in dump.nvme_health.items():
        if name.startswith("temperature_sensor_"):
            sensors[int(name[-1]) - 1] = value - KELVIN_OF_0_CELSIUS
        else:
            log[TO_SMARTCTL.get(name, name)] = value - KELVIN_OF_0_CELSIUS if name == "temperature" else value
    while sensors and sensors[-1] is None:
        sensors.pop()
    if sensors:
        log["temperature_sensors"] = sensors
    document["nvme_smart_health_information_log"] = log
    if "power_on_hours" in log:
        document["power_on_time"] = {"hours": log["power_on_hours"]}
    if "power_cycles" in log:
        document["power_cycle_count"] = log["power_cycles"]
    if "temperature" in log:
        document["temperature"] = {"current": log["temperature"]}


def _logs(dump: Dump, document: dict[str, Any]) -> None:
    for name, value in dump.vendor_logs.get("smartctl", {}).items():
        if name == "smart_passed":
            document.setdefault("smart_status", {})["passed"] = bool(value)
        elif name == "self_test_newest_failed":
            newest = {"type": {"string": "Extended offline"}, "status": {"passed": not value}}
            document.setdefault("ata_smart_self_test_log", {}).setdefault("standard", {})["table"] = [newest]
        elif name in _WORKED_OUT:
            *path, last = _WORKED_OUT[name]
            here = document
            for key in path:
                here = here.setdefault(key, {})
            here[last] = value
    if hours := dump.statistic(1, 0x10):
        document.setdefault("power_on_time", {"hours": hours})
    if phy := dump.vendor_logs.get("sata_phy"):
        table = [{"id": int(name[6:10], 16), "value": value} for name, value in phy.items()]
        document["sata_phy_event_counters"] = {"table": table, "reset": False}
    if sct := dump.vendor_logs.get("sct"):
        names = {"temperature_celsius": "current"}
        table_of = {
            names.get(name, name.removesuffix("_celsius").replace("_temperature", "")): sct[name] for name in sct
        }
        document["ata_sct_status"] = {"temperature": table_of}
    if scsi := dump.vendor_logs.get("scsi"):
        _scsi(scsi, document)


_SCSI_PLACES = {
    **JSON_PLACES,
    "temperature_celsius": ("temperature", "current"),
    "temperature_trip_celsius": ("temperature", "drive_trip"),
    "environment_temperature_celsius": ("scsi_environmental_reports", "temperature_1", "current"),
    "lifetime_maximum_temperature_celsius": ("scsi_environmental_reports", "temperature_1", "lifetime_maximum"),
    "lifetime_minimum_temperature_celsius": ("scsi_environmental_reports", "temperature_1", "lifetime_minimum"),
    "health_asc": ("smart_status", "scsi", "asc"),
    "health_ascq": ("smart_status", "scsi", "ascq"),
    **{f"phys_{name}": ("scsi_sas_port_0", "phy_0", name) for name in PHY_ERRORS},
    **{name: ("scsi_start_stop_cycle_counter", name) for name in START_STOP},
}


def _scsi(scsi: Any, document: dict[str, Any]) -> None:
    for name, value in scsi.items():
        kind, _, counter = name.partition("_")
        if kind in KINDS and counter in COUNTERS:
            counters = document.setdefault("scsi_error_counter_log", {}).setdefault(kind, {})
            if counter == "processed_bytes":
                counters["gigabytes_processed"] = f"{value // 10**9}.{value // 10**6 % 1000:03d}"
            else:
                counters[counter] = value
        elif name == "power_on_time_minutes":
            document["power_on_time"] = {"hours": value // 60, "minutes": value % 60}
        elif path := _SCSI_PLACES.get(name):
            here = document
            for key in path[:-1]:
                here = here.setdefault(key, {})
            here[path[-1]] = value
