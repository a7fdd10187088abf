"""The master boot record: four primary partitions, and a chain of extended boot records with the logical ones.

    sector 0   [boot code 440 | signature 4 | 4 entries of 16 bytes at 446 | 55 AA]
    an entry   [status | CHS | type at 4 | CHS | start at 8 | count at 12]     both in sectors of the disk
    extended   [EBR | logical 5]  [EBR | logical 6] ...   each EBR: a logical one from itself, a link from the first EBR

Numbers are those of the kernel: a primary one has the number of its slot, logical ones count from 5 along the chain.
Not modelled here: CHS addresses (no system of today reads them), BSD labels and Minix tables in a partition.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from flashscope.partitions.fields import Fields, fields_at
from flashscope.partitions.layout import Partition, PartitionRole, Problem
from flashscope.partitions.source import Source
from flashscope.partitions.tables.types import EXTENDED, PROTECTIVE, mbr_type_name

ENTRIES_BYTES, ENTRY_BYTES = 446, 16
SIGNATURE_BYTES = 440
_MOST_LOGICAL = 256  # the kernel stops at 100, sfdisk at 60; no disk has more


@dataclass(frozen=True)
class Entry:
    """One entry of 16 bytes. start, count: as written [sectors]. place_bytes: where on the disk it stands."""

    status: int
    type_byte: int
    start: int
    count: int
    place_bytes: int

    @property
    def used(self) -> bool:
        """Whether it describes a partition."""
        return self.type_byte != 0 and self.count != 0


@dataclass
class BootRecord:
    """The MBR of a disk: its entries as written. signature: of the disk. boot_code: whether any byte of it is set."""

    entries: tuple[Entry, ...]
    signature: int
    boot_code: bytes

    @property
    def protective(self) -> bool:
        """Whether it says that the disk has a GPT."""
        return any(each.type_byte == PROTECTIVE for each in self.entries)


@dataclass
class _Walk:
    """What the chain of extended boot records held."""

    partitions: list[Partition] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    seen: set[int] = field(default_factory=set)


def read_boot_record(source: Source) -> BootRecord | None:
    """The MBR in sector 0, None where there is none: no 55 AA, a status that no MBR has, or no entry in use.

    A boot sector of a file system ends with 55 AA as well; its boot code or its messages stand where the entries
    would be, so that the status bytes tell them apart. `mkfs.fat --mbr` writes one entry that begins at sector 0.
    """
    sector = fields_at(source, 0, 512)
    if sector.bytes_at(510, 2) != b"\x55\xaa":
        return None
    entries = _entries(sector)
    if any(each.status not in (0x00, 0x80) for each in entries if each.used):
        return None
    if not any(each.used for each in entries) and (_is_boot_sector(sector) or not any(sector.content[:446])):
        return None
    if any(each.used and each.start == 0 and each.type_byte != PROTECTIVE for each in entries):
        return None
    return BootRecord(entries, sector.u32(SIGNATURE_BYTES), sector.content[:SIGNATURE_BYTES])


def read_partitions(
    source: Source, record: BootRecord, sector_bytes: int
) -> tuple[tuple[Partition, ...], tuple[int, ...], tuple[Problem, ...]]:
    """The primary and logical partitions of an MBR by number, where its extended boot records stand, what is wrong.

    sector_bytes: in which the table counts.
    """
    walk = _Walk()
    primaries = []
    for slot, entry in enumerate(record.entries, start=1):
        if entry.used and entry.type_byte != PROTECTIVE:
            role: PartitionRole = "extended" if entry.type_byte in EXTENDED else "primary"
            primaries.append(as_partition(entry, slot, role, 0, sector_bytes))
    extended = [each for each in primaries if each.role == "extended"]
    for each in extended:
        _follow(source, each, sector_bytes, walk)
    for each in extended[1:]:
        walk.problems.append(
            Problem(
                f"partition {each.number} is a second extended partition",
                each.entry_bytes,
                "systems differ in which one they read, and so in the numbers of the logical partitions",
                "danger",
                each.number,
            )
        )
    return (*primaries, *walk.partitions), tuple(sorted(walk.seen)), tuple(walk.problems)


def as_partition(
    entry: Entry, number: int, role: PartitionRole, from_sector: int, sector_bytes: int, chain_bytes: int | None = None
) -> Partition:
    """An entry as a partition. from_sector: what its start counts from. chain_bytes: see `Partition`."""
    return Partition(
        number=number,
        role=role,
        start_bytes=(from_sector + entry.start) * sector_bytes,
        size_bytes=entry.count * sector_bytes,
        type_code=f"0x{entry.type_byte:02x}",
        type_name=mbr_type_name(entry.type_byte),
        entry_bytes=entry.place_bytes,
        active=entry.status == 0x80,
        chain_bytes=chain_bytes,
    )


def _entries(sector: Fields) -> tuple[Entry, ...]:
    places = range(ENTRIES_BYTES, ENTRIES_BYTES + 4 * ENTRY_BYTES, ENTRY_BYTES)
    return tuple(
        Entry(sector.u8(at), sector.u8(at + 4), sector.u32(at + 8), sector.u32(at + 12), sector.start_bytes + at)
        for at in places
    )


def _is_boot_sector(sector: Fields) -> bool:
    """Whether a sector begins as the boot sector of FAT, NTFS or exFAT does: a jump, then the size of a sector."""
    jump = sector.u8(0) in (0xEB, 0xE9)
    return jump and (sector.u16(11) in (512, 1024, 2048, 4096) or sector.bytes_at(3, 8) == b"EXFAT   ")


def _follow(source: Source, extended: Partition, sector_bytes: int, walk: _Walk) -> None:
    """Add the logical partitions of an extended one to the walk, and stop at a loop, a bad record or the end."""
    first = here = extended.start_bytes // sector_bytes
    while True:
        place = here * sector_bytes
        if place in walk.seen:
            walk.problems.append(_broken(f"the chain of logical partitions returns to sector {here}", place, extended))
            return
        if place + 512 > source.size_bytes:
            walk.problems.append(_broken(f"the chain leads to sector {here}, beyond the disk", place, extended))
            return
        if len(walk.seen) >= _MOST_LOGICAL:
            walk.problems.append(_broken(f"the chain has more than {_MOST_LOGICAL} records", place, extended))
            return
        walk.seen.add(place)
        sector = fields_at(source, place, 512)
        if sector.bytes_at(510, 2) != b"\x55\xaa":
            walk.problems.append(_broken(f"sector {here} is no extended boot record (no 55 AA)", place, extended))
            return
        data, links = [], []
        for index, entry in enumerate(_entries(sector)):
            if entry.type_byte in EXTENDED and entry.count:
                links.append(entry)
            elif entry.used and (index < 2 or _fits(entry, here, extended, sector_bytes)):
                data.append(entry)  # the third and fourth often hold rubbish
        for entry in data:
            number = 5 + len(walk.partitions)
            walk.partitions.append(as_partition(entry, number, "logical", here, sector_bytes, place))
        if len(data) > 1:
            walk.problems.append(
                _broken(f"the record in sector {here} names {len(data)} partitions, not one", place, extended)
            )
        if not links:
            return
        here = first + links[0].start


def _fits(entry: Entry, here: int, extended: Partition, sector_bytes: int) -> bool:
    start = (here + entry.start) * sector_bytes
    return extended.start_bytes <= start and start + entry.count * sector_bytes <= extended.end_bytes


def _broken(what: str, place: int, extended: Partition) -> Problem:
    return Problem(
        f"in the extended partition {extended.number}, {what}",
        place,
        "logical partitions may be missing here, and systems may number them differently",
        "danger",
        extended.number,
    )
