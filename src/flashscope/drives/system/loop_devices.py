"""Loop devices: what each lies over, as the kernel states it, and how one is detached.

    /dev/loop3 --LOOP_GET_STATUS64--> (device, inode) of its file

A path may by now name another file, or belong to another mount namespace; device and inode identify the file itself. A
device that is held open keeps its file. So an answer through a descriptor is still true when this descriptor detaches
the device.
Not done here: attaching one (`losetup`, `drives/own_folders/loop_volume.py`).
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
import struct
import time
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.view import FileIdentity

_CLEAR = 0x4C01  # LOOP_CLR_FD, <linux/loop.h>
_GET_STATUS64 = 0x4C05
_INFO64_BYTES = 232
_INFO64_START = struct.Struct("=QQQ")  # lo_device, lo_inode, lo_rdevice
_TRIES = 40  # others open a device for a moment when it changes (udev)
_BETWEEN_TRIES_S = 0.05


@dataclass(frozen=True)
class LoopDevice:
    """One that lies over something. name: "loop3". number: "7:3". path: "/dev/loop3". backing: None when unknown."""

    name: str
    number: str
    path: str
    backing: FileIdentity | None


def loop_devices(sysfs: Path = Path("/sys/class/block")) -> tuple[LoopDevice, ...]:
    """All loop devices that lie over something now."""
    found = []
    for folder in sorted(sysfs.glob("loop*")):
        path = f"/dev/{folder.name}"
        try:
            number = (folder / "dev").read_text().strip()
        except OSError:
            continue  # it is gone
        backing_file = backing_file_of(folder)
        if not backing_file:
            continue  # it lies over nothing
        found.append(LoopDevice(folder.name, number, path, backing_of(path, backing_file)[0]))
    return tuple(found)


def backing_file_of(folder: Path) -> str:
    """Path of the file below a loop device, "" when there is none. folder: the device's own in /sys/class/block.

    Only the final line end, which the kernel adds, is cut off: a name may end with blanks.
    """
    try:
        shown = (folder / "loop" / "backing_file").read_bytes()
    except OSError:
        return ""
    return os.fsdecode(shown.removesuffix(b"\n"))


def backing_of(loop_path: str, backing_file: str) -> tuple[FileIdentity | None, str]:
    """What a loop device lies over: the file's identity, and the device number when that is a block device.

    The kernel is asked first; without the right to ask, the path in sysfs is used.
    """
    with contextlib.suppress(OSError):
        handle = os.open(loop_path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            device, inode, special = loop_status(handle)
        finally:
            os.close(handle)
        return (device, inode), f"{os.major(special)}:{os.minor(special)}" if special else ""
    try:
        status = os.stat(backing_file)
    except OSError:
        return None, ""
    is_block = stat.S_ISBLK(status.st_mode)
    number = f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}" if is_block else ""
    return (status.st_dev, status.st_ino), number


def loop_status(handle: int) -> tuple[int, int, int]:
    """What an open loop device lies over: device and inode of the file, its number when that is a block device itself.

    The answer is valid as long as the device is open. Raises OSError when it is no loop device, or lies over nothing.
    """
    device, inode, special = _INFO64_START.unpack_from(fcntl.ioctl(handle, _GET_STATUS64, bytes(_INFO64_BYTES)))
    return device, inode, special


def detach(device: LoopDevice) -> bool:
    """Detach a loop device when it is not in use and still lies over the same file; True when it is detached."""
    for _ in range(_TRIES):
        try:
            handle = os.open(device.path, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC)
        except OSError as error:
            if error.errno != errno.EBUSY:
                return False
        else:
            try:
                if loop_status(handle)[:2] != device.backing:
                    return True  # somebody else detached it
                fcntl.ioctl(handle, _CLEAR)
            except OSError as error:
                return error.errno == errno.ENXIO  # it lies over nothing any more
            finally:
                os.close(handle)
            if backing_of(device.path, "")[0] != device.backing:
                return True
        time.sleep(_BETWEEN_TRIES_S)
    return False
