"""How fast a disk moves data, for the time that a plan states: reading is measured now, writing was examined before."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from flashscope.partitions.source import Source
from flashscope.realign.plan import Plan

_READS = 3
"""All is read once beforehand; each chunk is read, and read back after it was written."""

_MOST_BYTES = 64 << 20
_MOST_S = 1.0
_AT_ONCE_BYTES = 4 << 20


@dataclass(frozen=True)
class Rates:
    """What is known of a disk. read: measured now. write: found by an examination on a day. limit: asked for [bytes/s].

    0 where a rate is not known, or no limit was asked for. examined: that day; empty without one.
    """

    read: float = 0.0
    write: float = 0.0
    examined: str = ""
    limit: float = 0.0

    def expected_s(self, moved_bytes: int) -> float:
        """How long moving so much takes [s]; as if writing were as fast as reading where its rate is not known.

        0 where nothing is known.
        """
        if not self.read:
            return 0.0
        reading, writing = moved_bytes / self.read, moved_bytes / (self.write or self.read)
        moving = (_READS - 1) * reading + writing
        return reading + (max(moving, moved_bytes / self.limit) if self.limit else moving)


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
