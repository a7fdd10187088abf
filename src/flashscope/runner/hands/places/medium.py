"""What the passes of a place check need of a drive: stamped writes, and reads that say whose data came back.

Every sector that is written says which address it was written to, and in which run.
"""

from __future__ import annotations

from typing import Protocol

STAMPED_BYTES = 512
"""Each so many bytes carry a stamp of their own."""
ZEROS = -1
"""Instead of an address: the sector holds zeros."""
OTHER = -2
"""Instead of an address: the sector holds neither zeros nor data of this run."""


class Medium(Protocol):
    """A drive as the passes see it. Addresses are those of the drive as it is seen."""

    def write(self, offset_bytes: int, length_bytes: int) -> bool:
        """Write stamped sectors; False when the drive reports an error."""

    def settle(self) -> None:
        """Bring everything that was written to the drive's medium, and empty the host's caches."""

    def read(self, offset_bytes: int, length_bytes: int) -> list[int] | None:
        """For each sector the address that it was written to, ZEROS or OTHER; None when the drive reports an error."""

    def now_ns(self) -> int:
        """Time since this medium was made, on the drive's clock [ns]."""
