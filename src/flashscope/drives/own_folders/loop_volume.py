"""A separate file system on a loop device over a file: for work that needs logical sectors of a chosen size.

    flashscope-run-3fa29c01/          the run's own folder in the directory (drives/real/directory.py)
      volume-4096                     a file, as large as may be used
         -> losetup --sector-size 4096 -> mkfs -> mounted on
      mounted-4096/

Each of them is held (held.py) from the moment it is made, and used through its descriptor. Before a program works on
it, two things are checked: the attached device lies over the file that was made here, and the mounted device is this
device. So nothing else is formatted or written, even if somebody changes the names meanwhile.
XFS is used where it is installed and has enough room, since it writes its log and its headers in sectors; otherwise
ext4, whose blocks have 4 KiB with either sector size. The loop device bypasses the host's cache where the file system
below permits it.
Needs root. A killed run leaves mount, loop device and file behind; the next run removes them (loop_volume_left.py).
Every program that is started inherits the folder's lock, so the lock is held until the last program has ended.
Not modelled here: sectors as a drive emulates them; the host's loop driver does it, above the drive.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Self

from flashscope.drives.held.held import Held
from flashscope.drives.own_folders.own_folder import OwnFolder
from flashscope.drives.system.bound_child import run_bound
from flashscope.drives.system.loop_devices import LoopDevice, detach
from flashscope.drives.system.tools import find_program
from flashscope.errors import DriveFailed

_XFS_LEAST_BYTES = 512 << 20
_PATIENCE_S = 120
_NEEDED = ("losetup", "mkfs.ext4", "mount")
_UMOUNT_NOFOLLOW = 8  # <sys/mount.h>


def why_no_volumes() -> str:
    """Why this process cannot make such a volume, in words; empty when it can."""
    missing = [name for name in _NEEDED if find_program(name) is None]
    if missing:
        return f"{', '.join(missing)} is not installed"
    return "" if os.geteuid() == 0 else "only root may attach loop devices and mount them"


class LoopVolume:
    """A mounted volume. sector_bytes: its logical sectors. top: its top folder, held. file_system: "xfs" or "ext4"."""

    def __init__(self, own: OwnFolder, volume_bytes: int, sector_bytes: int) -> None:
        """Make it in a run's own folder. volume_bytes: [bytes]. Raises DriveFailed; then nothing is left of it."""
        self.sector_bytes = sector_bytes
        self._own = own
        xfs = volume_bytes >= _XFS_LEAST_BYTES and find_program("mkfs.xfs") is not None
        self.file_system = "xfs" if xfs else "ext4"
        self._undo: list[Callable[[], object]] = []
        self._inside: list[Held] = []
        try:
            self.top = self._make(volume_bytes)
        except BaseException as error:
            with contextlib.suppress(DriveFailed, OSError):
                self.close()
            if isinstance(error, OSError):
                raise DriveFailed(f"a volume could not be made in {own.path}: {error.strerror}") from error
            raise

    def _make(self, volume_bytes: int) -> Held:
        backing = self._holds(Held.take(self._named("volume"), os.O_RDWR | os.O_CREAT, folder=self._own.held))
        self._undo.insert(0, backing.unlink)
        os.ftruncate(backing.handle, volume_bytes)
        backing.as_it_is_now()
        device = self._attached(backing)
        self._run(f"mkfs.{self.file_system}", "-q", str(device.path), handle=device.handle)
        return self._mounted(device)

    def _attached(self, backing: Held) -> Held:
        """A loop device over the file. Raises DriveFailed when it lies over another file instead."""
        path = Path(self._attach(backing))
        device = Held.take(path, os.O_RDONLY)
        self._inside.append(device)
        self._undo.append(partial(_detach, device))
        if device.was.backing[:2] != backing.was.place:
            raise DriveFailed(f"{path} lies over another file than {backing.name}, which it was made for")
        return device

    def _attach(self, backing: Held) -> str:
        arguments = ("--find", "--show", "--sector-size", str(self.sector_bytes), str(backing.path))
        try:
            return self._run("losetup", "--direct-io=on", *arguments, handle=backing.handle)
        except DriveFailed:  # the file system below does not permit direct access
            return self._run("losetup", *arguments, handle=backing.handle)

    def _mounted(self, device: Held) -> Held:
        """The top folder of what is on the device. Raises DriveFailed when another device is there."""
        name = self._named("mounted")
        with Held.take_folder(name, self._own.held) as point:
            self._undo.append(partial(os.rmdir, name.name, dir_fd=self._own.held.handle))
            device.check()
            self._run("mount", "--no-canonicalize", str(device.name), str(point.path), handle=point.handle)
        self._undo.append(partial(self._unmount, name.name))
        top = self._holds(Held.take(name, os.O_RDONLY | os.O_DIRECTORY))
        if os.fstat(top.handle).st_dev != os.fstat(device.handle).st_rdev:
            raise DriveFailed(f"what is mounted on {name} is not {device.name}, which was made for it")
        return top

    def _holds(self, held: Held) -> Held:
        self._undo.append(held.close)
        self._inside.append(held)
        return held

    def _named(self, what: str) -> Path:
        return self._own.path / f"{what}-{self.sector_bytes}"

    def _unmount(self, name: str) -> None:
        try:
            unmount(self._own.held.handle, name)
        except OSError as error:
            raise DriveFailed(f"{self._own.path / name} could not be unmounted: {error.strerror}") from error

    def close(self) -> None:
        """Unmount it and remove all of it. Closing twice does no harm.

        Raises DriveFailed when it is still in use; then all of it stays and nothing of it is held, so that a later run
        can remove it.
        """
        try:
            while self._undo:
                self._undo[-1]()
                self._undo.pop()
        except BaseException:
            for held in self._inside:
                held.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, name: str, *arguments: str, handle: int) -> str:
        """The last line that a program prints; it ends with us. Raises DriveFailed with its message when it fails.

        handle: the descriptor that it is given beside the folder's lock.
        """
        program = find_program(name) or name
        try:
            status, said = run_bound([program, *arguments], patience_s=_PATIENCE_S, handles=(self._own.lock, handle))
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DriveFailed(f"{name} could not be run: {error}") from error
        words = said.strip().splitlines() or [f"exit status {status}"]
        if status:
            raise DriveFailed(f"{name} failed: {words[-1]}")
        return words[-1]


def unmount(folder: int, name: str) -> None:
    """Unmount what is mounted on an entry of an open folder, following no link. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.umount2(f"/proc/self/fd/{folder}/{name}".encode(), _UMOUNT_NOFOLLOW) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


def _detach(device: Held) -> None:
    below = device.was.backing
    found = LoopDevice(device.name.name, "", str(device.name), (below[0], below[1]) if below else None)
    device.close()
    if not detach(found):
        raise DriveFailed(f"{found.path} is in use and could not be detached")
