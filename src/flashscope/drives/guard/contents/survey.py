"""Looks for data of others on a drive, by reading through one descriptor; stops at the first sector of it.

    places.py --where--> read --own_data.py--> nothing foreign, or the place and the bytes --naming.py--> a name

The parts of a file that were never written (holes) are not read. What is read does not stay in the system's cache.
Sectors that cannot be read tell nothing: a worn drive has some. Only when nothing at all can be read is it unknown
what the drive holds.
"""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from dataclasses import dataclass

from flashscope.drives.guard.contents.naming import name_of
from flashscope.drives.guard.contents.own_data import LARGEST_BLOCK_BYTES as ALIGNED_BYTES
from flashscope.drives.guard.contents.own_data import first_foreign
from flashscope.drives.guard.contents.places import SAMPLE_BYTES, Stretch, aligned, stretches

_AT_ONCE_BYTES = 1 << 20


@dataclass(frozen=True)
class Foreign:
    """Data that flashscope did not write. offset_bytes: where the first of it was found. name: what it is, or empty."""

    offset_bytes: int
    name: str


class Unreadable(Exception):
    """Nothing could be read."""


def find_foreign(handle: int, size_bytes: int) -> Foreign | None:
    """The first data of others that is found on a file or block device; None when all that was read is our own.

    handle: an open descriptor that reads; its position may change. Raises Unreadable when no read succeeded.
    """
    reader = _Reader(handle)
    try:
        for stretch in stretches(size_bytes):
            for begin, piece in reader.pieces(stretch):
                at = first_foreign(piece)
                if at is not None:
                    return Foreign(begin + at, name_of(reader.read, begin + at))
    finally:
        with contextlib.suppress(OSError):
            os.posix_fadvise(handle, 0, 0, os.POSIX_FADV_DONTNEED)
    if reader.failed and not reader.succeeded:
        raise Unreadable
    return None


class _Reader:
    """Reads pieces of a file or a block device; only what was written once, where the system can tell."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        self._knows_holes = True
        self.failed = self.succeeded = 0

    def pieces(self, stretch: Stretch) -> Iterator[tuple[int, bytes]]:
        """The data of a stretch, in pieces from multiples of `ALIGNED_BYTES`: where each begins, and its bytes."""
        if stretch.sample_bytes is not None:
            for place in (stretch.sample_bytes, stretch.begin_bytes):
                data = self._next_data(place)
                if data is not None and data < stretch.end_bytes:
                    yield from self._read(aligned(data), SAMPLE_BYTES)
                    return
            return
        at = stretch.begin_bytes
        while at < stretch.end_bytes:
            data = self._next_data(at)
            if data is None or data >= stretch.end_bytes:
                return
            at = aligned(data)
            yield from self._read(at, min(_AT_ONCE_BYTES, stretch.end_bytes - at))
            at += _AT_ONCE_BYTES

    def _read(self, begin_bytes: int, length_bytes: int) -> Iterator[tuple[int, bytes]]:
        """A piece; where a part of it cannot be read, the parts that can."""
        piece = self.read(begin_bytes, length_bytes)
        yield begin_bytes, piece
        if len(piece) < length_bytes and length_bytes > ALIGNED_BYTES:
            for at in range(aligned(begin_bytes + len(piece)), begin_bytes + length_bytes, ALIGNED_BYTES):
                yield at, self.read(at, ALIGNED_BYTES)

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """Some bytes; fewer at the end, and none where they cannot be read."""
        try:
            piece = os.pread(self._handle, length_bytes, offset_bytes)
        except OSError:
            self.failed += 1
            return b""
        self.succeeded += 1
        return piece

    def _next_data(self, offset_bytes: int) -> int | None:
        """Where the next data begins; None when there is none after this."""
        if not self._knows_holes:
            return offset_bytes
        try:
            return os.lseek(self._handle, offset_bytes, os.SEEK_DATA)
        except OSError as error:
            if error.errno == errno.ENXIO:
                return None
            self._knows_holes = False
            return offset_bytes
