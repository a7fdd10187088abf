"""A file as a drive: the way to try every experiment without a drive to spare.

A new file is preallocated, so the file system has promised the space, and not filled: until it is
written once, reads of it are answered by the file system alone. What is measured is the drive under it
together with the file system, and `facts.warnings` says where that misleads.
A trim punches a hole into it; the drive hears of that when the file system is mounted with `discard`.
Not done here: loading (fio does, through `path`), SMART of the drive underneath.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Self

from flashscope.drives import guard
from flashscope.drives.address import Address
from flashscope.drives.consent import Consent
from flashscope.drives.drive import DriveFacts
from flashscope.drives.file_system import FileSystemFacts, file_system_of
from flashscope.drives.guard_rules import Case
from flashscope.errors import WrongUse

_SECTOR_BYTES_TO_TRY = (512, 4096)


class FileDrive:
    """An open file that may be used as a drive. path: absolute; what fio is given.

    The file is kept open, so that its identity cannot pass to another file while it is in use.
    """

    def __init__(self, case: Case, address: Address, handle: int, *, created: bool) -> None:
        self.path = Path(case.target.link_to or case.target.path)
        self._case = case
        self._address = address
        self._handle: int | None = handle
        self._created = created
        self.facts = file_facts(case)

    @classmethod
    def open(cls, address: Address, *, destructive: bool, consent: Consent, store_path: Path | None) -> Self:
        """Guard, make the file when a size was given and there is none, open it, and guard again.

        Raises guard.Refused (nothing written, no file left behind) and WrongUse.
        """
        case = guard.look(address, destructive=destructive, consent=consent, store_path=store_path)
        guard.check(case)
        created = case.target.kind == "missing"
        path = case.target.path
        flags = os.O_RDWR if destructive else os.O_RDONLY
        flags |= (os.O_CREAT | os.O_EXCL if created else 0) | (os.O_NOFOLLOW if destructive else 0)
        try:
            handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise WrongUse(f"{path} could not be opened: {error.strerror}") from error
        try:
            if created:
                _allocate(handle, path, consent.create_bytes or 0)
            drive = cls(case, address, handle, created=created)
            drive.guard_again()
        except BaseException:
            os.close(handle)
            if created:
                path.unlink(missing_ok=True)
            raise
        return drive

    def guard_again(self) -> None:
        """See `drive.RealDrive.guard_again`."""
        if self._handle is None:
            raise WrongUse(f"{self.path} is closed")
        held = os.fstat(self._handle)
        try:
            found = os.stat(self.path)
        except OSError as error:
            raise WrongUse(f"{self.path} went away: {error.strerror}") from error
        if (held.st_dev, held.st_ino) != (found.st_dev, found.st_ino):
            raise WrongUse(f"{self.path} is another file than the one that was checked", advice="start again")
        guard.check(
            guard.look(
                self._address,
                destructive=self._case.destructive,
                consent=self._case.consent,
                store_path=self._case.store_path,
                handle=self._handle,
            )
        )

    def close(self) -> None:
        """Let go of the file; it stays. Closing twice does no harm."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    def abandon(self) -> None:
        """See `drive.RealDrive.abandon`."""
        if self._handle is not None and self._created:
            self.path.unlink(missing_ok=True)
        self.close()


def file_facts(case: Case) -> DriveFacts:
    """What is known of a file, or of one that is still to be made (then 512-byte requests are assumed)."""
    path = Path(case.target.link_to or case.target.path)
    below = file_system_of(case.view, str(path))
    size_bytes, sector_bytes, holes = case.consent.create_bytes or 0, 512, True
    takes_direct = True
    if path.is_file():
        size_bytes = path.stat().st_size
        holes = _has_unwritten_parts(path, size_bytes)
        tried = _direct_sector_bytes(path, size_bytes)
        takes_direct, sector_bytes = tried is not None, tried or 4096
    warnings = list(below.warnings)
    if holes:
        warnings.append(
            "parts of the file were never written: the file system answers reads of them without asking the drive, "
            "and the first write to each also updates the file system's own records"
        )
    if not takes_direct:
        warnings.append("the file system takes no direct requests, so the page cache answers instead of the drive")
    return DriveFacts(
        address=case.target.address,
        kind="file",
        model=f"file on {below.kind}" + (f" on {', '.join(below.drives)}" if below.drives else ""),
        firmware="",
        serial="",
        user_bytes=size_bytes,
        sector_bytes=max(sector_bytes, below.block_bytes if below.copies_on_write else 0),
        can_trim=below.passes_trim,
        warnings=tuple(warnings),
        doubts=below.doubts,
        extra=_extra(below, direct=takes_direct),
    )


def _extra(below: FileSystemFacts, *, direct: bool) -> dict[str, object]:
    return {
        "file_system": below.kind,
        "mount_point": below.mount_point,
        "drives": list(below.drives),
        "direct_io": direct,
    }


def _allocate(handle: int, path: Path, size_bytes: int) -> None:
    try:
        os.posix_fallocate(handle, 0, size_bytes)
        os.fsync(handle)
    except OSError as error:
        raise WrongUse(
            f"{path} could not be made with {size_bytes} bytes: {error.strerror}",
            advice="give a smaller --size, or name a file on another file system; the file was removed",
        ) from error


def _direct_sector_bytes(path: Path, size_bytes: int) -> int | None:
    """The smallest request that the file takes with O_DIRECT [bytes], tried by reading; None when it takes none."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECT | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        for sector_bytes in _SECTOR_BYTES_TO_TRY:
            if size_bytes < 2 * sector_bytes:
                continue
            with mmap.mmap(-1, mmap.PAGESIZE) as page, memoryview(page)[:sector_bytes] as buffer:
                try:
                    # Not at 0: an offset of one sector shows whether that alignment is enough.
                    if os.preadv(handle, [buffer], sector_bytes) == sector_bytes:
                        return sector_bytes
                except OSError:
                    continue
    finally:
        os.close(handle)
    return None


def _has_unwritten_parts(path: Path, size_bytes: int) -> bool:
    """Whether the file has holes, or preallocated parts that were never written (reported as holes too)."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return os.lseek(handle, 0, os.SEEK_HOLE) < size_bytes
    finally:
        os.close(handle)
