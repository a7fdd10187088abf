"""The progress of many long runs on several workers; each run only reports its end and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable

_NEVER_SHOWN_WHOLE = 0.9


class Pace:
    """The share done, as a smooth value: points may take minutes, and a bar should move between two of them.

    It counts the runs that have ended, and the likely part of the current runs, from the mean time so far.
    """

    def __init__(self, total: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._clock = total, clock
        self._ended, self._took_s = 0, 0.0
        self._last_s = clock()
        self._shown = 0.0

    def ended(self, took_s: float) -> None:
        """One more run has ended, after this wall time."""
        self._ended += 1
        self._took_s += took_s
        self._last_s = self._clock()

    def share(self, workers: int) -> float:
        """The share done, 0 to 1; it never decreases. 0 until the first run has ended: nothing is known before."""
        if not self._ended or not self._total:
            return 0.0
        mean_s = max(self._took_s / self._ended, 1e-6)
        at_hand = min(workers, self._total - self._ended)
        # With n workers, one point ends every mean_s / n.
        likely = min(at_hand * _NEVER_SHOWN_WHOLE, (self._clock() - self._last_s) * at_hand / mean_s)
        self._shown = max(self._shown, min(1.0, (self._ended + likely) / self._total))
        return self._shown
