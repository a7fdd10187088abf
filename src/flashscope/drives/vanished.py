"""Whether a drive is still the one it was, asked after each step and when one failed.

A program that loads a drive says "Input/output error"; a person wants to know that the stick was pulled out.

    file           deleted, replaced, shortened
    directory      unmounted (another device is there), removed
    block device   gone, without its medium, smaller
    all of them    no room left, read-only now

Not seen here: a drive that went away and came back under the same name and size between two looks.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from flashscope.errors import DriveFailed

_ABOUT_ROOM = 1024 * 1024


class Watched:
    """A drive as it was when the run began. path: of the file, the block device, or the run's own folder.

    Raises DriveFailed when it is gone already.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._was = os.stat(path)
            self._size_bytes = _size_bytes(path, self._was)
        except OSError as error:
            raise DriveFailed(
                f"{path} went away before this experiment began: {error.strerror}",
                advice="connect or mount it again; what earlier experiments measured is kept",
            ) from error

    def what_happened(self) -> str:
        """What became of the drive in words; empty when it is still there, whole."""
        try:
            now = os.stat(self._path)
        except OSError as error:
            return self._is_gone(error)
        if stat.S_ISBLK(self._was.st_mode):
            if now.st_rdev != self._was.st_rdev:
                return f"{self._path} is another drive now"
        elif (now.st_dev, now.st_ino) != (self._was.st_dev, self._was.st_ino):
            what = "another file took its place" if stat.S_ISREG(now.st_mode) else "another folder took its place"
            return f"{self._path} is not the same any more: {what}"
        try:
            size_bytes = _size_bytes(self._path, now)
        except OSError as error:
            return f"{self._path} does not answer any more: {error.strerror}"
        if size_bytes < self._size_bytes:
            return f"{self._path} has {size_bytes} bytes now and had {self._size_bytes} when the run began"
        return ""

    def why_it_failed(self) -> str:
        """What may be the reason of a failure: what became of the drive, or no room, or no permission to write now."""
        happened = self.what_happened()
        if happened or stat.S_ISBLK(self._was.st_mode):
            return happened
        try:
            room = os.statvfs(self._path)
        except OSError as error:
            return f"{self._path} does not answer any more: {error.strerror}"
        if room.f_flag & os.ST_RDONLY:
            return (
                "its file system takes no writes any more: it was mounted read-only, or met an error and made itself so"
            )
        if room.f_bavail * room.f_frsize < _ABOUT_ROOM:
            return "its file system is full: something wrote to it during the run"
        return ""

    def _is_gone(self, error: OSError) -> str:
        if error.errno not in (errno.ENOENT, errno.ENOTDIR):
            return f"{self._path} does not answer any more: {error.strerror}"
        if stat.S_ISDIR(self._was.st_mode):
            return f"the run's folder {self._path} is gone: its file system was unmounted, or somebody removed it"
        if stat.S_ISREG(self._was.st_mode):
            return f"{self._path} is gone: it was deleted or moved during the run, or its file system was unmounted"
        return f"{self._path} is gone: the drive was disconnected"


def _size_bytes(path: Path, status: os.stat_result) -> int:
    if stat.S_ISREG(status.st_mode):
        return status.st_size
    if not stat.S_ISBLK(status.st_mode):
        return 0
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.lseek(handle, 0, os.SEEK_END)
    finally:
        os.close(handle)
