"""A process that works on records locks one byte of a file beside the store as long as it runs.

    records.sqlite-running   |............X......X....|    each X: a byte locked through an open descriptor

The kernel unlocks the byte when the process ends, however it ends, and nobody else can unlock it. So the lock gives the
right answer in any namespace, in any container that sees the file, and under any name of the host. The file stays
empty: bytes beyond its end can be locked, and each process takes a random one out of 2^48.
Not done here: file systems without such locks; there `liveness.py` uses only the process itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import struct
from pathlib import Path

from flashscope.outputs.kept import RUNNING_SUFFIX

SUFFIX = RUNNING_SUFFIX
"""Suffix of the file's name, after the name of the store."""

_LOCK = struct.Struct("hhqqi0q")  # struct flock: type, whence, start, length, process (0 for locks of descriptors)


def file_beside(store_path: Path) -> Path:
    """The file whose bytes are held."""
    return store_path.with_name(store_path.name + SUFFIX)


class Presence:
    """This process, working on records of a store. place: the byte that it holds, None where it cannot hold one."""

    def __init__(self, store_path: Path) -> None:
        self.place: int | None = None
        self._handle = -1
        with contextlib.suppress(OSError):
            self._handle = os.open(file_beside(store_path), os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
            place = secrets.randbits(48)
            # A shared lock, so that a reader without write permission can hold a byte too; nobody else takes it.
            fcntl.fcntl(self._handle, fcntl.F_OFD_SETLK, _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, place, 1, 0))
            self.place = place

    def close(self) -> None:
        """Release the byte. Closing twice does no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_held(store_path: Path, place: int) -> bool | None:
    """Whether some process holds that byte; None when unknown. Nobody holds a byte of a missing file."""
    try:
        handle = os.open(file_beside(store_path), os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        asked = _LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, place, 1, 0)
        found: int = _LOCK.unpack(fcntl.fcntl(handle, fcntl.F_OFD_GETLK, asked))[0]
        return found != fcntl.F_UNLCK
    except OSError:
        return None
    finally:
        os.close(handle)
