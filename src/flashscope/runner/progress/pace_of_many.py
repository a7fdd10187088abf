"""How far many long runs are that several workers share; each says only that it ended, and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable

_NEVER_SHOWN_WHOLE = 0.9


class Pace:
    """How much is done, smoothly: points may take minutes, and between two of them a bar should not stand still.

    Counted is what has ended, and of what the workers have at hand the part that the mean time so far makes likely.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._clock = total, clock
        self._ended, self._took_s = 0, 0.0
        self._last_s = clock()
        self._shown = 0.0

    def ended(self, took_s: float) -> None:
        """One more has ended, after so much wall time."""
        self._ended += 1
        self._took_s += took_s
        self._last_s = self._clock()

    def share(self, workers: int) -> float:
        """The share done, 0 to 1; it never goes back. 0 until the first has ended: nothing is known before."""
        if not self._ended or not self._total:
            return 0.0
        mean_s = max(self._took_s / self._ended, 1e-6)
        at_hand = min(workers, self._total - self._ended)
        # With n workers at it, one of their points ends every mean_s / n.
        likely = min(at_hand * _NEVER_SHOWN_WHOLE, (self._clock() - self._last_s) * at_hand / mean_s)
        self._shown = max(self._shown, min(1.0, (self._ended + likely) / self._total))
        return self._shown
