"""Where the journal of a new repair goes: to a file on another disk, or to a free place on the disk itself."""

from __future__ import annotations

import os
from pathlib import Path

from flashscope.drives.system.view import SystemView
from flashscope.errors import WrongUse
from flashscope.realign.disk import Disk
from flashscope.realign.free_places import Span, first_data, free_spans, journal_span, taken_spans
from flashscope.realign.journal import journal_bytes, packed_plan
from flashscope.realign.plan import Plan
from flashscope.realign.repair import Repair
from flashscope.units import format_bytes, format_bytes_binary

_SMALLER_SLOTS = (256 << 10, 64 << 10, 16 << 10)
_IN_MEMORY = ("tmpfs", "ramfs", "devtmpfs")


def needed_bytes(repair: Repair) -> int:
    """The size of a repair's journal [bytes]."""
    return journal_bytes(len(packed_plan(repair)), repair.slot_bytes)


def place_on_disk(plan: Plan, repair: Repair) -> Span:
    """Where on the disk the journal goes. Raises WrongUse when there is no free place."""
    plan_bytes = len(packed_plan(repair))
    needed = 0
    for slot_bytes in (repair.slot_bytes, *(each for each in _SMALLER_SLOTS if each < repair.slot_bytes)):
        needed = journal_bytes(plan_bytes, slot_bytes)
        span = journal_span(plan, needed)
        if span is not None:
            return span
    largest = max((end - start for start, end in free_spans(plan)), default=0)
    raise WrongUse(
        f"the disk has no free place for the journal, which takes {format_bytes_binary(needed)}: the largest that no "
        f"partition covers, before or after, has {format_bytes(largest)}",
        accepted="--journal FILE, a new file on another disk",
        advice="keep that file until the repair is over: it is needed to go on after a power cut",
    )


def check_gaps(plan: Plan, disk: Disk, journal: Span | None, *, overwrite: bool) -> None:
    """Raise WrongUse when something lies where the repair writes and no partition is. Raises OSError.

    overwrite: these places may be written over.
    """
    if overwrite:
        return
    found = first_data(disk, [*taken_spans(plan), *([journal] if journal else [])])
    if found is not None:
        start, end = found.span
        raise WrongUse(
            f"there are data at byte {found.at_bytes}, in a place that belongs to no partition (bytes {start} to "
            f"{end - 1}) and that the repair would write over",
            accepted="free places that hold nothing but zeros",
            advice="they are what an earlier partition left, or a boot loader or a RAID controller keeps them there; "
            "if nobody needs them: --overwrite-gaps. Nothing was written",
        )


def check_journal_file(path: Path, view: SystemView, block_name: str, image: Path | None, *, in_memory: bool) -> None:
    """Raise WrongUse when a journal's file would be lost with the disk that is changed, or with the power.

    block_name: of the disk that is changed, empty for an image file. in_memory: a place in memory is accepted.
    """
    place = os.path.realpath(path.parent)
    if not os.path.isdir(place):
        raise WrongUse(f"{path.parent} is not a directory", accepted="a new file in a directory that exists")
    if image is not None and os.path.realpath(path) == os.path.realpath(image):
        raise WrongUse(f"{path} is the image that is changed", accepted="another file")
    if block_name and view.touched_by_writing(block_name) & view.drives_under_path(place):
        raise WrongUse(
            f"{path} lies on the disk that is changed",
            accepted="a file on another disk",
            advice="leave --journal out to keep it in a free place of the disk itself",
        )
    mount = view.mount_of_path(place)
    if mount is not None and mount.file_system in _IN_MEMORY and not in_memory:
        raise WrongUse(
            f"{path} lies in memory ({mount.file_system}): it would be lost with the power, and the data with it",
            accepted="a file on a disk",
            advice="--allow memory, where the data of this disk do not matter",
        )
