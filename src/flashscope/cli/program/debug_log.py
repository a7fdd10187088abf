"""What `--debug` prints on standard error while a command runs: what was done, when, and how it ended.

    flashscope:    0.412 s runner   write-buffer on sim:onyx-32, step 3 of 9 "burst 64 MiB" begins
    flashscope:    0.655 s drives   guard: file:target.img, to be written: mounted refuses: mounted at /mnt

Each room has a logger of its own, `flashscope.ROOM`, and writes to it at level DEBUG. This file alone decides where the
messages go. Times are seconds since the command began. Without `--debug` nothing is printed, and this file is not
imported. A message is one line of at most LONGEST characters; the environment of a program is never printed.
Not printed: what the workers of a cluster do, which are processes of their own.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LONGEST = 400
"""What a message says beyond this is left out [characters]."""


@contextmanager
def shown_on_standard_error(clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Print what all rooms do until the end of the context. clock: seconds, monotonic."""
    ours = logging.getLogger("flashscope")
    handler = _ToStandardError()
    handler.setFormatter(_Line(clock))
    level = ours.level
    ours.addHandler(handler)
    ours.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        ours.setLevel(level)
        ours.removeHandler(handler)


class _ToStandardError(logging.Handler):
    """Writes to standard error as it is at that moment: a progress bar puts a stream of its own in its place."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


class _Line(logging.Formatter):
    def __init__(self, clock: Callable[[], float]) -> None:
        super().__init__()
        self._clock, self._began_s = clock, clock()

    def format(self, record: logging.LogRecord) -> str:
        room = record.name.partition(".")[2]
        said = " | ".join(record.getMessage().splitlines())
        if len(said) > LONGEST:
            said = f"{said[:LONGEST]} ... ({len(said) - LONGEST} characters more)"
        return f"flashscope: {self._clock() - self._began_s:8.3f} s {room:<8} {said}"
