"""Reads and writes that bypass all caches: O_DIRECT, aligned buffers, whole requests.

Not a load generator: fio makes the performance figures. The contents of blocks written here must be known later, which
fio cannot do across restarts. The drive is opened anew from the descriptor that holds it (drives/held/), never by its
name. Before each series of writes it is checked that the name still leads to it.
"""

from __future__ import annotations

import errno
import mmap
import os
from concurrent.futures import ThreadPoolExecutor

from flashscope.drives.held.held import Held
from flashscope.errors import WrongUse

REQUEST_MOST_BYTES = 4 << 20
_THREADS = 8


class DirectFile:
    """A drive that is held, opened once more for reading and writing.

    direct: False only where the file system takes no direct requests; its cache is then dropped before each read.
    """

    def __init__(self, drive: Held, *, direct: bool, write: bool = True) -> None:
        self._drive = drive
        self.direct = direct
        flags = (os.O_RDWR if write else os.O_RDONLY) | os.O_CLOEXEC | (os.O_DIRECT if direct else 0)
        try:
            self._handle = os.open(drive.path, flags)
        except OSError as error:
            raise WrongUse(f"{drive.name} could not be opened: {error.strerror}") from error
        self._threads = ThreadPoolExecutor(_THREADS)

    def write(self, buffer: memoryview, requests: list[tuple[int, int]]) -> None:
        """Write a buffer as requests (place on the drive, length) [bytes], in the order of the buffer.

        Several requests are under way at once. Raises the drive's OSError; with ESTALE, before a byte is written,
        when the drive's name leads to another drive now.
        """
        changed = self._drive.what_changed()
        if changed:
            raise OSError(errno.ESTALE, changed)
        places, at = [], 0
        for offset, length in requests:
            for part in range(0, length, REQUEST_MOST_BYTES):
                places.append((offset + part, at + part, min(REQUEST_MOST_BYTES, length - part)))
            at += length
        assert at == len(buffer)
        shares = [places[start::_THREADS] for start in range(min(_THREADS, len(places)))]
        for done in [self._threads.submit(self._write_some, buffer, share) for share in shares]:
            done.result()

    def _write_some(self, buffer: memoryview, places: list[tuple[int, int, int]]) -> None:
        for offset, at, length in places:
            done = 0
            while done < length:
                written = os.pwrite(self._handle, buffer[at + done : at + length], offset + done)
                if written <= 0:
                    raise OSError(errno.EIO, "the drive took nothing")
                done += written

    def read_into(self, buffer: memoryview, offset: int) -> None:
        """Read a whole buffer from a place [bytes]. Raises OSError as the drive gives it; EIO at the drive's end."""
        if not self.direct:
            os.posix_fadvise(self._handle, offset, len(buffer), os.POSIX_FADV_DONTNEED)
        done = 0
        while done < len(buffer):
            got = os.preadv(self._handle, [buffer[done:]], offset + done)
            if got <= 0:
                raise OSError(errno.EIO, "the drive ends before its size")
            done += got

    def flush(self) -> None:
        """Have everything that was written on the drive's medium. Raises OSError as the drive gives it."""
        os.fdatasync(self._handle)

    def close(self) -> None:
        """Release the drive. Closing twice does no harm."""
        self._threads.shutdown()
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def aligned(size_bytes: int) -> memoryview:
    """A buffer that direct requests take; freed with its last view."""
    return memoryview(mmap.mmap(-1, max(size_bytes, mmap.PAGESIZE)))[:size_bytes]
