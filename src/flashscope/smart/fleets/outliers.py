"""Which of many numbers are outliers, by a rule that the outliers themselves do not affect.

    |x - median| > 3.5 x 1.4826 x MAD       MAD: the median of |x - median|
    and more than the least difference that matters for this measure

1.4826 makes the MAD of normally distributed numbers their standard deviation. Where more than half of the drives
agree exactly, the MAD is 0 and the least difference alone decides. Source, also of the limit 3.5: B. Iglewicz and
D. Hoaglin, "How to Detect and Handle Outliers" (1993).

With fewer than eight drives of a model a MAD says little. Then, for measures of health, drives of other models of the
same family are taken as further peers; where there are still fewer than eight, from three on, Dixon's test decides:

    gap to the nearest / range of all > Q99(n)      one outlier at most, at the one end or the other

Source of Q99: D. Rorabacher, Analytical Chemistry 63 (1991) 139, two-sided, 99 %.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from flashscope.smart.fleets.measures import Measure, Number

MEMBERS_AT_LEAST = 8
"""With fewer numbers Dixon's test is taken, from three on; two different drives show no usual value."""
DIXON_Q99 = {3: 0.994, 4: 0.926, 5: 0.821, 6: 0.740, 7: 0.680}
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


def outliers(measure: Measure, numbers: Sequence[Number | None], peers: Sequence[Number | None] = ()) -> list[Outlier]:
    """Which of the numbers are outliers; None: the drive does not report it.

    peers: numbers of like drives of other models, which are looked at only where there are few numbers.
    """
    told = [(index, number) for index, number in enumerate(numbers) if number is not None and math.isfinite(number)]
    if not told:
        return []
    usual = [number for _, number in told]
    if len(usual) < MEMBERS_AT_LEAST and measure.by_family:
        usual += [number for number in peers if number is not None and math.isfinite(number)]
    if len(usual) < MEMBERS_AT_LEAST:
        return _by_dixon(measure, told)
    scaled = [_scaled(measure, number) for number in usual]
    centre = statistics.median(scaled)
    deviation = NORMAL_PER_MAD * statistics.median(abs(one - centre) for one in scaled)
    median = float(statistics.median(usual))
    of = "drives" if len(usual) == len(told) else "drives of its family"
    found = []
    for index, number in told:
        distance = _scaled(measure, number) - centre
        if abs(distance) <= CUT * deviation or not _matters(measure, distance):
            continue
        deviations = abs(distance) / deviation if deviation else math.inf
        how_far = "where more than half agree" if math.isinf(deviations) else f"{deviations:.1f} robust deviations away"
        reason = _reason(measure, number, median, f"{len(usual)} {of}", how_far)
        found.append(Outlier(index, number, median, deviations, reason))
    return found


def _by_dixon(measure: Measure, told: Sequence[tuple[int, Number]]) -> list[Outlier]:
    """The one outlier of three to seven numbers, if there is one."""
    if len(told) not in DIXON_Q99:
        return []
    ordered = sorted(told, key=lambda one: one[1])
    scaled = [_scaled(measure, number) for _, number in ordered]
    whole, limit = scaled[-1] - scaled[0], DIXON_Q99[len(told)]
    median = float(statistics.median(number for _, number in told))
    for place, gap in ((-1, scaled[-1] - scaled[-2]), (0, scaled[1] - scaled[0])):
        distance = scaled[place] - statistics.median(scaled)
        if not whole or gap / whole <= limit or not _matters(measure, distance):
            continue
        index, number = ordered[place]
        how_far = f"{gap / whole:.0%} of the whole range lies between it and the nearest"
        reason = _reason(measure, number, median, f"{len(told)} drives", how_far)
        return [Outlier(index, number, median, math.inf, reason)]
    return []


def _matters(measure: Measure, distance: float) -> bool:
    least = math.log(measure.least) if measure.scale == "log" else measure.least
    return abs(distance) >= least and (measure.side == "both" or (measure.side == "high") == (distance > 0))


def _scaled(measure: Measure, number: Number) -> float:
    return math.log(max(0.0, float(number)) + 1) if measure.scale == "log" else float(number)


def _reason(measure: Measure, number: Number, median: float, among: str, how_far: str) -> str:
    side = "above" if number > median else "below"
    told, usual = said(number, measure.unit), said(median, measure.unit)
    return f"{measure.title}: {told}, {side} the median {usual} of {among}; {how_far}"


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
