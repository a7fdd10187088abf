"""Rules about what the drive carries. Whoever typed the serial number may still not know what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from flashscope.drives.guard.rules.rule import Case, Rule
from flashscope.drives.guard.signatures import Signature


def _carried(case: Case, role: str) -> list[Signature]:
    return [each for each in case.signatures or () if each.role == role]


class UnknownContents(Rule):
    """What the drive carries can be told; else the other rules here would be blind."""

    name = "unknown-contents"
    explains = "what it carries cannot be told, because `wipefs` is missing or may not read it"
    lifted_by = "installing util-linux; running as a user who may read it"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.signatures is None and case.target.readable:
            yield (
                f"what {case.target.path} carries cannot be told: wipefs gave no answer",
                f"install util-linux, or find out what `wipefs --no-act {quote(str(case.target.path))}` says",
            )


class PartitionTable(Rule):
    """A drive that is partitioned was meant to hold something."""

    name = "partition-table"
    explains = "it carries a partition table"
    lifted_by = "`--allow partition-table`; or `wipefs --all`"
    overridable = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for each in _carried(case, "partition table"):
            yield (
                f"{each.where} carries a {each.kind} partition table",
                f"remove it with `wipefs --all {quote(each.where)}`",
            )


class FileSystem(Rule):
    """A file system, a swap area or an encrypted volume holds somebody's data, mounted or not."""

    name = "file-system"
    explains = "it, or a partition of it, carries a file system, a swap area or an encrypted volume"
    lifted_by = "`--allow file-system`; or `wipefs --all`"
    overridable = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for each in _carried(case, "file system"):
            yield (
                f"{each.where} carries a signature of {each.kind}",
                f"remove it with `wipefs --all {quote(each.where)}`",
            )


class PoolMember(Rule):
    """A member of an array or pool is part of something larger, assembled or not."""

    name = "pool-member"
    explains = "it, or a partition of it, is marked as a member of an md array, an LVM group, a ZFS pool or the like"
    lifted_by = "taking it out of the pool: `mdadm --zero-superblock`, `pvremove`, `zpool labelclear`"

    _lifts = (
        ("linux_raid", "mdadm --zero-superblock"),
        ("LVM", "pvremove"),
        ("zfs", "zpool labelclear"),
    )

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for each in _carried(case, "pool member"):
            tool = next((tool for start, tool in self._lifts if each.kind.startswith(start)), "wipefs --all")
            yield (
                f"{each.where} is marked as {each.kind}",
                f"take it out of its pool, then remove the mark with `{tool} {quote(each.where)}`",
            )
