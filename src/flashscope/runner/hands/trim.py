"""TRIM of a real drive, by this process itself, on the descriptor that it holds.

    block device    ioctl BLKDISCARD             the drive is told
    file            fallocate, punching a hole   the file system frees the blocks; mounted with `discard`, it tells the
                                                 drive after the change is committed, so it is synced (ext4 tells it a
                                                 moment later, in the background)

A range is trimmed in pieces. Between two pieces it is checked that the drive is still the same, and whether to stop.
When this process is killed, the current piece is the last one, and the drive stays held until that piece is done.
Not done here: secure erase; trims mixed with other requests (fio does those).
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flashscope.drives.held.held import Held
from flashscope.errors import DriveFailed, WrongUse

PIECE_BYTES = 256 * 1024 * 1024
_BLKDISCARD = 0x1277  # <linux/fs.h>
_RANGE = struct.Struct("=QQ")  # start, length [bytes]
_KEEP_SIZE_AND_PUNCH_HOLE = 0x01 | 0x02  # <linux/falloc.h>


def trim_range(
    target: Held, offset_bytes: int, length_bytes: int, sector_bytes: int, on_progress: Callable[[int, int], None]
) -> None:
    """Tell the drive that a range of a block device or a file holds no data any more; returns when the drive was told.

    on_progress: called with (0, elapsed ns) before each piece; what it raises ends the trim and is raised again.
    Raises WrongUse when the range does not fit the sectors, DriveFailed when it fails or the drive was replaced.
    """
    if offset_bytes % sector_bytes or length_bytes % sector_bytes or length_bytes <= 0:
        raise WrongUse(
            f"a trim of {length_bytes} bytes from byte {offset_bytes} does not fit sectors of {sector_bytes} bytes",
            accepted=f"multiples of {sector_bytes} bytes",
        )
    began_ns = time.monotonic_ns()
    is_file = target.was.kind == "file"
    piece_bytes = PIECE_BYTES // sector_bytes * sector_bytes
    end = offset_bytes + length_bytes
    try:
        with _writable(target) as handle:
            for at in range(offset_bytes, end, piece_bytes):
                target.check()
                on_progress(0, time.monotonic_ns() - began_ns)
                (_punch_hole if is_file else _discard)(handle, at, min(piece_bytes, end - at))
            if is_file:
                os.fsync(handle)
    except OSError as error:
        raise DriveFailed(
            f"{target.name} did not take the trim: {error.strerror}",
            advice=(
                "check whether the drive is still there, and whether it takes trims, and every layer between it "
                "and the system"
            ),
        ) from error


@contextmanager
def _writable(target: Held) -> Iterator[int]:
    """A descriptor of the held drive that can write; a block device is held by a descriptor that only reads."""
    handle = os.open(target.path, os.O_RDWR | os.O_CLOEXEC)
    try:
        yield handle
    finally:
        os.close(handle)


def _discard(handle: int, offset_bytes: int, length_bytes: int) -> None:
    fcntl.ioctl(handle, _BLKDISCARD, _RANGE.pack(offset_bytes, length_bytes))


def _punch_hole(handle: int, offset_bytes: int, length_bytes: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    fallocate = libc.fallocate64 if hasattr(libc, "fallocate64") else libc.fallocate  # musl has only fallocate
    arguments = (ctypes.c_int64(offset_bytes), ctypes.c_int64(length_bytes))
    if fallocate(handle, _KEEP_SIZE_AND_PUNCH_HOLE, *arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
