"""A process that is at work on records holds one byte of a file beside the store, for as long as it lives.

    records.sqlite-running   |............X......X....|    each X: a byte locked through an open descriptor

The kernel lets go of the byte when the process ends, however it ends, and nobody else can. So whether a byte is held
is sound in any namespace, in any container that sees the file, and under any name of the host. The file stays empty:
bytes beyond its end can be locked, and each process takes one by chance out of 2^48.
Not done here: file systems without such locks; there `liveness.py` goes by the process alone.
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
"""Of the file's name, after the name of the store."""

_LOCK = struct.Struct("hhqqi0q")  # struct flock: type, whence, start, length, process (0 for locks of descriptors)


def file_beside(store_path: Path) -> Path:
    """The file whose bytes are held."""
    return store_path.with_name(store_path.name + SUFFIX)


class Presence:
    """This process at work on records of a store. place: the byte that it holds, None where none can be held."""

    def __init__(self, store_path: Path) -> None:
        self.place: int | None = None
        self._handle = -1
        with contextlib.suppress(OSError):
            self._handle = os.open(file_beside(store_path), os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
            place = secrets.randbits(48)
            # Shared, so that a reader who may not write the file can hold a byte, too; nobody else takes this one.
            fcntl.fcntl(self._handle, fcntl.F_OFD_SETLK, _LOCK.pack(fcntl.F_RDLCK, os.SEEK_SET, place, 1, 0))
            self.place = place

    def close(self) -> None:
        """Let go of the byte. Closing twice does no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def is_held(store_path: Path, place: int) -> bool | None:
    """Whether some process holds that byte; None when it cannot be asked. A missing file is held by nobody."""
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
