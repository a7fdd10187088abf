"""A disk in memory whose power can be cut: of the sectors written since the last flush, chance decides which are kept.

    disk = ForgetfulDisk(content)      disk.cut_after = 17       the 18th write or flush raises PowerCut
    disk.after_the_cut(chance)         what the medium holds then

Each sector holds what was flushed, or any one of the contents that were written to it since: a drive may have written
the first of two writes to a sector and lost the second. Sectors are never torn themselves.
"""

from __future__ import annotations

import random


class PowerCut(BaseException):
    """The power is gone. Not an Exception, so that no code under test catches it."""


class Power:
    """The power of all disks of a test. cut_after: how many writes and flushes still happen; None for no cut."""

    def __init__(self, cut_after: int | None = None) -> None:
        self.cut_after = cut_after
        self.used = 0

    def use(self) -> None:
        """One write or flush more, or PowerCut."""
        if self.cut_after is not None and self.used >= self.cut_after:
            raise PowerCut
        self.used += 1


class ForgetfulDisk:
    """A `Disk`. content: what it holds at the beginning. power: shared by the disks that lose it together."""

    def __init__(self, content: bytes, power: Power | None = None, *, sector_bytes: int = 512) -> None:
        self._durable = bytearray(content)
        self._cached = bytearray(content)
        self._pending: dict[int, list[bytes]] = {}
        self.power = power or Power()
        self.size_bytes, self.sector_bytes = len(content), sector_bytes
        self.written_bytes = 0
        self.bad_bytes: range = range(0)

    def read(self, offset_bytes: int, length_bytes: int) -> bytes:
        assert offset_bytes % self.sector_bytes == length_bytes % self.sector_bytes == 0, "not whole sectors"
        assert offset_bytes + length_bytes <= self.size_bytes
        if offset_bytes < self.bad_bytes.stop and self.bad_bytes.start < offset_bytes + length_bytes:
            raise OSError(5, "Input/output error")
        return bytes(self._cached[offset_bytes : offset_bytes + length_bytes])

    def write(self, offset_bytes: int, content: bytes) -> None:
        assert offset_bytes % self.sector_bytes == len(content) % self.sector_bytes == 0, "not whole sectors"
        assert offset_bytes + len(content) <= self.size_bytes
        cut = None
        try:
            self.power.use()
        except PowerCut as error:
            cut = error  # the write was sent, and any of its sectors may be on the medium
        for at in range(0, len(content), self.sector_bytes):
            sector = bytes(content[at : at + self.sector_bytes])
            self._pending.setdefault(offset_bytes + at, []).append(sector)
        self._cached[offset_bytes : offset_bytes + len(content)] = content
        self.written_bytes += len(content)
        if cut is not None:
            raise cut

    def flush(self) -> None:
        self.power.use()
        self._durable[:] = self._cached
        self._pending.clear()

    def content(self) -> bytes:
        """What it holds while it has power."""
        return bytes(self._cached)

    def after_the_cut(self, chance: random.Random) -> bytes:
        """What the medium holds when the power is back."""
        held = bytearray(self._durable)
        kept_ratio = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        for at, versions in self._pending.items():
            if chance.random() < kept_ratio:
                held[at : at + self.sector_bytes] = chance.choice(versions)
        return bytes(held)
