"""Where the bytes of a disk are read from: a device, an image file, bytes in memory, or a part of one of these.

    read(offset, length) -> bytes    fewer where the source ends or cannot be read; what failed is noted in `failed`

A source never writes, and a read error is no exception: a disk with bad sectors still has a layout.
Not modelled here: what other programs write while it is read; the layout of a disk in use is that of one moment.
"""

from __future__ import annotations

import fcntl
import os
import stat
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from flashscope.errors import WrongUse

MOST_AT_ONCE_BYTES = 16 << 20
_BLKSSZGET = 0x1268  # <linux/fs.h>: the logical sector size of a block device, as an int


@dataclass(frozen=True)
class FailedRead:
    """A place that could not be read. offset_bytes, length_bytes: of the request. reason: the system's words."""

    offset_bytes: int
    length_bytes: int
    reason: str


class Source(Protocol):
    """Bytes with a size, which can be read at any place."""

    @property
    def size_bytes(self) -> int:
        """How many there are [bytes]."""
        ...

    @property
    def logical_sector_bytes(self) -> int | None:
        """The sector in which the device counts [bytes]; None for what has no sectors of its own (an image file)."""
        ...

    @property
    def failed(self) -> list[FailedRead]:
        """What could not be read until now."""
        ...

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """The bytes at an offset: fewer than asked for at the end of the source, and where it cannot be read."""
        ...


class MemorySource:
    """A disk in memory. content: all of it. logical_sector_bytes: as in `Source`."""

    def __init__(self, content: bytes, logical_sector_bytes: int | None = None) -> None:
        self._content = content
        self.size_bytes = len(content)
        self.logical_sector_bytes = logical_sector_bytes
        self.failed: list[FailedRead] = []

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Source.read`."""
        start, length = within(self.size_bytes, offset_bytes, length_bytes)
        return self._content[start : start + length]


class DescriptorSource:
    """An open device or file. descriptor: open for reading; it stays the caller's. The rest: as in `Source`."""

    def __init__(self, descriptor: int, size_bytes: int, logical_sector_bytes: int | None = None) -> None:
        self._descriptor = descriptor
        self.size_bytes = size_bytes
        self.logical_sector_bytes = logical_sector_bytes
        self.failed: list[FailedRead] = []

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Source.read`."""
        start, length = within(self.size_bytes, offset_bytes, length_bytes)
        parts = []
        while length > 0:
            try:
                part = os.pread(self._descriptor, length, start)
            except OSError as error:
                self.failed.append(FailedRead(start, length, error.strerror or str(error)))
                break
            if not part:
                break
            parts.append(part)
            start, length = start + len(part), length - len(part)
        return b"".join(parts)


class PartOf:
    """A part of a source, read from 0. start_bytes, size_bytes: which part; what lies outside the source is empty."""

    def __init__(self, source: Source, start_bytes: int, size_bytes: int) -> None:
        self._source = source
        self.start_bytes, self.size_bytes = within(source.size_bytes, start_bytes, size_bytes)

    @property
    def logical_sector_bytes(self) -> int | None:
        """See `Source`."""
        return self._source.logical_sector_bytes

    @property
    def failed(self) -> list[FailedRead]:
        """See `Source`; the offsets are those of the whole source."""
        return self._source.failed

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Source.read`."""
        start, length = within(self.size_bytes, offset_bytes, length_bytes)
        return self._source.read(self.start_bytes + start, length)


def within(size_bytes: int, offset_bytes: int, length_bytes: int) -> tuple[int, int]:
    """The part of a request (start, length) [bytes] that lies in a source of this size; the length may be 0."""
    if offset_bytes < 0 or offset_bytes >= size_bytes:
        return 0, 0
    return offset_bytes, max(min(length_bytes, size_bytes - offset_bytes), 0)


@contextmanager
def open_source(path: Path) -> Iterator[DescriptorSource]:
    """A device or an image file, opened for reading only; mounted ones too.

    Raises WrongUse when it is not there, is neither file nor block device, or may not be read, and says what to do.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        raise _refused(path, error) from error
    try:
        mode = os.fstat(descriptor).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISBLK(mode)):
            raise WrongUse(
                f"{path} is neither a block device nor a file", accepted="a drive such as /dev/sda, or a disk image"
            )
        size_bytes = os.lseek(descriptor, 0, os.SEEK_END)
        yield DescriptorSource(descriptor, size_bytes, _sector_of(descriptor) if stat.S_ISBLK(mode) else None)
    finally:
        os.close(descriptor)


def _sector_of(descriptor: int) -> int | None:
    answer = bytearray(4)
    try:
        fcntl.ioctl(descriptor, _BLKSSZGET, answer)
    except OSError:
        return None
    return int(struct.unpack("i", answer)[0])


def _refused(path: Path, error: OSError) -> WrongUse:
    if isinstance(error, PermissionError):
        return WrongUse(
            f"{path} may not be read by this user",
            advice=f"run it as root (`sudo flashscope align {path}`), or as a user of the group that owns the device; "
            "nothing is written",
        )
    if isinstance(error, FileNotFoundError):
        return WrongUse(f"{path} does not exist", accepted="a drive such as /dev/sda, or a disk image")
    return WrongUse(f"{path} cannot be opened: {error.strerror}", accepted="a drive such as /dev/sda, or a disk image")
