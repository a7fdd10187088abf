"""Mounts of every mount namespace that has a process, and swap areas in use.

Another container's mounts do not show in /proc/self/mountinfo, so every process's own list is read.
A namespace without a process (kept by a bind mount) cannot be seen this way. Because of these and other hidden uses,
the guard opens the drive exclusively, which the kernel refuses while anything holds it.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from flashscope.drives.system.view import Mount, Swap

_OCTAL = re.compile(r"\\([0-7]{3})")


def parse_mountinfo(line: str, process: int = 0) -> Mount | None:
    """One line of mountinfo as a Mount (see proc(5)); None when it is not one."""
    before, separator, after = line.partition(" - ")
    left, right = before.split(" "), after.split(" ")
    if not separator or len(left) < 6 or len(right) < 3:
        return None
    source = without_escapes(right[1])
    return Mount(
        point=without_escapes(left[4]),
        number=left[2],
        source=source,
        source_number=_block_number(source),
        file_system=right[0],
        options=frozenset(left[5].split(",")) | frozenset(right[2].split(",")),
        process=process,
    )


def read_mounts(proc: Path = Path("/proc")) -> tuple[Mount, ...]:
    """All mounts, those of this process's own namespace first and in their order; each line once."""
    processes: dict[str, int] = dict.fromkeys(lines_of(proc / "self" / "mountinfo"), 0)
    for entry in sorted((each for each in proc.iterdir() if each.name.isdigit()), key=lambda each: int(each.name)):
        for line in lines_of(entry / "mountinfo"):
            processes.setdefault(line, int(entry.name))
    parsed = (parse_mountinfo(line, process) for line, process in processes.items())
    return tuple(mount for mount in parsed if mount is not None)


def read_swaps(proc: Path = Path("/proc")) -> tuple[Swap, ...]:
    """All swap areas in use."""
    swaps = []
    for line in list(lines_of(proc / "swaps"))[1:]:
        path = without_escapes(line.split()[0])
        try:
            status = os.stat(path)
        except OSError:
            swaps.append(Swap(path))
            continue
        swaps.append(Swap(path, _block_number(path), (status.st_dev, status.st_ino)))
    return tuple(swaps)


def lines_of(path: Path) -> Iterator[str]:
    """The lines of a file in /proc; none when it cannot be read. Bytes that are no UTF-8 are kept as surrogates."""
    try:
        text = path.read_bytes()
    except OSError:
        return  # the process ended, or may not be inspected
    yield from text.decode(errors="surrogateescape").splitlines()


def without_escapes(text: str) -> str:
    """Undo the kernel's escapes: a space in a path is written \\040."""
    return _OCTAL.sub(lambda match: chr(int(match[1], 8)), text)


def _block_number(path: str) -> str:
    """ "8:1" for the path of a block device, else empty."""
    try:
        status = os.stat(path) if path.startswith("/") else None
    except OSError:
        status = None
    if status is None or not stat.S_ISBLK(status.st_mode):
        return ""
    return f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
