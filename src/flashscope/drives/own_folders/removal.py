"""Removes a folder's contents by descriptors: no link is followed, no mount is crossed, no path is trusted.

    folder (held open) -> entry looked at -> a file: unlinked, by name in the folder that is open
                                          -> a folder: opened, no link, same mount -> its contents first

A path that somebody swaps meanwhile has no effect: every step goes from a descriptor to a name in it.
Not done here: whether it may be removed at all (`leftovers.py`).
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator

from flashscope.drives.system.mount_tree import mount_number
from flashscope.drives.system.view import FileIdentity

FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def remove_contents(folder: int, *, keep: str = "") -> None:
    """Remove everything in an open folder except the entry `keep`.

    Raises OSError at the first entry that cannot be removed; EBUSY where something is mounted.
    """
    _remove_contents(folder, mount_number(folder), keep)


def files_in(folder: int) -> Iterator[FileIdentity]:
    """Identities of the regular files in an open folder and below, except on mounts in it. Raises OSError."""
    mount = mount_number(folder)
    for name in os.listdir(folder):
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            yield status.st_dev, status.st_ino
        elif stat.S_ISDIR(status.st_mode):
            with _opened(name, folder) as inner:
                if mount_number(inner) == mount:
                    yield from files_in(inner)


def _remove_contents(folder: int, mount: int, keep: str) -> None:
    for name in os.listdir(folder):
        if name == keep:
            continue
        with contextlib.suppress(FileNotFoundError):  # somebody else removed it
            if stat.S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
                with _opened(name, folder) as inner:
                    if mount_number(inner) != mount:
                        raise OSError(errno.EBUSY, "something is mounted in it", name)
                    _remove_contents(inner, mount, "")
                os.rmdir(name, dir_fd=folder)
            else:
                os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def _opened(name: str, folder: int) -> Iterator[int]:
    handle = os.open(name, FOLDER_FLAGS, dir_fd=folder)
    try:
        yield handle
    finally:
        os.close(handle)
