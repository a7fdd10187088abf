"""Disks written byte by byte, for what no program would make: broken chains, bad copies, lies about sizes.

mbr([(start, size, type), ...]) -> bytes         gpt(sectors, [(first, last), ...]) -> bytearray
"""

from __future__ import annotations

import struct
import uuid
import zlib
from collections.abc import Sequence

SECTOR = 512
LINUX = uuid.UUID("0fc63daf-8483-4772-8e79-3d69d8477de4")
DISK_GUID = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")


def record(entries: Sequence[tuple[int, int, int]], status: int = 0, signature: int = 0x1234ABCD) -> bytes:
    """An MBR or an extended boot record. entries: (start, count, type) [sectors]."""
    sector = bytearray(SECTOR)
    struct.pack_into("<I", sector, 440, signature)
    for index, (start, count, kind) in enumerate(entries):
        struct.pack_into("<B3xB3xII", sector, 446 + 16 * index, status, kind, start, count)
    sector[510:] = b"\x55\xaa"
    return bytes(sector)


def disk(sectors: int, *parts: tuple[int, bytes], sector_bytes: int = SECTOR) -> bytearray:
    """A disk of zeros with parts at sectors."""
    content = bytearray(sectors * sector_bytes)
    for start, part in parts:
        content[start * sector_bytes : start * sector_bytes + len(part)] = part
    return content


def gpt(
    sectors: int, partitions: Sequence[tuple[int, int]], sector_bytes: int = SECTOR, protective: bool = True
) -> bytearray:
    """A disk with both copies of a GPT. partitions: (first, last) LBA of each."""
    entries = bytearray(128 * 128)
    for index, (first, last) in enumerate(partitions):
        guid = uuid.uuid5(DISK_GUID, str(index))
        struct.pack_into("<16s16sQQQ", entries, 128 * index, LINUX.bytes_le, guid.bytes_le, first, last, 0)
        entries[128 * index + 56 : 128 * index + 64] = "part".encode("utf-16-le")
    length = len(entries) // sector_bytes
    content = disk(sectors, sector_bytes=sector_bytes)
    if protective:
        content[:SECTOR] = record([(1, min(sectors - 1, 2**32 - 1), 0xEE)])
    usable = 2 + length, sectors - length - 2
    for own, other, listed in ((1, sectors - 1, 2), (sectors - 1, 1, sectors - 1 - length)):
        content[listed * sector_bytes : listed * sector_bytes + len(entries)] = entries
        content[own * sector_bytes : own * sector_bytes + 92] = header(own, other, usable, listed, bytes(entries))
    return content


def header(own: int, other: int, usable: tuple[int, int], listed: int, entries: bytes) -> bytes:
    """A header of a GPT with its checksums."""
    head = bytearray(
        struct.pack(
            "<8sIIIIQQQQ16sQIII", b"EFI PART", 0x10000, 92, 0, 0, own, other, *usable, DISK_GUID.bytes_le, listed, 128,
            128, zlib.crc32(entries),
        )
    )  # fmt: skip
    struct.pack_into("<I", head, 16, zlib.crc32(head))
    return bytes(head)
