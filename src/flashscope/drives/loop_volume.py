"""A file system of its own on a loop device over a file: for work that needs logical sectors of a chosen size.

    flashscope-run-3fa29c01/          the run's own folder in the directory (drives/directory.py)
      volume-4096                     a file, as large as may be used
         -> losetup --sector-size 4096 -> mkfs -> mounted on
      mounted-4096/

XFS where it is installed and there is room for it, since it writes its log and its headers in sectors; ext4 otherwise,
whose blocks have 4 KiB on either. The loop device goes round the host's cache where the file system below lets it.
Needs root. A run that is killed outright leaves mount, loop device and file, and the next one takes them down
(loop_volume_left.py). The folder's lock is handed to every program that is started, so it is held until the last ended.
Not modelled here: sectors as a drive emulates them; the host's loop driver does it, above the drive.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Callable
from functools import partial
from typing import Self

from flashscope.drives.own_folder import OwnFolder
from flashscope.drives.system.bound_child import run_bound
from flashscope.drives.system.tools import find_program
from flashscope.errors import DriveFailed

_XFS_LEAST_BYTES = 512 << 20
_PATIENCE_S = 120
_NEEDED = ("losetup", "mkfs.ext4", "mount", "umount")


def why_no_volumes() -> str:
    """Why this process cannot make such a volume, in words; empty when it can."""
    missing = [name for name in _NEEDED if find_program(name) is None]
    if missing:
        return f"{', '.join(missing)} is not installed"
    return "" if os.geteuid() == 0 else "only root may attach loop devices and mount them"


class LoopVolume:
    """A mounted volume. sector_bytes: its logical sectors. path: where it is mounted. file_system: "xfs" or "ext4"."""

    def __init__(self, own: OwnFolder, volume_bytes: int, sector_bytes: int) -> None:
        """Make it in a run's own folder. volume_bytes: [bytes]. Raises DriveFailed; then nothing is left of it."""
        self.sector_bytes = sector_bytes
        self._lock = own.lock
        self.path = own.path / f"mounted-{sector_bytes}"
        xfs = volume_bytes >= _XFS_LEAST_BYTES and find_program("mkfs.xfs") is not None
        self.file_system = "xfs" if xfs else "ext4"
        self._backing = own.path / f"volume-{sector_bytes}"
        self._undo: list[Callable[[], object]] = []
        try:
            self._make(volume_bytes)
        except BaseException as error:
            with contextlib.suppress(DriveFailed, OSError):
                self.close()
            if isinstance(error, OSError):
                raise DriveFailed(f"a volume could not be made in {own.path}: {error.strerror}") from error
            raise

    def _make(self, volume_bytes: int) -> None:
        with self._backing.open("wb") as backing:
            self._undo.append(self._backing.unlink)
            backing.truncate(volume_bytes)
        device = self._attach()
        self._undo.append(partial(self._run, "losetup", "--detach", device))
        self._run(f"mkfs.{self.file_system}", "-q", device)
        self.path.mkdir(exist_ok=True)
        self._undo.append(self.path.rmdir)
        self._run("mount", device, str(self.path))
        self._undo.append(partial(self._run, "umount", str(self.path)))

    def _attach(self) -> str:
        arguments = ("--find", "--show", "--sector-size", str(self.sector_bytes))
        try:
            return self._run("losetup", "--direct-io=on", *arguments, str(self._backing))
        except DriveFailed:  # the file system below takes no direct access
            return self._run("losetup", *arguments, str(self._backing))

    def close(self) -> None:
        """Unmount it and remove all of it. Closing twice does no harm.

        Raises DriveFailed when it is still in use; then it stays whole, so that a later run can take it down.
        """
        while self._undo:
            self._undo[-1]()
            self._undo.pop()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, name: str, *arguments: str) -> str:
        """The last line that a program prints; it ends with us. Raises DriveFailed with its words when it fails."""
        program = find_program(name) or name
        try:
            status, said = run_bound([program, *arguments], patience_s=_PATIENCE_S, handles=(self._lock,))
        except (OSError, subprocess.TimeoutExpired) as error:
            raise DriveFailed(f"{name} could not be run: {error}") from error
        words = said.strip().splitlines() or [f"exit status {status}"]
        if status:
            raise DriveFailed(f"{name} failed: {words[-1]}")
        return words[-1]
