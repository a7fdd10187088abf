"""Counters that should only grow: the possible causes when one falls.

    5  6  6  9 ...                     grows
    5  6  900000  7                    the middle reading was bad: "reading doubted"
    4294967290  12                     wrapped at 2^32: "counter wrapped", 18 more
    4212  3                            started again: "counter reset", a new epoch; before it 4212 was counted
    351.2  350.9 (average erase count) an average may dip a little: nothing

A fall from the top 16th of 32 or 48 bits to the bottom 16th counts as a wrap. Between samples that are far apart, a
counter of bytes or commands may end anywhere: there a fall is a wrap when the growth would fit the rate before.
Everything else is a reset. Where the unit of a counter of bytes is inferred from each dump, raw numbers are compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from flashscope.smart.watching.sample import Number, Value

COUNTERS = frozenset(
    (
        "host_written_bytes",
        "host_read_bytes",
        "nand_written_bytes",
        "nand_read_bytes",
        "host_write_commands",
        "host_read_commands",
        "erase_count_average",
        "erase_count_min",
        "erase_count_max",
        "erase_count_total",
        "slc_erase_count_average",
        "slc_erase_count_min",
        "slc_erase_count_max",
        "grown_bad_block_count",
        "program_failure_block_count",
        "erase_failure_block_count",
        "read_failure_block_count",
        "retired_block_count",
        "reallocated_sector_count",
        "uncorrectable_error_count",
        "corrected_read_count",
        "error_bits",
        "raid_recovery_count",
        "panic_count",
        "end_to_end_error_count",
        "link_crc_error_count",
        "command_timeout_count",
        "power_on_time_hours",
        "power_cycle_count",
        "unexpected_power_loss_count",
        "trim_count",
        "throttle_count",
        "controller_busy_time_minutes",
        "media_error_count",
        "error_log_entry_count",
        "spin_up_count",
        "start_stop_count",
        "load_cycle_count",
        "head_flying_time_hours",
    )
)
"""Field keys that only grow on a healthy drive. soft_ecc_error_count and ecc_error_count are not here: some
families restart them at every power-on."""

MAY_DIP_RATIO = 0.02
"""Averages and minima over blocks fall when worn blocks are retired; by less than this it is no reset."""

_WIDTHS_BITS = (32, 48)
_EDGE = 16  # a wrap begins in the top 16th of the range and ends in the bottom 16th
_PACE_FACTOR = 4
_UNIT_DIFFERS_RATIO = 0.01
_ALL_ONES = frozenset((1 << bits) - 1 for bits in (16, 24, 32, 48, 56, 64))

Kind = Literal["grows", "doubted", "wrapped", "reset", "dips"]


@dataclass(frozen=True)
class Point:
    """total: growth since the first reading, wraps counted, growth hidden by a reset not counted. epoch: from 0."""

    total: Number
    epoch: int


def is_placeholder(value: Value) -> bool:
    """Whether the raw number is all ones: drives write that when they have no value."""
    return value.raw in _ALL_ONES


def comparable(before: Value, after: Value) -> bool:
    """Whether two readings of a field are the same number: another origin or unit comes from another table."""
    return before.origin == after.origin and before.unit == after.unit


def step(
    before: Value, after: Value, key: str, earlier: Value | None = None, times_s: tuple[float, float] = (0.0, 0.0)
) -> tuple[Kind, Number]:
    """How a counter changed from one reading to the next, and by how much it grew [in its unit].

    earlier: the reading before `before`; with it, a bad reading is distinguished from a reset. times_s: from
    `earlier` to `before`, and from `before` to `after`; 0 where it is not known.
    """
    if (grown := _grown_by_raw(before, after, key)) is not None:
        return "grows", grown
    if after.value >= before.value:
        return "grows", after.value - before.value
    round_at_pace = _round_at_pace(before, after, key, earlier, times_s)
    if round_at_pace is not None:
        return "wrapped", round_at_pace
    if earlier is not None and comparable(earlier, after) and earlier.value <= after.value:
        return "doubted", after.value - earlier.value
    if key.rpartition("erase_count_")[2] in ("average", "min", "max") and (
        before.value - after.value <= max(2, MAY_DIP_RATIO * before.value)
    ):
        return "dips", 0
    for bits, raw_before, raw_after, growth in _ways_round(before, after):
        edge = (1 << bits) // _EDGE
        if raw_before >= (1 << bits) - edge and raw_after < edge:
            return "wrapped", growth
    return "reset", 0


def _ways_round(before: Value, after: Value) -> Iterator[tuple[int, int, int, Number]]:
    """(bits, raw before, raw after, growth) for each width at which the counter could have wrapped."""
    scale = _scale(before, after)
    if scale is None:
        return
    raw_before, raw_after = round(before.value / scale), round(after.value / scale)
    for bits in _WIDTHS_BITS:
        if raw_before < 1 << bits:
            yield bits, raw_before, raw_after, (raw_after + (1 << bits) - raw_before) * scale


def _round_at_pace(
    before: Value, after: Value, key: str, earlier: Value | None, times_s: tuple[float, float]
) -> Number | None:
    """The growth of a counter of bytes or commands that wrapped between samples far apart; None when it did not.

    Counters of errors are left out: none gets near 2^32, and one bad reading would look like a wrap.
    """
    if not key.endswith(("_bytes", "_commands")) or earlier is None or not comparable(earlier, before):
        return None
    before_s, after_s = times_s
    if before_s <= 0 or after_s <= 0 or before.value <= earlier.value:
        return None
    due = (before.value - earlier.value) * after_s / before_s
    fits = (growth for *_, growth in _ways_round(before, after) if due / _PACE_FACTOR <= growth <= due * _PACE_FACTOR)
    return next(fits, None)


def _grown_by_raw(before: Value, after: Value, key: str) -> Number | None:
    """Growth of a counter of bytes whose unit was read differently in two dumps, in the newer unit; else None."""
    if not key.endswith("_bytes") or not before.raw or not after.raw or after.raw < before.raw:
        return None
    units = before.value / before.raw, after.value / after.raw
    return (after.raw - before.raw) * units[1] if abs(units[0] - units[1]) > _UNIT_DIFFERS_RATIO * units[1] else None


def _scale(before: Value, after: Value) -> Number | None:
    """Units per raw count, when the field is its raw number times a constant; None for packed or derived fields."""
    if before.raw is None or after.raw is None or not before.raw:
        return None
    whole, rest = divmod(before.value, before.raw)
    scale = whole if rest == 0 else before.value / before.raw
    return scale if abs(after.raw * scale - after.value) <= abs(scale) else None


def unwrapped(values: Sequence[Value | None], key: str, times_s: Sequence[float] = ()) -> list[Point | None]:
    """A counter's growth over a series of readings; None where the drive did not report it or the reading was bad.

    times_s: when each was read, on an axis that never goes back; empty where it is not known.

    Growth across a reset, and across a change of the table that decodes the field, is unknown and counted as none.
    """
    points: list[Point | None] = []
    accepted: list[tuple[int, Value, Point]] = []
    for index, value in enumerate(values):
        points.append(None)
        if value is None or is_placeholder(value):
            continue
        point = Point(0, 0)
        if accepted:
            last_index, before, last = accepted[-1]
            if not comparable(before, value):
                point = Point(last.total, last.epoch + 1)
            else:
                earlier_index, earlier, _ = accepted[-2] if len(accepted) > 1 else (last_index, None, last)
                passed_s = (0.0, 0.0)
                if times_s:
                    passed_s = times_s[last_index] - times_s[earlier_index], times_s[index] - times_s[last_index]
                kind, growth = step(before, value, key, earlier, passed_s)
                if kind == "doubted":
                    points[last_index] = None
                    accepted.pop()
                    last = accepted[-1][2]
                point = Point(last.total + growth, last.epoch + (kind == "reset"))
                if kind == "dips":
                    value = before  # so that climbing back is not counted as growth
        points[index] = point
        accepted.append((index, value, point))
    return points
