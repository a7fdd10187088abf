"""What a disk holds, as plain data: the table, its partitions, what stands inside them, and what is wrong.

    Layout
      table       Table: kind, where its copies lie, are they good
      partitions  Partition: number, start, size, type ... and `inside`, what it holds
      whole       what lies on a disk without a table
      gaps        Gap: places that belong to nobody
      problems    Problem: what, where, what it means

All places are bytes from the start of the disk unless a name says otherwise, also inside containers: a logical volume
in a partition knows where on the disk it begins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

TableKind = Literal["mbr", "gpt", "apple"]
PartitionRole = Literal["primary", "extended", "logical", "gpt", "hybrid", "apple"]
InnerRole = Literal["file system", "container", "volume", "swap"]
Weight = Literal["note", "warning", "danger"]


@dataclass(frozen=True)
class Problem:
    """Something wrong with the layout.

    what: what was found. where_bytes: at which place of the disk. means: what follows from it for the owner.
    weight: "note" where nothing follows; "warning" where something should be put right, and reading it goes on;
    "danger" where the layout may be misread, so that nothing may be moved on this disk.
    partition: the number of the partition concerned, None for the whole disk.
    """

    what: str
    where_bytes: int
    means: str
    weight: Weight = "warning"
    partition: int | None = None


@dataclass(frozen=True)
class HiddenSectors:
    """The field of a boot sector that says how many sectors lie before the partition (NTFS, FAT, exFAT).

    places_bytes: where on the disk the field stands, in the boot sector and in its copies. width_bytes: 4 or 8,
    little-endian. value: what the first says [sectors]. expected: what it would say at this place [sectors].
    checksums_bytes: sectors that hold a checksum over it (exFAT), which has to be written anew with it.
    """

    places_bytes: tuple[int, ...]
    width_bytes: int
    value: int
    expected: int
    checksums_bytes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Inner:
    """A container, a logical volume, a file system or a swap area.

    kind: "ext4", "ntfs", "lvm", "luks", "md" ... role: which of these it is. start_bytes: where on the disk it begins.
    size_bytes: the size that it states itself; None where it states none. uuid, label: as it states them.
    data_start_bytes: where on the disk its data begin: the first cluster, the first extent of LVM, md's data offset,
    the payload of LUKS. None where they begin everywhere (ext4, xfs) or nothing states it.
    unit_bytes: in which it hands out space: block, cluster, extent, sector of LUKS. record_bytes: of an inode or a
    file record. chunk_bytes: of a RAID. hidden_sectors: see there. detail: what else a person wants to know.
    inside: what it holds, as far as it can be read.
    """

    kind: str
    role: InnerRole
    start_bytes: int
    size_bytes: int | None = None
    uuid: str = ""
    label: str = ""
    data_start_bytes: int | None = None
    unit_bytes: int | None = None
    record_bytes: int | None = None
    chunk_bytes: int | None = None
    hidden_sectors: HiddenSectors | None = None
    detail: str = ""
    inside: tuple[Inner, ...] = ()


@dataclass(frozen=True)
class Partition:
    """One entry of a table.

    number: as the system counts it (/dev/sda5 is 5). start_bytes, size_bytes: of the partition.
    type_code: "0x07", a GUID in capitals, or Apple's name. type_name: what that means; the code where unknown.
    name: GPT's or Apple's. guid: GPT's own, in capitals. active: MBR's boot mark, or GPT's legacy boot bit.
    attributes: GPT's 64 bits, Apple's 32; 0 for MBR. entry_bytes: where on the disk its entry stands.
    chain_bytes: for a logical one, where the extended boot record that describes it stands; else None.
    """

    number: int
    role: PartitionRole
    start_bytes: int
    size_bytes: int
    type_code: str
    type_name: str
    entry_bytes: int
    name: str = ""
    guid: str = ""
    active: bool = False
    attributes: int = 0
    chain_bytes: int | None = None
    inside: Inner | None = None

    @property
    def end_bytes(self) -> int:
        """The first byte after it."""
        return self.start_bytes + self.size_bytes


@dataclass(frozen=True)
class TableCopy:
    """One copy of a table.

    which: "mbr", "primary", "backup" or "apple". header_bytes: where its header stands. entries_bytes: where its list
    of entries stands, and entries_size_bytes how long that is. good: whether it can be read and its checksums hold.
    """

    which: Literal["mbr", "primary", "backup", "apple"]
    header_bytes: int
    entries_bytes: int
    entries_size_bytes: int
    good: bool


@dataclass(frozen=True)
class Table:
    """A partition table.

    sector_bytes: the sector in which it counts. identity: MBR's disk signature ("0x1234abcd") or GPT's disk GUID.
    copies: all that were found, the one that was used first. first_usable_bytes, end_usable_bytes: where GPT allows
    partitions, the end exclusive; for MBR the whole disk after the first sector. entry_size_bytes, entry_count: of one
    list of entries. hybrid: partitions that a GPT's MBR names beside the protective one. chain_bytes: where the
    extended boot records of an MBR stand, also those that describe no logical partition (one sector each).
    """

    kind: TableKind
    sector_bytes: int
    identity: str
    copies: tuple[TableCopy, ...]
    first_usable_bytes: int
    end_usable_bytes: int
    entry_size_bytes: int
    entry_count: int
    hybrid: tuple[Partition, ...] = ()
    chain_bytes: tuple[int, ...] = ()


@dataclass(frozen=True)
class Gap:
    """A place that no partition and no table takes.

    holds: what was found in it: "" for zeros, "boot loader" for the gap after the MBR with a loader in it, "data" for
    anything else; only the gap before the first partition is looked into. used_end_bytes: the end of what was found
    [byte on the disk], 0 when nothing. within_extended: it can take logical partitions only.
    """

    start_bytes: int
    size_bytes: int
    holds: Literal["", "boot loader", "data", "not looked into"] = "not looked into"
    loader: str = ""
    used_end_bytes: int = 0
    within_extended: bool = False

    @property
    def end_bytes(self) -> int:
        """The first byte after it."""
        return self.start_bytes + self.size_bytes


@dataclass(frozen=True)
class Layout:
    """A whole disk. whole: what lies on a disk without a table. partitions: in the order of their numbers."""

    size_bytes: int
    sector_bytes: int
    table: Table | None = None
    partitions: tuple[Partition, ...] = ()
    whole: Inner | None = None
    gaps: tuple[Gap, ...] = ()
    problems: tuple[Problem, ...] = field(default=())

    def holding_data(self) -> tuple[Partition, ...]:
        """The partitions that hold something themselves: all but the extended one, which holds the logical ones."""
        return tuple(each for each in self.partitions if each.role != "extended")

    def with_problems(self, *more: Problem) -> Layout:
        """The same with further problems."""
        return replace(self, problems=(*self.problems, *more))


def everything_inside(inner: Inner | None) -> Iterator[Inner]:
    """A thing and all that it holds, from outside inwards."""
    if inner is not None:
        yield inner
        for each in inner.inside:
            yield from everything_inside(each)
