"""Repairs that were cut short: their journals are found in the free places of a disk, by their mark.

At any moment the table is the old one, the veiled one or the new one, and the journal lies in a gap of all three.
"""

from __future__ import annotations

from flashscope.errors import WrongUse
from flashscope.partitions.layout import Layout
from flashscope.realign.disk import Disk
from flashscope.realign.free_places import places_to_search
from flashscope.realign.journal import Head, find_head
from flashscope.realign.tables.gpt import HIDDEN_TYPE_CODE
from flashscope.realign.tables.mbr import hides

_MBR_BYTES = 512


def find_on_disk(disk: Disk, layout: Layout) -> Head | None:
    """The journal of a repair that was cut short, in a gap of the disk; None when there is none. Raises OSError."""
    gaps = [(gap.start_bytes, gap.end_bytes) for gap in layout.gaps]
    for start, end in places_to_search(gaps):
        head = find_head(disk, start, min(end, disk.size_bytes))
        if head is not None:
            return head
    return None


def is_veiled(disk: Disk, layout: Layout) -> bool:
    """Whether the table hides partitions as a repair does while it is under way."""
    return any(each.type_code == HIDDEN_TYPE_CODE for each in layout.partitions) or hides(
        disk.read(0, max(disk.sector_bytes, _MBR_BYTES))
    )


def refuse_unfinished(disk: Disk, layout: Layout) -> None:
    """Raise WrongUse when a repair of the disk was cut short: no other may begin before it is over."""
    if find_on_disk(disk, layout) is not None:
        raise WrongUse(
            "a repair of this disk was cut short, and its journal is on the disk",
            accepted="--resume, which goes on with it, or --undo, which goes back",
        )
    if is_veiled(disk, layout):
        raise WrongUse(
            "the partitions of this disk are hidden, as a repair does while it is under way; no journal is on the disk",
            accepted="--resume or --undo with --journal FILE, the file that was given when it began",
            advice="without that file nobody knows which part of a partition is at which place; nothing was written",
        )
