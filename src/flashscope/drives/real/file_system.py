"""The file system under a file or a directory, and how it changes what reaches the drive.

    the host writes A A A            the drive sees
    in place (ext4, xfs)      -->    A A A                  as the test intends
    copy-on-write (btrfs)     -->    A B C + maps           other places, more writes
    compressing               -->    a                      fewer bytes

Where it changes something, `FileSystemFacts.doubts` says so and gives a workaround; `warnings` repeats it in words.
Not seen here: layers under the mounted device (an array, encryption, a thin pool), and what the drive itself does.
"""

from __future__ import annotations

import array
import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.view import SystemView
from flashscope.records.doubt import Doubt

_GET_FLAGS = 0x80086601  # FS_IOC_GETFLAGS, <linux/fs.h>
_COMPRESSED = 0x00000004  # FS_COMPR_FL
_NO_COPY_ON_WRITE = 0x00800000  # FS_NOCOW_FL

_ALWAYS_COPIES = frozenset({"zfs", "bcachefs", "nilfs2", "f2fs"})
_IN_MEMORY = frozenset({"tmpfs", "ramfs"})
_OVER_ANOTHER = frozenset({"overlay", "aufs", "fuse", "fuseblk", "ecryptfs"})
_ELSEWHERE = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph"})

WHY_NO_TRIM = "freed space is not reported to the drive (mount it with `discard`, if the drive takes trims)"
"""Why a file or a directory takes no trim where `FileSystemFacts.passes_trim` is false."""
_TAKE_ANOTHER = "a place on a file system that writes in place and whole, such as ext4 or xfs"
_WAY_ROUND = {
    "btrfs": "make an empty folder there, set `chattr +C` on it, and name it (dir:) or a new file in it (file:): what "
    "is made in it is written in place and not compressed",
    "zfs": f"`zfs set compression=off` ends compression; the copying cannot be switched off, so take {_TAKE_ANOTHER}",
    "f2fs": f"mount it without compress_extension and compress_algorithm; for writes in place take {_TAKE_ANOTHER}",
}


@dataclass(frozen=True)
class FileSystemFacts:
    """kind: "ext4". mount_point: where. drives: names of the whole drives under it, as far as known.

    device: name of the block device it is on, empty when there is none or more than one.
    block_bytes: its block size [bytes]. copies_on_write: a write goes to a new place, not to the old one.
    passes_trim: freed space is told to the drive at once, and the drive takes it.
    warnings: what makes results misleading. doubts: those of them that have a kind and a workaround.
    """

    kind: str
    mount_point: str
    drives: tuple[str, ...]
    block_bytes: int
    copies_on_write: bool
    warnings: tuple[str, ...]
    device: str = ""
    passes_trim: bool = False
    doubts: tuple[Doubt, ...] = ()


def file_system_of(view: SystemView, path: str) -> FileSystemFacts:
    """The file system of a file or directory, also of one that is still to be made. path: absolute, resolved."""
    mount = view.mount_of_path(path)
    kind = mount.file_system if mount else "unknown"
    options = mount.options if mount else frozenset()
    place = Path(path) if os.path.exists(path) else Path(path).parent
    doubts = _doubts(kind, options, _flags(place))
    warnings = [doubt.message for doubt in doubts]
    if kind in _IN_MEMORY:
        what = "directory" if os.path.isdir(path) else "file"
        warnings.append(f"the {what} is in memory ({kind}): this measures the machine, not a drive")
    if kind in _OVER_ANOTHER or kind.startswith("fuse."):
        warnings.append(f"the file system ({kind}) lies over another one, which is measured along with it")
    if kind in _ELSEWHERE:
        what = "directory" if os.path.isdir(path) else "file"
        warnings.append(f"the {what} is on another machine ({kind}): the network is measured as well")
    under = view.drives_under_path(path)
    devices = view.blocks_of_mount(mount) if mount else set()
    return FileSystemFacts(
        kind=kind,
        mount_point=mount.point if mount else "",
        drives=tuple(sorted(name for name in under if not view.blocks[name].partition_of)),
        block_bytes=os.statvfs(place).f_bsize if place.exists() else 4096,
        copies_on_write=any("new place" in doubt.message for doubt in doubts),
        warnings=tuple(warnings),
        device=next(iter(devices)) if len(devices) == 1 else "",
        passes_trim=any(option.partition("=")[0] == "discard" for option in options)
        and bool(devices)
        and all(view.blocks[name].discard_max_bytes > 0 for name in devices),
        doubts=doubts,
    )


def _doubts(kind: str, options: frozenset[str], flags: int) -> tuple[Doubt, ...]:
    in_place = bool(flags & _NO_COPY_ON_WRITE) or "nodatacow" in options
    copies = kind in _ALWAYS_COPIES or (kind == "btrfs" and not in_place)
    compresses = (
        kind == "zfs"
        or bool(flags & _COMPRESSED)
        or any(option.startswith("compress") and not option.endswith(("=no", "=none")) for option in options)
    )
    way_round = _WAY_ROUND.get(kind, f"take {_TAKE_ANOTHER}")
    found = []
    if copies:
        found.append(
            f"the file system ({kind}) writes every block to a new place, so the order and the places that the drive "
            "sees are not those of the test"
        )
    if compresses:
        found.append(f"the file system ({kind}) may compress, so the drive may see less than was written")
    return tuple(Doubt("CompressedByFileSystem", message, way_round) for message in found)


def _flags(path: Path) -> int:
    """The flags that chattr sets, of a file or of the directory from which a new file inherits; 0 when unknown."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        answer = array.array("l", [0])
        fcntl.ioctl(handle, _GET_FLAGS, answer)
        return int(answer[0])
    except OSError:
        return 0
    finally:
        os.close(handle)
