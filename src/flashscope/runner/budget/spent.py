"""What records say that an examination has cost so far: bytes written, and time.

Of a step that never came to its end (a process that was killed) nothing was kept: it counts with all that it could
write, and without its time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flashscope.records import Record, Status, StepKind, StepRecord
from flashscope.workloads.steps import CheckPlaces


class Spent(NamedTuple):
    """written_bytes: at most [bytes]. time_s: of the steps [s]."""

    written_bytes: float = 0.0
    time_s: float = 0.0


NOTHING_SPENT = Spent()


def spent_by(records: Iterable[Record]) -> Spent:
    """What these records cost together."""
    steps = [step for record in records for step in record.steps]
    return Spent(sum(map(_written_bytes, steps)), sum(max(0, step.ended_ns - step.started_ns) for step in steps) / 1e9)


def _written_bytes(step: StepRecord) -> float:
    if step.workload is not None:
        return float(step.workload.totals.get("written_bytes", 0))
    if step.status is Status.SKIPPED:
        return 0.0
    asked = step.parameters
    if step.kind == StepKind.PLACES:
        span, place, region, stretch = (int(asked[f"{of}_bytes"]) for of in ("span", "place", "region", "stretch"))
        return float(CheckPlaces(step.name, span, place, region, stretch).bytes_to_write)
    return float(asked.get("bytes_to_write", 0))
