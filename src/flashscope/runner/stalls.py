"""Whether this process was stopped meanwhile: a paused virtual machine, SIGSTOP, a machine without a moment to spare.

    a thread sleeps 100 ms, again and again
    it wakes after 4 s, in which the process had 0.01 s of a processor      the machine stood still, not the drive

Time that the process itself worked is no stall: it may keep the thread from waking. fio is seldom stopped without us.
Not seen here: a suspended machine, whose clocks stand still for everybody, and stalls below half a second.
"""

from __future__ import annotations

import threading
import time
from types import TracebackType

from flashscope import units
from flashscope.records.doubt import Doubt

STALLED = "Stalled"
_INTERVAL_S = 0.1
_LEAST_S = 0.5
_OWN_RATIO = 0.5


class Stalls:
    """A context in which stalls are noted. longest_s: of one. count: how many."""

    def __init__(self) -> None:
        self.longest_s, self.count = 0.0, 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="stalls", daemon=True)

    def __enter__(self) -> Stalls:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def doubts(self) -> list[Doubt]:
        """What to say of the run."""
        if not self.count:
            return []
        often = "once" if self.count == 1 else f"{self.count} times"
        longest = units.format_time(self.longest_s * 1e9)
        message = f"the machine stood still {often} during the run, for up to {longest}"
        return [Doubt(STALLED, message, "run it again on a machine that is not stopped meanwhile")]

    def noted(self, took_s: float, own_s: float) -> None:
        """A sleep of the interval took so long, and the process had so much processor time in it."""
        late_s = took_s - _INTERVAL_S
        if late_s >= _LEAST_S and own_s < _OWN_RATIO * late_s:
            self.longest_s, self.count = max(self.longest_s, late_s), self.count + 1

    def _watch(self) -> None:
        before_s, own_before_s = time.monotonic(), time.process_time()
        while not self._over.wait(_INTERVAL_S):
            now_s, own_s = time.monotonic(), time.process_time()
            self.noted(now_s - before_s, own_s - own_before_s)
            before_s, own_before_s = now_s, own_s
