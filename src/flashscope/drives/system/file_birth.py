"""Which file it is: its name may lead to another one of the same size later, after a copy or a restore.

inode       of the file system; a new file often gets that of the one removed before
birth       when it was made, from statx(2); a few file systems (tmpfs before Linux 6.6, NFS) keep none
"""

from __future__ import annotations

import ctypes
import os
import struct
from pathlib import Path

_AT_FDCWD = -100
_STATX_BTIME = 0x800
_STATX_BYTES = 256
_BIRTH_AT = 80  # in struct statx: seconds, nanoseconds


def file_id(path: Path) -> str:
    """Inode and moment of birth of a file, such as "inode 12, made 1700000000.000000001"; "" when there is no file."""
    try:
        inode = path.stat().st_ino
    except OSError:
        return ""
    birth = _birth(path)
    return f"inode {inode}, made {birth}" if birth else f"inode {inode}"


def _birth(path: Path) -> str:
    """Seconds since 1970, "" where the system does not say."""
    answer = ctypes.create_string_buffer(_STATX_BYTES)
    try:
        statx = ctypes.CDLL(None, use_errno=True).statx
    except AttributeError:  # a C library without it
        return ""
    if statx(_AT_FDCWD, os.fsencode(path), 0, _STATX_BTIME, answer) != 0:
        return ""
    (known,) = struct.unpack_from("=I", answer)
    if not known & _STATX_BTIME:
        return ""
    seconds, nanoseconds = struct.unpack_from("=qI", answer, _BIRTH_AT)
    return f"{seconds}.{nanoseconds:09}"
