"""How much SMART inference writes, by how far it may go (`smart_inference.py` says what for)."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.experiments.streams import SECOND_NS
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.effort import Effort

CONDITIONING_FILLS = 1.25
"""Fills in order before the first reading that counts."""
_PAST_FLASH = 0.05
_FULL_RANDOM_BYTES = 96 * 10**9
_LEAST_RANDOM_RATIO = 0.6
_REAL_CHUNK_LIMIT_NS, _QUICK_CHUNK_LIMIT_NS = 75 * SECOND_NS, 150 * SECOND_NS
_SLOW_BYTES_PER_SECOND = 3_000_000


@dataclass(frozen=True)
class Extent:
    """How much is written: fills in order and chunks of each; share of the drive at random, and its chunks."""

    fills: float
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
_QUICK_LARGE, _LARGE_BYTES = Extent(2.4, 24, 0.3, 32), 200 * 10**9
"""Of a large virtual drive: still two steps of a counter that rises once per drive of flash."""
STANDARD, FULL = Extent(4, 64, 0.6, 64), Extent(4, 96, 1.0, 96)


def chunk_limit_ns(facts: DriveFacts, effort: Effort, chunk_bytes: int) -> int:
    """How long a chunk of random writing may take [ns]; 0 for no limit.

    A virtual drive writes as many bytes as one of 3 MB/s would: a slower one is slow because it writes many bytes of
    flash for each, so its counters move as far with fewer.
    """
    if not facts.in_virtual_time:
        return _REAL_CHUNK_LIMIT_NS
    slow_ns = chunk_bytes * SECOND_NS // _SLOW_BYTES_PER_SECOND
    return effort.choose(min(slow_ns, _QUICK_CHUNK_LIMIT_NS), slow_ns, 0)


def is_quick(facts: DriveFacts, effort: Effort) -> bool:
    """Whether what only brings a drive into its state may be laid out: a quick run on a virtual drive."""
    return facts.in_virtual_time and effort.choose(True, False, False)


def conditioning_fills(facts: DriveFacts, effort: Effort) -> float:
    """What is written in order before the first reading [drive-fills]: until no erased block is left."""
    if not is_quick(facts, effort) or not facts.raw_bytes:
        return CONDITIONING_FILLS
    return min(CONDITIONING_FILLS, facts.raw_bytes / facts.user_bytes + _PAST_FLASH)


def extent_within(facts: DriveFacts, effort: Effort) -> Extent | None:
    """The extent that was asked for, or the next smaller one that writes no more than may be written."""
    quick = _QUICK_LARGE if facts.in_virtual_time and facts.user_bytes > _LARGE_BYTES else QUICK
    asked = effort.choose(quick, STANDARD, FULL)
    for extent in (asked, QUICK, LEAST):
        written = round((CONDITIONING_FILLS + extent.fills + extent.random_ratio) * facts.user_bytes)
        if effort.at_most(written) == written:
            return extent
    return None
