"""Is there room for all files of a run, before the first byte of it is written?

    step 1   creates a, b       a b
    step 2   copies a to c      a b c        <- the most at any time: compared with the room
    step 3   deletes b, c       a

Files stay from one step to the next, so the sum counts. Jobs work on one more file, which ends where the furthest job
ends and is removed before programs begin. A virtual drive's file system itself reports that it is full, at no cost. The
space that a file system takes for itself is not known here; a little is reserved, and each step checks again.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import assert_never

from flashscope.drives.own_folders.own_folder import MEMORY_PLACE
from flashscope.errors import WrongUse
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.runner.hands.files.layout import Key, key_of, lay_out, room_needed_bytes
from flashscope.units import format_bytes
from flashscope.workloads.file_work import Delete, Place
from flashscope.workloads.steps import (
    CheckPlaces,
    FileWork,
    FormStripe,
    Idle,
    ReadMembers,
    ReadSmart,
    SecureErase,
    Step,
    Trim,
    Workload,
)

_CLUSTER_BYTES = 4096


def check_room(steps: Sequence[Step], facts: DriveFacts) -> None:
    """Check that a directory has room for all files of these steps. Raises WrongUse with the numbers when it has not.

    Files that steps keep in memory are compared with the free space of /dev/shm. Other drives are not checked.
    """
    if facts.in_virtual_time or not facts.can(Capability.FILES):
        return
    name, needed_bytes = most_room(steps, "drive")
    if needed_bytes > facts.user_bytes:
        raise _no_room(name, needed_bytes, facts.user_bytes, facts.address, "free some space, give a larger --size")
    name, needed_bytes = most_room(steps, "memory")
    free_bytes = _free_memory_bytes()
    if free_bytes is not None and needed_bytes > free_bytes:
        raise _no_room(name, needed_bytes, free_bytes, str(MEMORY_PLACE), "free some memory, or give a smaller --size")


def most_room(steps: Sequence[Step], place: Place) -> tuple[str, int]:
    """The step during which a place holds most, and how much that is [bytes]."""
    files: dict[Key, int] = {}
    worst = ("", 0)
    for step in steps:
        if isinstance(step, FileWork):
            layout = lay_out(step.programs)
            own = {**layout.before, **layout.targets}
            needed, _ = room_needed_bytes(step.programs, layout, place, _CLUSTER_BYTES)
            kept = sum(size for key, size in files.items() if key not in own and key[0] == place)
            worst = max(worst, (step.name, needed + kept), key=lambda each: each[1])
            files |= {key: _rounded(file.size_bytes) for key, file in own.items()}
            for program in step.programs:
                for operation in program.operations:
                    if isinstance(operation, Delete):
                        files.pop(key_of(operation.file), None)
        elif isinstance(step, ReadSmart | Idle | Trim | SecureErase | FormStripe | ReadMembers | CheckPlaces):
            continue  # leaves no file
        elif not isinstance(step, Workload):
            assert_never(step)
        elif place == "drive":
            reach = max((job.offset_bytes + job.size_bytes for job in step.jobs), default=0)
            kept = sum(size for key, size in files.items() if key[0] == place)
            worst = max(worst, (step.name, reach + kept), key=lambda each: each[1])
    return worst


def _rounded(size_bytes: int) -> int:
    return -(-size_bytes // _CLUSTER_BYTES) * _CLUSTER_BYTES


def _free_memory_bytes() -> int | None:
    try:
        room = os.statvfs(MEMORY_PLACE)
    except OSError:
        return None  # the step says what is missing
    return room.f_bavail * room.f_frsize


def _no_room(name: str, needed_bytes: int, there_bytes: int, place: str, advice: str) -> WrongUse:
    return WrongUse(
        f"step {name!r} has {needed_bytes} bytes of files in {place} at once, and {there_bytes} may be used there",
        accepted=f"room for {format_bytes(needed_bytes)}",
        advice=f"{advice}, or take --quick; nothing was written",
    )
