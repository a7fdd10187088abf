"""Ctrl-C: the first one asks the run to stop where its record is complete, the second stops at once.

    with Interruption() as interruption:
        ...
        interruption.check()        # raises Interrupted after the first SIGINT or SIGTERM

The second signal raises KeyboardInterrupt wherever the program is; the store survives that (`records/store.py`).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType
from typing import Self

from flashscope.errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_Handler = Callable[[int, FrameType | None], object] | int | None


class Interruption:
    """Whether a person (SIGINT) or the system (SIGTERM) has asked the run to stop.

    on_request: called once, at the first signal, to show the person that it was noticed.
    """

    def __init__(self, on_request: Callable[[], None] = lambda: None) -> None:
        self.requested_by: str | None = None
        self._on_request = on_request
        self._previous: dict[signal.Signals, _Handler] = {}

    def check(self) -> None:
        """Return at once, or raise Interrupted when a stop was asked for."""
        if self.requested_by is not None:
            raise Interrupted(f"stopped by {self.requested_by}")

    def request(self, by: str) -> None:
        """Ask the run to stop, as a signal would. by: who asks; kept in the record."""
        if self.requested_by is None:
            self.requested_by = by

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.requested_by is not None:
            raise KeyboardInterrupt
        self.requested_by = "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name
        self._on_request()

    def __enter__(self) -> Self:
        # Python allows handlers in the main thread only; elsewhere the caller's own handling stands.
        if threading.current_thread() is threading.main_thread():
            self._previous = {number: signal.signal(number, self._receive) for number in _SIGNALS}
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._previous.items():
            signal.signal(number, handler)
        self._previous = {}
