"""Facts of drives by hand: one function for each kind that there is, with what such a drive can do."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict, Unpack

from flashscope.records.capability import Capability
from flashscope.records.doubt import Doubt
from flashscope.records.drive_facts import DriveFacts, FilePlace
from flashscope.records.time_cost import TimeCost

_FLASH = frozenset({Capability.SOLID_STATE})


class More(TypedDict, total=False):
    """What a test may say of a drive beside its size and what it can do."""

    address: str
    model: str
    firmware: str
    serial: str
    sector_bytes: int
    raw_bytes: int
    rated_pe_cycles: int
    warnings: tuple[str, ...]
    doubts: tuple[Doubt, ...]


def virtual_facts(user_bytes: int, *can: Capability, **more: Unpack[More]) -> DriveFacts:
    """A virtual drive. can: what it can do beside what every one can."""
    always = _FLASH | {Capability.BARE, Capability.STAMPED, Capability.FILES, Capability.VOLUMES}
    facts = _facts("virtual drive", TimeCost.FREE, user_bytes, always | set(can), more)
    return replace(facts, file_room_ratio=0.75, link_bytes_per_second=600_000_000)


def device_facts(user_bytes: int, *can: Capability, **more: Unpack[More]) -> DriveFacts:
    """A block device."""
    return _facts("block device", TimeCost.OWN, user_bytes, _FLASH | {Capability.BARE, Capability.STAMPED, *can}, more)


def file_facts(user_bytes: int, *can: Capability, **more: Unpack[More]) -> DriveFacts:
    """A file."""
    facts = _facts("file", TimeCost.SHARED, user_bytes, _FLASH | {Capability.STAMPED, *can}, more)
    return replace(facts, place=FilePlace("ext4", "/"))


def directory_facts(user_bytes: int, *can: Capability, **more: Unpack[More]) -> DriveFacts:
    """A directory in which volumes can be made."""
    always = _FLASH | {Capability.FILES, Capability.VOLUMES}
    facts = _facts("directory", TimeCost.SHARED, user_bytes, always | set(can), more)
    return replace(facts, place=FilePlace("ext4", "/", path="/mnt/x"))


_KINDS = {
    "virtual": virtual_facts, "block device": device_facts, "file": file_facts, "directory": directory_facts,
}  # fmt: skip


def facts_of(kind: str, user_bytes: int, *can: Capability, **more: Unpack[More]) -> DriveFacts:
    """One of the four."""
    return _KINDS[kind](user_bytes, *can, **more)


def _facts(kind_name: str, cost: TimeCost, user_bytes: int, can: frozenset[Capability], more: More) -> DriveFacts:
    facts = DriveFacts("toy:", kind_name, "TOY", "1", "S", user_bytes, cost, can)
    return replace(facts, **more)
