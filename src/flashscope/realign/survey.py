"""All that will move is read once before anything is changed: a source with read errors is not begun with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flashscope.realign.disk import Disk
from flashscope.realign.repair import Move

_AT_ONCE_BYTES = 4 << 20
_BLOCK_BYTES = 4096
_MOST_TOLD = 1000


@dataclass(frozen=True)
class Unreadable:
    """A block that cannot be read. number: of its partition. at_bytes: in the partition. length_bytes: of the block."""

    number: int
    at_bytes: int
    length_bytes: int
    reason: str


def read_once(disk: Disk, move: Move, advanced: Callable[[int], None]) -> list[Unreadable]:
    """Read a span, and return what cannot be read, at most 1,000 blocks of it. advanced: called with the bytes read."""
    bad: list[Unreadable] = []
    for at in range(0, move.length_bytes, _AT_ONCE_BYTES):
        length = min(_AT_ONCE_BYTES, move.length_bytes - at)
        try:
            disk.read(move.from_bytes + at, length)
        except OSError:
            bad += _blocks(disk, move, at, length)
            if len(bad) >= _MOST_TOLD:
                return bad[:_MOST_TOLD]
        advanced(at + length)
    return bad


def _blocks(disk: Disk, move: Move, start: int, length: int) -> list[Unreadable]:
    """The blocks of a piece that cannot be read, each read by itself."""
    bad = []
    block_bytes = max(_BLOCK_BYTES, disk.sector_bytes)
    for at in range(start, start + length, block_bytes):
        size = min(block_bytes, start + length - at)
        try:
            disk.read(move.from_bytes + at, size)
        except OSError as error:
            bad.append(Unreadable(move.number, at, size, error.strerror or str(error)))
    return bad
