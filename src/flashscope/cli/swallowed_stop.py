"""Ctrl-C that Python swallows is heard all the same.

Where the signal arrives within a callback of the import system or a destructor, Python prints "Exception ignored" with
a traceback, and goes on as if nobody had asked. Here it is asked once more instead, a moment later: at once, it would
be swallowed by the same callback.
"""

from __future__ import annotations

import _thread
import contextlib
import sys
import threading
from collections.abc import Iterator

_MOMENT_S = 0.01


@contextlib.contextmanager
def heard() -> Iterator[None]:
    """Within this context a swallowed KeyboardInterrupt is raised again; all else is told as before."""
    before = sys.unraisablehook

    def ask_again(unraisable: sys.UnraisableHookArgs) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            again = threading.Timer(_MOMENT_S, _thread.interrupt_main)
            again.daemon = True
            again.start()
        else:
            before(unraisable)

    sys.unraisablehook = ask_again
    try:
        yield
    finally:
        sys.unraisablehook = before
