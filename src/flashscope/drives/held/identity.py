"""The identity of a drive, which no other drive has: asked of the kernel by descriptor, in a few calls.

    file           device and inode, size, number of names (a new hard link would change with it)
    folder         device and inode
    block device   device number, size, disk sequence (grows with each new medium), serial number, and for a loop
                   device the file below

Cheap enough to ask before each write: no program is started. Not known here: a model or serial number that the kernel
does not keep (`lsblk` asks udev for these, drives/system/blocks.py).
"""

from __future__ import annotations

import fcntl
import os
import stat
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flashscope.drives.system.loop_devices import loop_status

Kind = Literal["file", "folder", "block device", "other"]

_BLKGETSIZE64 = 0x80081272  # <linux/fs.h>
_BLKGETDISKSEQ = 0x80081280
_NUMBER = struct.Struct("=Q")
_SERIAL_FILES = ("device/serial", "serial", "device/vpd_pg80", "wwid", "device/wwid")
_A_KIND = {
    stat.S_IFREG: "a file", stat.S_IFDIR: "a folder", stat.S_IFBLK: "a block device", stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a pipe", stat.S_IFCHR: "a character device", stat.S_IFSOCK: "a socket",
}  # fmt: skip


@dataclass(frozen=True)
class Identity:
    """What something is. place: the device with the inode, or the device number; nothing else has the same now.

    words: what it is called in a sentence. size_bytes: of a file or a block device. links: the names that a file has.
    serial: as the kernel keeps it, 0 bytes when it keeps none. disk_sequence: 0 where the kernel does not count.
    backing: of a loop device, what it lies over.
    """

    kind: Kind
    place: tuple[int, int]
    words: str
    size_bytes: int = 0
    links: int = 1
    serial: bytes = b""
    disk_sequence: int = 0
    backing: tuple[int, ...] = ()

    @classmethod
    def of_status(cls, status: os.stat_result) -> Identity:
        """The identity as far as a stat result shows it."""
        words = _A_KIND.get(stat.S_IFMT(status.st_mode), "something else")
        here = (status.st_dev, status.st_ino)
        if stat.S_ISREG(status.st_mode):
            return cls("file", here, words, status.st_size, status.st_nlink)
        if stat.S_ISBLK(status.st_mode):
            return cls("block device", place_of_device(status.st_rdev), words)
        return cls("folder" if stat.S_ISDIR(status.st_mode) else "other", here, words)

    def words_for_what_became_of_it(self, now: Identity, name: str) -> str:
        """The first difference from what it is now, in words; empty when there is none. name: for the sentence."""
        if self.disk_sequence != now.disk_sequence:
            return f"{name} has another medium than when the run began"
        if self.serial != now.serial:
            return f"{name} is another drive now: it has another serial number than when the run began"
        if self.backing != now.backing:
            return f"{name} lies over another file now"
        if self.size_bytes != now.size_bytes:
            return f"{name} has {now.size_bytes} bytes now and had {self.size_bytes} when the run began"
        if now.links > self.links:
            return f"{name} has another name now (a hard link), and what has that name would change with it"
        return ""


def place_of_device(number: int) -> tuple[int, int]:
    """The place of a block device, by its device number; never that of a file."""
    return -1, number


def identity_of(handle: int) -> Identity:
    """What an open descriptor leads to. Raises OSError when the drive does not answer any more.

    Of a descriptor opened with O_PATH, only as far as `Identity.of_status` tells.
    """
    seen = Identity.of_status(os.fstat(handle))
    if seen.kind != "block device" or fcntl.fcntl(handle, fcntl.F_GETFL) & os.O_PATH:
        return seen
    number = seen.place[1]
    return Identity(
        seen.kind,
        seen.place,
        seen.words,
        size_bytes=_asked(handle, _BLKGETSIZE64),
        serial=_serial(Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")),
        disk_sequence=_asked(handle, _BLKGETDISKSEQ, instead=0),
        backing=_backing(handle),
    )


def _asked(handle: int, request: int, *, instead: int | None = None) -> int:
    """A number of 64 bits from the kernel. instead: returned when the kernel does not know the request."""
    try:
        answer = fcntl.ioctl(handle, request, bytes(_NUMBER.size))
    except OSError:
        if instead is None:
            raise
        return instead
    (number,) = _NUMBER.unpack(answer)
    return int(number)


def _backing(handle: int) -> tuple[int, ...]:
    try:
        return loop_status(handle)
    except OSError:
        return ()  # no loop device


def _serial(sysfs: Path) -> bytes:
    """The serial number of the drive, or of the drive that a partition belongs to."""
    whole = sysfs.resolve().parent if (sysfs / "partition").exists() else sysfs
    for name in _SERIAL_FILES:
        try:
            found = (whole / name).read_bytes()
        except OSError:
            continue
        if found.strip():
            return found
    return b""
