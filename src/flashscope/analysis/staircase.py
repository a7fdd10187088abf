"""A counter that rounds down: the slopes that its steps allow.

    count |         ____
          |     ____|        count = floor(c + rate * bytes): any line that fits between the steps is possible
          | ____|            so the slope has hard bounds, and the bounds are its interval
          +--------------> host bytes

The steps are only seen at the readings, so a step lies somewhere between two of them; the bounds include this.
Works for a counter that makes three steps in all and for one that makes thousands between two readings.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Staircase:
    """Counts per host byte: rate, and the lowest and highest that the readings allow [count per byte].

    misfit_counts: by how much more than one step the readings scatter about the best line [counts]; 0 when a
    rounded-down line explains them all. growth: counts gained over the readings [counts].
    """

    rate: float
    low: float
    high: float
    misfit_counts: float
    growth: int

    @property
    def misfit_ratio(self) -> float:
        """misfit_counts as a share of the growth [ratio]; 0 for a perfect line, infinite without growth."""
        return self.misfit_counts / self.growth if self.growth else float("inf")


def fit_staircase(host_bytes: np.ndarray, counts: np.ndarray) -> Staircase:
    """The slope of a counter against bytes.

    host_bytes: written before each reading, ascending, shape (readings,) [bytes]. counts: the readings, same shape,
    whole numbers. A counter that is not quite a line (lazy updates, metadata) gets an interval from its scatter.
    Raises ValueError with fewer than two different byte counts.
    """
    # Subtract before converting: as a float a 64-bit counter loses its last digits.
    counts = np.array([int(count) - int(counts[0]) for count in counts], dtype=float)
    position = np.asarray(host_bytes, dtype=float) - float(host_bytes[0])
    span = position[-1] if len(position) else 0.0
    if span <= 0:
        raise ValueError("a slope needs readings at two different byte counts")
    position = position / span

    def width(rate: float) -> float:
        rest = counts - rate * position
        return float(rest.max() - rest.min())

    # `width` is convex in the rate; its minimum is the best line, and a width below 1 is a staircase.
    reach = 2 * max(1.0, width(counts[-1]))
    low, high = counts[-1] - reach, counts[-1] + reach
    best = _minimum(width, low, high)
    scatter = max(width(best) - 1, 0.0)
    # All lines that leave the readings within one step; for a scattered counter, within a tenth more than the best.
    allowed = 1.0 if not scatter else 1.1 * width(best)
    lowest = _crossing(width, best, low - allowed, allowed)
    highest = _crossing(width, best, high + allowed, allowed)
    middle = (lowest + highest) / 2
    return Staircase(middle / span, max(lowest, 0.0) / span, highest / span, scatter, int(counts[-1]))


def _minimum(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a convex function is least, by ternary search."""
    for _ in range(100):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if function(left) <= function(right) else (left, high)
    return (low + high) / 2


def _crossing(function: Callable[[float], float], inside: float, outside: float, level: float) -> float:
    """The last point on the way from inside to outside where a convex function is at most `level`."""
    for _ in range(100):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if function(middle) <= level else (inside, middle)
    return inside
