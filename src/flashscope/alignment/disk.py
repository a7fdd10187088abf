"""A disk with all its starts judged, what they cost, and what to do: what `flashscope align` says of one disk."""

from __future__ import annotations

from dataclasses import dataclass

from flashscope.alignment.advice import advice, misaligned, required_bytes
from flashscope.alignment.boundaries import Boundary, MappingUnit, boundaries
from flashscope.alignment.judged import Start, judge
from flashscope.alignment.loss import UNKNOWN_TIMES, DriveTimes, Loss, kinds_of_writing, predict
from flashscope.alignment.words import loss_in_words, past_in_words
from flashscope.partitions.layout import Layout, Partition
from flashscope.units import format_bytes_binary

_FIRST = (
    "First see to what is wrong with the layout of this disk: until then nothing on it should be moved, and what "
    "follows may not be true."
)


@dataclass(frozen=True)
class StartLoss:
    """What one start costs. losses: for each kind of writing and each unit to calculate with."""

    start: Start
    losses: tuple[Loss, ...]


@dataclass(frozen=True)
class DiskAlignment:
    """One disk. where: as a command names it. off: the starts that writes meet and that miss their boundary.

    times: of its drive, with which the costs were calculated.
    """

    where: str
    layout: Layout
    unit: MappingUnit
    against: tuple[Boundary, ...]
    starts: tuple[Start, ...]
    off: tuple[Start, ...]
    costs: tuple[StartLoss, ...]
    times: DriveTimes
    advice: tuple[str, ...]

    @property
    def required_bytes(self) -> int:
        """The boundary that starts have to be on [bytes]."""
        return required_bytes(self.unit)


def align_disk(
    where: str,
    layout: Layout,
    unit: MappingUnit,
    *,
    chunk_bytes: int | None = None,
    writing: str | None = None,
    times: DriveTimes = UNKNOWN_TIMES,
) -> DiskAlignment:
    """Judge a disk. unit: its mapping unit. chunk_bytes: of the array that it is. writing: one kind only.

    times: of this drive, where they are known.
    """
    against = boundaries(unit, chunk_bytes)
    starts = judge(layout, against)
    off = misaligned(starts, unit)
    costly = [each for each in starts if each.counts and any(each.past(size) for size in unit.to_calculate_with)]
    costs = tuple(StartLoss(each, _losses(each, unit, writing, times)) for each in costly)
    what_to_do = advice(starts, unit, where)
    if off and any(each.weight == "danger" for each in layout.problems):
        what_to_do = (_FIRST, *what_to_do)
    return DiskAlignment(where, layout, unit, against, starts, off, costs, times, what_to_do)


def partition_at(offset_bytes: int, size_bytes: int, sector_bytes: int = 512) -> Layout:
    """The layout of a drive that is seen through a partition at an offset, as `@offset=63s` makes it."""
    partition = Partition(1, "primary", offset_bytes, size_bytes, "", "seen through @offset", 0)
    return Layout(offset_bytes + size_bytes, sector_bytes, None, (partition,))


def _losses(start: Start, unit: MappingUnit, writing: str | None, times: DriveTimes) -> tuple[Loss, ...]:
    kinds = [each for each in kinds_of_writing(start) if writing in (None, each.key)]
    assumed = unit.size_bytes is None
    return tuple(predict(start, kind, size, assumed, times) for kind in kinds for size in unit.to_calculate_with)


def one_line(disk: DiskAlignment) -> str:
    """The alignment of a disk in one sentence; empty where nothing on it could be misaligned."""
    starts = [each for each in disk.starts if each.counts]
    if not starts:
        return ""
    required = format_bytes_binary(disk.required_bytes)
    whose = "the drive's mapping unit" if disk.unit.size_bytes else "a page; the drive's mapping unit is not known"
    if not disk.off:
        return f"alignment: all {len(starts)} starts lie on boundaries of {required} ({whose})"
    first = disk.off[0]
    named = f"{first.name} begins" if len(disk.off) == 1 else f"{len(disk.off)} of {len(starts)} starts are"
    past = past_in_words(first.past(disk.required_bytes))
    where = f"{past} past a boundary of {required}" if len(disk.off) == 1 else f"off boundaries of {required}"
    return f"alignment: {named} {where}, which costs {worst_in_words(disk)}; see `flashscope align {disk.where}`"


def worst_in_words(disk: DiskAlignment) -> str:
    """The largest loss of random 4 KiB writes, in a few words, by the unit or by the common ones."""
    found: dict[int, Loss] = {}
    for cost in disk.costs:
        for loss in cost.losses:
            if loss.writing.key == "4k" and loss.low_ratio >= found.get(loss.unit_bytes, loss).low_ratio:
                found[loss.unit_bytes] = loss
    said = [
        loss_in_words(loss) + (f" (if the unit is {format_bytes_binary(size)})" if loss.assumed else "")
        for size, loss in sorted(found.items())
        if not loss.is_none
    ]
    return f"{' or '.join(said)} of the rate of 4 KiB writes" if said else "larger writes a part of their rate"
