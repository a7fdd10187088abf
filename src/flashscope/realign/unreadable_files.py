"""Which files lie on blocks that cannot be read, where a tool of the file system can tell.

ext2, ext3, ext4    debugfs: icheck (block -> inode), ncheck (inode -> path); reads the partition from its offset
NTFS                ntfscluster, which needs the partition's own device
others              no tool tells it; the blocks are listed alone
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from flashscope.drives.system.tools import run_text
from flashscope.partitions.layout import Partition
from flashscope.realign.survey import Unreadable

_MOST_BLOCKS = 200
_NOT_A_FILE = "a part of the file system that belongs to no file, or free space"


def files_on(disk: Path, partition: Partition, node: Path | None, bad: Sequence[Unreadable]) -> tuple[str, ...]:
    """The paths of the files on unreadable blocks of a partition, within it; empty when no tool can tell.

    disk: the device or image. node: the partition's own device, None when the system shows none.
    """
    kind = partition.inside.kind if partition.inside else ""
    unit_bytes = (partition.inside.unit_bytes if partition.inside else None) or 4096
    units = sorted({each.at_bytes // unit_bytes for each in bad})[:_MOST_BLOCKS]
    if kind in ("ext2", "ext3", "ext4"):
        return _by_debugfs(f"{disk}?offset={partition.start_bytes}", units)
    if kind == "ntfs" and node is not None:
        return _by_ntfscluster(node, units)
    return ()


def _by_debugfs(place: str, blocks: Sequence[int]) -> tuple[str, ...]:
    said = run_text("debugfs", "-R", f"icheck {' '.join(map(str, blocks))}", place)
    rows = [line.split("\t") for line in said.splitlines()[1:]]
    inodes = sorted({row[1] for row in rows if len(row) == 2 and row[1].isdigit()}, key=int)
    if not inodes:
        return (_NOT_A_FILE,) if rows else ()
    named = run_text("debugfs", "-R", f"ncheck {' '.join(inodes)}", place)
    paths = dict(line.split("\t", 1) for line in named.splitlines()[1:] if "\t" in line)
    return tuple(paths.get(inode, f"inode {inode}") for inode in inodes)


def _by_ntfscluster(node: Path, clusters: Sequence[int]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for cluster in clusters:
        said = run_text("ntfscluster", "--force", "--cluster", f"{cluster}-{cluster}", str(node))
        for path in re.findall(r"^Inode \d+ (\S.*?)(?:/\$[A-Z_]+)?\s*$", said, re.MULTILINE):
            found[path] = None
    return tuple(found)
