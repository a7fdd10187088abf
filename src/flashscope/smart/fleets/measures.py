"""The measures by which drives of one model are compared: a number, its scale, and which side is unusual."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

Number = int | float
Values = Mapping[str, Number]


@dataclass(frozen=True)
class Measure:
    """unit: for people and programs. scale: "linear" compares differences, "log" factors (of the number plus one).

    least: a smaller difference, or factor, is never an outlier, however alike the others are. side: whether high, low
    or both are outliers. by_family: healthy drives of one family have about the same, whatever their model and use.
    of: computes it from a drive's values; None: it is the field `key`.
    """

    key: str
    title: str
    unit: str
    scale: Literal["linear", "log"]
    least: float
    side: Literal["high", "low", "both"]
    of: Callable[[Values], Number | None] | None = None
    by_family: bool = False

    def number(self, values: Values) -> Number | None:
        """The number of a drive; None when the drive does not report it."""
        return values.get(self.key) if self.of is None else self.of(values)


def life_used_percent(values: Values) -> Number | None:
    """Rated life used: what the one life of the reading leaves; past the rating, the furthest that a number says."""
    left = values.get("remaining_life_ratio")
    if left is not None and left > 0:
        return 100 * (1 - left)
    average, rated = values.get("erase_count_average"), values.get("rated_pe_cycles")
    by_erases = 100 * average / rated if average is not None and rated else None
    told = [by_erases, *(values.get(key) for key in ("endurance_used_percent", "life_used_percent"))]
    if left is not None:
        return max(100, *(one for one in told if one is not None), 100)
    return next((one for one in told if one is not None), None)


def _first(values: Values, *keys: str) -> Number | None:
    return next((values[key] for key in keys if key in values), None)


def _largest(values: Values, *keys: str) -> Number | None:
    return max((values[key] for key in keys if key in values), default=None)


def _bad_blocks(values: Values) -> Number | None:
    by_cause = [values[f"{cause}_failure_block_count"] for cause in ("program", "erase", "read")
                if f"{cause}_failure_block_count" in values]  # fmt: skip
    told = _first(values, "grown_bad_block_count", "retired_block_count", "reallocated_sector_count")
    return told if told is not None or not by_cause else sum(by_cause)


def _uncorrectable(values: Values) -> Number | None:
    return _largest(values, "uncorrectable_error_count", "media_error_count")


MEASURES: tuple[Measure, ...] = (
    Measure("life_used_percent", "life used", "percent", "linear", 10, "both", life_used_percent),
    Measure("write_amplification", "write amplification", "ratio", "log", 1.5, "both"),
    Measure("erase_count_average", "erases, average", "cycles", "log", 2, "both"),
    Measure("erase_count_max", "erases, most", "cycles", "log", 2, "high"),
    Measure("spare_left_percent", "spare left", "percent", "linear", 5, "low", by_family=True),
    Measure("grown_bad_block_count", "grown bad blocks", "count", "linear", 5, "high", _bad_blocks, by_family=True),
    Measure(
        "uncorrectable_error_count",
        "uncorrectable errors",
        "count",
        "linear",
        1,
        "high",
        _uncorrectable,
        by_family=True,
    ),
    Measure("link_crc_error_count", "link errors", "count", "linear", 10, "high", by_family=True),
    Measure("rber", "wrong bits per bit", "ratio", "linear", 1e-6, "high", by_family=True),
    Measure("power_on_time_hours", "power-on time", "hours", "linear", 2000, "both"),
    Measure("host_written_bytes", "host written", "bytes", "log", 4, "both"),
)
