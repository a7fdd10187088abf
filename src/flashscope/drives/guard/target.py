"""What is at an address right now, as plain data: a file, a directory, a block device, nothing, or something else.

Looking changes nothing. `busy` is found by asking the kernel to open the drive exclusively and closing it at
once: O_EXCL for a block device (refused while it is mounted, swapped on, or held by md, dm, btrfs or ZFS),
a write lease for a file (refused while any program has it open).
"""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from flashscope.drives.addresses.address import Address
from flashscope.drives.guard.signatures import Signature, read_signatures
from flashscope.drives.held.held import Held
from flashscope.drives.system.view import FileIdentity, SystemView

Kind = Literal["missing", "file", "directory", "block device", "other"]


@dataclass(frozen=True)
class Target:
    """One real drive as found.

    wants: what the address asks for. kind: what is there. path: absolute; links in it are not followed for a
    file and are followed for the others. link_to: where a file's own symbolic link leads, else empty.
    block_name: of a block device, the kernel's name. identity: of a file or a directory.
    size_bytes, allocated_bytes: of a file [bytes]; free_bytes: what its file system has left [bytes].
    file_system: the kind of file system that a directory is on. parent_kind: what the directory of a file is.
    readable, writable: by permission (of the directory, for a missing file). read_only_file_system: the file's.
    signatures: what it carries, None when that cannot be told.
    busy: why it is in use, empty when it is free.
    """

    address: str
    wants: Literal["file", "directory", "block device"]
    path: Path
    kind: Kind
    link_to: str = ""
    also: str = ""
    block_name: str = ""
    identity: FileIdentity | None = None
    hard_links: int = 1
    size_bytes: int = 0
    allocated_bytes: int = 0
    free_bytes: int = 0
    file_system: str = ""
    parent_kind: Kind = "directory"
    readable: bool = True
    writable: bool = True
    read_only_file_system: bool = False
    signatures: tuple[Signature, ...] | None = ()
    busy: str = ""


def path_of(address: Address) -> Path:
    """The absolute path that an address of a real drive means (see `Target.path`)."""
    if address.scheme in ("device", "dir"):
        return Path(os.path.realpath(address.target))
    path = Path(os.path.abspath(address.target))
    return Path(os.path.realpath(path.parent)) / path.name


def inspect_target(address: Address, view: SystemView, *, destructive: bool = True, held: Held | None = None) -> Target:
    """Look at what an address names.

    destructive: also look for signatures and whether it is in use; a run that only reads need not know.
    held: the drive, when the caller holds it already: then this one is looked at, and the caller does not make it busy.
    """
    path = path_of(address)
    kind = kind_of(path)
    if address.scheme == "device":
        status = os.fstat(held.handle) if held else os.stat(path) if kind == "block device" else None
        number = f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}" if status else ""
        return Target(
            address=str(address),
            wants="block device",
            path=path,
            kind=kind,
            block_name=view.named_by_number(number),
            also=_also_called(address),
            readable=kind == "missing" or os.access(path, os.R_OK),
            writable=kind == "missing" or os.access(path, os.W_OK),
            busy=_block_busy(path) if destructive and status and held is None else "",
        )
    if address.scheme == "dir":
        return _inspect_directory(address, path, kind, view)
    return _inspect_file(address, path, kind, destructive=destructive, held=held)


def kind_of(path: Path) -> Kind:
    """What is at a path, after following links."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return "missing"
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    return "block device" if stat.S_ISBLK(mode) else "other"


def _inspect_file(address: Address, path: Path, kind: Kind, *, destructive: bool, held: Held | None) -> Target:
    parent_kind = kind_of(path.parent)
    status = os.fstat(held.handle) if held else os.stat(path) if kind == "file" else None
    place = held.path if held else path if status else path.parent
    room = os.statvfs(place) if parent_kind == "directory" else None
    return Target(
        address=str(address),
        wants="file",
        path=path,
        kind=kind,
        link_to=os.path.realpath(path) if path.is_symlink() else "",
        also=_also_called(address),
        identity=(status.st_dev, status.st_ino) if status else None,
        hard_links=status.st_nlink if status else 1,
        size_bytes=status.st_size if status else 0,
        allocated_bytes=status.st_blocks * 512 if status else 0,
        free_bytes=room.f_bavail * room.f_frsize if room else 0,
        parent_kind=parent_kind,
        readable=os.access(place, os.R_OK),
        writable=os.access(place, os.W_OK | (0 if status else os.X_OK)),
        read_only_file_system=bool(room and room.f_flag & os.ST_RDONLY),
        signatures=read_signatures(path, held) if destructive and status else (),
        busy=_file_busy(path, held) if destructive and status else "",
    )


def _also_called(address: Address) -> str:
    """The file whose name is the whole address, modifiers included; empty when there is none."""
    if not address.modifiers:
        return ""
    name = address.target + "".join(modifier.text for modifier in address.modifiers)
    return name if os.path.lexists(name) else ""


def _inspect_directory(address: Address, path: Path, kind: Kind, view: SystemView) -> Target:
    status = os.stat(path) if kind == "directory" else None
    room = os.statvfs(path) if kind == "directory" else None
    mount = view.mount_of_path(str(path))
    return Target(
        address=str(address),
        wants="directory",
        path=path,
        kind=kind,
        identity=(status.st_dev, status.st_ino) if status else None,
        free_bytes=room.f_bavail * room.f_frsize if room else 0,
        file_system=mount.file_system if mount else "",
        readable=kind == "missing" or os.access(path, os.R_OK | os.X_OK),
        writable=kind == "missing" or os.access(path, os.W_OK | os.X_OK),
        read_only_file_system=bool(room and room.f_flag & os.ST_RDONLY),
    )


def _block_busy(path: Path) -> str:
    try:
        # Opened for reading: a close after opening for writing would make udev probe the drive anew.
        os.close(os.open(path, os.O_RDONLY | os.O_EXCL | os.O_CLOEXEC))
    except OSError as error:
        if error.errno == errno.EACCES:
            return ""  # the rule about permission says so
        if error.errno == errno.EBUSY:
            return "the kernel does not open it exclusively, so something else uses it"
        return f"the kernel does not give it exclusively ({error.strerror})"
    return ""


def _file_busy(path: Path, held: Held | None) -> str:
    try:
        handle = held.handle if held else os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return ""
    try:
        # When somebody opens the file in this instant, the lease breaks, and the kernel sends a signal that does
        # nothing.
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        # Other errors mean that no lease can be taken here (not the owner, a network file system).
        return "another program has it open" if error.errno == errno.EAGAIN else ""
    finally:
        if held is None:
            os.close(handle)
    return ""
