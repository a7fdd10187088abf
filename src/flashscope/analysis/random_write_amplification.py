"""Write amplification of random writing, from how much sooner a flash-side counter steps than in sequential writing.

    amplification = host bytes per step, sequential / host bytes per step, random (late part)

It is relative to sequential writing, whose own amplification is near 1. Only the second half of the random phase
counts: a drive that was written in order first has to be shuffled before its collector works at its steady pace.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.analysis.counters import Reading
from flashscope.analysis.erase_counter import Verdict, phase_slope
from flashscope.analysis.staircase import Staircase
from flashscope.records import Doubt

_DRIFT_RATIO = 0.05


@dataclass(frozen=True)
class WriteAmplification:
    """NAND bytes per host byte relative to sequential writing: ratio, and what the readings allow (low .. high)."""

    ratio: float
    low: float
    high: float
    doubts: tuple[Doubt, ...] = ()


def random_write_amplification(readings: Sequence[Reading], counter: Verdict) -> WriteAmplification | None:
    """The amplification by one flash-side counter; None when it made fewer than two steps in either phase."""
    count = sum(reading.phase == "random" for reading in readings)
    doubts = []
    late = phase_slope(readings, counter.counts, "random", slice(count // 2, None))
    if late is None or late.growth < 2:
        late = phase_slope(readings, counter.counts, "random", slice(None))
        message = "the counter moved less than twice in the second half of the random writing; all of it was used"
        doubts.append(Doubt("TooFewSteps", message, "write more at random"))
    if late is None or late.growth < 2 or counter.sequential is None or counter.sequential.low <= 0:
        return None
    third = phase_slope(readings, counter.counts, "random", slice(count // 2, 3 * count // 4 + 1))
    fourth = phase_slope(readings, counter.counts, "random", slice(3 * count // 4, None))
    if _differ(third, fourth):
        message = "the write amplification still changes between the third and the last quarter of the random writing"
        doubts.append(Doubt("NotSteady", message, "write more at random, until it stays the same"))
    return WriteAmplification(
        late.rate / counter.sequential.rate,
        late.low / counter.sequential.high,
        late.high / counter.sequential.low,
        tuple(doubts),
    )


def _differ(one: Staircase | None, other: Staircase | None) -> bool:
    if one is None or other is None or not one.rate or not other.rate:
        return False
    apart = one.low > other.high or other.low > one.high
    return apart and abs(one.rate / other.rate - 1) > _DRIFT_RATIO
