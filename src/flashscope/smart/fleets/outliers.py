"""Which of many numbers are outliers, by a rule that the outliers themselves do not affect.

    |x - median| > 3.5 x 1.4826 x MAD       MAD: the median of |x - median|
    and more than the least difference that matters for this measure

1.4826 makes the MAD of normally distributed numbers their standard deviation. Where more than half of the drives
agree exactly, the MAD is 0 and the least difference alone decides. Source, also of the limit 3.5: B. Iglewicz and
D. Hoaglin, "How to Detect and Handle Outliers" (1993).
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.smart.fleets.measures import Measure, Number

MEMBERS_AT_LEAST = 8
"""With fewer numbers there are no outliers: three different drives show no usual value."""
CUT = 3.5
NORMAL_PER_MAD = 1.4826


@dataclass(frozen=True)
class Outlier:
    """index: into the numbers. deviations: distance in the rule's standard deviations; inf where the others agree."""

    index: int
    value: Number
    median: float
    deviations: float
    reason: str


def outliers(measure: Measure, numbers: Sequence[Number | None]) -> list[Outlier]:
    """Which of the numbers are outliers; None: the drive does not report it."""
    told = [(index, number) for index, number in enumerate(numbers) if number is not None and math.isfinite(number)]
    if len(told) < MEMBERS_AT_LEAST:
        return []
    scaled = [_scaled(measure, number) for _, number in told]
    centre = statistics.median(scaled)
    deviation = NORMAL_PER_MAD * statistics.median(abs(one - centre) for one in scaled)
    median = float(statistics.median(number for _, number in told))
    least = math.log(measure.least) if measure.scale == "log" else measure.least
    found = []
    for (index, number), one in zip(told, scaled, strict=True):
        distance = one - centre
        if abs(distance) <= CUT * deviation or abs(distance) < least:
            continue
        if measure.side != "both" and (measure.side == "high") != (distance > 0):
            continue
        deviations = abs(distance) / deviation if deviation else math.inf
        found.append(
            Outlier(index, number, median, deviations, _reason(measure, number, median, deviations, len(told)))
        )
    return found


def _scaled(measure: Measure, number: Number) -> float:
    return math.log(max(0.0, float(number)) + 1) if measure.scale == "log" else float(number)


def _reason(measure: Measure, number: Number, median: float, deviations: float, count: int) -> str:
    how_far = "where more than half agree" if math.isinf(deviations) else f"{deviations:.1f} robust deviations away"
    side = "above" if number > median else "below"
    told, usual = said(number, measure.unit), said(median, measure.unit)
    return f"{measure.title}: {told}, {side} the median {usual} of {count} drives; {how_far}"


def said(number: Number, unit: str) -> str:
    """A number of a measure, formatted for a reader."""
    from flashscope.units import format_bytes

    if unit == "bytes":
        return format_bytes(number)
    text = f"{number:,.0f}".replace(",", " ") if abs(number) >= 100 else f"{number:.3g}"
    return (
        text
        if unit in ("count", "ratio")
        else f"{text} {'%' if unit == 'percent' else 'h' if unit == 'hours' else unit}"
    )
