"""How fast a disk is read now, for the time that a plan states."""

from __future__ import annotations

import time
from collections.abc import Callable

from flashscope.partitions.source import Source
from flashscope.realign.plan import Plan

_MOST_BYTES = 64 << 20
_MOST_S = 1.0
_AT_ONCE_BYTES = 4 << 20


def read_rate(source: Source, plan: Plan, clock: Callable[[], float] = time.monotonic) -> float:
    """The rate at which the first partition that moves is read [bytes/s], from at most 64 MiB or 1 s.

    0 when nothing moves or nothing can be read. What the system has in memory already is read faster than the disk.
    """
    if not plan.moves:
        return 0.0
    move = max(plan.moves, key=lambda each: each.length_bytes)
    began_s, done = clock(), 0
    while done < min(_MOST_BYTES, move.length_bytes) and clock() - began_s < _MOST_S:
        part = source.read(move.from_bytes + done, min(_AT_ONCE_BYTES, move.length_bytes - done))
        if not part:
            break
        done += len(part)
    took_s = clock() - began_s
    return done / took_s if took_s > 0 else 0.0
