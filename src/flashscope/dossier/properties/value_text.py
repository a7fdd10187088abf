"""Values of properties as people say them, short enough for a table: "16 KiB", "59.2 MB/s", "32 x", "90 %".

A range of two values of one unit has the unit once: "30.5-34.4 MiB".
"""

from __future__ import annotations

import math
from collections.abc import Callable

from flashscope import units

Say = Callable[[float], str]


def memory(value: float) -> str:
    """Bytes of something that is built in powers of two: a unit, a buffer."""
    return units.format_bytes_binary(value)


def size(value: float) -> str:
    """Bytes as capacities are advertised."""
    return units.format_bytes(value)


def rate(value: float) -> str:
    """Bytes per second."""
    return units.format_rate(value)


def time(value_ns: float) -> str:
    """A duration [ns]."""
    return units.format_time(value_ns)


def after(value_ns: float) -> str:
    """A duration after which something is so [ns]; 0 for one that needs no waiting."""
    return units.format_time(value_ns) if value_ns else "at once"


def recovery(value_ns: float) -> str:
    """A rest after which a drive is fast again [ns]; 0 for one that did not become slow."""
    return units.format_time(value_ns) if value_ns else "not needed"


def seconds(value_s: float) -> str:
    """A duration [s]."""
    return units.format_time(value_s * 1e9)


def percent(value_ratio: float) -> str:
    """A share of 0..1."""
    return units.format_percent(value_ratio)


def times(value: float) -> str:
    """A factor."""
    return f"{units.format_number(value)} x"


def count(value: float) -> str:
    """A number of things."""
    return units.format_count(value)


def per_hour(value: float) -> str:
    """How often in an hour."""
    return f"{units.format_number(value)} an hour"


def share(value_ratio: float) -> str:
    """A very small share: "1.8 × 10⁻⁸"."""
    return units.format_number(value_ratio)


def attribute(value: float) -> str:
    """The number of a SMART attribute."""
    return f"{int(value)} (0x{int(value):02X})"


def span(low: float | None, high: float | None, say: Say) -> str:
    """Both ends of an interval, the unit once when they share it; "" without an interval, or with a point."""
    if low is None or high is None or not math.isfinite(low):
        return ""
    if not math.isfinite(high):
        return f"over {say(low)}"
    first, last = say(low), say(high)
    if first == last:
        return ""
    number, _, unit = first.partition(" ")  # the numbers of `units` have no ordinary space
    if unit and last.endswith(f" {unit}"):
        first = number
    return f"{first} to {last}" if low < 0 else f"{first}-{last}"
