"""The same sequential writing with data that shrinks, repeats or is zeros: does the drive compress? DESTRUCTIVE.

    secure erase (where possible)
    SMART | write, 0 % compressible | SMART | 25 % | ... | 100 % | SMART | repeated blocks | SMART | zeros | SMART
            the same span each time, a new part of the free flash

A drive that compresses writes faster where its flash sets the pace, and its SMART counts less written to flash than
the host sent, where it counts that at all. One that does neither is at the same rate for any data.
"Repeated blocks" cannot be compressed one by one, but each repeats an earlier one: a drive that stores equal blocks
only once shows this in its rate or its SMART. No virtual drive stores them only once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from flashscope.analysis.intervals import ratio_of_sums
from flashscope.experiments.states import doubts_of_start, first_state
from flashscope.experiments.streams import SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, SmartSnapshot
from flashscope.records.abstention import could_not_tell
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.smart.decoding.decode import decode
from flashscope.units import format_percent, format_rate
from flashscope.workloads.steps import ReadSmart, Step, Workload

_DATA = "data of a kind"  # a role
_ZEROS = "zeros"
_REPEATED = "repeated blocks"
_SHRINKS = "compressible"
_KINDS = {_ZEROS: "zeros", _REPEATED: "repeated"}
"""The label "kind" of data with a name of its own; of all other data it is _SHRINKS."""
_RUNTIME_NS = PerTimeCost.by_clock(60 * SECOND_NS, free=0)
_LEAST_SPAN_BYTES = 64 << 20  # less ends within the write buffer of many drives
_ROWS = 100
_SAME_RATIO = 0.04
_COUNTER_STEP_BYTES = 1 << 30  # the coarsest unit such counters are known to have


@dataclass(frozen=True)
class _Point:
    """One kind of data: rate with its interval [bytes/s]; flash bytes per host byte with its interval, or None.

    name: of the step. repeats: its blocks repeat earlier ones.
    """

    name: str
    repeats: bool
    removable: float
    rate: tuple[float, float, float]
    flash_share: tuple[float, float, float] | None


class Compressibility:
    """Finds whether the kind of data, not only its amount, decides the rate and the wear."""

    name = "compressibility"
    title = "Compressible data"
    question = "Does the drive compress its data, and how much faster does that make it?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"compression"})
    needs = Needs(writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """One run per kind of data over the same span, SMART between."""
        if self.needs.missing(facts, effort):
            return []
        request = large_request_bytes(facts.user_bytes)
        kinds = _kinds(effort)
        wanted = effort.at_most(facts.user_bytes // effort.choose(64, 32, 20), 1 / len(kinds))
        span = max(whole_requests(wanted, request), request)
        if span < min(whole_requests(facts.user_bytes // 64, request), _LEAST_SPAN_BYTES):
            return []
        steps = first_state(facts, "first state")
        if facts.has_smart:
            steps.append(ReadSmart("SMART before"))
        for name, removable in kinds:
            job = sequential_writes(
                name.replace(" %", "").replace(" ", "-"),
                request_bytes=request,
                size_bytes=span,
                runtime_ns=facts.per_time(_RUNTIME_NS),
            )
            job = replace(job, **_data(name, removable))
            labels = Labels.of(_DATA, kind=_KINDS.get(name, _SHRINKS), removable_ratio=removable)
            steps.append(Workload(name, (job,), max(span * 5 // _ROWS, 1_000_000), span, 0, labels=labels))
            if facts.has_smart:
                steps.append(ReadSmart(f"SMART after {name}"))
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """compresses, zero_rate_ratio, repeated_rate_ratio, where SMART shows it flash_bytes_per_host_byte_zeros."""
        kinds = _points(record)
        points = [point for point in kinds if not point.repeats]
        doubts = doubts_of_start(record)
        if len(points) < 2 or points[0].removable:
            why = "too few kinds of data were written"
            statement = f"Nothing can be said about compression: {why}."
            return [Finding("compresses", statement, None, "", doubts=doubts, details=could_not_tell(why))]
        repeated = next((point for point in kinds if point.repeats), None)
        return [
            _verdict(points, record, doubts),
            _gain(points, doubts),
            *_flash(points),
            *([_repeats(points[0], repeated, doubts)] if repeated else []),
        ]


def _kinds(effort: Effort) -> list[tuple[str, float]]:
    shares = effort.choose((0, 50, 100), (0, 25, 50, 75, 100), (0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100))
    return [*((f"{share} % compressible", share / 100) for share in shares), (_REPEATED, 0.0), (_ZEROS, 1.0)]


def _data(name: str, removable: float) -> dict[str, Any]:
    """The fields of a job that say what data of this name is."""
    if name == _ZEROS:
        return {"zero_buffers": True}
    return {"repeated_ratio": 1.0} if name == _REPEATED else {"compressible_ratio": removable}


def _points(record: Record) -> list[_Point]:
    points, before = [], None
    waiting: _Point | None = None
    written = 0
    for step in record.steps:
        if step.smart is not None:
            if waiting is not None:
                points.append(replace(waiting, flash_share=_flash_share(before, step.smart, written)))
                waiting = None
            before = step.smart
        elif step.labels.role == _DATA and step.workload is not None and len(step.workload.series):
            if waiting is not None:
                points.append(waiting)
            amounts = np.asarray(step.workload.series["written_bytes"], dtype=float)
            seconds = np.diff(np.asarray(step.workload.series["elapsed_ns"], dtype=float), prepend=0.0) / SECOND_NS
            # Writes that a buffer takes at the start show nothing about the data.
            late = slice(len(amounts) // 4, None)
            if amounts[late].sum() <= 0:
                continue
            written = int(step.workload.totals["written_bytes"])
            rate = ratio_of_sums(amounts[late], seconds[late])
            repeats = step.labels.word("kind") == _KINDS[_REPEATED]
            waiting = _Point(step.name, repeats, step.labels.number("removable_ratio"), rate, None)
    return [*points, *([waiting] if waiting else [])]


def _flash_share(before: SmartSnapshot | None, after: SmartSnapshot, written: int) -> tuple[float, float, float] | None:
    """Flash bytes per host byte between two readings, as wide as one step of the counter; None when not counted."""
    if before is None or not written:
        return None
    first, last = decode(before).value("nand_written_bytes"), decode(after).value("nand_written_bytes")
    if first is None or last is None:
        return None
    moved = float(last - first)
    return moved / written, max(moved - _COUNTER_STEP_BYTES, 0.0) / written, (moved + _COUNTER_STEP_BYTES) / written


def _verdict(points: list[_Point], record: Record, doubts: tuple[Doubt, ...]) -> Finding:
    plain = points[0]
    faster = [point for point in points[1:] if point.rate[1] > (1 + _SAME_RATIO) * plain.rate[2]]
    smaller = [
        point
        for point in points[1:]
        if point.flash_share and plain.flash_share and point.flash_share[2] < plain.flash_share[1]
    ]
    only_zeros = all(point.removable == 1.0 for point in [*faster, *smaller])
    evidence = tuple(point.name for point in points)
    details = {
        "curve": [
            {
                "name": point.name,
                "removable_ratio": point.removable,
                "rate_bytes_per_second": point.rate[0],
                "low": point.rate[1],
                "high": point.rate[2],
                "flash_bytes_per_host_byte": point.flash_share[0] if point.flash_share else None,
            }
            for point in points
        ]
    }
    own = []
    if not record.drive_facts.can(Capability.BARE):
        message = "a file system that compresses would do the same"
        own.append(Doubt("CompressedByFileSystem", message, "examine the block device itself"))
    if faster or smaller:
        what = "It takes zeros as less than their bytes" if only_zeros else "It compresses"
        seen = "writes faster" if faster else "writes less to flash"
        statement = (
            f"{what}: the drive {seen} the more the data shrinks. Benchmarks with zeros make it look faster than it is."
        )
        return Finding("compresses", statement, "yes", "", evidence=evidence, doubts=(*doubts, *own), details=details)
    if not any(point.flash_share for point in points):
        message = "only the rate was seen; a drive that its link limits, and not its flash, would not show compression"
        own.append(Doubt("QueueNeverFull", message, "compare wear over months, or a drive that counts flash writes"))
    statement = f"It does not compress: zeros are written no faster than random data, to {format_percent(_SAME_RATIO)}."
    return Finding("compresses", statement, "no", "", evidence=evidence, doubts=(*doubts, *own), details=details)


def _gain(points: list[_Point], doubts: tuple[Doubt, ...]) -> Finding:
    plain, best = points[0].rate, points[-1].rate
    value, low, high = best[0] / plain[0], best[1] / plain[2], best[2] / plain[1]
    high, doubts = _on_a_fuller_drive(high, doubts)
    statement = f"Zeros are written at {format_rate(best[0])}, random data at {format_rate(plain[0])}."
    evidence = (points[0].name, points[-1].name)
    return Finding("zero_rate_ratio", statement, value, "ratio", low, high, evidence=evidence, doubts=doubts)


def _on_a_fuller_drive(high: float, doubts: tuple[Doubt, ...]) -> tuple[float, tuple[Doubt, ...]]:
    """(upper end of a ratio, doubts): what was written last was slower than what was written first.

    No data is written more slowly because it shrinks or repeats: the drive was fuller by then, or has begun to collect.
    """
    if high >= 1 - _SAME_RATIO:
        return high, doubts
    message = "the first kind of data met a drive with more erased flash than the last"
    return 1.0, (*doubts, Doubt("NotAlike", message, "run it on a drive that was erased, and is larger"))


def _flash(points: list[_Point]) -> list[Finding]:
    """How many bytes of fully compressible data reach flash."""
    last = points[-1]
    if last.flash_share is None:
        return []
    value, low, high = last.flash_share
    key = "flash_bytes_per_host_byte_zeros"
    if low <= 0 and high >= 1:
        why = "the drive's counter of flash bytes is too coarse for so few of them: none and all would fit"
        statement = f"Could not tell how many bytes of zeros reach flash, because {why}."
        return [Finding(key, statement, None, "ratio", evidence=(last.name,), details=could_not_tell(why))]
    statement = f"Of zeros {format_percent(value)} of the bytes reach flash, so they wear the flash that much less."
    return [Finding(key, statement, value, "ratio", low, high, evidence=(last.name,))]


def _repeats(plain: _Point, repeated: _Point, doubts: tuple[Doubt, ...]) -> Finding:
    """Whether blocks that repeat earlier ones are written faster, or reach flash less, than blocks that are all new."""
    value = repeated.rate[0] / plain.rate[0]
    low, high = repeated.rate[1] / plain.rate[2], repeated.rate[2] / plain.rate[1]
    high, doubts = _on_a_fuller_drive(high, doubts)
    faster = repeated.rate[1] > (1 + _SAME_RATIO) * plain.rate[2]
    smaller = plain.flash_share and repeated.flash_share and repeated.flash_share[2] < plain.flash_share[1]
    rates = f"{format_rate(repeated.rate[0])}, new ones at {format_rate(plain.rate[0])}"
    words = f"Blocks that repeat earlier ones are written at {rates}"
    statement = f"{words}: {'equal blocks are stored once' if faster or smaller else 'each is stored by itself'}."
    details = {"stores_repeats_once": "yes" if faster or smaller else "no"}
    evidence = (plain.name, repeated.name)
    return Finding(
        "repeated_rate_ratio", statement, value, "ratio", low, high, evidence=evidence, doubts=doubts, details=details
    )
