"""HD Tune Pro: the transfer rate over the address range, access time, burst rate.

    MB/s |  .  .  .
         |           .  .  .          one block size, one request at a time, at evenly spaced places ("partial" mode)
         |                    .  .
         +--------------------------- position
    minimum, maximum, average of the points   access time: random reads of one sector   burst: the same block repeatedly

The average is that of the points. Block size: 64 KB by default; the documents also used 4 MB and 64 MB (powers of two).
Assumed: how much the program reads at each place is not published; here it is 8 MiB (32 MiB on a
disk, where the seek to the place takes time), two blocks at least.
Not modelled here: the CPU column; the program's refusal to write to a disk with partitions (the guard checks that).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from flashscope.experiments.profiles.passes import Load, Score, best_of, one_pass, only_pass, rate_of, shown
from flashscope.experiments.profiles.test_file import MIB, TestFile
from flashscope.experiments.streams import SECOND_NS
from flashscope.records import Labels, Record, Status
from flashscope.records.drive_facts import DriveFacts
from flashscope.workloads.steps import Step

BLOCK_BYTES = 64 * 1024
LARGER_BLOCKS_BYTES = (4 * MIB, 64 * MIB)
POINT_BYTES = 8 * MIB
_RATE_NAMES = {"read": "seq_read", "write": "seq_write"}
ACCESS_TIME = "access_time_read"
_BURST = Load("burst_rate", "read", BLOCK_BYTES)
_POINT = "point of a curve"  # a role


@dataclass(frozen=True)
class Point:
    """One point of the curve: offset_bytes on the drive, rate [bytes/s], the step it was measured in."""

    offset_bytes: int
    rate: float
    step: str


@dataclass(frozen=True)
class Curve:
    """What the program draws for one direction; minimum, maximum, average [bytes/s].

    failed_count: places that have no rate, since every request there failed.
    """

    points: tuple[Point, ...]
    failed_count: int = 0

    @property
    def minimum(self) -> float:
        """The slowest point."""
        return min(point.rate for point in self.points)

    @property
    def maximum(self) -> float:
        """The fastest point."""
        return max(point.rate for point in self.points)

    @property
    def average(self) -> float:
        """The mean of the points."""
        mean = sum(point.rate for point in self.points) / len(self.points)
        return min(max(mean, self.minimum), self.maximum)  # a sum of equal rates may be off by its last bit


def hd_tune(
    condition: str,
    facts: DriveFacts,
    *,
    direction: Literal["read", "write"] = "read",
    block_bytes: int = BLOCK_BYTES,
    point_count: int = 32,
    point_bytes: int = POINT_BYTES,
) -> list[Step]:
    """The steps of one curve under a condition. point_bytes: read or written at each place, at least two blocks."""
    load = Load(_RATE_NAMES[direction], direction, block_bytes)
    family = shown(condition, f"{load.name} at")
    return [
        replace(
            one_pass(f"{family} {number}", load, span),
            labels=Labels.of(_POINT, condition=condition, load=load.name, number=number, family=family),
        )
        for number, span in enumerate(places(facts.user_bytes, block_bytes, point_count, point_bytes), start=1)
    ]


def places(user_bytes: int, block_bytes: int, point_count: int, point_bytes: int = POINT_BYTES) -> list[TestFile]:
    """The spans that a curve of so many points loads; they do not overlap, and the last ends where the drive does."""
    wanted = max(point_bytes, 2 * block_bytes)
    span_bytes = max(min(wanted, user_bytes // point_count) // block_bytes, 1) * block_bytes
    count = max(min(point_count, user_bytes // span_bytes), 1)
    last_offset = (user_bytes - span_bytes) // block_bytes * block_bytes
    offsets = [last_offset * number // max(count - 1, 1) // block_bytes * block_bytes for number in range(count)]
    return [TestFile(offset, span_bytes) for offset in offsets]


def access_and_burst(condition: str, facts: DriveFacts, *, runtime_ns: int = SECOND_NS) -> list[Step]:
    """The steps of the access time (one sector, over the whole drive) and the burst rate (block 0 repeatedly)."""
    sector = _sector(facts.sector_bytes)
    whole = TestFile(0, facts.user_bytes // MIB * MIB)
    return [
        only_pass(condition, sector, whole, runtime_ns=runtime_ns),
        only_pass(condition, _BURST, TestFile(0, BLOCK_BYTES), runtime_ns=runtime_ns // 4),
    ]


def curve(record: Record, condition: str, direction: Literal["read", "write"] = "read") -> Curve | None:
    """The curve of that condition; None when no point was completed."""
    found = [
        Point(int(step.parameters["jobs"][0]["offset_bytes"]), rate_of(step.workload), step.name)
        for step in record.steps_with(_POINT, condition=condition, load=_RATE_NAMES[direction])
        if step.workload is not None and step.status is Status.DONE
    ]
    points = tuple(point for point in found if point.rate > 0)
    return Curve(points, failed_count=len(found) - len(points)) if points else None


def access_time_ns(record: Record, condition: str = "") -> float | None:
    """Mean time of a random read of one sector [ns]; None when it was not measured."""
    score = best_of(record, condition, _sector(record.drive_facts.sector_bytes))
    return score.latency_ns if score else None


def burst(record: Record, condition: str = "") -> Score | None:
    """The burst rate; None when it was not measured."""
    return best_of(record, condition, _BURST)


def _sector(sector_bytes: int) -> Load:
    return Load(ACCESS_TIME, "randread", max(512, sector_bytes))
