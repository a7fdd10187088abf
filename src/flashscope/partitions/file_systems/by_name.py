"""File systems and containers that are recognised by their mark alone: what they are, and nothing about them.

A partition with one of these is judged by its own start.
"""

from __future__ import annotations

from flashscope.partitions.layout import Inner, InnerRole
from flashscope.partitions.place import Place

_MARKS: tuple[tuple[int, bytes, str, InnerRole], ...] = (
    (3, b"ReFS\0\0\0\0", "refs", "file system"),
    (32, b"NXSB", "apfs", "file system"),
    (1024, b"H+\0\x04", "hfs+", "file system"),
    (1024, b"HX\0\x05", "hfs+", "file system"),
    (1024, b"\x10\x20\xf5\xf2", "f2fs", "file system"),
    (1024, b"\xe2\xe1\xf5\xe0", "erofs", "file system"),
    (0, b"hsqs", "squashfs", "file system"),
    (32769, b"CD001", "iso9660", "file system"),
    (32768, b"JFS1", "jfs", "file system"),
    (65588, b"ReIsErFs", "reiserfs", "file system"),
    (65588, b"ReIsEr2Fs", "reiserfs", "file system"),
    (65588, b"ReIsEr3Fs", "reiserfs", "file system"),
    (4096 + 24, bytes.fromhex("c68573f64e1a45ca8265f57f48ba6d81"), "bcache", "container"),
    (4096 + 24, bytes.fromhex("c68573f666ce90a9d96a60cf803df7ef"), "bcachefs", "file system"),
    (131072, bytes.fromhex("0cb1ba0000000000"), "zfs", "container"),
    (131072, bytes.fromhex("0000000000bab10c"), "zfs", "container"),
)


def read_by_name(place: Place) -> Inner | None:
    """What carries one of the marks, None where there is none."""
    for at, mark, kind, role in _MARKS:
        if place.fields(at, len(mark)).bytes_at(0, len(mark)) == mark:
            return Inner(kind=kind, role=role, start_bytes=place.start_bytes)
    return None
