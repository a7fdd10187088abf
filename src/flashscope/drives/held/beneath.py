"""Files below a folder that is held: each is opened name by name from its descriptor, and a new file is really new.

    folder (held) --open "a"--> folder --open "b"--> folder --make "c.bin"--> file
                    no link is followed, no mount is crossed

Somebody may put a link, a mount or a hard link to another file into the folder meanwhile. Nothing outside is written
then: a file that is written was made here a moment ago, and a file that had this name before only loses the name.
Not done here: folders that are removed with all that is in them (own_folders/removal.py).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from flashscope.drives.system.mount_tree import mount_number

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Beneath:
    """The files below one folder. handle: of the folder; it stays the caller's. Paths are relative, without `..`.

    All methods raise OSError with the path as it was given.
    """

    def __init__(self, handle: int) -> None:
        self._top = handle
        self._mount = mount_number(handle)
        self._last: tuple[str, int] | None = None  # the folder that was used last, since the next file is often in it

    def open(self, path: str) -> int:
        """A descriptor that reads a file; the caller closes it."""
        with self._named(path):
            folder, name = self._folder_of(path, make=False)
            return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)

    def make(self, path: str) -> int:
        """A descriptor that reads and writes a new, empty file; the folders above it are made. The caller closes it."""
        with self._named(path):
            folder, name = self._folder_of(path, make=True)
            try:
                return os.open(name, _NEW, 0o600, dir_fd=folder)
            except FileExistsError:
                os.unlink(name, dir_fd=folder)
                return os.open(name, _NEW, 0o600, dir_fd=folder)

    def unlink(self, path: str) -> None:
        """Remove a file."""
        with self._named(path):
            folder, name = self._folder_of(path, make=False)
            os.unlink(name, dir_fd=folder)

    def size_bytes(self, path: str) -> int | None:
        """How long a file is [bytes]; None when there is none."""
        with self._named(path):
            try:
                folder, name = self._folder_of(path, make=False)
                return os.stat(name, dir_fd=folder, follow_symlinks=False).st_size
            except (FileNotFoundError, NotADirectoryError):
                return None

    def close(self) -> None:
        """Close the folder that is remembered. Closing twice does no harm."""
        if self._last is not None:
            os.close(self._last[1])
            self._last = None

    def _folder_of(self, path: str, *, make: bool) -> tuple[int, str]:
        """The descriptor of the folder that a file is in, and the file's name there."""
        parts = path.split("/")
        assert not {"", ".", ".."} & set(parts), f"{path!r} may lead out of the folder"
        *parents, name = parts
        if not parents:
            return self._top, name
        above = "/".join(parents)
        if self._last is None or self._last[0] != above:
            self.close()
            self._last = above, self._walk(parents, make=make)
        return self._last[1], name

    def _walk(self, parents: list[str], *, make: bool) -> int:
        folder = os.dup(self._top)
        for name in parents:
            try:
                inner = self._step(folder, name, make=make)
            finally:
                os.close(folder)
            folder = inner
        return folder

    def _step(self, folder: int, name: str, *, make: bool) -> int:
        if make:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=folder)
        inner = os.open(name, _FOLDER, dir_fd=folder)
        if mount_number(inner) != self._mount:
            os.close(inner)
            raise OSError(errno.EXDEV, "something is mounted there", name)
        return inner

    @contextmanager
    def _named(self, path: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            error.filename = path
            raise
