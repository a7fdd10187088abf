"""Write amplification of random writing: how much faster a flash-side counter grows than in sequential writing.

    by a counter of unknown unit:  amplification = counts per host byte, random / the same, sequential
    by a counter of known unit:    amplification = counts per host byte, random * bytes per count

The first is relative to sequential writing, whose own amplification is near 1. Only the last two thirds of the random
phase count: at first the drive still holds data written in order, and its collector does not yet work steadily.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from flashscope.analysis.counters import Reading
from flashscope.analysis.erase_counter import Verdict, phase_slope, settled_part
from flashscope.analysis.staircase import Staircase
from flashscope.records import Doubt

_DRIFT_RATIO = 0.05
_LEAST_STEPS = 2


@dataclass(frozen=True)
class WriteAmplification:
    """Flash bytes per host byte in random writing: ratio, and its bounds from the readings (low .. high).

    sequential_ratio: that of sequential writing, by the same counter; 1 where sequential writing is the reference.
    """

    ratio: float
    low: float
    high: float
    sequential_ratio: float
    doubts: tuple[Doubt, ...] = ()


def random_write_amplification(
    readings: Sequence[Reading], counter: Verdict, *, unit_bytes: int = 0
) -> WriteAmplification | None:
    """The amplification by one flash-side counter; None when it made fewer than two steps in either phase.

    unit_bytes: flash bytes per count; 0 when unknown; then sequential writing is the reference.
    """
    settled = settled_part(readings)
    doubts = []
    sequential = counter.sequential
    late = phase_slope(readings, counter.counts, "random", settled)
    if late is None or late.growth < _LEAST_STEPS:
        late = _still_settling(readings, counter, late)
        message = (
            "the counter moved less than twice in the settled part of the random writing; the value lies between the "
            "pace of all of it and the fastest that the settled part allows"
        )
        doubts.append(Doubt("TooFewSteps", message, "write more at random"))
    if late is None or late.growth < _LEAST_STEPS or sequential is None or sequential.low <= 0:
        return None
    count = sum(reading.phase == "random" for reading in readings)
    middle = (settled.start + count) // 2
    early_half = phase_slope(readings, counter.counts, "random", slice(settled.start, middle + 1))
    late_half = phase_slope(readings, counter.counts, "random", slice(middle, None))
    if _differ(early_half, late_half):
        message = "the write amplification still changes between the second and the last third of the random writing"
        doubts.append(Doubt("NotSteady", message, "write more at random, until it stays the same"))
    # The counts bound the mean over these writes; the difference between the two halves shows how much it varies. A
    # half without two steps in it shows nothing of that: any pace, none included, would fit.
    telling = [late, *(half for half in (early_half, late_half) if half is not None and half.growth >= _LEAST_STEPS)]
    low, high = min(part.low for part in telling), max(part.high for part in telling)
    if unit_bytes:
        scaled = [rate * unit_bytes for rate in (late.rate, low, high, sequential.rate)]
        return WriteAmplification(scaled[0], scaled[1], scaled[2], scaled[3], tuple(doubts))
    return WriteAmplification(
        late.rate / sequential.rate, low / sequential.high, high / sequential.low, 1.0, tuple(doubts)
    )


def _still_settling(readings: Sequence[Reading], counter: Verdict, settled: Staircase | None) -> Staircase | None:
    """The pace where the settled part shows too little: data written in order is cheaper to overwrite, so the pace of
    the settled part is no lower than that of all the random writing."""
    whole = phase_slope(readings, counter.counts, "random", slice(None))
    if whole is None or settled is None or whole.low <= 0:
        return whole
    high = max(whole.high, settled.high)
    return replace(whole, rate=math.sqrt(whole.low * high), high=high)


def _differ(one: Staircase | None, other: Staircase | None) -> bool:
    if one is None or other is None or not one.rate or not other.rate:
        return False
    apart = one.low > other.high or other.low > one.high
    return apart and abs(one.rate / other.rate - 1) > _DRIFT_RATIO
