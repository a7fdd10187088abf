"""What the system says about its block devices, as plain data, and how they lie over each other.

    md0 (holder)   loop3
        |            |  over a file or a block device
       sda1 -------- sda (partition_of)

The guard's rules ask this view and never the system, so a test can build one by hand.
`reader.py` reads the real one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

FileIdentity = tuple[int, int]
"""(device number, inode number) of a file: equal for two names of the same file."""


@dataclass(frozen=True)
class Block:
    """One block device, whole or partition.

    name: the kernel's, e.g. "sda1". number: "8:1". path: e.g. "/dev/sda1" or "/dev/mapper/data".
    size_bytes, logical_sector_bytes, physical_sector_bytes, discard_max_bytes: in bytes; 0 when unknown or none.
    partition_of: name of the whole drive, empty for a whole drive.
    holders, slaves: names of devices built on this one, and of those it is built on (md, dm, LVM, bcache).
    mapper_uuid: of a device-mapper device; starts with "LVM-" for a logical volume.
    backing_file: of a loop device, as the kernel shows it; backing_identity and backing_number say what it is.
    disk_sequence: grows each time another medium or drive takes this name; 0 when the kernel does not tell.
    """

    name: str
    number: str = ""
    path: str = ""
    kind: str = "disk"
    size_bytes: int = 0
    logical_sector_bytes: int = 512
    physical_sector_bytes: int = 512
    discard_max_bytes: int = 0
    rotational: bool = False
    read_only: bool = False
    model: str = ""
    serial: str = ""
    revision: str = ""
    transport: str = ""
    world_wide_name: str = ""
    partition_of: str = ""
    holders: tuple[str, ...] = ()
    slaves: tuple[str, ...] = ()
    mapper_uuid: str = ""
    backing_file: str = ""
    backing_identity: FileIdentity | None = None
    backing_number: str = ""
    disk_sequence: int = 0


@dataclass(frozen=True)
class Mount:
    """One mounted file system.

    number: of the device as mountinfo shows it ("0:NN" when there is none). source_number: of the device
    file that mountinfo names as the source, empty when it names none.
    process: 0 when this process sees the mount itself, else one process that does.
    """

    point: str
    number: str = ""
    source: str = ""
    source_number: str = ""
    file_system: str = ""
    options: frozenset[str] = frozenset()
    process: int = 0


@dataclass(frozen=True)
class Swap:
    """One swap area in use. number: of its block device; identity: of its file."""

    path: str
    number: str = ""
    identity: FileIdentity | None = None


@dataclass(frozen=True)
class SystemView:
    """All block devices, mounts (of all mount namespaces that can be seen), swap areas.

    pool_members: name of a block device -> the mounted btrfs it belongs to (its UUID).
    """

    blocks: Mapping[str, Block] = field(default_factory=dict)
    mounts: tuple[Mount, ...] = ()
    swaps: tuple[Swap, ...] = ()
    pool_members: Mapping[str, str] = field(default_factory=dict)

    def named_by_number(self, number: str) -> str:
        """The name of the block device with that number, empty when there is none."""
        return next((block.name for block in self.blocks.values() if number and block.number == number), "")

    def blocks_of_mount(self, mount: Mount) -> set[str]:
        """Names of the block devices a mounted file system lies on; of a btrfs, all its members."""
        named = {self.named_by_number(mount.number), self.named_by_number(mount.source_number)} - {""}
        pools = {self.pool_members[name] for name in named if name in self.pool_members}
        return named | {name for name, pool in self.pool_members.items() if pool in pools}

    def mount_of_path(self, path: str) -> Mount | None:
        """The mount of this process's own namespace that holds an absolute, resolved path; the topmost one."""
        own = [mount for mount in self.mounts if mount.process == 0 and _is_inside(path, mount.point)]
        return max(enumerate(own), key=lambda pair: (len(pair[1].point), pair[0]))[1] if own else None

    def whole(self, name: str) -> str:
        """The name of the whole drive that a block device is, or is a partition of."""
        return self.blocks[name].partition_of or name

    def loops_over_file(self, identity: FileIdentity | None) -> list[str]:
        """Names of the loop devices that a file backs."""
        return [block.name for block in self.blocks.values() if identity and block.backing_identity == identity]

    def above(self, name: str) -> set[str]:
        """The device itself and all that would change if it were written: partitions, holders, loops, transitively."""
        return _closure(name, lambda each: self._other_names(each) | self._built_on(each))

    def below(self, name: str) -> set[str]:
        """The device itself and the whole drives and slaves that it is a part of, transitively."""
        return _closure(name, lambda each: self._other_names(each) | self._part_of(each))

    def touched_by_writing(self, name: str) -> set[str]:
        """`above` and `below` together: all devices that a write to this one would affect.

        Neighbours are not among them: writing to sda1 does not affect sda2.
        """
        return self.above(name) | self.below(name)

    def drives_under_path(self, path: str) -> set[str]:
        """All block devices that hold a file's bytes, down through loop files and the drives under them."""
        found: set[str] = set()
        waiting = {path}
        seen: set[str] = set()
        while waiting:
            each = waiting.pop()
            seen.add(each)
            mount = self.mount_of_path(each)
            names = self.blocks_of_mount(mount) if mount else set()
            for name in {lower for upper in names for lower in self.below(upper)}:
                found.add(name)
                if self.blocks[name].backing_file:
                    waiting |= {self.blocks[name].backing_file} - seen
        return found

    def _other_names(self, name: str) -> set[str]:
        block = self.blocks[name]
        loops = self.loops_over_file(block.backing_identity)
        over_this = [each.name for each in self.blocks.values() if block.number and each.backing_number == block.number]
        return {*loops, *over_this, self.named_by_number(block.backing_number)} & set(self.blocks)

    def _built_on(self, name: str) -> set[str]:
        partitions = {each.name for each in self.blocks.values() if each.partition_of == name}
        return (partitions | set(self.blocks[name].holders)) & set(self.blocks)

    def _part_of(self, name: str) -> set[str]:
        return {self.blocks[name].partition_of, *self.blocks[name].slaves} & set(self.blocks)


def _closure(start: str, neighbours: Callable[[str], Iterable[str]]) -> set[str]:
    """All that can be reached from start, start included."""
    reached: set[str] = set()
    waiting = {start}
    while waiting:
        each = waiting.pop()
        reached.add(each)
        waiting |= set(neighbours(each)) - reached
    return reached


def _is_inside(path: str, point: str) -> bool:
    return path == point or path.startswith(point.rstrip("/") + "/")
