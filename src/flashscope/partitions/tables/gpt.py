"""The GUID partition table: a header and a list of entries at the start of the disk, and a copy of both at its end.

    LBA 0           1         2 ..             first usable .. last usable     ..           last LBA
    [protective MBR][header ][entries         ][ partitions                   ][entries copy][header copy]

A copy is good when its signature, the checksum of its header and that of its list hold. The first good one is used,
as systems do: primary, then backup. LBAs count in logical sectors, so the header also tells the size of a sector.
Source: UEFI specification 2.10, chapter 5.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Literal

from flashscope.partitions.fields import Fields, fields_at
from flashscope.partitions.layout import Partition, Problem, Table, TableCopy
from flashscope.partitions.source import Source
from flashscope.partitions.tables.types import NO_GUID, gpt_type_name

SECTOR_SIZES = (512, 4096, 2048, 1024)
_MAGIC = b"EFI PART"
_MOST_ENTRIES_BYTES = 4 << 20  # 32 768 entries; the usual 128 take 16 KiB
_LEGACY_BOOT = 1 << 2


@dataclass(frozen=True)
class Header:
    """A header as written. All LBAs in sectors. faults: why the copy cannot be trusted; empty when it is good."""

    which: Literal["primary", "backup"]
    sector_bytes: int
    own_lba: int
    other_lba: int
    first_usable_lba: int
    last_usable_lba: int
    disk_guid: str
    entries_lba: int
    entry_count: int
    entry_size_bytes: int
    entries: bytes
    place_bytes: int
    faults: tuple[str, ...]

    @property
    def copy(self) -> TableCopy:
        """The same as a copy of a table."""
        size = self.entry_count * self.entry_size_bytes
        return TableCopy(self.which, self.place_bytes, self.entries_lba * self.sector_bytes, size, not self.faults)


@dataclass(frozen=True)
class Headers:
    """What was found of both copies. wanted_backup_bytes: where the backup belongs on a disk of this size."""

    primary: Header | None
    backup: Header | None
    wanted_backup_bytes: int

    @property
    def used(self) -> Header | None:
        """The copy that counts: the first good one."""
        return next((each for each in (self.primary, self.backup) if each and not each.faults), None)


def find_headers(source: Source) -> Headers:
    """Both copies, wherever they are: by the stated sector size first, then by every other one."""
    stated = source.logical_sector_bytes
    sizes = [stated, *(each for each in SECTOR_SIZES if each != stated)] if stated else list(SECTOR_SIZES)
    found = [_with_sectors_of(source, each) for each in sizes]
    by_primary = [each for each in found if each.primary and not each.primary.faults]
    by_backup = [each for each in found if each.used]
    by_name = [each for each in found if each.primary or each.backup]
    return next(iter((*by_primary, *by_backup, *by_name)), found[0])


def _with_sectors_of(source: Source, sector_bytes: int) -> Headers:
    last = source.size_bytes // sector_bytes - 1
    primary = _header(source, "primary", 1, sector_bytes)
    backup = _header(source, "backup", last, sector_bytes) if last > 1 else None
    if primary and not primary.faults and primary.other_lba != last:
        backup = _header(source, "backup", primary.other_lba, sector_bytes) or backup
    return Headers(primary, backup, max(last, 0) * sector_bytes)


def _header(source: Source, which: Literal["primary", "backup"], lba: int, sector_bytes: int) -> Header | None:
    place = lba * sector_bytes
    block = fields_at(source, place, sector_bytes)
    if block.bytes_at(0, 8) != _MAGIC:
        return None
    faults = []
    size = block.u32(12)
    if not 92 <= size <= sector_bytes:
        faults.append(f"its header says that it is {size} bytes long")
    elif zlib.crc32(_without_checksum(block.content[:size])) != block.u32(16):
        faults.append("the checksum of its header is wrong")
    if block.u64(24) != lba:
        faults.append(f"it says that it stands at LBA {block.u64(24)}, and it stands at {lba}")
    count, entry_size = block.u32(80), block.u32(84)
    entries = b""
    if entry_size < 128 or entry_size % 8 or count * entry_size > _MOST_ENTRIES_BYTES:
        faults.append(f"it names {count} entries of {entry_size} bytes each")
    else:
        entries = source.read(block.u64(72) * sector_bytes, count * entry_size)
        if zlib.crc32(entries) != block.u32(88):
            faults.append("the checksum of its list of partitions is wrong")
    return Header(
        which=which,
        sector_bytes=sector_bytes,
        own_lba=block.u64(24),
        other_lba=block.u64(32),
        first_usable_lba=block.u64(40),
        last_usable_lba=block.u64(48),
        disk_guid=block.guid(56),
        entries_lba=block.u64(72),
        entry_count=count,
        entry_size_bytes=entry_size,
        entries=entries,
        place_bytes=place,
        faults=tuple(faults),
    )


def _without_checksum(header: bytes) -> bytes:
    return header[:16] + bytes(4) + header[20:]


def read_partitions(headers: Headers) -> tuple[Table | None, tuple[Partition, ...], tuple[Problem, ...]]:
    """The table and its partitions from the copy that counts, and what is wrong with the copies."""
    used = headers.used
    if used is None:
        return None, (), ()
    copies = [used.copy, *(each.copy for each in (headers.primary, headers.backup) if each and each is not used)]
    table = Table(
        kind="gpt",
        sector_bytes=used.sector_bytes,
        identity=used.disk_guid,
        copies=tuple(copies),
        first_usable_bytes=used.first_usable_lba * used.sector_bytes,
        end_usable_bytes=(used.last_usable_lba + 1) * used.sector_bytes,
        entry_size_bytes=used.entry_size_bytes,
        entry_count=used.entry_count,
    )
    partitions, problems = _partitions(used)
    return table, partitions, (*_faults_of_copies(headers, used), *problems)


def _partitions(used: Header) -> tuple[tuple[Partition, ...], tuple[Problem, ...]]:
    partitions, problems = [], []
    for index in range(len(used.entries) // used.entry_size_bytes):
        at = index * used.entry_size_bytes
        entry = Fields(used.entries[at : at + used.entry_size_bytes])
        place = used.entries_lba * used.sector_bytes + at
        if (kind := entry.guid(0)) == NO_GUID:
            continue
        first, last = entry.u64(32), entry.u64(40)
        if last < first:
            what = f"partition {index + 1} ends at LBA {last}, before it begins at {first}"
            problems.append(Problem(what, place, "systems leave it out", "danger", index + 1))
            continue
        partitions.append(
            Partition(
                number=index + 1,
                role="gpt",
                start_bytes=first * used.sector_bytes,
                size_bytes=(last - first + 1) * used.sector_bytes,
                type_code=kind,
                type_name=gpt_type_name(kind),
                entry_bytes=place,
                name=entry.text(56, 72, "utf-16-le"),
                guid=entry.guid(16),
                active=bool(entry.u64(48) & _LEGACY_BOOT),
                attributes=entry.u64(48),
            )
        )
    return tuple(partitions), tuple(problems)


def _faults_of_copies(headers: Headers, used: Header) -> list[Problem]:
    problems = []
    for which, header in (("primary", headers.primary), ("backup", headers.backup)):
        if header is None:
            place = used.sector_bytes if which == "primary" else headers.wanted_backup_bytes
            problems.append(_bad_copy(which, "is missing", place))
        elif header.faults:
            problems.append(_bad_copy(which, f"is bad: {'; '.join(header.faults)}", header.place_bytes))
    backup, primary = headers.backup, headers.primary
    if backup and not backup.faults and backup.place_bytes != headers.wanted_backup_bytes:
        problems.append(
            Problem(
                f"the backup GPT stands at byte {backup.place_bytes}, not at the end of the disk",
                backup.place_bytes,
                "the disk has another size than when it was partitioned; `sgdisk --move-second-header` puts it right",
            )
        )
    if primary and backup and not (primary.faults or backup.faults) and _tells(primary) != _tells(backup):
        problems.append(
            Problem(
                "the two copies of the GPT differ, and both have good checksums",
                backup.place_bytes,
                "the primary one counts; nothing should be changed until it is known which one is right",
                "danger",
            )
        )
    return problems


def _tells(header: Header) -> tuple[str, int, int, bytes]:
    return header.disk_guid, header.first_usable_lba, header.last_usable_lba, header.entries


def _bad_copy(which: str, fault: str, place: int) -> Problem:
    other = "backup" if which == "primary" else "primary"
    return Problem(
        f"the {which} copy of the GPT {fault}",
        place,
        f"the {other} one is used, and nothing protects it any more; `sgdisk` or `gdisk` writes the bad copy anew",
    )
