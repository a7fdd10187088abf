"""How fast a counter grows now: from the latest windows of a series, not from the whole life.

    readings   o---o----o--o-------o---o---o      grouped from the newest backwards, until the counter grew by a step
    windows                [----][--][----][--]   at most so many; rate of each = growth of counter / growth of base
    rate       median of the windows
    interval   where the rate until the next reading lies, 95 times in 100: Student's t on the logarithm of the rate,
               its spread from the windows themselves and from what is usual of drives

How well a median is known says little of the next rate: a load comes in bursts, and the windows show how uneven it
is. With few windows the usual spread decides, with many their own. A counter that went backwards was reset, or it is
another drive: the readings before are left out. With a single reading only the average of the whole life is available,
counter / base; its interval is the known error of such averages, and that of a single window is the same.
Not modelled here: how long until the next reading. Of intervals much shorter than a window, half show no growth at all.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from flashscope.smart.decoding.span import Span

WINDOWS_MAX = 12
_USUAL_SPREAD, _USUAL_SPREAD_WEIGHT = 0.6, 2
"""Standard deviation of the logarithm of a drive's rates, and for how many windows it counts. Fitted to the next
readings of 26 drives read over their lives; those of each drive lay inside a fit to the others 96 times in 100."""
_MOST_LOGARITHM = math.log(1e6)
_STUDENT_T = (4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160)
"""97.5 % quantile of Student's t with 2, 3, ... degrees of freedom."""
LIFETIME_WIDENED = 6.0
"""In both directions. Of 211 later rates of 22 drives read over years, nine in ten lay within a factor of 5.7."""
_STEPS_WANTED = 4  # the rate of a window with a growth of one step is uncertain by a factor of two


@dataclass(frozen=True)
class Rate:
    """Growth of a counter for each unit of a base. basis: "recent windows" or "lifetime average"."""

    span: Span
    basis: str
    window_count: int


Point = tuple[float, float]
"""(base, counter), both growing."""


def rate(points: Sequence[Point], *, step: float) -> Rate | None:
    """The present rate of a counter against its base; None when unknown.

    points: oldest first. step: one step of the counter, in its unit; it must grow by at least that in a window.
    """
    points = _since_the_last_reset(points)
    for steps in (_STEPS_WANTED, 1):
        windows = _windows(points, steps * step)
        if len(windows) >= 3 or (windows and steps == 1):
            return Rate(_span(windows), "recent windows", len(windows))
    return _lifetime(points)


def _lifetime(points: Sequence[Point]) -> Rate | None:
    """The average over the drive's whole life; None for a drive that has done nothing yet."""
    if not points:
        return None
    base, counter = points[-1]
    if base <= 0 or counter <= 0:
        return None
    return Rate(Span.exactly(counter / base).widened(LIFETIME_WIDENED), "lifetime average", 0)


def _since_the_last_reset(points: Sequence[Point]) -> list[Point]:
    kept: list[Point] = []
    for base, counter in points:
        if kept and (counter < kept[-1][1] or base < kept[-1][0]):
            kept = []
        kept.append((base, counter))
    return kept


def _windows(points: Sequence[Point], step: float) -> list[float]:
    """Rates of the latest windows, newest first; a window with too little growth is made longer."""
    rates: list[float] = []
    if len(points) < 2:
        return rates
    end = points[-1]
    for begin in reversed(points[:-1]):
        grown, passed = end[1] - begin[1], end[0] - begin[0]
        if passed > 0 and grown >= 0.999 * step and 0 < grown / passed < math.inf:  # ratios of whole counts round
            rates.append(grown / passed)
            end = begin
            if len(rates) == WINDOWS_MAX:
                break
    return rates


def _span(rates: Sequence[float]) -> Span:
    """The median of the windows' rates, and where the rate until the next reading lies."""
    value = median(rates)
    count = len(rates)
    if count == 1:
        return Span.exactly(value).widened(LIFETIME_WIDENED)
    logarithms = [math.log(rate) for rate in rates]
    middle = sum(logarithms) / count
    squares = sum((one - middle) ** 2 for one in logarithms)
    freedom = _USUAL_SPREAD_WEIGHT + count - 1
    spread = math.sqrt((_USUAL_SPREAD_WEIGHT * _USUAL_SPREAD**2 + squares) / freedom * (1 + 1 / count))
    return Span.exactly(value).widened(math.exp(min(_STUDENT_T[count - 1] * spread, _MOST_LOGARITHM)))
