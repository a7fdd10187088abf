"""Which kind of drive a dossier is about: it decides which properties are asked for, and in which order.

A file, a directory, and a loop device over a file lie on a file system, so what is seen of them is not a property of
flash. A real disk with a cache of flash looks like a disk until the cache is found.
"""

from __future__ import annotations

import enum

from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts


class DriveKind(enum.StrEnum):
    """The kinds, in the words of people."""

    FLASH = "solid-state drive"
    DISK = "disk"
    HYBRID = "hybrid disk"
    MEMORY = "memory"
    ARRAY = "array"
    FILE = "file"


FLASH_ONLY = frozenset({DriveKind.FLASH})
WITH_FLASH = frozenset({DriveKind.FLASH, DriveKind.HYBRID, DriveKind.ARRAY})
WITH_PLATTERS = frozenset({DriveKind.DISK, DriveKind.HYBRID})
WITHOUT_PLATTERS = frozenset(DriveKind) - WITH_PLATTERS
BARE = frozenset(DriveKind) - {DriveKind.FILE}
_OF_PARTS = {"ssd": DriveKind.FLASH, "stripe": DriveKind.ARRAY}


def kind_of(facts: DriveFacts) -> DriveKind:
    """The kind, from what is known about the drive before anything is measured."""
    if facts.members or facts.can(Capability.MEMBERS):
        return DriveKind.ARRAY
    if facts.virtual is not None:
        return _OF_PARTS.get(facts.virtual.part_kind) or DriveKind[facts.virtual.part_kind.upper()]
    if facts.place is not None or not facts.can(Capability.BARE) or (facts.device and facts.device.backing_file):
        return DriveKind.FILE
    return DriveKind.DISK if facts.is_rotational else DriveKind.FLASH
