"""One call of the core that takes long: a line now and then says what it does and how long it still takes.

    0 s            2 s                                        12 s
    call begins    "  filling in order: 8 %, 20 s left"       "  filling in order: 61 %, 8 s left"

Most work is done in slices of a tenth of a second, and the bar or the lines of a run show it. But a large drive is
built or aged in one call, and one request to an odd part may take minutes; then nothing else would be said.
Only the main thread's calls are told: what other threads do is shown by whoever waits for them.
"""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import TextIO

from flashscope import units
from flashscope.drives.virtual.signs_of_life import listening
from flashscope.runner.progress.progress import LINE_INTERVAL_S
from flashscope.runner.progress.remaining import RemainingTime, say_remaining

FIRST_LINE_S = 2.0


@contextlib.contextmanager
def long_calls_told(*, silent: bool) -> Iterator[None]:
    """Tell of long calls on standard error within this context, unless it is to be silent."""
    with contextlib.nullcontext() if silent else listening(LongCalls().heard):
        yield


class LongCalls:
    """Lines about long calls. stream: where they go, by default what is standard error then. clock: monotonic [s]."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._said_s = float("-inf")
        self._phase, self._took_s = "", 0.0
        self._remaining = RemainingTime(0.0, 0.0)

    def heard(self, phase: str, done: int, total: int, took_s: float) -> None:
        """Called by the core, about ten times a second; see `signs_of_life.Listener`."""
        if threading.current_thread() is not threading.main_thread():
            return
        now_s = self._clock()
        if phase != self._phase or took_s < self._took_s:
            self._remaining = RemainingTime(float(total), now_s)
        self._phase, self._took_s = phase, took_s
        left_s = self._remaining.update(float(done), now_s) if total else None
        if took_s < FIRST_LINE_S or now_s - self._said_s < LINE_INTERVAL_S:
            return
        self._said_s = now_s
        if total:
            line = f"{phase}: {units.format_percent(min(1.0, done / total))}, {say_remaining(left_s)}"
        else:
            line = f"{phase or 'one request takes long'}: {units.format_time(took_s * 1e9)} so far"
        (self._stream or sys.stderr).write(f"  {line} (Ctrl-C stops it)\n")
