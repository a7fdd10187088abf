"""The speed of a real drive, measured early in an examination, within what it will overwrite anyway.

    1 MiB in order | 4 KiB in order | 4 KiB at random, one at a time | 32 at a time           written, then read

Each load takes a second at most and writes at most a few per cent of the drive, at its beginning; so all of it takes
some seconds, and its bytes are small beside those of the plan. It is a run like others, with a record of its own; its
loads go through the same engine. What it measures is for the promise, the time left and the choice of what fits in a
budget; no finding rests on it. It comes after the capacity check: a fake would lose data to it.
Not foreseen here: caches that answer faster than the drive does later, in particular those of a system below a file.
"""

from __future__ import annotations

from typing import NamedTuple

from flashscope.records import Finding, Labels, Record, Status, StepRecord
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.drive_speed import PLAIN, DriveSpeed, Way
from flashscope.runner.effort import STANDARD, Effort
from flashscope.runner.needs import Needs
from flashscope.vocabulary import Direction
from flashscope.workloads.job import BlockSizes, Job
from flashscope.workloads.steps import Step, Workload

NAME = "calibration"

_LARGE_BYTES, _SMALL_BYTES = 1 << 20, 4096


class _Kind(NamedTuple):
    """What a load is like."""

    name: str
    request_bytes: int
    depth: int
    in_order: bool


_LARGE = _Kind("1 MiB in order", _LARGE_BYTES, 8, in_order=True)
_NEXT = _Kind("4 KiB in order", _SMALL_BYTES, 1, in_order=True)
_ALONE = _Kind("4 KiB at random", _SMALL_BYTES, 1, in_order=False)
_DEEP = _Kind("4 KiB at random, 32 at a time", _SMALL_BYTES, 32, in_order=False)
_IN_ORDER_MOST_BYTES, _AT_RANDOM_MOST_BYTES = 256 << 20, 64 << 20
_IN_ORDER_SHARE, _AT_RANDOM_SHARE = 1 / 64, 1 / 256
_LEAST_BYTES = 8 << 20
_MOST_PART = 128  # of a small drive: four loads are a third of what --quick may write
_RUNTIME_NS = 1_000_000_000
_SAMPLE_NS = 100_000_000
_ROLE = "speed"


class Calibration:
    """An experiment without findings (`experiment.py`)."""

    name = NAME
    title = "Speed of the drive"
    question = "How long will the examination take?"
    expects: frozenset[str] = frozenset({"TooFewSamples", "QueueNeverFull", "CpuBound", "CacheInTheWay"})
    tells: frozenset[str] = frozenset()
    needs = Needs()

    def steps(self, facts: DriveFacts, effort: Effort = STANDARD) -> list[Step]:
        """The loads; only those that read, where nothing may be written."""
        in_order = _amount(facts, _IN_ORDER_SHARE, _IN_ORDER_MOST_BYTES, _LARGE_BYTES)
        at_random = _amount(facts, _AT_RANDOM_SHARE, _AT_RANDOM_MOST_BYTES, _SMALL_BYTES)
        if not in_order:
            return []
        loads: list[Step] = []
        for way in ("read",) if effort.read_only else ("write", "read"):
            loads += [
                _load(way, _LARGE, in_order, in_order),
                _load(way, _NEXT, at_random, in_order),
                _load(way, _ALONE, at_random, in_order),
                _load(way, _DEEP, at_random, in_order),
            ]
        return loads

    def analyse(self, record: Record) -> list[Finding]:
        """None: what it says is in `speed_of`."""
        return []


def speed_of(record: Record) -> DriveSpeed | None:
    """What a calibration measured; None when it did not come to its end. What was not written is assumed."""
    if record.status is not Status.DONE:
        return None
    loads = [step for step in record.steps if step.workload is not None]
    own_s = [(step.ended_ns - step.started_ns - step.workload.duration_ns) / 1e9 for step in loads if step.workload]
    read = _way(record, "read")
    if read is None:
        return None
    return DriveSpeed(read, _way(record, "write") or PLAIN.write, max(sum(own_s) / len(own_s), 0.0))


def _way(record: Record, way: str) -> Way | None:
    kinds = _LARGE, _NEXT, _ALONE, _DEEP
    rates = [_requests_per_second(record.step_with(_ROLE, way=way, kind=kind.name), way) for kind in kinds]
    if not all(rates):
        return None
    large, following, alone, deep = rates
    return Way(large * _LARGE_BYTES, 1 / alone, max(alone, deep), 1 / following)


def _requests_per_second(step: StepRecord | None, way: str) -> float:
    if step is None or step.workload is None or step.workload.duration_ns <= 0:
        return 0.0
    return step.workload.totals.get(f"{way}_requests", 0) / step.workload.duration_ns * 1e9


def _amount(facts: DriveFacts, share: float, most_bytes: int, request_bytes: int) -> int:
    """Bytes of a load, in whole requests; 0 on a drive that is too small for it."""
    wanted = min(max(round(facts.user_bytes * share), _LEAST_BYTES), most_bytes, facts.user_bytes // _MOST_PART)
    return wanted // request_bytes * request_bytes


def _load(way: str, kind: _Kind, amount: int, span: int) -> Workload:
    sizes = BlockSizes(weighted=((kind.request_bytes, 100.0),), align_bytes=kind.request_bytes)
    writes = way == "write"
    in_order: Direction = "write" if writes else "read"
    at_random: Direction = "randwrite" if writes else "randread"
    job = Job(
        "speed",
        in_order if kind.in_order else at_random,
        read_sizes=sizes,
        write_sizes=sizes,
        size_bytes=span,
        io_bytes=amount,
        runtime_ns=_RUNTIME_NS,
        queue_depth=kind.depth,
        random_map=False,
        seed=kind.depth,
    )
    name, labels = f"{way} {kind.name}", Labels.of(_ROLE, way=way, kind=kind.name)
    return Workload(name, (job,), _SAMPLE_NS, amount * writes, amount * (not writes), labels=labels)
