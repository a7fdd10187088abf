"""Removes volumes that a killed run left in its own folder (loop_volume.py), where they are provably its own.

    a mount in the folder    at mounted-N itself, its root, of a loop device over volume-N of the same folder
    a loop device            the only one over that file, not in use

Everything is checked before anything is undone. When anything else is mounted in the folder, or another loop device
lies over anything in it, nothing is undone. A copy of the mount in another mount namespace may disappear together with
ours; when the copy stays, the loop device and the folder stay too.
Not done here: whether the folder itself is left over (`leftovers.py`).
"""

from __future__ import annotations

import os
import re
import stat

from flashscope.drives.own_folders.loop_volume import unmount
from flashscope.drives.own_folders.removal import files_in
from flashscope.drives.system.loop_devices import LoopDevice, detach, loop_devices
from flashscope.drives.system.mount_tree import MountTree, Standing
from flashscope.drives.system.view import FileIdentity

_VOLUME = re.compile(r"volume-(\d{3,5})")


class NotOurs(Exception):
    """Something in the folder is not provably the killed run's, or is in use. The message says what."""


def take_down(folder: int) -> list[str]:
    """Unmount and detach the volumes in an open folder. Returns what was done, in words.

    Raises NotOurs when anything in it is somebody else's or in use, OSError when it cannot be looked at.
    """
    tree = MountTree()
    devices = _volumes(folder)
    mounted = _checked_mounts(folder, tree, devices)
    _check_files(folder, devices)
    undone = []
    for sector_bytes in mounted:
        _unmount(folder, f"mounted-{sector_bytes}")
        undone.append("the file system that was mounted in it")
    for device in devices.values():
        elsewhere = MountTree().of_device(device.number)
        if elsewhere:
            raise NotOurs(f"{device.path}, which lies over a file in it, is mounted {_where(elsewhere[0])}")
        if not detach(device):
            raise NotOurs(f"{device.path}, which lies over a file in it, is in use")
        undone.append(f"the loop device {device.path}")
    return undone


def _volumes(folder: int) -> dict[str, LoopDevice]:
    """Sector size of a volume file in the folder -> the loop device over it, where there is one.

    Raises NotOurs when there are two over one file: at most one of them is the run's.
    """
    files: dict[FileIdentity, str] = {}
    for name in os.listdir(folder):
        form = _VOLUME.fullmatch(name)
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if form and stat.S_ISREG(status.st_mode):
            files[status.st_dev, status.st_ino] = form[1]
    found: dict[str, LoopDevice] = {}
    for device in loop_devices():
        sector_bytes = files.get(device.backing) if device.backing else None
        if sector_bytes is None:
            continue
        if sector_bytes in found:
            raise NotOurs(f"two loop devices lie over one file in it: {found[sector_bytes].path} and {device.path}")
        found[sector_bytes] = device
    return found


def _checked_mounts(folder: int, tree: MountTree, devices: dict[str, LoopDevice]) -> list[str]:
    """The sector sizes of the volumes that are mounted where the run mounted them.

    Raises NotOurs when anything else is mounted in the folder, or one of its volumes elsewhere.
    """
    try:
        inside = tree.inside(folder)
    except LookupError as error:
        raise NotOurs(str(error)) from error
    path = os.readlink(f"/proc/self/fd/{folder}")
    sectors = {device.number: sector_bytes for sector_bytes, device in devices.items()}
    mounted: list[str] = []
    for mount in inside:
        sector_bytes = sectors.get(mount.number, "")
        if sector_bytes and mount.process:
            continue  # a copy of ours in another mount namespace: looked for again once ours is gone
        ours = sector_bytes and mount.root == "/" and mount.point == f"{path}/mounted-{sector_bytes}"
        if not ours or sector_bytes in mounted:
            raise NotOurs(f"something that is not of that run is mounted {_where(mount)}")
        mounted.append(sector_bytes)
    known = {mount.identity for mount in inside}
    for mount in (each for number in sectors for each in tree.of_device(number)):
        if not mount.process and mount.identity not in known:
            raise NotOurs(f"a volume in it is mounted {_where(mount)} too")
    return mounted


def _check_files(folder: int, devices: dict[str, LoopDevice]) -> None:
    """Raise NotOurs when a loop device lies over anything else in the folder than a volume."""
    known = {device.number for device in devices.values()}
    others = {each.backing: each for each in loop_devices() if each.number not in known and each.backing}
    if others:
        under = next((others[identity] for identity in files_in(folder) if identity in others), None)
        if under:
            raise NotOurs(f"{under.path} lies over a file in it, and is not of that run")


def _unmount(folder: int, name: str) -> None:
    try:
        unmount(folder, name)
    except OSError as error:
        raise NotOurs(f"what is mounted on {name} in it could not be unmounted: {error.strerror}") from error


def _where(mount: Standing) -> str:
    return f"on {mount.point}" + (f" in the mount namespace of process {mount.process}" if mount.process else "")
