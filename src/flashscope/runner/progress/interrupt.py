"""Ctrl-C: the first one asks the run to stop where its record is complete, the second stops at once.

    with Interruption() as interruption:
        ...
        interruption.check()        # raises Interrupted after the first SIGINT or SIGTERM

The second signal raises KeyboardInterrupt wherever the program is; the store survives that (`store/store.py`).

A virtual drive may be in the middle of one call of the core that takes minutes. Such a call has GRACE_S after the first
signal to come to its end; then it is ended with Interrupted, and what was measured before it is kept.
"""

from __future__ import annotations

import contextlib
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
    """Whether a person (SIGINT) or the system (SIGTERM) has asked the run to stop.

    on_request: called once, at the first signal, to show the person that it was noticed. clock: monotonic [s].
    """

    def __init__(
        self, on_request: Callable[[], None] = lambda: None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.requested_by: str | None = None
        self._on_request, self._clock = on_request, clock
        self._requested_s = 0.0
        self._previous: dict[signal.Signals, _Handler] = {}
        self._listening = contextlib.ExitStack()

    def check(self) -> None:
        """Return at once, or raise Interrupted when a stop was asked for."""
        if self.requested_by is not None:
            raise Interrupted(f"stopped by {self.requested_by}")

    def request(self, by: str) -> None:
        """Ask the run to stop, as a signal would. by: who asks; kept in the record."""
        if self.requested_by is None:
            self.requested_by, self._requested_s = by, self._clock()

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.requested_by is not None:
            raise KeyboardInterrupt
        self.request("Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name)
        self._on_request()

    def heard(self, phase: str, done: int, total: int, took_s: float) -> None:
        """Raise Interrupted in a call of the core that goes on too long after a stop was asked for."""
        if self.requested_by is not None and self._clock() - self._requested_s >= GRACE_S:
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
