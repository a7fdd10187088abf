"""The file system under a file, and how it stands between a test and the drive."""

from __future__ import annotations

import array
import fcntl
import os
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.view import SystemView

_GET_FLAGS = 0x80086601  # FS_IOC_GETFLAGS, <linux/fs.h>
_COMPRESSED = 0x00000004  # FS_COMPR_FL
_NO_COPY_ON_WRITE = 0x00800000  # FS_NOCOW_FL

_ALWAYS_COPIES = frozenset({"zfs", "bcachefs", "nilfs2", "f2fs"})
_IN_MEMORY = frozenset({"tmpfs", "ramfs"})
_OVER_ANOTHER = frozenset({"overlay", "aufs", "fuse", "fuseblk", "ecryptfs"})
_ELSEWHERE = frozenset({"nfs", "nfs4", "cifs", "smb3", "9p", "virtiofs", "ceph"})


@dataclass(frozen=True)
class FileSystemFacts:
    """kind: "ext4". mount_point: where. drives: names of the whole drives under it, as far as known.

    block_bytes: its block size [bytes]. copies_on_write: a write goes to a new place, not to the old one.
    warnings: what of this misleads a reader of results.
    """

    kind: str
    mount_point: str
    drives: tuple[str, ...]
    block_bytes: int
    copies_on_write: bool
    warnings: tuple[str, ...]


def file_system_of(view: SystemView, path: str) -> FileSystemFacts:
    """What holds a file, or would hold it once it is made. path: absolute, resolved."""
    mount = view.mount_of_path(path)
    kind = mount.file_system if mount else "unknown"
    options = mount.options if mount else frozenset()
    place = Path(path) if os.path.exists(path) else Path(path).parent
    flags = _flags(place)
    copies = kind in _ALWAYS_COPIES or (
        kind == "btrfs" and "nodatacow" not in options and not flags & _NO_COPY_ON_WRITE
    )
    compresses = kind == "zfs" or bool(flags & _COMPRESSED) or any(each.startswith("compress") for each in options)
    warnings = []
    if copies:
        warnings.append(
            f"the file system ({kind}) writes every block to a new place, so the order and the places that the drive "
            "sees are not those of the test"
        )
    if compresses:
        warnings.append(f"the file system ({kind}) may compress, so the drive may see less than was written")
    if kind in _IN_MEMORY:
        warnings.append(f"the file is in memory ({kind}): this measures the machine, not a drive")
    if kind in _OVER_ANOTHER or kind.startswith("fuse."):
        warnings.append(f"the file system ({kind}) lies over another one, which is measured along with it")
    if kind in _ELSEWHERE:
        warnings.append(f"the file is on another machine ({kind}): this measures the way there as well")
    names = view.drives_under_path(path)
    return FileSystemFacts(
        kind=kind,
        mount_point=mount.point if mount else "",
        drives=tuple(sorted(name for name in names if not view.blocks[name].partition_of)),
        block_bytes=os.statvfs(place).f_bsize if place.exists() else 4096,
        copies_on_write=copies,
        warnings=tuple(warnings),
    )


def _flags(path: Path) -> int:
    """The flags that chattr sets, of a file or of the directory that a new one inherits them from; 0 when unknown."""
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
