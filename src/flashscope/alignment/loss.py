"""What a start costs, by the law: the rate of an owner's kind of writing there, over that at a boundary.

    4 KiB writes, unit 16 KiB, from sector 63:   U / (U + S) = 4/5         a fifth is lost
    4 KiB writes, unit  4 KiB, from sector 63:   tP / (2 (tR + tP))        more than half is lost

Writes smaller than a unit need only the sizes. Others depend on how long a unit is read, compared with programmed,
which is known of virtual drives; elsewhere the loss is given from "reading takes no time" to "reading takes as long as
programming". Of writes larger than a unit the law gives the least: their ends hold up the rest on drives with several
banks. Writes in order cost nothing where a buffer joins neighbours, which the law does not know.
A drive that is mapped by blocks loses between what is lost when each write needs a merge, which hides most of the loss,
and what is lost when none does, and 2 % more: the law counts units and merges, and moved writes keep the banks busy a
little less evenly. Of writes larger than a unit the law says nothing there, since what a moved write adds
may be one more merge or none. Whether a real drive is mapped by blocks is not known: its loss is that of units alone.
Not modelled here: collection, parity, and the link (docs/laws/alignment.md says how far off).
"""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.alignment.boundaries import KIB, MIB, PAGE_BYTES
from flashscope.alignment.judged import Start
from flashscope.laws.alignment import MergedBlocks, merged_offset_rate_ratio, offset_rate_ratio
from flashscope.units import format_bytes_binary

_UNEVEN_BANKS_RATIO = 0.98
"""How much slower a merge may be where writes are moved: sm128ni-128 takes 1.7 % longer for each."""

CLUSTERS = "clusters"
WRITING = ("4k", CLUSTERS, "64k", "sequential")
"""Kinds of writing by the word for --writing."""


@dataclass(frozen=True)
class DriveTimes:
    """What is known of the times of a drive.

    low_read_share, high_read_share: time of reading a unit over that of programming it [ratio], between these; equal
    where it is known. merges: of a drive that is mapped by blocks, in times of programming a unit.
    """

    low_read_share: float = 0.0
    high_read_share: float = 1.0
    merges: MergedBlocks | None = None


UNKNOWN_TIMES = DriveTimes()


@dataclass(frozen=True)
class Writing:
    """A kind of writing. key: one of WRITING. request_bytes: of each write. joined: a buffer may join neighbours."""

    key: str
    request_bytes: int
    joined: bool = False

    @property
    def name(self) -> str:
        """ "random 4 KiB writes"."""
        size = format_bytes_binary(self.request_bytes)
        if self.key == "sequential":
            return f"writes in order, {size} each"
        return f"clusters of {size}, anywhere" if self.key == CLUSTERS else f"random {size} writes"


@dataclass(frozen=True)
class Loss:
    """The part of the rate that a start costs [ratio, 0..1], between two bounds that are equal where it is exact.

    unit_bytes: the mapping unit that it was calculated with. assumed: that unit is not known to be the drive's.
    high_ratio: None where the law gives the least only. With a low_ratio of 0 it gives nothing at all.
    """

    writing: Writing
    unit_bytes: int
    assumed: bool
    low_ratio: float
    high_ratio: float | None

    @property
    def is_unknown(self) -> bool:
        """Whether the law does not say what is lost."""
        return self.high_ratio is None and self.low_ratio == 0

    @property
    def is_none(self) -> bool:
        """Whether nothing is lost."""
        return self.high_ratio == 0


def kinds_of_writing(start: Start) -> tuple[Writing, ...]:
    """The kinds that make sense at a start; clusters only where their size is known and not one of the others."""
    kinds = [Writing("4k", PAGE_BYTES), Writing("64k", 64 * KIB), Writing("sequential", MIB, joined=True)]
    cluster = start.unit_bytes
    if cluster and start.holds not in ("lvm", "luks", "md") and cluster not in (PAGE_BYTES, 64 * KIB):
        kinds.insert(1, Writing(CLUSTERS, cluster))
    return tuple(kinds)


def predict(start: Start, writing: Writing, unit_bytes: int, assumed: bool, times: DriveTimes = UNKNOWN_TIMES) -> Loss:
    """The loss at a start. unit_bytes: to calculate with. assumed: see `Loss`. times: of the drive, if known."""
    ratios = [
        offset_rate_ratio(writing.request_bytes, unit_bytes, start.start_bytes, 1.0, 1.0 + each)
        for each in (times.low_read_share, times.high_read_share)
    ]
    if times.merges is not None and writing.request_bytes > unit_bytes:
        return Loss(writing, unit_bytes, assumed, 0.0, None if ratios[0] < 1 else 0.0)
    if times.merges is not None:
        ratios.append(merged_offset_rate_ratio(writing.request_bytes, unit_bytes, start.start_bytes, times.merges))
        ratios.append(min(ratios) * _UNEVEN_BANKS_RATIO)
    losses = [max(1 - ratio, 0.0) for ratio in ratios]
    low, high = min(losses), max(losses)
    most = None if high and writing.request_bytes > unit_bytes else high
    return Loss(writing, unit_bytes, assumed, low, most)
