"""Where each thing on a disk begins, and on which boundaries that is.

    partition 1 ---------- begins at 32256 B ------ 512 B yes, 4 KiB no (3.5 KiB past it), 1 MiB no
      clusters of fat32 -- begin at 49152 B ------- 4 KiB yes
    partition 2 ...
      extents of lvm, volumes, the payload of luks, the data of md: each by its absolute place on the disk

What a write meets is the innermost start: of a FAT its clusters, of LVM the volumes. These are the starts that count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from flashscope.alignment.boundaries import Boundary
from flashscope.partitions.layout import Inner, Layout, Partition

_LARGEST_BYTES = 1 << 40
_DATA_OF = {"lvm": "extents", "luks": "payload", "md": "array data", "bcache": "data"}


@dataclass(frozen=True)
class Verdict:
    """One start against one boundary. past_bytes: how far past it the start lies; 0 when on it."""

    boundary: Boundary
    past_bytes: int

    @property
    def is_on(self) -> bool:
        """Whether the start lies on the boundary."""
        return self.past_bytes == 0


@dataclass(frozen=True)
class Start:
    """The place where one thing begins.

    partition: its number; None for what lies on a disk without a table. what: "partition", "clusters", "extents",
    "volume", "payload", "array data", "file system", "container", "swap" or "whole disk". name: for a person.
    start_bytes: on the disk.
    depth: how many things lie around it. unit_bytes: in which what begins here hands out space; None where unknown.
    counts: whether writes meet it: nothing that begins deeper inside covers it, and it holds data.
    holds: what stands there: a kind of file system or container, "" for nothing that is known.
    """

    partition: int | None
    what: str
    name: str
    start_bytes: int
    depth: int
    unit_bytes: int | None
    counts: bool
    holds: str
    verdicts: tuple[Verdict, ...] = ()

    @property
    def aligned_to_bytes(self) -> int:
        """The largest power of two that divides the start [bytes]; 1 TiB at most, also for a start at 0."""
        return min(self.start_bytes & -self.start_bytes or _LARGEST_BYTES, _LARGEST_BYTES)

    def past(self, boundary_bytes: int) -> int:
        """How far past a boundary it lies [bytes]."""
        return self.start_bytes % boundary_bytes


def judge(layout: Layout, against: tuple[Boundary, ...]) -> tuple[Start, ...]:
    """Every start of a layout, in the order of the partitions, each against every boundary."""
    starts = list(_of_inner(layout.whole, None, 0, "whole disk", "the disk")) if _is_bare(layout) else []
    for each in layout.partitions:
        starts += _of_partition(each)
    return tuple(replace(each, verdicts=_verdicts(each.start_bytes, against)) for each in starts)


def _is_bare(layout: Layout) -> bool:
    return layout.table is None


def _verdicts(start_bytes: int, against: tuple[Boundary, ...]) -> tuple[Verdict, ...]:
    return tuple(Verdict(each, start_bytes % each.size_bytes) for each in against)


def _of_partition(partition: Partition) -> Iterator[Start]:
    number, name = partition.number, f"partition {partition.number}"
    if partition.inside is not None:
        yield from _of_inner(partition.inside, number, 0, "partition", name)
    else:
        yield Start(number, "partition", name, partition.start_bytes, 0, None, partition.role != "extended", "")


def _of_inner(inner: Inner | None, number: int | None, depth: int, what: str, name: str) -> Iterator[Start]:
    """The start of a thing, then that of its data where they begin later, then what is inside."""
    if inner is None:
        return
    data_at = inner.data_start_bytes
    later = data_at is not None and data_at != inner.start_bytes
    unit = inner.unit_bytes or inner.chunk_bytes
    own = "" if inner.role == "volume" else inner.kind
    yield Start(number, what, name, inner.start_bytes, depth, unit, not (later or inner.inside), own)
    if later and data_at is not None:
        depth += 1
        data = _DATA_OF.get(inner.kind, "clusters")
        yield Start(number, data, f"{data} of {inner.kind}", data_at, depth, unit, not inner.inside, inner.kind)
    for each in inner.inside:
        named = f"volume {each.label}" if each.role == "volume" else each.kind
        yield from _of_inner(each, number, depth + 1, each.role, named)
