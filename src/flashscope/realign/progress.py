"""How far a repair is: one record of 4 KiB with a number and a checksum, which a torn write cannot imitate.

VEIL -> MOVE ... MOVE -> DRESS -> TABLE -> CLEAR -> DONE
  |         |              |        |        |
  +---------+--- undo -----+--------+--------+--> REVEIL -> UNDRESS -> UNMOVE ... -> UNTABLE -> UNDONE
"""

from __future__ import annotations

import enum
import struct
from dataclasses import dataclass

from flashscope.realign.repair import digest

RECORD_BYTES = 4096
_MARK = b"flashscope step\n"
_FORM = struct.Struct("<16s16sQIIQQ16sQQ16s")
_NO_DIGEST = bytes(16)


class Phase(enum.IntEnum):
    """What is being done, or was being done when the repair was cut short."""

    VEIL = 1
    MOVE = 2
    DRESS = 3
    TABLE = 4
    DONE = 5
    CLEAR = 6
    REVEIL = 11
    UNDRESS = 12
    UNMOVE = 13
    UNTABLE = 14
    UNDONE = 15

    @property
    def is_over(self) -> bool:
        """Nothing is left to do."""
        return self in (Phase.DONE, Phase.UNDONE)

    @property
    def is_undoing(self) -> bool:
        """The disk is on its way back to what it was."""
        return self >= Phase.REVEIL


@dataclass(frozen=True)
class Progress:
    """phase: begun, not over. move: the index of the move that is under way.

    moved_bytes: of that move, durable at the new place and read back. kept_bytes, kept_digest: the next chunk, which
    the journal keeps; 0 when it keeps none. last_at_bytes, last_bytes, last_digest: the chunk that was moved last and
    where on the disk it is now; 0 when none was moved.
    """

    phase: Phase = Phase.VEIL
    move: int = 0
    moved_bytes: int = 0
    kept_bytes: int = 0
    kept_digest: bytes = _NO_DIGEST
    last_at_bytes: int = 0
    last_bytes: int = 0
    last_digest: bytes = _NO_DIGEST

    def packed(self, run: bytes, number: int) -> bytes:
        """The record of 4 KiB. run: 16 bytes, of this repair alone. number: how many records came before it."""
        plain = _FORM.pack(
            _MARK, run, number, self.phase, self.move, self.moved_bytes, self.kept_bytes, self.kept_digest,
            self.last_at_bytes, self.last_bytes, self.last_digest,
        )  # fmt: skip
        return (plain + digest(plain)).ljust(RECORD_BYTES, b"\0")


def unpacked(record: bytes, run: bytes) -> tuple[int, Progress] | None:
    """The number and the progress of a record; None when it is torn, or of another repair."""
    plain, told = record[: _FORM.size], record[_FORM.size : _FORM.size + 16]
    if len(record) < _FORM.size + 16 or told != digest(plain):
        return None
    mark, of_run, number, phase, *rest = _FORM.unpack(plain)
    if mark != _MARK or of_run != run:
        return None
    return number, Progress(Phase(phase), *rest)
