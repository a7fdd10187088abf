"""Where a drive is looked at for data of others: whole when it is small, else its ends, copies and samples.

    |ends|    o   copies   o      o   o          o   |ends|      o  one sample in each thousandth of the drive
                ^        ^      ^

A file system whose first superblock was wiped still has its copies, at places that its format fixes: they are counted
from the start of the drive and from where a first partition usually begins.
Not looked at: copies whose place is chosen freely (UFS, ReFS); samples may hit them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from flashscope.drives.guard.contents.own_data import LARGEST_BLOCK_BYTES as ALIGNED_BYTES

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
WHOLE_BYTES = 64 * MIB
"""Up to this size everything is read."""
END_BYTES = 8 * MIB
"""Read at both ends: tables, superblocks, both headers of LUKS2, labels of ZFS and md, footers of images."""
SAMPLES = 1000
SAMPLE_BYTES = 16 * KIB
_FIRST_PARTITIONS = (0, 63 * 512, MIB)
_EXT_GROUPS = (8 * MIB, 32 * MIB, 128 * MIB)  # of blocks of 1, 2 and 4 KiB
_BTRFS_COPIES = (64 * MIB, 256 * GIB, 1 << 50)
_XFS_GROUPS = (4, 8, 16, 32)
_NTFS_FILE_TABLE = 3 * GIB


@dataclass(frozen=True)
class Stretch:
    """Some bytes of a drive, from a multiple of `ALIGNED_BYTES` on [bytes].

    sample_bytes: where the one sample of it is taken, None when all of it is read.
    """

    begin_bytes: int
    end_bytes: int
    sample_bytes: int | None = None


def stretches(size_bytes: int) -> Iterator[Stretch]:
    """What is to be looked at, the likeliest first."""
    if size_bytes <= WHOLE_BYTES:
        yield Stretch(0, size_bytes)
        return
    yield Stretch(0, END_BYTES)
    yield Stretch(aligned(size_bytes - END_BYTES), size_bytes)
    for place in sorted({aligned(place) for place in copies(size_bytes)}):
        yield Stretch(place, min(place + ALIGNED_BYTES, size_bytes))
    chance = random.Random(size_bytes)  # the same places each time, so that the same drive gets the same answer
    for number in range(SAMPLES):
        begin, end = size_bytes * number // SAMPLES, size_bytes * (number + 1) // SAMPLES
        yield Stretch(aligned(begin), end, aligned(chance.randrange(begin, end)))


def copies(size_bytes: int) -> Iterator[int]:
    """Where superblocks and copies of them stand, beyond the ends of the drive [bytes]."""
    for start in _FIRST_PARTITIONS:
        for place in _copies_from_start(size_bytes - start):
            if place < size_bytes - start:
                yield start + place


def _copies_from_start(size_bytes: int) -> Iterator[int]:
    for group_bytes in _EXT_GROUPS:  # ext keeps copies in group 1 and in the powers of 3, 5 and 7
        yield group_bytes
        for base in (3, 5, 7):
            group = base
            while group * group_bytes < size_bytes:
                yield group * group_bytes
                group *= base
    yield from _BTRFS_COPIES
    for groups in _XFS_GROUPS:
        for place in (size_bytes * number // groups for number in range(1, groups)):
            yield from (place, place + ALIGNED_BYTES)  # groups are whole blocks, so they begin a little later
    yield _NTFS_FILE_TABLE
    yield size_bytes // 2  # NTFS keeps a copy of its boot sector or of its file table there


def aligned(place: int) -> int:
    """The place itself, or the nearest one below it, where a block of our own data may begin [bytes]."""
    return place // ALIGNED_BYTES * ALIGNED_BYTES
