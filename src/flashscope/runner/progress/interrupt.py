"""Ctrl-C: the first one asks the run to stop where its record is complete, the second stops at once.

    with Interruption() as interruption:
        ...
        interruption.check()        # raises Interrupted after the first SIGINT or SIGTERM

The second signal raises KeyboardInterrupt wherever the program is; the store survives that (`store/store.py`).

The end of the time that an examination may take (`end_at`) asks in the same way; `is_out_of_time` tells it from a
person.

A virtual drive may be in the middle of one call of the core that takes minutes. Such a call has GRACE_S after the first
signal to come to its end; then it is ended with Interrupted, and what was measured before it is kept.
"""

from __future__ import annotations

import contextlib
import math
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Self

from flashscope.drives.virtual.signs_of_life import listening
from flashscope.errors import Interrupted

GRACE_S = 0.3
"""Time for a call of the core to come to its end by itself, after a stop was asked for [s]."""

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_Handler = Callable[[int, FrameType | None], object] | int | None


class Interruption:
    """Whether a person (SIGINT) or the system (SIGTERM) has asked the run to stop, or its time is over.

    on_request: called once, at the first signal, to show the person that it was noticed. clock: monotonic [s].
    """

    def __init__(
        self, on_request: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._asked_by: str | None = None
        self._on_request, self._clock = on_request, clock
        self._ends_s, self._why = math.inf, ""
        self._requested_s = 0.0
        self._previous: dict[signal.Signals, _Handler] = {}
        self._listening = contextlib.ExitStack()

    @property
    def requested_by(self) -> str | None:
        """Who asked the run to stop, such as "Ctrl-C", or what did; None when it may go on."""
        return self._why if self.is_out_of_time else self._asked_by

    @property
    def is_out_of_time(self) -> bool:
        """Whether the time is over, and nobody asked for a stop before."""
        return self._asked_by is None and self._clock() >= self._ends_s

    def end_at(self, time_s: float, why: str) -> None:
        """Ask the run to stop at a moment of the clock [s]. why: as "stopped by ..." says it, kept in the record."""
        self._ends_s, self._why = time_s, why

    def left_s(self) -> float:
        """The time until a run is ended in any case [s]; infinite where there is no end."""
        return max(0.0, self._ends_s - self._clock())

    def check(self) -> None:
        """Return at once, or raise Interrupted when a stop was asked for."""
        if (by := self.requested_by) is not None:
            raise Interrupted(f"stopped by {by}")

    def request(self, by: str) -> None:
        """Ask the run to stop, as a signal would. by: who asks; kept in the record."""
        if self._asked_by is None:
            self._asked_by, self._requested_s = by, self._clock()

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self._asked_by is not None:
            raise KeyboardInterrupt
        self.request("Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name)
        self._on_request()

    def heard(self, phase: str, done: int, total: int, took_s: float) -> None:
        """Raise Interrupted in a call of the core that goes on too long after a stop was asked for."""
        if self._asked_by is not None and self._clock() - self._requested_s >= GRACE_S:
            self.check()

    def __enter__(self) -> Self:
        # Python allows handlers in the main thread only; elsewhere the caller's own handling stands.
        if threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._receive) for number in _SIGNALS}
        self._listening.enter_context(listening(self.heard))
        return self

    def __exit__(self, *_: object) -> None:
        self._listening.close()
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}
