"""A virtual drive under a place check. It keeps no data; the core keeps the number that stamps each sector.

stamp of a sector = run number + sector number
"""

from __future__ import annotations

from typing import Protocol

from flashscope.runner.hands.places.medium import OTHER, STAMPED_BYTES, ZEROS

_DONE = "done"


class Stamped(Protocol):
    """Further methods of a virtual drive whose data can be told apart (`drives/virtual/in_virtual_time.py`)."""

    @property
    def now_ns(self) -> int:
        """Virtual time since the drive was built [ns]."""

    def write_stamped(self, offset_bytes: int, length_bytes: int, stamp: int) -> str:
        """Write sectors that carry stamp, stamp + 1 and so on; returns how the write ended."""

    def read_stamped(self, offset_bytes: int, length_bytes: int) -> tuple[str, list[int | None]]:
        """How the read ended, and the stamp of each sector, 0 for zeros, None for anything else."""

    def flush(self) -> None:
        """Bring everything that was answered to the medium."""


class VirtualMedium:
    """run: a number that differs from run to run; user_bytes: of the drive as it is seen."""

    def __init__(self, drive: Stamped, run: int, user_bytes: int) -> None:
        self._drive = drive
        self._began_ns = drive.now_ns
        self._sectors = user_bytes // STAMPED_BYTES
        self._first = 1 + (run % (2**63 // self._sectors)) * self._sectors

    def write(self, offset_bytes: int, length_bytes: int) -> bool:
        """See `Medium`."""
        stamp = self._first + offset_bytes // STAMPED_BYTES
        return self._drive.write_stamped(offset_bytes, length_bytes, stamp) == _DONE

    def settle(self) -> None:
        """See `Medium`."""
        self._drive.flush()

    def read(self, offset_bytes: int, length_bytes: int) -> list[int] | None:
        """See `Medium`."""
        status, stamps = self._drive.read_stamped(offset_bytes, length_bytes)
        return [self._address(stamp) for stamp in stamps] if status == _DONE else None

    def _address(self, stamp: int | None) -> int:
        if stamp == 0:
            return ZEROS
        if stamp is None or not self._first <= stamp < self._first + self._sectors:
            return OTHER
        return (stamp - self._first) * STAMPED_BYTES

    def now_ns(self) -> int:
        """See `Medium`."""
        return self._drive.now_ns - self._began_ns
