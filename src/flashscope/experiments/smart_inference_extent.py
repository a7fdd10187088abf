"""How much SMART inference writes, by how far it may go (`smart_inference.py` says what for)."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.experiments.streams import SECOND_NS
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import Effort

CONDITIONING_FILLS = 1.25
"""Fills in order before the first reading that counts."""
_FULL_RANDOM_BYTES = 96 * 10**9
_LEAST_RANDOM_RATIO = 0.6
_REAL_CHUNK_LIMIT_NS, _QUICK_CHUNK_LIMIT_NS = 75 * SECOND_NS, 150 * SECOND_NS
_SLOW_BYTES_PER_SECOND = 3_000_000


@dataclass(frozen=True)
class Extent:
    """How much is written: fills in order and chunks of each; share of the drive at random, and its chunks."""

    fills: int
    chunks_per_fill: int
    random_ratio: float
    random_chunks: int

    def random_bytes(self, span_bytes: int, facts: DriveFacts) -> int:
        """Bytes written at random over a span; fewer on a large virtual drive, which settles within 0.2 fills."""
        total = round(span_bytes * self.random_ratio)
        if not facts.in_virtual_time:
            return total
        return min(total, max(_FULL_RANDOM_BYTES, round(span_bytes * _LEAST_RANDOM_RATIO)))


LEAST, QUICK = Extent(1, 24, 0.2, 24), Extent(3, 24, 0.3, 32)
STANDARD, FULL = Extent(4, 32, 0.6, 64), Extent(4, 48, 1.0, 96)


def chunk_limit_ns(facts: DriveFacts, effort: Effort, chunk_bytes: int) -> int:
    """How long a chunk of random writing may take [ns]; 0 for no limit.

    A virtual drive writes as many bytes as one of 3 MB/s would: a slower one is slow because it writes many bytes of
    flash for each, so its counters move as far with fewer.
    """
    if not facts.in_virtual_time:
        return _REAL_CHUNK_LIMIT_NS
    slow_ns = chunk_bytes * SECOND_NS // _SLOW_BYTES_PER_SECOND
    return effort.choose(min(slow_ns, _QUICK_CHUNK_LIMIT_NS), slow_ns, 0)


def extent_within(facts: DriveFacts, effort: Effort) -> Extent | None:
    """The extent that was asked for, or the next smaller one that writes no more than may be written."""
    asked = effort.choose(QUICK, STANDARD, FULL)
    for extent in (asked, QUICK, LEAST):
        written = round((CONDITIONING_FILLS + extent.fills + extent.random_ratio) * facts.user_bytes)
        if effort.at_most(written) == written:
            return extent
    return None
