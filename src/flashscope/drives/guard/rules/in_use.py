"""Rules about use: a drive is not written while a file system, a pool, a swap area or a program uses it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from flashscope.drives.guard.rules.rule import Case, Rule
from flashscope.drives.system.view import Block


class Mounted(Rule):
    """No part of the drive is mounted, in any mount namespace."""

    name = "mounted"
    explains = "it, or what is part of it or built on it, is mounted, here or in another mount namespace"
    lifted_by = "`umount`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        touched = case.view.touched_by_writing(case.block.name) if case.block else set()
        seen: set[tuple[str, str]] = set()
        for mount in case.view.mounts:
            for name in sorted(case.view.blocks_of_mount(mount) & touched):
                if (name, mount.point) in seen:
                    continue
                seen.add((name, mount.point))
                path = case.view.blocks[name].path
                if mount.process:
                    yield (
                        f"{path} is mounted on {mount.point} in the mount namespace of process {mount.process}",
                        f"nsenter --target {mount.process} --mount umount {quote(mount.point)}",
                    )
                else:
                    yield f"{path} is mounted on {mount.point}", f"umount {quote(mount.point)}"


class Swap(Rule):
    """The system does not swap to the drive or the file."""

    name = "swap"
    explains = "the system swaps to it, to a part of it, or to the file"
    lifted_by = "`swapoff`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        touched = case.view.touched_by_writing(case.block.name) if case.block else set()
        for swap in case.view.swaps:
            if case.view.named_by_number(swap.number) in touched or swap.identity in case.identities:
                yield f"the system swaps to {swap.path}", f"swapoff {quote(swap.path)}"


class Held(Rule):
    """No array, volume group or pool is built on the drive."""

    name = "held"
    explains = "an md array, a device-mapper device, an LVM volume, a bcache or a mounted btrfs is built on it"
    lifted_by = "`mdadm --stop`, `dmsetup remove`, `vgchange --activate n`, `umount`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for name in sorted(case.view.touched_by_writing(case.block.name) if case.block else ()):
            block = case.view.blocks[name]
            for holder in block.holders:
                yield f"{block.path} is held by {holder}", _release(holder, case.view.blocks.get(holder))
            if name in case.view.pool_members:
                yield (
                    f"{block.path} is a member of the mounted btrfs {case.view.pool_members[name]}",
                    "umount that btrfs, or take the drive out of it with `btrfs device remove`",
                )


def _release(name: str, holder: Block | None) -> str:
    path = holder.path if holder else f"/dev/{name}"
    if holder and holder.mapper_uuid.startswith("LVM-"):
        return f"lvchange --activate n {path}"
    if name.startswith("dm-"):
        return f"dmsetup remove {path}"
    return f"mdadm --stop {path}" if name.startswith("md") else f"stop {path}"


class Loop(Rule):
    """No loop device shows the same bytes under another name."""

    name = "loop"
    explains = "a loop device lies over the file, the drive or a part of it, or two loop devices share one file"
    lifted_by = "`losetup --detach`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        names = {loop for identity in case.identities for loop in case.view.loops_over_file(identity)}
        touched = case.view.touched_by_writing(case.block.name) if case.block else set()
        names |= {name for name in touched if case.view.blocks[name].backing_file}
        for name in sorted(
            names - {case.target.block_name, case.view.whole(case.target.block_name) if case.block else ""}
        ):
            loop = case.view.blocks[name]
            yield f"the loop device {loop.path} lies over {loop.backing_file}", f"losetup --detach {loop.path}"


class Busy(Rule):
    """Nothing else uses the drive or has the file open. This asks the kernel, whatever the other rules found."""

    name = "busy"
    explains = "the kernel does not open the drive exclusively, or another program has the file open"
    lifted_by = "ending the program that uses it"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.busy:
            tool = "fuser --verbose" if case.target.wants == "file" else "lsblk"
            yield (
                f"{case.target.path}: {case.target.busy}",
                f"end the program that uses it; `{tool} {quote(str(case.target.path))}` may show it",
            )
