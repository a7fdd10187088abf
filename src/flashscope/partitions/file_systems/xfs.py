"""XFS: the superblock stands at the start, big-endian, and blocks count from the start.

Source: XFS Algorithms & Data Structures, chapter 13, "Allocation Groups".
"""

from __future__ import annotations

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place, is_power_of_two


def read_xfs(place: Place) -> Inner | None:
    """The file system, None where there is none."""
    block = place.fields(0, 512, big_endian=True)
    block_bytes, sector_bytes, inode_bytes = block.u32(4), block.u16(102), block.u16(104)
    if block.bytes_at(0, 4) != b"XFSB" or not all(map(is_power_of_two, (block_bytes, sector_bytes, inode_bytes))):
        return None
    stripe_unit = block.u32(184)
    return Inner(
        kind="xfs",
        role="file system",
        start_bytes=place.start_bytes,
        size_bytes=block.u64(8) * block_bytes,
        uuid=block.uuid(32),
        label=block.text(108, 12),
        data_start_bytes=place.start_bytes,
        unit_bytes=block_bytes,
        record_bytes=inode_bytes,
        detail=f"made for RAID chunks of {stripe_unit * block_bytes} B" if stripe_unit else "",
    )
