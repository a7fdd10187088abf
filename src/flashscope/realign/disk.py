"""What a repair works on: bytes that can be read, written and flushed; a drive, an image file, a part of one, a fake.

    write, write, flush      what was written before a flush that returned is durable
    write, (power cut)       of the writes since then, any sectors may be on the medium and any may not

Offsets and lengths are whole sectors. All methods raise OSError as the system gives it.
"""

from __future__ import annotations

from typing import Protocol


class Disk(Protocol):
    """A disk, as a repair uses it."""

    @property
    def size_bytes(self) -> int:
        """How long it is [bytes]."""
        ...

    @property
    def sector_bytes(self) -> int:
        """The unit that it writes completely or not at all [bytes]."""
        ...

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """All the bytes at a place, from the medium and not from a cache as far as the system allows."""
        ...

    def write(self, offset_bytes: int, content: bytes) -> None:
        """Write all of the content. It is durable after the next `flush`."""
        ...

    def flush(self) -> None:
        """Have everything that was written on the medium."""
        ...


class Window:
    """A part of a disk as a disk of its own; nothing outside it is read or written."""

    def __init__(self, disk: Disk, start_bytes: int, size_bytes: int) -> None:
        assert 0 <= start_bytes <= disk.size_bytes - size_bytes, "outside the disk"
        self._disk, self.start_bytes, self.size_bytes = disk, start_bytes, size_bytes

    @property
    def sector_bytes(self) -> int:
        """See `Disk`."""
        return self._disk.sector_bytes

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Disk.read`."""
        return self._disk.read(self._place(offset_bytes, length_bytes), length_bytes)

    def write(self, offset_bytes: int, content: bytes) -> None:
        """See `Disk.write`."""
        self._disk.write(self._place(offset_bytes, len(content)), content)

    def flush(self) -> None:
        """See `Disk.flush`; the whole disk is flushed."""
        self._disk.flush()

    def _place(self, offset_bytes: int, length_bytes: int) -> int:
        assert 0 <= offset_bytes <= self.size_bytes - length_bytes, "outside the window"
        return self.start_bytes + offset_bytes
