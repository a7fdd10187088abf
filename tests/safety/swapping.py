"""Somebody who keeps exchanging two names while a run goes: now this file is called so, now that one.

    with swapped(path, other):      renameat2(RENAME_EXCHANGE) again and again, at any moment, without a gap in which
        ... a run ...               either name would be missing

Which of the two a run takes is up to chance; that it takes only one is what the tests ask.
"""

from __future__ import annotations

import ctypes
import os
import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_AT_FDCWD = -100
_EXCHANGE = 2  # RENAME_EXCHANGE, <linux/fs.h>
PAUSES_S = (0.4, 0.03, 2.0)
"""Longest pauses between two exchanges [s], one for each seed: a run that is disturbed all the time ends soon."""


def exchange(path: Path, other: Path) -> None:
    """Exchange what two names lead to, in one step."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, os.fsencode(path), _AT_FDCWD, os.fsencode(other), _EXCHANGE) != 0:
        raise OSError(ctypes.get_errno(), "renameat2")


@contextmanager
def swapped(path: Path, other: Path, *, seed: int) -> Iterator[None]:
    """Exchange them at moments drawn by chance, for as long as the block lasts; an even number of times in the end."""
    chance, longest_s = random.Random(seed), PAUSES_S[seed % len(PAUSES_S)]
    over = threading.Event()
    times = 0

    def go_on() -> None:
        nonlocal times
        while not over.wait(chance.random() ** 2 * longest_s):
            exchange(path, other)
            times += 1

    thread = threading.Thread(target=go_on)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        if times % 2:
            exchange(path, other)
