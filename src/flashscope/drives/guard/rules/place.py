"""Rules about the place: is there a drive of the right kind and size, and may it be used?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shlex import quote

from flashscope.drives.guard.rules.rule import Case, Rule

# A full file system would stop the results store and the system.
RESERVE_BYTES = 64 * 1024 * 1024
MIB = 1024 * 1024
IN_MEMORY = frozenset({"tmpfs", "ramfs"})
_KERNELS_OWN = frozenset({
    "autofs", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "devtmpfs",
    "efivarfs", "functionfs", "fusectl", "hugetlbfs", "mqueue", "nfsd", "nsfs", "proc", "pstore", "resctrl",
    "rpc_pipefs", "securityfs", "selinuxfs", "smackfs", "sysfs", "tracefs",
})  # fmt: skip
_KERNELS_FOLDERS = ("/dev", "/proc", "/run", "/sys")
_SHARED_MEMORY = "/dev/shm"  # meant for everybody's files


class Exists(Rule):
    """There is something at the address, or a directory to make the file in."""

    name = "exists"
    explains = "nothing is there; for a new file: its directory is missing, or no size was given"
    lifted_by = "connect the drive; make the directory; `--size` makes a new file"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target = case.target
        if target.kind != "missing":
            return
        if target.wants == "block device":
            yield f"there is no {target.path}", "connect the drive; `lsblk` lists those that are there"
        elif target.wants == "directory":
            yield f"there is no {target.path}", "make the directory first, or mount the file system it is on"
        elif target.parent_kind != "directory":
            there = "does not exist" if target.parent_kind == "missing" else "is not a directory"
            yield f"{target.path.parent} {there}", "make the directory first, or name another"
        elif not case.destructive:
            yield (
                f"there is no {target.path}",
                "name a file that exists; to write, give --size (such as 1GiB) to make it",
            )
        elif case.consent.create_bytes is None and not target.link_to:
            yield f"there is no {target.path}", "give --size (such as --size 1GiB) to make it"


class Kind(Rule):
    """A file: address names a regular file, a dir: address a directory, a /dev/ address a block device."""

    name = "kind"
    explains = "the address says file, directory or block device, and it is another of these or a pipe"
    lifted_by = "the address of a regular file, of a directory or of a block device"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target = case.target
        if target.kind in ("missing", target.wants):
            return
        seen = {"file": "a regular file", "other": "neither a regular file nor a block device"}
        is_a = seen.get(target.kind, f"a {target.kind}")
        if target.kind == "file":
            lift = f"write it as file:{target.path}"
        elif target.kind == "directory":
            lift = f"write it as dir:{target.path}"
        elif target.kind == "block device":
            lift = f"write it as {target.path}"
        else:
            lift = "name a regular file (file:PATH), a directory (dir:PATH) or a block device (/dev/NAME)"
        yield f"{target.path} is {is_a}", lift


class Ambiguous(Rule):
    """No file has the whole address, with its modifiers, as its name."""

    name = "ambiguous"
    explains = "the name of a file or a device is the whole address, with its `@offset=` or `@sector=`"
    lifted_by = "renaming that file"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.also:
            yield (
                f"{case.target.address} means {case.target.path} from an offset or by other sectors, and "
                f"{case.target.also} is there too",
                f"rename {case.target.also}, whichever of the two was meant",
            )


class SymbolicLink(Rule):
    """The address names the file itself, not a symbolic link, which may lead to another file later."""

    name = "symbolic-link"
    explains = "the file is a symbolic link (links in /dev/ are followed and shown)"
    lifted_by = "the address of the file that it leads to"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.link_to:
            yield (
                f"{case.target.path} is a symbolic link to {case.target.link_to}",
                f"name the file itself: file:{case.target.link_to}",
            )


class HardLink(Rule):
    """The file has one name only, so nobody else's file is written with it."""

    name = "hard-link"
    explains = "the file has another name (a hard link, or a bind mount), whose content would change too"
    lifted_by = "`--allow hard-link`; or remove the other names; or `umount`"
    overridable = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.hard_links > 1:
            yield (
                f"{case.target.path} is one of {case.target.hard_links} names of the same file",
                f"find the others with `find / -xdev -samefile {quote(str(case.target.path))}` and remove them",
            )
        mount = case.view.mount_of_path(str(case.target.path))
        if case.target.kind == "file" and mount is not None and mount.point == str(case.target.path):
            yield (
                f"{case.target.path} is a mount point: a file with another name is mounted there",
                f"`findmnt {quote(str(case.target.path))}` shows it; name that file, or umount it",
            )


class Access(Rule):
    """The person who runs this may read it, and write it when the run writes."""

    name = "access"
    explains = "no permission to read it, to write it, or to make a file in its directory"
    lifted_by = "run as a user who may (root, for most block devices)"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target = case.target
        place = target.path.parent if target.kind == "missing" else target.path
        if target.parent_kind != "directory" or target.kind not in ("missing", target.wants):
            return
        if not target.readable:
            yield f"no permission to read {place}", "run as a user who may (root, for most block devices)"
        elif case.destructive and not target.writable and not target.read_only_file_system:
            yield f"no permission to write {place}", "run as a user who may, or name another place"


class ReadOnly(Rule):
    """The drive, or the file system that the file is on, takes writes."""

    name = "read-only"
    explains = "the drive is set read-only, or the file is on a file system mounted read-only"
    lifted_by = "`blockdev --setrw`, or the write-protect switch; `mount -o remount,rw`"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.block and case.block.read_only:
            yield f"{case.block.path} is read-only", f"blockdev --setrw {case.block.path}, or the switch on the drive"
        if case.target.read_only_file_system:
            what = "a directory" if case.target.wants == "directory" else "a file"
            yield f"{case.target.path} is on a file system mounted read-only", f"name {what} on another file system"


class Kernel(Rule):
    """A file or a directory is one of files, not of the kernel's view of itself and its devices."""

    name = "kernel"
    explains = (
        "the file or directory belongs to the kernel and not to a drive: it is in /dev, /proc, /run or /sys, or in "
        "another file system without storage (efivarfs, debugfs, cgroup, ...)"
    )
    lifted_by = "a place on a drive"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target = case.target
        if target.wants == "block device" or target.kind not in ("missing", target.wants):
            return
        path = str(target.path)
        mount = case.view.mount_of_path(path)
        kind = mount.file_system if mount else ""
        in_memory = kind in IN_MEMORY and is_below(path, *_KERNELS_FOLDERS) and not is_below(path, _SHARED_MEMORY)
        if kind in _KERNELS_OWN or in_memory or is_below(path, "/proc", "/sys"):
            yield (
                f"{path} is in a file system of the kernel's own ({kind or 'unknown'}), not on a drive",
                f"name a {target.wants} on a drive",
            )


def is_below(path: str, *folders: str) -> bool:
    """Whether a path is one of these folders or lies in one."""
    return any(f"{path}/".startswith(f"{folder}/") for folder in folders)


class Memory(Rule):
    """A directory lies on a drive, not in the machine's memory."""

    name = "memory"
    explains = "the directory lies in memory (tmpfs, ramfs), and memory is not a drive"
    lifted_by = "`--allow memory`; or a directory on a drive"
    overridable = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        if case.target.wants == "directory" and case.target.file_system in IN_MEMORY:
            yield (
                f"{case.target.path} is in memory ({case.target.file_system}), not on a drive",
                "name a directory on a drive",
            )


class Size(Rule):
    """The drive has the size that was asked for, and is not empty."""

    name = "size"
    explains = "its size is 0 (no medium, no space in a directory); or `--size` differs from the size of the file"
    lifted_by = "insert a medium; leave `--size` out, or give the file's own size; `--size` above 0 in whole MiB"
    for_reading = True

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target, asked = case.target, case.consent.create_bytes
        if case.block and case.block.size_bytes == 0:
            yield f"{case.block.path} holds no bytes", "insert a medium, or set the device up"
        if target.wants == "directory" and target.kind == "directory":
            yield from _too_little_room(target.path, target.free_bytes, asked)
        if target.wants != "file" or target.kind not in ("file", "missing"):
            return
        if target.kind == "file" and target.size_bytes == 0:
            yield f"{target.path} is empty", "remove it, and give --size so that it is made again"
        elif target.kind == "file" and asked not in (None, target.size_bytes):
            yield (
                f"{target.path} has {target.size_bytes} bytes and --size asks for {asked}",
                "leave --size out to keep the file as it is, or name a new file",
            )
        elif target.kind == "missing" and asked is not None and (asked <= 0 or asked % MIB):
            yield f"--size is {asked} bytes", "give a size above 0 in whole MiB, such as 1GiB"


def _too_little_room(path: Path, free_bytes: int, asked: int | None) -> Iterator[tuple[str, str]]:
    """Why a directory cannot be used at all: its file system is almost full, or --size is too small."""
    if free_bytes < RESERVE_BYTES + MIB:
        yield (
            f"{path} has {free_bytes} bytes free, of which {RESERVE_BYTES} stay free; {RESERVE_BYTES + MIB} are needed "
            "at least",
            "free some space, or name a directory on another file system",
        )
    if asked is not None and asked < MIB:
        yield f"--size is {asked} bytes", "give the space that may be used, at least 1MiB, such as 1GiB"


class Space(Rule):
    """All of the file fits on its file system before the first byte is written."""

    name = "space"
    explains = (
        f"the file, once all of it is written, or the `--size` of a directory, would leave less than "
        f"{RESERVE_BYTES // MIB} MiB free on its file system"
    )
    lifted_by = "a smaller `--size`, or more free space"

    def find(self, case: Case) -> Iterator[tuple[str, str]]:
        """See `explains`."""
        target, asked = case.target, case.consent.create_bytes
        if target.wants == "directory" and target.kind == "directory":
            if asked is not None and asked > target.free_bytes - RESERVE_BYTES:
                yield (
                    f"--size asks for {asked} bytes in {target.path}; its file system has {target.free_bytes} bytes "
                    f"free, of which {RESERVE_BYTES} stay free",
                    "give a smaller --size, free some space, or name a directory on another file system",
                )
            return
        if target.wants != "file" or target.kind not in ("file", "missing") or target.parent_kind != "directory":
            return
        whole_bytes = target.size_bytes if target.kind == "file" else (asked or 0)
        missing_bytes = whole_bytes - target.allocated_bytes
        if missing_bytes > 0 and missing_bytes > target.free_bytes - RESERVE_BYTES:
            yield (
                f"{target.path} needs {missing_bytes} more bytes; its file system has {target.free_bytes} bytes free, "
                f"of which {RESERVE_BYTES} stay free",
                "give a smaller --size, free some space, or name a file on another file system",
            )
