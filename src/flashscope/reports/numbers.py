"""Numbers as people say them, each with its exact value beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from flashscope import units


@dataclass(frozen=True)
class Said:
    """A number for a reader. text: as people say it. exact: as it was recorded, with its unit."""

    text: str
    exact: str


def say(value: Any, unit: str, *, key: str = "") -> Said:
    """A recorded value [unit] for a reader.

    Bytes are said in powers of 1000, as capacities are sold and as rates count; a whole number of sectors below
    1 MiB (a request, a page, a unit) in powers of 1024.
    key: the finding's key; it tells an attribute's number or a write amplification from a plain count or ratio.
    """
    if value is None:
        return Said("not found", "no value")
    if isinstance(value, bool):
        return Said("yes" if value else "no", str(value).lower())
    if not isinstance(value, int | float):
        return Said(str(value), str(value))
    if isinstance(value, float) and not math.isfinite(value):
        return Said("unknown", str(value))
    exact = f"{plain(value)} {unit}".strip()
    if unit == "bytes" and value >= 2**20:
        exact += f" ({units.format_bytes_binary(value)})"
    return Said(_text(value, unit, key), exact)


def plain(value: float) -> str:
    """All digits that were recorded, thousands set apart: 129922760704 -> "129 922 760 704"."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.8g}"
    return f"{int(value):,}".replace(",", "\u202f")


def _text(value: float, unit: str, key: str) -> str:
    if key.endswith("_attribute") and float(value).is_integer():
        return f"{int(value)} (0x{int(value):02X})"
    if key.startswith("write_amplification"):
        return f"{value:.3g} ×"
    match unit:
        case "bytes":
            small = value < 2**20 and value % 512 == 0
            return units.format_bytes_binary(value) if small else units.format_bytes(value)
        case "bytes/s" | "bytes per second" | "bytes_per_second":
            return units.format_rate(value)
        case "ns":
            return units.format_time(value).replace(" us", " µs")
        case "ratio":
            return units.format_percent(value)
        case "count" | "":
            return units.format_count(value)
        case _:
            return f"{units.format_count(value)} {unit}"
