"""FAT12, FAT16 and FAT32: clusters begin behind the reserved sectors, the tables and the root directory.

    [boot, reserved][FAT 1][FAT 2][root directory (12, 16)][cluster 2][cluster 3] ...

A partition on a boundary does not help where this first part has an odd length: clusters are judged by their own start.
Source: Microsoft, FAT File System Specification 1.03.
"""

from __future__ import annotations

from flashscope.partitions.fields import Fields
from flashscope.partitions.file_systems.ntfs import MAGIC as NTFS_MAGIC
from flashscope.partitions.layout import HiddenSectors, Inner
from flashscope.partitions.place import Place, is_power_of_two

_HIDDEN = 28
_DIRECTORY_ENTRY_BYTES = 32


def read_fat(place: Place) -> Inner | None:
    """The file system, None where there is none. There is no magic number: the parameters have to make sense."""
    block = place.fields(0, 512)
    if not _makes_sense(block):
        return None
    sector_bytes, tables = block.u16(11), block.u8(16)
    table_sectors = block.u16(22) or block.u32(36)
    sectors = block.u16(19) or block.u32(32)
    root_sectors = -(-block.u16(17) * _DIRECTORY_ENTRY_BYTES // sector_bytes)
    first = block.u16(14) + tables * table_sectors + root_sectors
    clusters = (sectors - first) // block.u8(13)
    if table_sectors == 0 or clusters <= 0:
        return None
    kind = "fat12" if clusters < 4085 else "fat16" if clusters < 65525 else "fat32"
    if block.u16(22) == 0:  # FAT32 alone has its table's size elsewhere, however few clusters it has
        kind = "fat32"
    identity, label = (67, 71) if kind == "fat32" else (39, 43)
    return Inner(
        kind=kind,
        role="file system",
        start_bytes=place.start_bytes,
        size_bytes=sectors * sector_bytes,
        uuid=f"{block.u32(identity) >> 16:04X}-{block.u32(identity) & 0xFFFF:04X}",
        label=block.text(label, 11, "latin-1").replace("NO NAME", "").strip(),
        data_start_bytes=place.start_bytes + first * sector_bytes,
        unit_bytes=block.u8(13) * sector_bytes,
        hidden_sectors=HiddenSectors(
            tuple(place.start_bytes + at + _HIDDEN for at in (0, *_copies(place, block, kind))),
            4,
            block.u32(_HIDDEN),
            place.start_bytes // sector_bytes,
        ),
    )


def _makes_sense(block: Fields) -> bool:
    return (
        block.u8(0) in (0xEB, 0xE9)
        and block.bytes_at(510, 2) == b"\x55\xaa"
        and block.bytes_at(3, 8) != NTFS_MAGIC
        and block.u16(11) in (512, 1024, 2048, 4096)
        and is_power_of_two(block.u8(13))
        and block.u16(14) > 0
        and block.u8(16) in (1, 2)
        and (block.u8(21) == 0xF0 or block.u8(21) >= 0xF8)
    )


def _copies(place: Place, block: Fields, kind: str) -> list[int]:
    """Where FAT32 keeps a copy of its boot sector [bytes from the start of the place], if it is one."""
    copy = block.u16(50)
    if kind != "fat32" or not 0 < copy < block.u16(14):
        return []
    at = copy * block.u16(11)
    return [at] if _makes_sense(place.fields(at, 512)) else []
