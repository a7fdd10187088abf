"""exFAT: the boot sector states where the clusters begin and how many sectors lie before the partition.

Sectors 0 to 11 are the boot region, the last of them holds its checksum, and 12 to 23 are a copy.
Source: Microsoft, exFAT file system specification.
"""

from __future__ import annotations

from flashscope.partitions.layout import HiddenSectors, Inner
from flashscope.partitions.place import Place

_MAGIC = b"EXFAT   "
_OFFSET_FIELD, _REGION_SECTORS, _CHECKSUM_SECTOR = 64, 12, 11


def read_exfat(place: Place) -> Inner | None:
    """The file system, None where there is none."""
    block = place.fields(0, 512)
    sector_shift, cluster_shift = block.u8(108), block.u8(109)
    if block.bytes_at(3, 8) != _MAGIC or not 9 <= sector_shift <= 12 or cluster_shift > 25 - sector_shift:
        return None
    sector_bytes = 1 << sector_shift
    regions = [0]
    if place.fields(_REGION_SECTORS * sector_bytes, 512).bytes_at(3, 8) == _MAGIC:
        regions.append(_REGION_SECTORS * sector_bytes)
    start = place.start_bytes
    return Inner(
        kind="exfat",
        role="file system",
        start_bytes=start,
        size_bytes=block.u64(72) * sector_bytes,
        uuid=f"{block.u32(100) >> 16:04X}-{block.u32(100) & 0xFFFF:04X}",
        data_start_bytes=start + block.u32(88) * sector_bytes,
        unit_bytes=sector_bytes << cluster_shift,
        hidden_sectors=HiddenSectors(
            tuple(start + at + _OFFSET_FIELD for at in regions),
            8,
            block.u64(_OFFSET_FIELD),
            start // sector_bytes,
            tuple(start + at + _CHECKSUM_SECTOR * sector_bytes for at in regions),
        ),
    )
