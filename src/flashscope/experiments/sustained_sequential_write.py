"""Write sequentially until well past the point where the rate falls. DESTRUCTIVE.

    secure erase (where possible) -> SMART -> 1 MiB sequential writes for 2.2 drive-fills, sampled all along
                                              a virtual drive: a flush after a quarter of a fill
                                              a real drive: 1.5 drive-fills, 2.2 with --full

Why more than one: spare flash is used up a little after the first drive-fill, and the second shows the rate after that.
Why the flush: memory is empty after a flush and fast again, a flash cache is not. The memory of a small virtual drive
may be a large part of its size. In a real drive it is far below a hundredth, so there is no flush on a real drive.
On a file or a block device the time is bounded, so a slow drive may be written less, as with a budget of fewer bytes;
the findings state how much.
Asked by: "the rate falls after one drive-full". Analysis: `analysis/change_points.py`.
"""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from flashscope.analysis.change_points import Levels, Plateau, find_levels
from flashscope.experiments.streams import SECOND_NS, large_request_bytes, sequential_writes, whole_requests
from flashscope.records import Doubt, Finding, Labels, Record, StepRecord
from flashscope.records.abstention import could_not_tell, visible
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.time_cost import PerTimeCost
from flashscope.runner.effort import STANDARD, Effort, Extent
from flashscope.runner.needs import Needs
from flashscope.units import format_bytes, format_percent, format_rate
from flashscope.workloads.job import Job
from flashscope.workloads.steps import ReadSmart, SecureErase, Step, Workload

_WRITE = "sequential write"  # displayed
_LONG_WRITE = "long write"  # its role
_FILLS = PerTimeCost(free=2.2, own=1.5, shared=1.5)
_FILLS_FULL = PerTimeCost(free=2.2, own=2.2, shared=2.0)
_RUNTIME_NS = PerTimeCost(free=0, own=4 * 3600 * SECOND_NS, shared=60 * SECOND_NS)
_QUICK_RUNTIME_NS = 600 * SECOND_NS  # of a block device
_LEAST_BYTES = 256 << 20  # less ends within the write buffer of many drives
_QUICK_BYTES, _QUICK_FILLS = 256 * 10**9, 1.25  # of a virtual drive: enough to see what comes after a fill
_QUICK_PAST_FLASH = 0.15  # fills beyond all of its flash, where the amount is known: as long as erased blocks last
_ROWS = 1000
_ROWS_VIRTUAL = 4000
_REFILLED_SHARE = 0.8  # of the bytes before the flush: memory that fills up only after this share is not looked for
_KNEE_MARGIN = 1.1  # the row in which memory becomes full has a rate between fast and slow
_CLEARLY_SLOWER = 0.8
_LONG_ENOUGH_RATIO = 0.02  # of all that was written: a stretch that a user meets
_BLIND_RATIO = 0.5  # a run that could not detect a rate cut in half gives no finding about falls


class SustainedSequentialWrite:
    """Finds where the rate of a long sequential write falls, and how far."""

    name = "sustained-sequential-write"
    title = "Sustained sequential write"
    question = "After how many bytes of sequential writing does the rate fall, and to what?"
    expects: frozenset[str] = frozenset()
    tells: frozenset[str] = frozenset({"sustained_rate", "cache", "sequential_rate", "spare_area"})
    needs = Needs(writes=True)

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """One long write, after a secure erase where the drive can do it."""
        if self.needs.missing(facts, effort):
            return []
        request = large_request_bytes(facts.user_bytes)
        span = whole_requests(facts.user_bytes, request)
        total = whole_requests(effort.at_most(_wanted_bytes(facts, effort, span)), request)
        if total < min(span, _LEAST_BYTES):
            return []
        jobs = _jobs(facts, request, span, total, _runtime_ns(facts, effort))
        steps: list[Step] = []
        if facts.can_secure_erase:
            steps.append(SecureErase("secure erase"))
        if facts.has_smart:
            steps.append(ReadSmart("SMART before"))
        interval_ns = _sample_interval_ns(facts, total)
        steps.append(Workload(_WRITE, jobs, interval_ns, total, 0, labels=Labels.of(_LONG_WRITE)))
        if facts.has_smart:
            steps.append(ReadSmart("SMART after"))
        return steps

    def analyse(self, record: Record) -> list[Finding]:
        """rate_fall, first_rate_bytes_per_second, settled_rate_bytes_per_second, rate_ratio."""
        step = next((step for step in record.steps_with(_LONG_WRITE) if step.workload), None)
        series = step.workload.series if step is not None and step.workload is not None else None
        levels = (
            find_levels(*_without_memory(series["elapsed_ns"], series["written_bytes"], _flushed_after(step)))
            if series is not None and len(series)
            else Levels((), (), 1.0)
        )
        doubts = (*levels.doubts, *_doubts_of_run(record, levels))
        if not levels.plateaus:
            statement = "Nothing can be said about the sustained write rate: no data were written."
            untold = could_not_tell("no data were written")
            return [Finding("rate_fall", statement, None, "bytes", evidence=(_WRITE,), doubts=doubts, details=untold)]
        return [_rate_fall(levels, record, doubts), *_rates(levels, doubts)]


def _wanted_bytes(facts: DriveFacts, effort: Effort, span: int) -> int:
    """How much is written where nothing limits it [bytes]. A quick run ends sooner on a large virtual drive."""
    wanted = int(facts.per_time(effort.choose(_FILLS, _FILLS, _FILLS_FULL)) * span)
    if facts.in_virtual_time and effort.extent is Extent.QUICK:
        past = facts.raw_bytes / facts.user_bytes + _QUICK_PAST_FLASH if facts.raw_bytes else _QUICK_FILLS
        return min(wanted, max(_QUICK_BYTES, int(past * span)))
    return wanted


def _jobs(facts: DriveFacts, request: int, span: int, total: int, runtime_ns: int) -> tuple[Job, ...]:
    """One stream from the first byte on, several rounds; with a flush where a quarter is a whole number of requests."""
    whole = min(span, total)
    first = whole_requests(whole // 4, request)
    if not facts.in_virtual_time or not first:
        name = "sequential-write"
        return (sequential_writes(name, request_bytes=request, size_bytes=span, io_bytes=total, runtime_ns=runtime_ns),)
    beginning = sequential_writes("first-quarter", request_bytes=request, size_bytes=first)
    rest = sequential_writes("first-fill", request_bytes=request, offset_bytes=first, size_bytes=whole - first)
    fill = (replace(beginning, end_fsync=True), replace(rest, group=1))
    if total == whole:
        return fill
    again = sequential_writes("once-more", request_bytes=request, size_bytes=span, io_bytes=total - span)
    return (*fill, replace(again, group=2))


def _flushed_after(step: StepRecord | None) -> int:
    """Bytes written before the flush; 0 without one."""
    jobs = step.parameters.get("jobs", ()) if step is not None and step.parameters else ()
    return int(jobs[0]["size_bytes"]) if jobs and jobs[0].get("end_fsync") else 0


def _without_memory(
    elapsed_ns: np.ndarray, moved_bytes: np.ndarray, flushed_after: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same series; a fast beginning that comes back after a flush gets the rate that follows it.

    A write buffer is empty after a flush and is filled at the link rate again; a flash cache is not.
    """
    levels = find_levels(elapsed_ns, moved_bytes) if flushed_after else None
    if levels is None or levels.first_fall != 0 or levels.changes[0].bytes > _REFILLED_SHARE * flushed_after:
        return elapsed_ns, moved_bytes
    before, knee = levels.plateaus[0].rate_bytes_per_second, levels.changes[0].bytes
    amounts = np.asarray(moved_bytes, dtype=float)
    seconds = np.diff(np.asarray(elapsed_ns, dtype=float), prepend=0.0) / SECOND_NS
    written = np.cumsum(amounts)
    settled = (written > _KNEE_MARGIN * knee) & (written < flushed_after)
    # The first row after the flush contains a part of the time of the flush.
    refilling = (np.cumsum(written > flushed_after) > 1) & (written <= flushed_after + knee / 2)
    if min(amounts[settled].sum(), amounts[refilling].sum()) <= 0:
        return elapsed_ns, moved_bytes
    after = amounts[settled].sum() / seconds[settled].sum()
    if amounts[refilling].sum() / seconds[refilling].sum() < math.sqrt(before * after):
        return elapsed_ns, moved_bytes
    again = (written >= flushed_after) & (written <= flushed_after + _KNEE_MARGIN * knee)
    taken_in = (written <= _KNEE_MARGIN * knee) | again
    return np.cumsum(np.where(taken_in, amounts / after, seconds)) * SECOND_NS, amounts


def _sample_interval_ns(facts: DriveFacts, total_bytes: int) -> int:
    """An interval that gives 800 to 16000 rows between 40 and 750 MB/s; a fourth of that on a real drive."""
    if facts.in_virtual_time:
        return max(round(total_bytes / 150e6 * SECOND_NS / _ROWS_VIRTUAL), 1000)
    return min(max(round(total_bytes / 1.5e9 * SECOND_NS / _ROWS), SECOND_NS // 50), SECOND_NS)


def _rate_fall(levels: Levels, record: Record, doubts: tuple[Doubt, ...]) -> Finding:
    details: dict[str, Any] = {
        "plateaus": [
            {
                "from_bytes": plateau.from_bytes,
                "to_bytes": plateau.to_bytes,
                "rate_bytes_per_second": plateau.rate_bytes_per_second,
                "low": plateau.low,
                "high": plateau.high,
            }
            for plateau in levels.plateaus
        ],
        "change_points": [asdict(change) for change in levels.changes],
        "detection_limit_ratio": levels.detection_limit_ratio,
    }
    fall = levels.first_fall
    written = levels.plateaus[-1].to_bytes
    if fall is None:
        seen = (
            f"a fall of {format_percent(levels.detection_limit_ratio)} over a tenth of the run would have been seen"
            if levels.detection_limit_ratio < 1
            else "there are too few samples to see one"
        )
        first = levels.plateaus[0]
        if levels.detection_limit_ratio >= _BLIND_RATIO:
            rise = "It is not known whether the rate falls"
        else:
            rise = "It rises but does not fall" if levels.changes else "No fall"
        statement = (
            f"{rise}: {format_bytes(written)} were written from {format_rate(first.rate_bytes_per_second)} on; {seen}."
        )
        blind = levels.detection_limit_ratio >= _BLIND_RATIO
        details |= could_not_tell("there are too few samples to see a fall") if blind else visible(most=written)
        return Finding("rate_fall", statement, None, "bytes", evidence=(_WRITE,), doubts=doubts, details=details)
    change, before, after = levels.changes[fall], levels.plateaus[fall], levels.plateaus[fall + 1]
    fills = change.bytes / record.drive_facts.user_bytes if record.drive_facts.user_bytes else None
    share = f" ({fills:.2f} drive-fills)" if fills else ""
    worst = _worst(levels, than=after)
    lower = "lower" if worst is None else "lowest"
    statement = (
        f"Falls from {format_rate(before.rate_bytes_per_second)} to {format_rate(after.rate_bytes_per_second)} after "
        f"{format_bytes(change.bytes)}{share}{_said_of(worst)}: plan longer writes with the {lower} rate."
    )
    return Finding(
        "rate_fall",
        statement,
        round(change.bytes),
        "bytes",
        change.low,
        change.high,
        evidence=(_WRITE,),
        doubts=doubts,
        details=details,
    )


def _rates(levels: Levels, doubts: tuple[Doubt, ...]) -> list[Finding]:
    first, last = levels.plateaus[0], levels.plateaus[-1]
    ratio = last.rate_bytes_per_second / first.rate_bytes_per_second
    low, high = (last.low / first.high, last.high / first.low) if levels.changes else (ratio, ratio)
    worst = _said_of(_worst(levels, than=last))
    statement = (
        f"It settles at {format_percent(ratio)} of its first rate{worst}."
        if levels.changes
        else "It keeps its first rate to the end."
    )
    return [
        _rate("first_rate_bytes_per_second", "Writes start at", first, ()),
        _rate("settled_rate_bytes_per_second", "Long writes end at", last, doubts, worst),
        Finding("rate_ratio", statement, ratio, "ratio", low, high, evidence=(_WRITE,), doubts=doubts),
    ]


def _worst(levels: Levels, than: Plateau) -> Plateau | None:
    """The slowest stretch that is long enough to matter; None when it is hardly slower than the given one."""
    least = _LONG_ENOUGH_RATIO * levels.plateaus[-1].to_bytes
    long = [plateau for plateau in levels.plateaus if plateau.to_bytes - plateau.from_bytes >= least]
    worst = min(long, key=lambda plateau: plateau.rate_bytes_per_second, default=than)
    return worst if worst.rate_bytes_per_second < _CLEARLY_SLOWER * than.rate_bytes_per_second else None


def _said_of(worst: Plateau | None) -> str:
    if worst is None:
        return ""
    span = f"from {format_bytes(worst.from_bytes)} to {format_bytes(worst.to_bytes)}"
    return f"; {span} it writes at {format_rate(worst.rate_bytes_per_second)}"


def _rate(key: str, words: str, plateau: Plateau, doubts: tuple[Doubt, ...], more: str = "") -> Finding:
    statement = (
        f"{words} {format_rate(plateau.rate_bytes_per_second)} "
        f"({format_bytes(plateau.from_bytes)} to {format_bytes(plateau.to_bytes)} written){more}."
    )
    value = plateau.rate_bytes_per_second
    return Finding(key, statement, value, "bytes/s", plateau.low, plateau.high, evidence=(_WRITE,), doubts=doubts)


def _runtime_ns(facts: DriveFacts, effort: Effort) -> int:
    limit_ns = facts.per_time(_RUNTIME_NS)
    return min(limit_ns, _QUICK_RUNTIME_NS) if effort.extent is Extent.QUICK and limit_ns else limit_ns


def _doubts_of_run(record: Record, levels: Levels) -> list[Doubt]:
    """Doubts that come from the state of the drive and the length of the run."""
    facts, doubts = record.drive_facts, []
    written = levels.plateaus[-1].to_bytes if levels.plateaus else 0.0
    if not facts.can(Capability.BARE):
        message = "a file is only a part of a drive: the spare area and the caches of that drive are not used up by it"
        doubts.append(Doubt("NotTheWholeDrive", message, "examine the block device itself for where it falls"))
    elif not facts.can_secure_erase and not facts.in_virtual_time:
        message = "the drive was not erased first; a drive in use may start in the state it would fall to"
        doubts.append(Doubt("NotFresh", message, "secure-erase the drive and run this again"))
    if levels.plateaus and facts.user_bytes and written < 1.2 * facts.user_bytes and not levels.changes:
        message = f"only {format_bytes(written)} were written, less than 1.2 drive-fills"
        doubts.append(Doubt("TooShort", message, "let the run go on to its end"))
    return doubts
