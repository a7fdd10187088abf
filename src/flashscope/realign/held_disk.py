"""A drive that the guard has opened, and a journal's file, as disks for a repair.

Both are read and written past the caches where the system allows it; where not, the cache is dropped before each read,
so that what is read back is what the medium holds.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterator

from flashscope.drives.drive import RealDrive
from flashscope.drives.held.direct_file import DirectFile, aligned
from flashscope.drives.held.held import Held

_BUFFER_BYTES = 4 << 20
_BLKRRPART = 0x125F


class HeldDisk:
    """A `Disk` over a drive that is held. sector_bytes: of its table; requests are multiples of it."""

    def __init__(self, drive: RealDrive, sector_bytes: int) -> None:
        facts = drive.facts
        takes_direct = facts.place is None or facts.place.direct_io
        self._held = drive.held
        self._open(drive.held, sector_bytes, direct=takes_direct and facts.sector_bytes <= sector_bytes)

    def _open(self, held: Held, sector_bytes: int, *, direct: bool) -> None:
        self.size_bytes, self.sector_bytes = held.was.size_bytes, sector_bytes
        self._file = DirectFile(held, direct=direct)
        self._buffer = aligned(_BUFFER_BYTES)

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Disk.read`."""
        parts = []
        for at in range(0, length_bytes, _BUFFER_BYTES):
            part = self._buffer[: min(_BUFFER_BYTES, length_bytes - at)]
            with self._named(offset_bytes + at, "read"):
                self._file.read_into(part, offset_bytes + at)
            parts.append(bytes(part))
        return b"".join(parts)

    def write(self, offset_bytes: int, content: bytes) -> None:
        """See `Disk.write`."""
        for at in range(0, len(content), _BUFFER_BYTES):
            piece = content[at : at + _BUFFER_BYTES]
            part = self._buffer[: len(piece)]
            part[:] = piece
            with self._named(offset_bytes + at, "written"):
                self._file.write(part, [(offset_bytes + at, len(piece))])

    def flush(self) -> None:
        """See `Disk.flush`."""
        self._file.flush()

    def read_table_again(self) -> str:
        """Have the system read the partition table anew. Returns why it did not, empty when it did or need not."""
        if not stat.S_ISBLK(os.fstat(self._held.handle).st_mode):
            return ""
        try:
            fcntl.ioctl(self._held.handle, _BLKRRPART)
        except OSError as error:
            # A loop device without -P, and a kernel without tables, show no partitions at all.
            return "" if error.errno == errno.EINVAL else error.strerror or str(error)
        return ""

    def close(self) -> None:
        """Release what was opened here; the drive stays held."""
        self._file.close()

    @contextlib.contextmanager
    def _named(self, at_bytes: int, done: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OSError(
                error.errno, f"{self._held.name}: byte {at_bytes} cannot be {done}: {error.strerror}"
            ) from error
