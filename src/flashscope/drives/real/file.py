"""A file as a drive: the way to try every experiment without a drive to spare.

A new file is preallocated (the file system has reserved the space) but not filled: until it is written once, the file
system alone answers reads of it. The drive is measured together with the file system; `facts.warnings` says where that
misleads.
A trim punches a hole into it; the drive is told when the file system is mounted with `discard`.
Not done here: loading (fio does), SMART of the drive underneath.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import Self

from flashscope.drives.addresses.address import Address
from flashscope.drives.guard import guard
from flashscope.drives.guard.consent import Consent
from flashscope.drives.guard.rules import Case
from flashscope.drives.held.held import Held
from flashscope.drives.real.file_system import WHY_NO_TRIM, file_system_of
from flashscope.drives.system.file_birth import file_id
from flashscope.errors import WrongUse
from flashscope.records.capability import Capability
from flashscope.records.drive_facts import DriveFacts, FilePlace
from flashscope.records.time_cost import TimeCost

_SECTOR_BYTES_TO_TRY = (512, 4096)
_NO_FILES = "a file holds no other files; name the directory that it is in (dir:PATH)"
_NO_SMART = "a file has no SMART; name the drive that it is on"
_WHY_NOT = {
    Capability.FILES: _NO_FILES,
    Capability.VOLUMES: _NO_FILES,
    Capability.SMART_ATTRIBUTES: _NO_SMART,
    Capability.ERROR_BITS: _NO_SMART,
}


class FileDrive:
    """A file that is held and may be used as a drive. held: see `drive.RealDrive.held`."""

    def __init__(self, case: Case, address: Address, held: Held, *, created: bool) -> None:
        self.held = held
        self._case = case
        self._address = address
        self._created = created
        self.facts = file_facts(case, held)

    @classmethod
    def open(
        cls,
        address: Address,
        *,
        destructive: bool,
        consent: Consent,
        store_path: Path | None,
        keeps_data: bool = False,
    ) -> Self:
        """Guard, make the file when a size was given and there is none, open it, and guard again.

        keeps_data: see `Case`. Raises guard.Refused (nothing written, no file left behind) and WrongUse.
        """
        case = guard.look(
            address, destructive=destructive, consent=consent, store_path=store_path, keeps_data=keeps_data
        )
        guard.check(case)
        created = case.target.kind == "missing"
        path = Path(case.target.link_to or case.target.path)  # a link is followed only for reading
        flags = (os.O_RDWR if destructive else os.O_RDONLY) | (os.O_CREAT if created else 0)
        try:
            held = Held.take(path, flags, wanted=case.target.identity)
        except OSError as error:
            raise WrongUse(f"{path} could not be opened: {error.strerror}") from error
        try:
            if created:
                _allocate(held, consent.create_bytes or 0)
            drive = cls(case, address, held, created=created)
            drive.guard_again()
        except BaseException:
            if created:
                held.unlink()
            held.close()
            raise
        return drive

    def guard_again(self) -> None:
        """See `drive.RealDrive.guard_again`."""
        _refuse(self.held.where_the_name_leads())
        guard.check(
            guard.look(
                self._address,
                destructive=self._case.destructive,
                consent=self._case.consent,
                store_path=self._case.store_path,
                held=self.held,
                keeps_data=self._case.keeps_data,
            )
        )
        _refuse(self.held.what_changed())

    def close(self) -> None:
        """Release the file; it stays. Closing twice does no harm."""
        self.held.close()

    def abandon(self) -> None:
        """See `drive.RealDrive.abandon`."""
        if self._created and not self.held.is_closed:
            self.held.unlink()
        self.close()


def file_facts(case: Case, held: Held | None = None) -> DriveFacts:
    """The facts of a file, or of a file that is still to be made (then 512-byte requests are assumed).

    held: the file, when it is held already; else it is examined by its name.
    """
    path = Path(case.target.link_to or case.target.path)
    below = file_system_of(case.view, str(path))
    size_bytes, sector_bytes, holes = case.consent.create_bytes or 0, 512, True
    takes_direct = True
    there = held.path if held else path
    if there.is_file():
        size_bytes = there.stat().st_size
        holes = _has_unwritten_parts(there, size_bytes)
        tried = _direct_sector_bytes(there, size_bytes)
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
        kind_name="file",
        model=f"file on {below.kind}" + (f" on {', '.join(below.drives)}" if below.drives else ""),
        firmware="",
        serial="",
        user_bytes=size_bytes,
        time_cost=TimeCost.SHARED,
        capabilities=frozenset(
            {Capability.SOLID_STATE, Capability.STAMPED, *([Capability.TRIM] if below.passes_trim else [])}
        ),
        why_not={Capability.TRIM: WHY_NO_TRIM, **_WHY_NOT},
        sector_bytes=max(sector_bytes, below.block_bytes if below.copies_on_write else 0),
        when_written="DESTRUCTIVE, everything in the file is lost",
        warnings=tuple(warnings),
        doubts=below.doubts,
        place=FilePlace(below.kind, below.mount_point, below.drives, direct_io=takes_direct),
        file_id=file_id(there),
    )


def _refuse(changed: str) -> None:
    if changed:
        raise WrongUse(changed, advice="nothing was written; check it and start again")


def _allocate(held: Held, size_bytes: int) -> None:
    """Give a new file its size, and accept that size as its own."""
    try:
        os.posix_fallocate(held.handle, 0, size_bytes)
        os.fsync(held.handle)
        held.as_it_is_now()
    except OSError as error:
        raise WrongUse(
            f"{held.name} could not be made with {size_bytes} bytes: {error.strerror}",
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
