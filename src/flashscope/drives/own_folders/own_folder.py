"""A folder that a run makes for itself, with a note that distinguishes it from every other folder.

    PLACE/flashscope-run-3fa29c01/       permissions 700
      owner-note.json                    what this is, which folder it belongs to; locked while the run is alive
      ...                                what the run keeps here

The note and its lock are made before anything else, and the note is removed last. So a folder with a complete note and
a free lock was left behind by a killed run, and a later run removes it (leftovers.py). The lock is the kernel's (flock
on the open note): it ends with the process that holds it, however that process ends, and every process on this machine
sees it, also in a container. Where the file system has no locks the note says so, and such a folder is never removed.
Contents are removed by descriptors (own_folders/removal.py). What the note says: owner_note.py.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import secrets
from pathlib import Path
from typing import Literal, Self, get_args

from flashscope.drives.held.held import Held
from flashscope.drives.own_folders.owner_note import NOTE, note_text
from flashscope.drives.own_folders.removal import FOLDER_FLAGS, remove_contents
from flashscope.errors import DriveFailed

Kind = Literal["run", "memory", "fio", "programs"]
NAME_FORM = re.compile(rf"flashscope-({'|'.join(get_args(Kind))})-([0-9a-f]{{8}})")
MEMORY_PLACE = Path("/dev/shm")
_TRIES = 100


class OwnFolder:
    """A new folder in a place, removed with all that is in it when it is closed.

    path: where it is. held: the folder itself. kind: what it is for.
    lock: the descriptor that holds the lock; a child that works in the folder inherits it, so that the folder counts as
    in use until that one has ended too.
    """

    def __init__(self, place: Path, kind: Kind, *, place_handle: int | None = None) -> None:
        """Make it. place_handle: the place, when the caller holds it open. Raises OSError; then nothing is left."""
        flags = os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC
        self._place = os.open(place, flags) if place_handle is None else os.dup(place_handle)
        try:
            name, folder, self.lock = _make(self._place, kind)
        except BaseException:
            os.close(self._place)
            raise
        self.kind = kind
        self.path = place / name
        self.held = Held(folder, self.path)
        self._open = True

    def empty(self) -> None:
        """Remove everything that was put into it. Raises OSError when something cannot be removed."""
        remove_contents(self.held.handle, keep=NOTE)

    def close(self, *, remove: bool = True) -> None:
        """Remove the folder and release its lock. Closing twice does no harm. remove: False leaves it to a later run.

        The folder is reached through descriptors. So it is removed even after an unmount, and nothing else is ever
        removed. A folder that cannot be removed (read-only file system, something is mounted in it) stays.
        """
        if not self._open:
            return
        self._open = False
        try:
            if remove:
                with contextlib.suppress(OSError):
                    self.empty()
                    os.unlink(NOTE, dir_fd=self.held.handle)
                    remove_empty(self._place, self.path.name, self.held.handle)
        finally:
            self.held.close()
            os.close(self.lock)
            os.close(self._place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def folder_for_notes(place: Path, kind: Kind) -> OwnFolder:
    """A folder in which the programs of a step leave what they measured. Raises DriveFailed when there is no room."""
    try:
        return OwnFolder(place, kind)
    except OSError as error:
        raise DriveFailed(
            f"no folder could be made in {place}: {error.strerror}",
            advice="make room there, or set TMPDIR to another place; the record keeps what was measured before",
        ) from error


def remove_empty(place: int, name: str, folder: int) -> None:
    """Remove an open, empty folder, unless its name leads to another folder now. Raises OSError."""
    found, held = os.stat(name, dir_fd=place, follow_symlinks=False), os.fstat(folder)
    if (found.st_dev, found.st_ino) == (held.st_dev, held.st_ino):
        os.rmdir(name, dir_fd=place)


def _make(place: int, kind: Kind) -> tuple[str, int, int]:
    """A new folder with its note, locked: its name, the folder and the note, both held open."""
    for _ in range(_TRIES):
        identifier = secrets.token_hex(4)
        name = f"flashscope-{kind}-{identifier}"
        try:
            os.mkdir(name, 0o700, dir_fd=place)
        except FileExistsError:
            continue
        with contextlib.ExitStack() as undo:
            undo.callback(_remove_quietly, name, place)
            try:
                folder = os.open(name, FOLDER_FLAGS, dir_fd=place)
            except FileNotFoundError:  # another run took the empty folder for a leftover
                continue
            undo.callback(os.close, folder)
            note = _locked_note(folder, kind, identifier, undo)
            if note is not None:
                undo.pop_all()
                return name, folder, note
    raise FileExistsError(f"no new name for a folder was found in {_TRIES} tries")


def _locked_note(folder: int, kind: Kind, identifier: str, undo: contextlib.ExitStack) -> int | None:
    """Make the note; None when another run took the folder, which is still empty, for a leftover."""
    with contextlib.suppress(OSError):
        os.fchmod(folder, 0o700)  # on a file system without permissions, the folder can never be proven
    try:
        note = os.open(NOTE, os.O_RDONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=folder)
    except FileNotFoundError:
        return None
    undo.callback(os.close, note)
    undo.callback(_unlink_quietly, folder)
    locked = True
    try:
        fcntl.flock(note, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None
    except OSError:
        locked = False
    if os.fstat(note).st_nlink == 0:
        return None
    text = note_text(folder, kind, identifier, locked=locked)
    with open(f"/proc/self/fd/{note}", "wb", buffering=0) as file:  # open for reading only, it prevents no remount
        if file.write(text) != len(text):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    if kind == "run":
        os.fsync(note)  # the other files may be as large as the drive: provable even after a power cut
    return note


def _unlink_quietly(folder: int) -> None:
    with contextlib.suppress(OSError):
        os.unlink(NOTE, dir_fd=folder)


def _remove_quietly(name: str, place: int) -> None:
    with contextlib.suppress(OSError):
        os.rmdir(name, dir_fd=place)
