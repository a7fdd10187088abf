"""Properties of flash, told of something that has none: a file, a loop device over a file, memory, a disk.

    file, directory, loop device        nothing about the inside of a drive: the file system, its cache and whatever
                                        lies below it answer; rates, times and freezes stay, as they were measured
    memory (virtual, /dev/ram, zram)    the same
    disk                                its buffer and its sectors stay; nothing about flash stays

A negative answer ("it does not compress") about a file is no better founded than a positive one. A virtual disk or
memory is the whole drive, so what was not found there is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from flashscope.dossier.judge.objection import Objection
from flashscope.dossier.judge.rule import Rule
from flashscope.dossier.judge.subjects import FLASH, INSIDE
from flashscope.dossier.judge.told import Told, every, withdrawn
from flashscope.records import Record
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts
from flashscope.records.numbers import is_number

_STAYED = 0.9
IN_MEMORY = ("tmpfs", "ramfs")
"""File systems that keep their files in memory."""


def _objections(records: Sequence[Record]) -> Iterator[Objection]:
    for found in every(records):
        reason = _reason(found)
        if reason:
            yield withdrawn(found, reason)


def _reason(found: Told) -> str:
    facts, key = found.record.drive_facts, found.finding.key
    place = host_place(facts)
    if place and (FLASH.fullmatch(key) or INSIDE.fullmatch(key)):
        return f"{place}; what it measures is the host's"
    if _claims(found) and FLASH.fullmatch(key):
        if _is_memory(facts):
            return "it is memory, which has no flash"
        if not facts.can(Capability.SOLID_STATE) and not facts.members and not place:
            return "it has platters, and this speaks of flash"
    return ""


def _claims(found: Told) -> bool:
    """Whether it says that flash did something: not "no", and not a rate that stayed as it was."""
    value = found.finding.value
    stayed = found.finding.unit == "ratio" and is_number(value) and value > _STAYED
    return value is not None and value != "no" and not stayed


def host_place(facts: DriveFacts) -> str:
    """Where the bytes lie when a file system or memory of the host answers for the drive; "" for a drive itself."""
    if facts.device is not None and facts.device.backing_file:
        return f"it is a loop device over the file {facts.device.backing_file}"
    if facts.device is not None and re.match(r"/dev/z?ram[0-9]+", facts.device.path):
        return "it is a piece of the host's memory"
    if facts.place is None:
        return ""
    what = facts.kind_name or "file"
    if facts.place.file_system in IN_MEMORY:
        return f"it is a {what} in memory ({facts.place.file_system})"
    return f"it is a {what} on {facts.place.file_system or 'a file system'}"


def _is_memory(facts: DriveFacts) -> bool:
    return facts.virtual is not None and facts.virtual.part_kind == "memory"


RULE = Rule(
    "no-flash-there",
    "A file, a loop device, memory or a disk shows no property of flash; a file shows none of the drive below it.",
    _objections,
)
