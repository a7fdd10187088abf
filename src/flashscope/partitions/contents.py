"""What a place on a disk holds: a container with what is in it, a file system, a swap area, or nothing that is known.

Containers come first, since the mirror of an array or a volume also shows what is inside it. When two file systems
are recognised in one place, the one whose mark is hardest to leave behind is taken, and the other one is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from flashscope.partitions.containers.bitlocker import read_bitlocker
from flashscope.partitions.containers.luks import read_luks
from flashscope.partitions.containers.lvm import read_lvm
from flashscope.partitions.containers.md import read_md
from flashscope.partitions.file_systems.btrfs import read_btrfs
from flashscope.partitions.file_systems.by_name import read_by_name
from flashscope.partitions.file_systems.exfat import read_exfat
from flashscope.partitions.file_systems.ext import read_ext
from flashscope.partitions.file_systems.fat import read_fat
from flashscope.partitions.file_systems.ntfs import read_ntfs
from flashscope.partitions.file_systems.swap import read_swap
from flashscope.partitions.file_systems.xfs import read_xfs
from flashscope.partitions.layout import Inner
from flashscope.partitions.place import Place

_DEEPEST = 4
_FILE_SYSTEMS: tuple[Callable[[Place], Inner | None], ...] = (
    read_btrfs,
    read_xfs,
    read_ext,
    read_exfat,
    read_ntfs,
    read_fat,
    read_swap,
    read_by_name,
)


def read_contents(place: Place, depth: int = 0) -> tuple[Inner | None, tuple[Inner, ...]]:
    """What a place holds, and what else was recognised there that it does not hold.

    depth: how many containers lie around it.
    """
    if depth >= _DEEPEST or place.size_bytes <= 0:
        return None, ()
    if (locked := read_luks(place) or read_bitlocker(place)) is not None:
        return locked, ()
    if (member := read_md(place)) is not None:
        inner, data = member
        held, others = read_contents(data, depth + 1) if data else (None, ())
        return replace(inner, inside=(held,) if held else ()), others
    if (group := read_lvm(place)) is not None:
        return _with_volumes(*group, depth)
    found = [each for each in (read(place) for read in _FILE_SYSTEMS) if each is not None]
    return (found[0], tuple(found[1:])) if found else (None, ())


def _with_volumes(
    volume: Inner, logical: tuple[tuple[Inner, Place | None], ...], depth: int
) -> tuple[Inner, tuple[Inner, ...]]:
    inside = []
    for each, data in logical:
        held, _ = read_contents(data, depth + 1) if data else (None, ())
        inside.append(replace(each, inside=(held,) if held else ()))
    return replace(volume, inside=tuple(inside)), ()
