"""A file or a block device under a place check: every sector is written and read past all caches of the host.

What the drive itself keeps in its memory is not known. The passes write much more after a place than such a memory
holds before they read the place again.
"""

from __future__ import annotations

import errno
import time

import numpy as np

from flashscope.drives.held.direct_file import DirectFile, aligned
from flashscope.errors import DriveFailed
from flashscope.runner.hands.places.medium import STAMPED_BYTES
from flashscope.runner.hands.places.sector_stamp import SectorStamps


class RealMedium:
    """run: a number drawn for the run. offset_bytes: where the drive as it is seen begins on `file`."""

    def __init__(self, file: DirectFile, run: int, offset_bytes: int = 0) -> None:
        self._file = file
        self._stamps = SectorStamps(run)
        self._offset_bytes = offset_bytes
        self._began_ns = time.monotonic_ns()

    def write(self, offset_bytes: int, length_bytes: int) -> bool:
        """See `Medium`. Raises DriveFailed when the drive's name leads to another drive now."""
        buffer = aligned(length_bytes)
        addresses = np.arange(offset_bytes, offset_bytes + length_bytes, STAMPED_BYTES)
        buffer[:] = self._stamps.data(addresses).tobytes()
        try:
            self._file.write(buffer, [(self._offset_bytes + offset_bytes, length_bytes)])
        except OSError as error:
            if error.errno == errno.ESTALE:
                raise DriveFailed(str(error.strerror), advice="nothing was written to what took its place") from error
            return False
        return True

    def settle(self) -> None:
        """See `Medium`. Raises DriveFailed when the drive reports that it could not keep what it took."""
        try:
            self._file.flush()
        except OSError as error:
            raise DriveFailed(
                f"the drive could not bring what it took to its medium: {error.strerror}",
                advice="look at the system's log; a drive that fails here is failing, or has no room behind it",
            ) from error

    def read(self, offset_bytes: int, length_bytes: int) -> list[int] | None:
        """See `Medium`."""
        buffer = aligned(length_bytes)
        try:
            self._file.read_into(buffer, self._offset_bytes + offset_bytes)
        except OSError:
            return None
        return self._stamps.addresses(buffer)

    def now_ns(self) -> int:
        """See `Medium`."""
        return time.monotonic_ns() - self._began_ns
