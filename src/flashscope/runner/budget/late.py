"""How much slower than planned a drive turns out to be, from what was run so far.

    an experiment      planned 20 s, of it 5 s rest        took 65 s        its loads took 60 for 15 s: 4 times

Rests take their time on every drive. A few seconds count as having taken what was planned, so that small experiments
alone decide nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Self

from flashscope.records import Record
from flashscope.workloads.steps import Idle, Step

_BELIEVED_S = 5.0


class Pace(NamedTuple):
    """One experiment: planned_s, took_s without its rests [s]."""

    planned_s: float
    took_s: float

    @classmethod
    def of(cls, steps: Sequence[Step], planned_s: float, record: Record) -> Self:
        """planned_s: of all these steps, rests among them. record: of the run."""
        rests = {step.name: step.duration_ns for step in steps if isinstance(step, Idle)}
        ran = [step for step in record.steps if step.name not in rests]
        took_ns = sum(max(0, step.ended_ns - step.started_ns) for step in ran)
        return cls(max(0.0, planned_s - sum(rests.values()) / 1e9), took_ns / 1e9)


def times_as_long(paces: Sequence[Pace]) -> float:
    """How many times as long as planned they took together; 1 at least."""
    planned_s, took_s = sum(each.planned_s for each in paces), sum(each.took_s for each in paces)
    return max(1.0, (took_s + _BELIEVED_S) / (planned_s + _BELIEVED_S))
