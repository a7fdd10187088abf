"""Drives opened by their address, as the kind that a test means."""

from __future__ import annotations

from pathlib import Path

from flashscope.drives.addresses.address import parse_address
from flashscope.drives.guard.consent import Consent
from flashscope.drives.open import open_drive
from flashscope.drives.real.block_device import BlockDevice
from flashscope.drives.real.directory import DirectoryDrive
from flashscope.drives.real.file import FileDrive
from flashscope.drives.virtual.in_virtual_time import InVirtualTime


def open_virtual(address: str) -> InVirtualTime:
    """A virtual drive, also one seen through an offset or other sectors."""
    drive = open_drive(parse_address(address), destructive=True)
    assert isinstance(drive, InVirtualTime)
    return drive


def open_real(
    address: str, *, consent: Consent, store_path: Path | None = None
) -> FileDrive | BlockDevice | DirectoryDrive:
    """A file, a block device or a directory, to be written; the caller closes it."""
    drive = open_drive(parse_address(address), destructive=True, consent=consent, store_path=store_path)
    assert isinstance(drive, FileDrive | BlockDevice | DirectoryDrive)
    return drive
