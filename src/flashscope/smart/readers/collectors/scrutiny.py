"""What Scrutiny keeps in InfluxDB: one point for each reading of a drive, measurement `smart`.

    tags     device_protocol; device_wwn (to 2025) or scrutiny_uuid
    fields   temp, power_on_hours, power_cycle_count; attr.ID.value, .worst, .thresh, .raw_value, .when_failed (ATA);
             attr.NAME.value, .thresh (NVMe and SCSI, by smartctl's names)

Of each drive the newest point is a dump. Model, serial number and capacity are not in InfluxDB, so a drive is known by
its world wide name or Scrutiny's own number. Scrutiny writes 0 where smartctl says nothing: 0 hours and power cycles
are not taken. It keeps neither flags, so no attribute is known to be a sign of failure, nor the self-assessment.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from flashscope.errors import WrongUse
from flashscope.smart.dump import Dump
from flashscope.smart.readers.collectors.influx import Point, points_of
from flashscope.smart.readers.collectors.rebuilt import FORMAT_SCRUTINY, attribute_row, dump_of

MEASUREMENT = "smart"
_LOOKS = re.compile(
    r"^smart,[^\n]*(?:device_wwn|scrutiny_uuid)=|(?:^|[,\n])(?:device_wwn|scrutiny_uuid)(?:[,\r\n]|$)", re.M
)
_FIELD = re.compile(r"attr\.([\w-]+)\.(\w+)")
_ATA_FAILED = {"failing_now": "now", "now": "now", "in_the_past": "past", "past": "past"}
_OF_ALL = {"temp": ("temperature", "current"), "power_on_hours": ("power_on_time", "hours")}


def looks_like_scrutiny(text: str) -> bool:
    """Whether a text is an export of Scrutiny's data."""
    return "attr." in text and _LOOKS.search(text) is not None


def read_scrutiny(text: str, source: str) -> tuple[Dump, ...]:
    """A dump of the newest reading of each drive. Raises WrongUse when there is none."""
    points, broken = points_of(text)
    by_drive: dict[str, list[Point]] = {}
    for point in points:
        drive = point.tags.get("device_wwn") or point.tags.get("scrutiny_uuid")
        if point.measurement in (MEASUREMENT, "") and drive and any(name.startswith("attr.") for name in point.fields):
            by_drive.setdefault(drive, []).append(point)
    if not by_drive:
        raise WrongUse(
            f"{source} has data of Scrutiny, but no reading of a drive",
            accepted="an export of the measurement `smart` with its fields attr.ID.value",
        )
    return tuple(_newest(drive, readings, source, broken) for drive, readings in sorted(by_drive.items()))


def _newest(drive: str, readings: list[Point], source: str, broken: int) -> Dump:
    newest = max(readings, key=lambda one: one.taken_at_s or 0)
    remarks = ["the data of Scrutiny name neither model nor serial number, and have no self-assessment"]
    if len(readings) > 1:
        remarks.append(f"the newest of {len(readings)} readings")
    if broken:
        remarks.append(f"{broken} lines of the export are not whole")
    dump = dump_of(_document(newest), f"{source} ({drive})", FORMAT_SCRUTINY, newest.taken_at_s, remarks)
    by_name = "device_wwn" in newest.tags
    return replace(dump, wwn=drive if by_name else "", serial="" if by_name else drive)


def _document(point: Point) -> dict[str, Any]:
    protocol = point.tags.get("device_protocol", "")
    document: dict[str, Any] = {"device": {"protocol": protocol}}
    for name, (key, inner) in _OF_ALL.items():
        if isinstance(value := point.fields.get(name), int) and value > 0:
            document[key] = {inner: value}
    if isinstance(cycles := point.fields.get("power_cycle_count"), int) and cycles > 0:
        document["power_cycle_count"] = cycles
    attributes: dict[str, dict[str, int | str]] = {}
    for name, value in point.fields.items():
        if found := _FIELD.fullmatch(name):
            attributes.setdefault(found[1], {})[found[2]] = value
    if protocol == "NVMe":
        log = {name: told["value"] for name, told in attributes.items() if isinstance(told.get("value"), int)}
        spare = attributes.get("available_spare", {}).get("thresh")
        if isinstance(spare, int) and spare >= 0:
            log["available_spare_threshold"] = spare
        document["nvme_smart_health_information_log"] = log
    elif protocol == "SCSI":
        _scsi(document, attributes)
    else:
        rows = [_row(int(id), told) for id, told in attributes.items() if id.isascii() and id.isdigit() and len(id) < 4]
        document["ata_smart_attributes"] = {"table": sorted(rows, key=lambda one: int(one["id"]))}
    return document


def _row(id: int, told: dict[str, int | str]) -> dict[str, Any]:
    def number(name: str) -> int | None:
        return value if isinstance(value := told.get(name), int) else None

    kept = told.get("when_failed")
    failed = _ATA_FAILED.get(kept.strip().lower(), "") if isinstance(kept, str) else None
    return attribute_row(
        id, number("value"), number("worst"), number("thresh"), number("raw_value"), when_failed=failed or None
    )


def _scsi(document: dict[str, Any], attributes: dict[str, dict[str, int | str]]) -> None:
    for name, told in attributes.items():
        value = told.get("value")
        if not isinstance(value, int):
            continue
        side, _, counter = name.partition("_")
        if name == "scsi_grown_defect_list":
            document[name] = value
        elif side in ("read", "write"):
            document.setdefault("scsi_error_counter_log", {}).setdefault(side, {})[counter] = value
