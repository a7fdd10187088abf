"""NTFS: the boot sector states cluster and record size; clusters count from the start of the partition.

The boot sector says how many sectors lie before the partition, and a copy of it stands in the last sector.
Not read here: the label, which is an attribute of a record.
"""

from __future__ import annotations

from flashscope.partitions.layout import HiddenSectors, Inner
from flashscope.partitions.place import Place, is_power_of_two

MAGIC = b"NTFS    "
_HIDDEN = 28


def read_ntfs(place: Place) -> Inner | None:
    """The file system, None where there is none. record_bytes: of a record of the master file table."""
    block = place.fields(0, 512)
    sector_bytes = block.u16(11)
    if block.bytes_at(3, 8) != MAGIC or sector_bytes not in (512, 1024, 2048, 4096):
        return None
    cluster_bytes = _power(block.u8(13)) * sector_bytes
    if not is_power_of_two(cluster_bytes) or cluster_bytes > 2 << 20:
        return None
    copy_at = block.u64(40) * sector_bytes  # the sector after the last one of the volume
    copies = [copy_at] if place.fields(copy_at, 512).bytes_at(3, 8) == MAGIC else []
    record = block.u8(64)
    return Inner(
        kind="ntfs",
        role="file system",
        start_bytes=place.start_bytes,
        size_bytes=block.u64(40) * sector_bytes + sector_bytes,
        uuid=f"{block.u64(72):016X}",
        data_start_bytes=place.start_bytes,
        unit_bytes=cluster_bytes,
        record_bytes=1 << (256 - record) if record > 0xE0 else record * cluster_bytes,
        hidden_sectors=HiddenSectors(
            tuple(place.start_bytes + at + _HIDDEN for at in (0, *copies)),
            4,
            block.u32(_HIDDEN),
            place.start_bytes // sector_bytes,
        ),
    )


def _power(stated: int) -> int:
    """Sectors of a cluster: the number itself, or above 0x80 a power of two counted down from 256."""
    return 1 << (256 - stated) if stated > 0xF0 else stated
