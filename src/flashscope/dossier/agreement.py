"""Whether two findings about one property can both be true: their intervals meet, or their words are the same.

A number without an interval, or with one narrower than what two methods may differ by, gets that much around it.
Found and not found are compared, too: a value on one side and "none seen" on the other contradict each other.
"""

from __future__ import annotations

from flashscope.dossier.telling import Telling


def agree(one: Telling, other: Telling, tolerance_ratio: float) -> bool:
    """True when both can be true. tolerance_ratio: what two methods may differ by [of the value]."""
    if one.absence or other.absence:
        return bool(one.absence) == bool(other.absence)
    first, second = one.finding.value, other.finding.value
    if isinstance(first, str) or isinstance(second, str) or first is None or second is None:
        return first == second
    low, high = bounds(one, tolerance_ratio)
    other_low, other_high = bounds(other, tolerance_ratio)
    return low <= other_high and other_low <= high


def bounds(telling: Telling, tolerance_ratio: float) -> tuple[float, float]:
    """The interval of a number, at least half the tolerance to both sides."""
    value = float(telling.finding.value or 0)
    margin = abs(value) * tolerance_ratio / 2
    low, high = telling.finding.low, telling.finding.high
    return min(value - margin, value if low is None else low), max(value + margin, value if high is None else high)
