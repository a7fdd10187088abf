"""Which mounts are inside a folder, by the folder's place in its file system and not by its path.

    mountinfo   30 25 254:0 /  /mnt/point            the folder is held open: it lies on mount 30,
                31 30 7:3   /  /mnt/point/own/x      so its place is /own in 254:0
                                                     31 is mounted on 30 at /own/x in 254:0: inside

A path means something else in another mount namespace or below a chroot; a place in a file system does not. Mounts on
such a mount are inside too.
Not seen: mount namespaces without a process, and those of processes that may not be inspected.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from flashscope.drives.system.mounts import lines_of, without_escapes

_Place = tuple[str, str]
"""(device number as mountinfo shows it, path from the top of that file system)."""


@dataclass(frozen=True)
class Standing:
    """One mount. identity, parent: the kernel's numbers of the mount and of the mount below it.

    number: of its device, "7:3". root: which folder of its file system is shown. point: where.
    process: 0 when this process sees it, else one that does.
    """

    identity: int
    parent: int
    number: str
    root: str
    point: str
    file_system: str
    process: int


class MountTree:
    """All mounts as they are now, in every mount namespace that can be seen."""

    def __init__(self, proc: Path = Path("/proc")) -> None:
        self._proc = proc
        self._views = list(_views(proc))

    def file_system_of(self, handle: int) -> str:
        """The kind of file system that an open file or folder lies on; empty when it cannot be told."""
        mount = self._views[0].get(mount_number(handle)) if self._views else None
        return mount.file_system if mount else ""

    def inside(self, folder: int) -> tuple[Standing, ...]:
        """The mounts on an open folder or on anything in it. Raises LookupError when they cannot be found out."""
        place = self._place_of(folder)
        found: dict[int, Standing] = {}
        for view in self._views:
            for mount in _inside(view, place):
                found.setdefault(mount.identity, mount)
        return tuple(found.values())

    def of_device(self, number: str) -> tuple[Standing, ...]:
        """The mounts, wherever they are, of the device with that number."""
        all_mounts = {mount.identity: mount for view in reversed(self._views) for mount in view.values()}
        return tuple(mount for mount in all_mounts.values() if mount.number == number)

    def _place_of(self, folder: int) -> _Place:
        mount = self._views[0].get(mount_number(folder)) if self._views else None
        path = os.readlink(self._proc / "self" / "fd" / str(folder))
        below = _below(path, mount.point) if mount else None
        if mount is None or below is None:
            raise LookupError(f"{path} is on no mount that can be seen")
        return mount.number, _joined(mount.root, below)


def mount_number(handle: int) -> int:
    """The kernel's number of the mount that an open file or folder was reached through. Raises OSError."""
    for line in Path(f"/proc/self/fdinfo/{handle}").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "mnt_id":
            return int(value)
    raise OSError(f"the kernel does not tell the mount of descriptor {handle}")


def _inside(view: dict[int, Standing], place: _Place) -> Iterable[Standing]:
    number, top = place
    found: dict[int, Standing] = {}
    for mount in view.values():
        parent = view.get(mount.parent)
        below = _below(mount.point, parent.point) if parent and parent.number == number else None
        if parent and below is not None and _below(_joined(parent.root, below), top) is not None:
            found[mount.identity] = mount
    while upon := [each for each in view.values() if each.parent in found and each.identity not in found]:
        found |= {each.identity: each for each in upon}
    return found.values()


def _views(proc: Path) -> Iterator[dict[int, Standing]]:
    """The mounts that each process sees, our own view first; equal views once."""
    seen = set()
    others = sorted(int(entry.name) for entry in proc.iterdir() if entry.name.isdigit())
    for process, name in [(0, "self"), *((number, str(number)) for number in others)]:
        lines = tuple(lines_of(proc / name / "mountinfo"))
        if lines and lines not in seen:
            seen.add(lines)
            parsed = (_standing(line, process) for line in lines)
            yield {mount.identity: mount for mount in parsed if mount is not None}


def _standing(line: str, process: int) -> Standing | None:
    before, separator, after = line.partition(" - ")
    words = before.split(" ")
    if not separator or len(words) < 6:
        return None
    root, point = without_escapes(words[3]), without_escapes(words[4])
    return Standing(int(words[0]), int(words[1]), words[2], root, point, after.split(" ")[0], process)


def _below(path: str, top: str) -> str | None:
    """The rest of a path below `top`, empty for `top` itself; None when it is not below."""
    if path == top:
        return ""
    start = top.rstrip("/") + "/"
    return path[len(start) :] if path.startswith(start) else None


def _joined(top: str, below: str) -> str:
    return f"{top.rstrip('/')}/{below}".rstrip("/") or "/"
