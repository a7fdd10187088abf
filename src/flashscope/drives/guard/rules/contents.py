"""Rules about the contents of the drive: a person who typed the serial number may still not know what is on it."""

from __future__ import annotations

from collections.abc import Iterator
from shlex import quote

from flashscope.drives.guard.rules.rule import NOTHING, Case, Rule
from flashscope.drives.guard.signatures import Signature


def _carried(case: Case, role: str) -> list[Signature]:
    return [each for each in case.signatures or () if each.role == role]


class UnknownContents(Rule):
    """The contents of the drive can be read; without this the other rules here could find nothing."""

    name = "unknown-contents"
    explains = "it is not known what the drive holds, because `wipefs` is missing, or nothing on the drive can be read"
    lifted_by = "installing util-linux; running as a user who may read it; another drive"
    about_loss = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.signatures is None and case.target.readable:
            yield (
                f"it is not known what {case.target.path} holds: wipefs gave no answer",
                f"install util-linux, or find out what `wipefs --no-act {quote(str(case.target.path))}` says",
            )
        if case.unreadable:
            yield f"it is not known what {case.target.path} holds: no byte of it can be read", NOTHING


class PartitionTable(Rule):
    """The drive has no partition table; a drive with one was probably prepared to hold data."""

    name = "partition-table"
    explains = "it carries a partition table"
    lifted_by = "`--allow partition-table`; or `wipefs --all`"
    overridable = True
    about_loss = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for each in _carried(case, "partition table"):
            alignment = f"; {case.alignment}" if case.alignment else ""
            yield (
                f"{each.where} carries a {each.kind} partition table{alignment}",
                f"remove it with `wipefs --all {quote(each.where)}`",
            )


class FileSystem(Rule):
    """The drive holds no file system, swap area or encrypted volume: these hold data, mounted or not."""

    name = "file-system"
    explains = "it, or a partition of it, carries a file system, a swap area or an encrypted volume"
    lifted_by = "`--allow file-system`; or `wipefs --all`"
    overridable = True
    about_loss = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        for each in _carried(case, "file system"):
            yield (
                f"{each.where} carries a signature of {each.kind}",
                f"remove it with `wipefs --all {quote(each.where)}`",
            )


class Data(Rule):
    """Everything on the drive is blank or was written by flashscope; whatever else it is, somebody may need it."""

    name = "data"
    explains = (
        "it holds data that flashscope did not write: anything but zeros, ones in every bit (erased flash) and its own "
        "data, at both ends, where superblocks and their copies stand, or in one of 1,000 samples"
    )
    lifted_by = "`--allow data`; or `blkdiscard --zeroout`; for a file, one that does not exist yet"
    overridable = True
    about_loss = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.foreign is None:
            return
        path, looks = case.target.path, f"; it looks like: {case.foreign.name}" if case.foreign.name else ""
        yield (
            f"{path} holds data that flashscope did not write, at byte {case.foreign.offset_bytes}{looks}",
            f"wipe it, when nobody needs it: `blkdiscard --zeroout {quote(str(path))}`"
            if case.block
            else "name a file that is still to be made, with --size",
        )


class PoolMember(Rule):
    """The drive is not a member of an array or pool, assembled or not."""

    name = "pool-member"
    explains = "it, or a partition of it, is marked as a member of an md array, an LVM group, a ZFS pool or the like"
    lifted_by = "taking it out of the pool: `mdadm --zero-superblock`, `pvremove`, `zpool labelclear`"
    about_loss = True

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
