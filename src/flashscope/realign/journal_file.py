"""A journal in a file on another disk: made new, found again, removed when the repair is over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flashscope.drives.system.durable import sync_folder
from flashscope.errors import WrongUse
from flashscope.realign.journal import BLOCK_BYTES, Head, find_head


class FileMedium:
    """A `Disk` over an open file. handle: stays the caller's."""

    def __init__(self, handle: int, name: Path) -> None:
        self.handle, self.name = handle, name
        self.size_bytes, self.sector_bytes = os.fstat(handle).st_size, BLOCK_BYTES

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        """See `Disk.read`."""
        parts, done = [], 0
        while done < length_bytes:
            part = os.pread(self.handle, length_bytes - done, offset_bytes + done)
            if not part:
                raise OSError(5, f"{self.name}: it ends at byte {offset_bytes + done}")
            parts.append(part)
            done += len(part)
        return b"".join(parts)

    def write(self, offset_bytes: int, content: bytes) -> None:
        """See `Disk.write`."""
        done = 0
        while done < len(content):
            done += os.pwrite(self.handle, content[done:], offset_bytes + done)

    def flush(self) -> None:
        """See `Disk.flush`."""
        os.fsync(self.handle)


@contextmanager
def new_journal_file(path: Path, size_bytes: int) -> Iterator[FileMedium]:
    """A new file of a size, its space reserved and its name durable. Raises WrongUse when it cannot be made."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except FileExistsError:
        raise WrongUse(
            f"there is a file at {path} already",
            accepted="the name of a file that is still to be made",
            advice="if it is the journal of a repair that was cut short: --resume or --undo with this --journal",
        ) from None
    except OSError as error:
        raise WrongUse(f"the journal {path} cannot be made: {error.strerror}") from error
    try:
        try:
            os.posix_fallocate(handle, 0, size_bytes)
            os.fsync(handle)
            sync_folder(path.parent)
        except OSError as error:
            path.unlink(missing_ok=True)
            raise WrongUse(f"the journal {path} cannot be made: {error.strerror}") from error
        yield FileMedium(handle, path)
    finally:
        os.close(handle)


@contextmanager
def old_journal_file(path: Path) -> Iterator[tuple[FileMedium, Head]]:
    """The file of a repair that was cut short, and its head. Raises WrongUse when it is none."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise WrongUse(f"the journal {path} cannot be opened: {error.strerror}") from error
    try:
        medium = FileMedium(handle, path)
        head = find_head(medium, 0, medium.size_bytes)
        if head is None:
            raise WrongUse(
                f"{path} is no journal of a repair, or was not finished when the power went",
                accepted="the file that was given as --journal when the repair began",
                advice="if it was not finished, nothing on the disk was changed yet: remove it and begin again",
            )
        yield medium, head
    finally:
        os.close(handle)
