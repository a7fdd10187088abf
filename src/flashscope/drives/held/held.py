"""A drive held by the descriptor that the guard opened and checked: all writes go through it.

    name       /mnt/a/disk #2.img     shown to people; may lead to something else at any moment
    handle     7                      the open descriptor: always what was checked, even if the name changes
    path       /proc/self/fd/7        the same for calls and programs that need a path: here, and in children that
                                      inherit the descriptor under its number

Nothing is ever written through the name. It is checked repeatedly whether the name still leads to the held drive
(`what_changed`). A difference stops the run, since the named drive would no longer be the one that is measured.
Held here: files, directories and block devices. Not done here: the guard's rules (guard.py), failures of a drive that
is still the same one (vanished.py).
"""

from __future__ import annotations

import contextlib
import errno
import os
from dataclasses import replace
from pathlib import Path
from typing import Self

from flashscope.drives.held.identity import Identity, identity_of
from flashscope.drives.system.mount_tree import mount_number
from flashscope.errors import DriveFailed, WrongUse

_DESCRIPTORS = "/proc/self/fd"
_GONE = {
    "file": "it was deleted or moved during the run, or its file system was unmounted",
    "folder": "its file system was unmounted, or somebody removed or moved it",
    "block device": "the drive was disconnected",
}


class Held:
    """An open descriptor together with the name that led to it. Closes the descriptor.

    was: its identity when it was taken. Raises WrongUse when /proc does not lead to it: then it could be reached only
    by its name.
    """

    def __init__(self, handle: int, name: Path, folder: Held | None = None) -> None:
        self.name = name
        self._folder = folder
        self._handle: int | None = handle
        try:
            self.was = identity_of(handle)
            _see_that_proc_leads_to(handle, name)
        except BaseException:
            self.close()
            raise

    @classmethod
    def take(
        cls,
        name: Path,
        flags: int,
        *,
        wanted: tuple[int, int] | None = None,
        folder: Held | None = None,
        mode: int = 0o600,
    ) -> Self:
        """Open what a name leads to, without following a link at its end, and hold it.

        flags: as for `os.open`. wanted: the place (`Identity.place`) of what must be there; it is looked at before it
        is opened, so that nothing else is ever opened (some devices react to being opened). folder: look the name's
        last part up there, not by its path, and cross no mount.
        Raises OSError when it cannot be opened, WrongUse when it is something else.
        """
        place = name.name if folder else name
        directory = folder.handle if folder else None
        if flags & os.O_CREAT:
            flags |= os.O_EXCL  # what is made is new; what is there already is opened without O_CREAT
            return cls(os.open(place, flags | os.O_NOFOLLOW | os.O_CLOEXEC, mode, dir_fd=directory), name, folder)
        seen = os.open(place, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=directory)
        try:
            found = identity_of(seen)
            if found.kind == "other" or (wanted is not None and found.place != wanted):
                raise WrongUse(
                    f"{name} is not the one that was checked: {found.words} took its place just now",
                    advice="nothing was written; check it and start again",
                )
            _see_that_proc_leads_to(seen, name)
            if folder is not None and mount_number(seen) != mount_number(folder.handle):
                raise WrongUse(f"something is mounted on {name}, so it is no longer the one in {folder.name}")
            handle = os.open(f"{_DESCRIPTORS}/{seen}", flags | os.O_CLOEXEC)
        finally:
            os.close(seen)
        return cls(handle, name, folder)

    @classmethod
    def take_folder(cls, name: Path, folder: Held) -> Self:
        """Hold a folder in one that is held; it is made when it is missing. Raises OSError and WrongUse."""
        with contextlib.suppress(FileExistsError):
            os.mkdir(name.name, 0o700, dir_fd=folder.handle)
        return cls.take(name, os.O_RDONLY | os.O_DIRECTORY, folder=folder)

    @property
    def handle(self) -> int:
        """The descriptor. Raises WrongUse when it was closed."""
        if self._handle is None:
            raise WrongUse(f"{self.name} is closed")
        return self._handle

    @property
    def path(self) -> Path:
        """A path to what is held, for this process and for children that inherit the descriptor."""
        return Path(f"{_DESCRIPTORS}/{self.handle}")

    @property
    def is_closed(self) -> bool:
        """Whether it was released."""
        return self._handle is None

    def as_it_is_now(self) -> None:
        """Accept its size of now as its own: it was changed through this descriptor. Raises OSError."""
        self.was = replace(self.was, size_bytes=identity_of(self.handle).size_bytes)

    def where_the_name_leads(self) -> str:
        """What the name leads to instead of what is held, in words; empty when it leads here. WrongUse when closed."""
        if self.is_closed:
            raise WrongUse(f"{self.name} is closed")
        try:
            found = Identity.of_status(os.lstat(self.name))
        except OSError as error:
            if error.errno in (errno.ENOENT, errno.ENOTDIR):
                return f"{self.name} is gone: {_GONE[self.was.kind]}"
            return f"{self.name} does not answer any more: {error.strerror}"
        if found.place != self.was.place:
            if found.kind == self.was.kind:
                return f"{self.name} is not the same any more: another {found.kind} took its place"
            return f"{self.name} is not the same any more: it is {found.words} now"
        return ""

    def what_changed(self) -> str:
        """The difference between what the name leads to now and what was taken, in words; empty when there is none."""
        elsewhere = self.where_the_name_leads()
        if elsewhere:
            return elsewhere
        try:
            return self.was.words_for_what_became_of_it(identity_of(self.handle), str(self.name))
        except OSError as error:
            return f"{self.name} does not answer any more: {error.strerror}"

    def check(self) -> None:
        """Raise DriveFailed when the name leads to something else now; to be called before anything is written."""
        changed = self.what_changed()
        if changed:
            raise DriveFailed(
                changed,
                advice="nothing was written to what took its place; start again when the drive is what it was",
            )

    def unlink(self) -> None:
        """Remove the name of a file that was made here, unless it leads to something else now."""
        place = self.name.name if self._folder else self.name
        folder = self._folder.handle if self._folder else None
        try:
            found = os.stat(place, dir_fd=folder, follow_symlinks=False)
            if Identity.of_status(found).place == self.was.place:
                os.unlink(place, dir_fd=folder)
        except FileNotFoundError:
            return

    def close(self) -> None:
        """Release it. Closing twice does no harm."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _see_that_proc_leads_to(handle: int, name: Path) -> None:
    """Raise WrongUse when /proc does not lead to an open descriptor. name: how people call what is open."""
    held = Identity.of_status(os.fstat(handle)).place
    with contextlib.suppress(OSError):
        if Identity.of_status(os.stat(f"{_DESCRIPTORS}/{handle}")).place == held:
            return
    raise WrongUse(
        f"{name} is open, and {_DESCRIPTORS} does not lead to it: only its name does, and that may come to mean "
        "another drive",
        accepted="/proc mounted, of this PID namespace",
        advice="`mount -t proc proc /proc`; nothing was written",
    )
