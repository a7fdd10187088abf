"""ext2, ext3 and ext4: the superblock stands 1 KiB after the start, and blocks count from the start.

Source: Documentation/filesystems/ext4/super.rst of Linux.
"""

from __future__ import annotations

from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place, is_power_of_two

_COMPAT_JOURNAL = 0x4
_INCOMPAT_64BIT, _INCOMPAT_OF_EXT4 = 0x80, 0x2C0  # extents, 64 bits, flexible block groups
_RO_COMPAT_BIGALLOC, _RO_COMPAT_OF_EXT4 = 0x200, 0x678  # huge files, checksums of groups, big directories, ...


def read_ext(place: Place) -> Inner | None:
    """The file system, None where there is none. unit_bytes: a block, or a cluster where it uses those (bigalloc)."""
    block = place.fields(1024, 1024)
    if block.u16(0x38) != 0xEF53 or block.u32(0x18) > 6:
        return None
    block_bytes = 1024 << block.u32(0x18)
    incompat, ro_compat = block.u32(0x60), block.u32(0x64)
    blocks = block.u32(0x4) + ((block.u32(0x150) << 32) if incompat & _INCOMPAT_64BIT else 0)
    inode_bytes = block.u16(0x58) if block.u32(0x4C) else 128
    if blocks == 0 or not is_power_of_two(inode_bytes) or inode_bytes > block_bytes:
        return None
    cluster_bytes = block_bytes
    if ro_compat & _RO_COMPAT_BIGALLOC and block.u32(0x18) <= block.u32(0x1C) <= 20:
        cluster_bytes = 1024 << block.u32(0x1C)
    stride = block.u16(0x164)
    return Inner(
        kind=_kind(block.u32(0x5C), incompat, ro_compat),
        role="file system",
        start_bytes=place.start_bytes,
        size_bytes=blocks * block_bytes,
        uuid=block.uuid(0x68),
        label=block.text(0x78, 16),
        data_start_bytes=place.start_bytes,
        unit_bytes=cluster_bytes,
        record_bytes=inode_bytes,
        detail=f"made for RAID chunks of {stride * block_bytes} B" if stride else "",
    )


def _kind(compat: int, incompat: int, ro_compat: int) -> str:
    if incompat & _INCOMPAT_OF_EXT4 or ro_compat & _RO_COMPAT_OF_EXT4:
        return "ext4"
    return "ext3" if compat & _COMPAT_JOURNAL else "ext2"
