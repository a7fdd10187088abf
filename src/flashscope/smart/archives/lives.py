"""The lives of drives, model by model: from which age to which age each was seen, and whether it failed then.

The age is the drive's own power-on time where that can be believed: it never fell, and between the first and the last
row it grew by about the days between them. Otherwise the days since the first row are taken, which says nothing of the
time before. A drive has failed when its last row says so; a mark that is followed by further rows is taken back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flashscope.smart.archives.counters import POWER_ON_HOURS
from flashscope.smart.archives.keeper import Keeper

Numbers = NDArray[np.float64]
Flags = NDArray[np.bool_]

HOURS_PER_DAY = 24
BELIEVABLE_LEAST_RATIO = 0.9
"""So many of a model's drives must have a believable power-on time; else none is taken."""

_OLDEST_HOURS = 20 * 8766
_SLACK_HOURS = 48
_SLOWEST_RATIO = 0.5
"""A drive that is powered for less of the time is not always in its place; its days then say little of its hours."""


@dataclass(frozen=True)
class Lives:
    """The drives of one model. entry_days, exit_days: the ages between which each was watched [days].

    failed: at its exit. drive_days: days with a row, of all. by_power_on_time: what the ages are counted by.
    left_out: drives whose power-on time cannot be believed, where the others' is taken. taken_back: failure marks.
    """

    model: str
    drive_count: int
    drive_days: int
    entry_days: Numbers
    exit_days: Numbers
    failed: Flags
    failure_count: int
    by_power_on_time: bool
    left_out: int
    taken_back: int
    living_count: int


_QUERY = f"""
SELECT model, date_diff('day', first_day, last_day) AS span_days, day_count,
       coalesce(failure_day = last_day, false) AS failed, failure_day < last_day AS taken_back,
       first_{POWER_ON_HOURS} AS entry_hours, last_{POWER_ON_HOURS} AS exit_hours, resets_{POWER_ON_HOURS} AS resets,
       last_day = (SELECT max(last_day) FROM lives) AS is_newest
FROM lives ORDER BY model, serial
"""


def lives_by_model(keeper: Keeper) -> list[Lives]:
    """The lives of every model, those of most drives first."""
    columns = keeper.columns(_QUERY)
    if not columns:
        return []
    models = np.asarray(columns["model"], dtype=object)
    starts = np.flatnonzero(np.r_[True, models[1:] != models[:-1]]) if len(models) else np.array([], dtype=int)
    ends = np.r_[starts[1:], len(models)]
    found = [
        _lives(str(models[start]), {name: one[start:end] for name, one in columns.items()})
        for start, end in zip(starts, ends, strict=False)
    ]
    return sorted(found, key=lambda one: (-one.drive_count, one.model))


def _lives(model: str, columns: dict[str, Any]) -> Lives:
    span = _floats(columns["span_days"])
    entry_hours, exit_hours = _floats(columns["entry_hours"]), _floats(columns["exit_hours"])
    failed = np.ma.filled(columns["failed"], False).astype(bool)
    newest = np.ma.filled(columns["is_newest"], False).astype(bool)
    believable = _believable(entry_hours, exit_hours, _floats(columns["resets"]), span)
    by_hours = bool(np.mean(believable) >= BELIEVABLE_LEAST_RATIO)
    if by_hours:
        entry, end, taken = entry_hours / HOURS_PER_DAY, (exit_hours + HOURS_PER_DAY) / HOURS_PER_DAY, believable
    else:
        entry, end, taken = np.zeros_like(span), span + 1, np.ones(len(span), dtype=bool)
    return Lives(
        model=model,
        drive_count=len(span),
        drive_days=int(np.sum(_floats(columns["day_count"]))),
        entry_days=entry[taken],
        exit_days=end[taken],
        failed=failed[taken],
        failure_count=int(np.sum(failed)),
        by_power_on_time=by_hours,
        left_out=int(len(span) - np.sum(taken)),
        taken_back=int(np.sum(np.ma.filled(columns["taken_back"], False).astype(bool))),
        living_count=int(np.sum(newest & ~failed)),
    )


def _believable(entry_hours: Numbers, exit_hours: Numbers, resets: Numbers, span_days: Numbers) -> Flags:
    grown = exit_hours - entry_hours
    with np.errstate(invalid="ignore"):  # NaN: no power-on time
        found: Flags = (
            (entry_hours >= 0)
            & (exit_hours <= _OLDEST_HOURS)
            & (resets == 0)
            & (grown >= _SLOWEST_RATIO * HOURS_PER_DAY * span_days - _SLACK_HOURS)
            & (grown <= HOURS_PER_DAY * span_days + _SLACK_HOURS)
        )
    return found


def _floats(column: Any) -> Numbers:
    return np.ma.filled(np.ma.asarray(column).astype(np.float64), np.nan)
