"""Ctrl-C that Python swallows is heard all the same.

Where the signal arrives within a callback of the import system or a destructor, Python prints "Exception ignored" with
a traceback, and goes on as if nobody had asked. Here it is asked once more instead, a moment later: at once, it would
be swallowed by the same callback.
"""

from __future__ import annotations

import _thread
import contextlib
import signal
import sys
import threading
import time
from collections.abc import Iterator

_MOMENT_S = 0.01


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Within this context a swallowed KeyboardInterrupt is raised again; all else is told as before."""
    before = sys.unraisablehook

    def ask_again(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            returning = _thread.allocate_lock()
            with returning:
                # Not a Timer: to start one waits until it runs, and on a busy machine it would ask in that time.
                _thread.start_new_thread(_interrupt_after, (returning,))
        else:
            before(unraisable)

    sys.unraisablehook = ask_again
    try:
        yield
    finally:
        sys.unraisablehook = before


def _interrupt_after(returning: _thread.LockType) -> None:
    """Ask again a moment after the lock is free."""
    with returning:
        time.sleep(_MOMENT_S)
    main = threading.main_thread().ident
    if main is not None:
        signal.pthread_kill(main, signal.SIGINT)  # a real one, which also ends a sleep
