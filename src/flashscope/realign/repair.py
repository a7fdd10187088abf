"""A repair as plain data: which spans move where, and which sectors are written before and after.

    veil      the table hides what moves           undo: reveil (the same again, where the new table may stand already)
    moves     spans, one after the other                 undress   the boot records say the old place again
    dress     boot records, extended boot records        moves     back, the last one first
    table     the table shows the new places             untable   the old table
    clear     zeros where the moved partitions were

It is kept whole in the journal before the first byte is changed, so that a later run needs nothing else.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_DIGEST_BYTES = 16
_SMALL_SHIFT_BYTES = 64 << 10
_CHUNK_MOST_BYTES = 4 << 20
KEPT_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True)
class Move:
    """A span that moves. number: of its partition. from_bytes, to_bytes: where it begins before and after.

    keeps: each chunk is kept in the journal before it is written to its new place. Otherwise no chunk is longer than
    the shift, so that a chunk's new place never covers its own old one.
    """

    number: int
    from_bytes: int
    to_bytes: int
    length_bytes: int

    @property
    def shift_bytes(self) -> int:
        """How far it moves; negative towards the start of the disk."""
        return self.to_bytes - self.from_bytes

    @property
    def keeps(self) -> bool:
        """Whether the shift is too small for chunks that do not cover themselves; see the class."""
        return abs(self.shift_bytes) < min(_SMALL_SHIFT_BYTES, self.length_bytes)

    def chunk_bytes(self, slot_bytes: int) -> int:
        """How much is moved at once. slot_bytes: how much of a chunk the journal can keep, 0 for none."""
        return slot_bytes if self.keeps else min(abs(self.shift_bytes), _CHUNK_MOST_BYTES)

    def place_after(self, moved_bytes: int, length_bytes: int) -> int:
        """Where in the span the next chunk begins that is moved. moved_bytes: how much was moved before it.

        The end is moved first where the shift goes forward, the start where it goes back.
        """
        return self.length_bytes - moved_bytes - length_bytes if self.shift_bytes > 0 else moved_bytes


@dataclass(frozen=True)
class Write:
    """Sectors to be written. at_bytes: where on the disk. content: whole sectors."""

    at_bytes: int
    content: bytes


Batch = tuple[Write, ...]
"""Writes that may become durable in any order; the disk is flushed and they are read back before the next batch."""


@dataclass(frozen=True)
class DiskIdentity:
    """How the disk is known again. serial: empty for an image file. table: the identity that its table states."""

    name: str
    size_bytes: int
    sector_bytes: int
    serial: str = ""
    table: str = ""


@dataclass(frozen=True)
class Repair:
    """All of a repair; see above for the batches. moves: in the order in which they are done.

    clear: start and end of each span that gets zeros [bytes on the disk]: old places of what moves, and nothing else.
    """

    disk: DiskIdentity
    moves: tuple[Move, ...]
    veil: tuple[Batch, ...] = ()
    dress: tuple[Batch, ...] = ()
    table: tuple[Batch, ...] = ()
    undress: tuple[Batch, ...] = ()
    untable: tuple[Batch, ...] = ()
    clear: tuple[tuple[int, int], ...] = ()
    said: dict[str, Any] = field(default_factory=dict)
    """For people: how the plan was asked for."""

    @property
    def moved_bytes(self) -> int:
        """How much is moved in all."""
        return sum(move.length_bytes for move in self.moves)

    @property
    def slot_bytes(self) -> int:
        """How much of a chunk the journal has to keep; 0 when every chunk is safe by its order alone."""
        return KEPT_CHUNK_BYTES if any(move.keeps for move in self.moves) else 0

    def to_plain(self) -> dict[str, Any]:
        """As data that JSON can hold."""
        return {
            "disk": vars(self.disk),
            "moves": [[each.number, each.from_bytes, each.to_bytes, each.length_bytes] for each in self.moves],
            **{name: _plain(getattr(self, name)) for name in _BATCHES},
            "clear": [list(span) for span in self.clear],
            "said": self.said,
        }

    @classmethod
    def from_plain(cls, plain: dict[str, Any]) -> Repair:
        """What `to_plain` made."""
        return cls(
            DiskIdentity(**plain["disk"]),
            tuple(Move(*each) for each in plain["moves"]),
            **{name: _batches(plain[name]) for name in _BATCHES},
            clear=tuple((start, end) for start, end in plain.get("clear", ())),
            said=plain["said"],
        )


_BATCHES = ("veil", "dress", "table", "undress", "untable")


def digest(content: bytes) -> bytes:
    """What is compared instead of contents: 16 bytes of BLAKE2b."""
    return hashlib.blake2b(content, digest_size=_DIGEST_BYTES).digest()


def _plain(batches: Sequence[Batch]) -> list[list[list[Any]]]:
    return [[[each.at_bytes, base64.b64encode(each.content).decode()] for each in batch] for batch in batches]


def _batches(plain: list[list[list[Any]]]) -> tuple[Batch, ...]:
    return tuple(tuple(Write(at, base64.b64decode(text)) for at, text in batch) for batch in plain)
