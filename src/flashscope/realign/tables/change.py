"""What a table's writer hands over: sectors to hide the partitions, to show them at their new places, to go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from flashscope.realign.repair import Batch

ReadSectors = Callable[[int, int], bytes]
"""All the bytes at a place of the disk, as `Disk.read`."""


@dataclass(frozen=True)
class NewPlaces:
    """starts: new starts of partitions that move, by number [bytes]. records: new places of their extended boot
    records, of those that move, by the partition's number [bytes]."""

    starts: Mapping[int, int]
    records: Mapping[int, int]


@dataclass(frozen=True)
class TableChange:
    """veil: the table with what moves hidden. chain: extended boot records at their new places, not yet reachable.

    table: the new table. untable: everything as it was. Each in batches, see `Batch`; within one the order is free.
    """

    veil: tuple[Batch, ...]
    chain: tuple[Batch, ...]
    table: tuple[Batch, ...]
    untable: tuple[Batch, ...]
