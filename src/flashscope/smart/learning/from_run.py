"""Learning from a run that wrote known amounts: its readings as a series, and its own verdicts as evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from flashscope.records.smart_snapshot import SmartSnapshot
from flashscope.smart.dump import dump_of_snapshot
from flashscope.smart.learning.hypothesis import Hypothesis, Learnt
from flashscope.smart.learning.observation import Moment, Series, Yardstick
from flashscope.smart.learning.sources import series_of
from flashscope.units import format_bytes_binary

_NS_PER_HOUR = 3600e9
_KEYS = {
    "erase count": ("erase_count_average", "erase_count_min", "erase_count_max"),
    "host bytes": ("host_written_bytes",),
    "flash bytes": ("nand_written_bytes",),
    "host commands": ("host_write_commands",),
}
"""Role in the SMART inference experiment -> the keys it confirms."""
_VERDICT_WEIGHT = 3.0
"""Weight of a verdict from separate sequential, idle and random phases [ln of a likelihood ratio]."""


def series_of_run(readings: Sequence[tuple[int, SmartSnapshot]], user_bytes: int) -> Series:
    """The series of a run. readings: (bytes written by then, SMART), two or more, in order. user_bytes: capacity."""
    snapshots = [dump_of_snapshot(smart) for _, smart in readings]
    # "Idle" keeps the dumps in the order given; the amounts are assigned below.
    series = series_of(snapshots, otherwise_idle=True, user_bytes=user_bytes)
    moments = tuple(
        Moment(power_on_hours=smart.elapsed_ns / _NS_PER_HOUR, written_bytes=written) for written, smart in readings
    )
    yardstick = Yardstick("the experiment's writing", lifetime=False, documented=False)
    return replace(series, moments=moments, yardstick=yardstick)


def with_verdicts(learnt: Learnt, verdicts: Sequence[Mapping[str, Any]]) -> Learnt:
    """The same, with the experiment's verdicts as evidence. verdicts: rows with attribute, role, accepted, reason."""
    rows = {int(row["attribute"]): row for row in verdicts}
    moved = [_moved(one, rows[one.attribute]) if one.attribute in rows else one for one in learnt.hypotheses]
    known = {(one.attribute, one.key) for one in moved}
    for id, row in rows.items():
        keys = _KEYS.get(str(row["role"]), ())
        if keys and not any((id, key) in known for key in keys):
            moved.append(_of_verdict(id, row, keys[0]))
    moved.sort(key=lambda one: (-one.score, one.scale, one.attribute))
    claimed = {one.attribute for one in moved if one.is_claim}
    rejected = tuple(
        replace(one, reason=str(rows[one.attribute]["reason"]))
        if one.attribute in rows and not rows[one.attribute]["accepted"]
        else one
        for one in learnt.rejected
        if one.attribute not in claimed
    )
    return replace(learnt, hypotheses=tuple(moved), rejected=rejected)


_BEFOREHAND = 0.1
"""Belief in a meaning that the learner itself did not find."""


def _of_verdict(id: int, row: Mapping[str, Any], key: str) -> Hypothesis:
    unit_bytes = int(row.get("unit_bytes") or 0)
    unit = format_bytes_binary(unit_bytes) if unit_bytes else "count"
    said = (f"the experiment's verdict: {row['role']}, {row['reason']}",)
    score = _shifted(_BEFOREHAND, _VERDICT_WEIGHT)
    return Hypothesis(id, str(row["layout"]), key, unit, float(unit_bytes or 1), score, said)


def _moved(one: Hypothesis, verdict: Mapping[str, Any]) -> Hypothesis:
    role, reason = str(verdict["role"]), str(verdict["reason"])
    if one.key in _KEYS.get(role, ()):
        said = f"the experiment's verdict: {role}, {reason}"
        return replace(one, score=_shifted(one.score, _VERDICT_WEIGHT), evidence=(said, *one.evidence))
    judged = {key for keys in _KEYS.values() for key in keys}
    if one.key in judged and role != "flash side, unit unknown":
        said = f"the experiment's verdict: {role}, {reason}"
        against = (said, *one.counter_evidence)
        return replace(one, score=_shifted(one.score, -_VERDICT_WEIGHT), counter_evidence=against)
    return one


def _shifted(score: float, weight: float) -> float:
    certain = min(max(score, 1e-9), 1 - 1e-9)
    odds = certain / (1 - certain) * math.exp(weight)
    return min(odds / (1 + odds), 0.999)
