"""What is heard of a call of the core that takes long, and by whom.

    core, ten times a second --> heard --> everyone who listens: how far it is
                                              '--raises--> the call ends with that exception, its drive is of no use

A call may take minutes when a drive is large or a part is odd: an aged state is laid out, a log block is merged.
Whoever shows progress, and whoever hears Ctrl-C, listens here for as long as they like. Plain Python: the core is told
of `heard` by the file that uses it (`in_virtual_time.py`).
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

Listener = Callable[[str, int, int, float], None]
"""Called with the phase, perhaps "", how much of it is done, of how much in all (0: unknown), and the call's age [s].

The call may come from any thread.
"""

_listeners: list[Listener] = []


@contextlib.contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Let `listener` hear within this context."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def heard(phase: str, done: int, total: int, took_s: float) -> None:
    """Tell everyone who listens."""
    for listener in tuple(_listeners):
        listener(phase, done, total, took_s)
