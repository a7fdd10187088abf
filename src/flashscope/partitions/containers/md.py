"""Linux md RAID: where the data of a member begin, its level and its chunk.

    1.1  superblock at 0      1.2  at 4 KiB      1.0  near the end      0.90  in the last whole 64 KiB

Source: Linux, include/uapi/linux/raid/md_p.h and drivers/md/md.c.
"""

from __future__ import annotations

import struct

from flashscope.partitions.fields import Fields
from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place

_MAGIC = 0xA92B4EFC
_SECTOR = 512
_OLD_RESERVED = 64 << 10
_MIRROR = 1
_LEVELS = {-1: "linear", -4: "multipath"}


def read_md(place: Place) -> tuple[Inner, Place | None] | None:
    """The member, and the place of its data when they can be read as they are (a mirror); None where there is none."""
    for version, at in _places(place):
        if (found := _version_1(place, at, version)) is not None:
            return found
    return _version_0(place)


def _places(place: Place) -> list[tuple[str, int]]:
    sectors = place.size_bytes // _SECTOR
    return [("1.2", 4096), ("1.1", 0), ("1.0", ((sectors - 16) & ~7) * _SECTOR)]


def _version_1(place: Place, at: int, version: str) -> tuple[Inner, Place | None] | None:
    block = place.fields(at, 4096)
    if block.u32(0) != _MAGIC or block.u32(4) != 1 or block.u64(144) * _SECTOR != at:
        return None
    if _checksum(block) != block.u32(216):
        return None
    level = int.from_bytes(block.bytes_at(72, 4), "little", signed=True)
    data_at, size = block.u64(128) * _SECTOR, block.u64(136) * _SECTOR
    chunk_bytes = block.u32(88) * _SECTOR
    member = _member(place, version, (level, block.u32(92), chunk_bytes), data_at, size, block.uuid(16))
    return member, _mirrored(place, level, data_at, size)


def _version_0(place: Place) -> tuple[Inner, Place | None] | None:
    at = (place.size_bytes & ~(_OLD_RESERVED - 1)) - _OLD_RESERVED
    block = place.fields(at, 4096)
    if block.u32(0) != _MAGIC or block.u32(4) != 0 or block.u32(8) != 90:
        return None
    level = int.from_bytes(block.bytes_at(28, 4), "little", signed=True)
    size = block.u32(32) * 1024 or at
    uuid = block.bytes_at(20, 4) + block.bytes_at(52, 12)
    words = "-".join(uuid[index : index + 4][::-1].hex() for index in range(0, 16, 4))
    member = _member(place, "0.90", (level, block.u32(40), block.u32(65 * 4)), 0, size, words)
    return member, _mirrored(place, level, 0, size)


def _member(place: Place, version: str, shape: tuple[int, int, int], data_at: int, size: int, uuid: str) -> Inner:
    """The member of an array. shape: its level, its number of members, its chunk [bytes]."""
    level, members, chunk_bytes = shape
    named = _LEVELS.get(level, f"RAID {level}" if 0 <= level <= 10 else f"level {level}")
    return Inner(
        kind="md",
        role="container",
        start_bytes=place.start_bytes,
        size_bytes=size or None,
        uuid=uuid,
        data_start_bytes=place.start_bytes + data_at if data_at < place.size_bytes else None,
        chunk_bytes=chunk_bytes or None,
        detail=f"{named} of {members} members, metadata {version}",
    )


def _mirrored(place: Place, level: int, data_at: int, size: int) -> Place | None:
    return place.part(data_at, size or place.size_bytes) if level == _MIRROR and data_at < place.size_bytes else None


def _checksum(block: Fields) -> int:
    """The checksum of a version 1 superblock: the sum of its words of 32 bits without the checksum itself, folded."""
    length = 256 + 2 * block.u32(220)
    if length > len(block.content):
        return -1
    content = bytearray(block.content[:length])
    content[216:220] = bytes(4)
    content += bytes(-length % 4)  # a half word at the end counts as a number of 16 bits
    total: int = sum(struct.unpack(f"<{len(content) // 4}I", content))
    return ((total & 0xFFFFFFFF) + (total >> 32)) & 0xFFFFFFFF
