"""Whether a tracked value has settled: the rule of the SNIA Solid State Storage Performance Test Specification.

    the last five rounds:  max - min            <= 20 % of their mean
                           |slope| x 4 rounds   <= 10 % of their mean      (least-squares line over the window)

Both must hold. Source: SSS PTS 2.0.x, section 2 of every test. It judges rounds of equal length, never single rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

WINDOW_ROUNDS = 5
RANGE_LIMIT_RATIO = 0.20
SLOPE_LIMIT_RATIO = 0.10


@dataclass(frozen=True)
class Window:
    """The last rounds of a tracked value.

    mean: in its unit. range_ratio: (max - min) / mean. slope_ratio: how far the fitted line moves over the window,
    as a share of the mean, with its sign.
    """

    mean: float
    range_ratio: float
    slope_ratio: float

    @property
    def steady(self) -> bool:
        """Both limits hold."""
        tiny = 1e-12  # the limits themselves are allowed
        return self.range_ratio <= RANGE_LIMIT_RATIO + tiny and abs(self.slope_ratio) <= SLOPE_LIMIT_RATIO + tiny


def last_window(values: Sequence[float], rounds: int = WINDOW_ROUNDS) -> Window | None:
    """The last `rounds` values judged; None when there are fewer, or their mean is not positive.

    values: one per round, shape (rounds so far,). Raises ValueError for a window of fewer than two rounds.
    """
    if rounds < 2:
        raise ValueError(f"a window needs two rounds at least, found {rounds}")
    last = np.asarray(values[-rounds:], dtype=float)
    if len(last) < rounds or not last.mean() > 0:
        return None
    slope = float(np.polyfit(np.arange(rounds), last, 1)[0])
    mean = float(last.mean())
    return Window(mean, float(np.ptp(last)) / mean, slope * (rounds - 1) / mean)
