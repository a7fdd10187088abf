"""Readings made by hand: fields by key, with units by the key's last word, each exact unless told otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypedDict, Unpack

from flashscope.records.smart_snapshot import SmartAttribute
from flashscope.smart.decoding.health import complete
from flashscope.smart.decoding.reading import Field, Reading
from flashscope.smart.dump import Dump, PrintedAttribute, Statistic

_UNITS = {"bytes": "bytes", "hours": "hours", "percent": "per cent", "celsius": "degrees Celsius", "cycles": "cycles"}
_UNIT_OF = {"error_bits": "bits", "bad_block_table_full": "flag", "write_protect_flag": "flag", "rber": "ratio"}


class DumpParts(TypedDict, total=False):
    """What a test may say of a dump."""

    source: str
    format: str
    protocol: str
    model: str
    firmware: str
    serial: str
    user_bytes: int | None
    rotation_rpm: int | None
    taken_at_s: float | None
    attributes: tuple[SmartAttribute, ...]
    printed: Mapping[int, PrintedAttribute]
    statistics: tuple[Statistic, ...]
    nvme_health: Mapping[str, int]
    vendor_logs: Mapping[str, Mapping[str, int]]
    pages: Mapping[str, bytes]
    remarks: tuple[str, ...]
    unread: tuple[str, ...]
    wwn: str
    cut: str


class FieldParts(TypedDict, total=False):
    """What a test may say of a field beside its key and value."""

    raw: int | None
    origin: str
    attribute_id: int | None


def field(key: str, value: float, *, width: float = 0, **changes: Unpack[FieldParts]) -> Field:
    unit = _UNIT_OF.get(key) or _UNITS.get(key.rsplit("_", 1)[-1], "count")
    if key.startswith("erase_count"):
        unit = "cycles"
    raw = value if isinstance(value, int) else None
    made = Field(key, value, unit, f"what {key} means", "verified", value, value + width, raw, "attribute 200", 200)
    return replace(made, **changes)


def reading(family: str = "indilinx", /, **values: float) -> Reading:
    fields = {key: field(key, value) for key, value in values.items()}
    return Reading(family, family.title(), True, 0.97, ("made by hand",), fields)


def dump(**changes: Unpack[DumpParts]) -> Dump:
    made = Dump("made by hand", "test", protocol="ATA", model="A DRIVE", user_bytes=64_023_257_088, rotation_rpm=0)
    return replace(made, **changes)


def completed(family: str = "indilinx", at: Dump | None = None, /, **values: float) -> Reading:
    return complete(reading(family, **values), at or dump())


def statistics(**sectors: int) -> tuple[Statistic, ...]:
    places = {"written": 0x18, "read": 0x28, "hours": 0x10}
    return tuple(Statistic(1, places[name], value) for name, value in sectors.items())


def attribute(number: int, raw: int) -> SmartAttribute:
    return SmartAttribute(number, 0, 100, 100, raw.to_bytes(6, "little"))
