"""Whether a folder was left behind by a killed run: proven while the folder is held open and locked, or not proven.

    name of the right form -> a folder, no link, of this user, permissions 700, on the mount of its place
                           -> its note is complete and belongs to this folder (name, inode)
                           -> its lock can be taken: the run that made it has ended

On a file system that several machines share, a lock proves it only for folders made since this machine was started. A
folder that is empty, or holds an empty note, was left by a run killed between two calls: when it is a minute old, it
counts as an empty folder. The lock is kept while the folder is held here, so two runs never clean up the same folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass

from flashscope.drives.own_folders.own_folder import NAME_FORM
from flashscope.drives.own_folders.owner_note import NOTE, NOTE_BYTES_MOST, OwnerNote, boot_identifier, read_note
from flashscope.drives.own_folders.removal import FOLDER_FLAGS
from flashscope.drives.system.mount_tree import MountTree, mount_number

_ONLY_HERE = frozenset(
    ("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "zfs", "bcachefs", "nilfs2", "tmpfs", "ramfs", "overlay")
)
_EMPTY_AGE_S = 60


@dataclass(frozen=True)
class LeftOver:
    """A proven leftover. folder: held open. has_note: it is locked too; without one, only an empty one is removed."""

    folder: int
    has_note: bool


class Unproven(Exception):
    """The folder is not provably left over; the message says why."""


class InUse(Exception):
    """A run that is still at work holds the lock."""


@contextlib.contextmanager
def left_over(place: int, name: str) -> Iterator[LeftOver]:
    """The folder, held open and locked. Raises InUse and Unproven, and OSError when it cannot be looked at."""
    with contextlib.ExitStack() as held:
        folder = _opened_folder(place, name, held)
        entries = os.listdir(folder)
        if NOTE not in entries:
            if entries:
                raise Unproven("it has no note that says whose it is")
            _see_that_it_is_old(folder)
            yield LeftOver(folder, has_note=False)
            return
        note = _locked_note(folder, held)
        if os.fstat(note).st_size == 0 and entries == [NOTE]:
            _see_that_it_is_old(folder)
        else:
            _check_note(read_note(note), folder, name)
        yield LeftOver(folder, has_note=True)


def _opened_folder(place: int, name: str, held: contextlib.ExitStack) -> int:
    status = os.stat(name, dir_fd=place, follow_symlinks=False)
    if not stat.S_ISDIR(status.st_mode):
        raise Unproven("it is a symbolic link" if stat.S_ISLNK(status.st_mode) else "it is not a folder")
    folder = os.open(name, FOLDER_FLAGS, dir_fd=place)
    held.callback(os.close, folder)
    status, around = os.fstat(folder), os.fstat(place)
    if mount_number(folder) != mount_number(place) or status.st_dev != around.st_dev:
        raise Unproven("something is mounted on it")
    permissions = stat.S_IMODE(status.st_mode) & ~stat.S_ISGID  # setgid is inherited from some folders
    if status.st_uid != os.geteuid() or permissions != 0o700:
        raise Unproven(f"its permissions are {permissions:o}, and a run's own folder has 700")
    return folder


def _locked_note(folder: int, held: contextlib.ExitStack) -> int:
    status = os.stat(NOTE, dir_fd=folder, follow_symlinks=False)
    if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or status.st_nlink != 1:
        raise Unproven(f"its {NOTE} is not a regular file with one name")
    note = os.open(NOTE, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    held.callback(os.close, note)
    opened = os.fstat(note)
    if (opened.st_dev, opened.st_ino) != (status.st_dev, status.st_ino) or opened.st_size > NOTE_BYTES_MOST:
        raise Unproven(f"its {NOTE} is not one that a run writes")
    if mount_number(note) != mount_number(folder):
        raise Unproven(f"something is mounted on its {NOTE}")
    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InUse from error
    if os.fstat(note).st_nlink == 0:
        raise FileNotFoundError(NOTE)  # its run ended just now
    return note


def _check_note(note: OwnerNote | None, folder: int, name: str) -> None:
    form = NAME_FORM.fullmatch(name)
    if note is None or form is None:
        raise Unproven(f"its {NOTE} is not complete")
    if (note.kind, note.identifier, note.folder_inode) != (form[1], form[2], os.fstat(folder).st_ino):
        raise Unproven(f"its {NOTE} is of another folder, of which it may be a copy")
    if not note.locked:
        raise Unproven("its file system gave the run no lock, so it is not known whether that run has ended")
    if note.boot == boot_identifier():
        return
    kind = MountTree().file_system_of(folder)
    if kind not in _ONLY_HERE:
        raise Unproven(f"it was made before this machine started, or by another one that reaches this {kind}")


def _see_that_it_is_old(folder: int) -> None:
    if time.time() - os.fstat(folder).st_mtime < _EMPTY_AGE_S:
        raise InUse  # a run may be about to put its note there
