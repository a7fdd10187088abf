"""Idle time on a drive in real time: the clock runs, progress is shown, and a stop is noticed."""

from __future__ import annotations

import time

from flashscope.runner.hands.hands import OnProgress

_GLANCE_S = 0.1


def rest(duration_ns: int, on_progress: OnProgress) -> None:
    """Wait for this time [ns]; an exception of on_progress ends it."""
    began_ns = time.monotonic_ns()
    while (elapsed_ns := time.monotonic_ns() - began_ns) < duration_ns:
        on_progress(0, elapsed_ns)
        time.sleep(min(_GLANCE_S, (duration_ns - elapsed_ns) / 1e9))
