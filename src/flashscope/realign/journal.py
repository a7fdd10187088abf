"""The journal of a repair: what was intended, kept whole before the first change, and how far it is.

    | head | plan | step 0 | step 1 | kept chunk | plan | head |

The head and the plan are written once, twice over, and flushed before anything else. Then records alternate between the
two places for steps: a write that a power cut tears never touches the record before it. A record counts when its
checksum holds, and the one of the chunk that it keeps. So the newest that counts is either the last one that was
flushed or a later one that came through whole. A chunk is kept only when the record before it keeps none.

It lies in a file on another disk, or in a gap of the disk itself; both are a `Disk` of their own here (`disk.py`).
"""

from __future__ import annotations

import json
import os
import struct
import zlib
from dataclasses import dataclass
from typing import Self

from flashscope.errors import WrongUse
from flashscope.realign.disk import Disk, Window
from flashscope.realign.progress import RECORD_BYTES, Progress, unpacked
from flashscope.realign.repair import Repair, digest

BLOCK_BYTES = 4096
MARK = b"flashscope align"
_VERSION = 1
_FORM = struct.Struct("<16sI16sQQQQ16s")


@dataclass(frozen=True)
class Head:
    """Where a journal lies. start_bytes: on the medium that it is on. plan_bytes: of the packed plan.

    slot_bytes: how much of a chunk it can keep.
    """

    run: bytes
    start_bytes: int
    size_bytes: int
    plan_bytes: int
    slot_bytes: int
    plan_digest: bytes

    def packed(self) -> bytes:
        """The block of 4 KiB."""
        plain = _FORM.pack(
            MARK, _VERSION, self.run, self.start_bytes, self.size_bytes, self.plan_bytes, self.slot_bytes,
            self.plan_digest,
        )  # fmt: skip
        return (plain + digest(plain)).ljust(BLOCK_BYTES, b"\0")

    @classmethod
    def unpacked(cls, block: bytes) -> Self | None:
        """The head in a block; None when it holds none that is whole."""
        plain, told = block[: _FORM.size], block[_FORM.size : _FORM.size + 16]
        if not block.startswith(MARK) or len(plain) < _FORM.size or told != digest(plain):
            return None
        _, version, *rest = _FORM.unpack(plain)
        return cls(*rest) if version == _VERSION else None

    @property
    def steps_at_bytes(self) -> int:
        """Where the records begin, in the journal."""
        return BLOCK_BYTES + _whole_blocks(self.plan_bytes)

    @property
    def kept_at_bytes(self) -> int:
        """Where the kept chunks begin, in the journal."""
        return self.steps_at_bytes + 2 * RECORD_BYTES


def packed_plan(repair: Repair) -> bytes:
    """A repair as the journal keeps it."""
    return zlib.compress(json.dumps(repair.to_plain(), separators=(",", ":")).encode(), 9)


def journal_bytes(plan_bytes: int, slot_bytes: int) -> int:
    """The size of a journal [bytes]."""
    return 2 * (BLOCK_BYTES + _whole_blocks(plan_bytes) + RECORD_BYTES) + _whole_blocks(slot_bytes)


class Journal:
    """An open journal. repair: what was intended. progress: how far it is, as the last record says.

    where: for messages.
    """

    def __init__(self, area: Disk, head: Head, repair: Repair, number: int, progress: Progress, where: str) -> None:
        self.repair, self.progress, self.head, self.where = repair, progress, head, where
        self._area, self._number = area, number

    @classmethod
    def create(cls, area: Disk, repair: Repair, *, start_bytes: int, where: str, run: bytes | None = None) -> Self:
        """Write a new journal that takes all of an area; durable on return, and nothing else is touched.

        start_bytes: where on its medium the area begins. Raises OSError.
        """
        plan = packed_plan(repair)
        slot_bytes = (area.size_bytes - journal_bytes(len(plan), 0)) // BLOCK_BYTES * BLOCK_BYTES
        assert slot_bytes >= 0, "the area is too small for the plan"
        head = Head(run or os.urandom(16), start_bytes, area.size_bytes, len(plan), slot_bytes, digest(plan))
        journal = cls(area, head, repair, 1, Progress(), where)
        # What an earlier journal left here must not be taken for this one's: its records bear another run's name.
        for number in (0, 1):
            area.write(head.steps_at_bytes + number * RECORD_BYTES, Progress().packed(head.run, number))
        padded = plan.ljust(_whole_blocks(len(plan)), b"\0")
        area.write(BLOCK_BYTES, padded)
        area.write(area.size_bytes - BLOCK_BYTES - len(padded), padded)
        area.flush()
        area.write(0, head.packed())
        area.write(area.size_bytes - BLOCK_BYTES, head.packed())
        area.flush()
        return journal

    @classmethod
    def open(cls, medium: Disk, head: Head, where: str) -> Self:
        """The journal that a head (see `find_head`) describes. medium: what it lies on. Raises WrongUse and OSError."""
        if head.start_bytes + head.size_bytes > medium.size_bytes:
            raise _damaged(where, "it goes beyond the end of where it lies")
        area = Window(medium, head.start_bytes, head.size_bytes)
        repair = _read_plan(area, head)
        if repair is None:
            raise _damaged(where, "both copies of its plan are damaged")
        newest = max(
            (found for number in (0, 1) if (found := _record(area, head, number)) is not None),
            key=lambda each: each[0],
            default=None,
        )
        if newest is None:
            raise _damaged(where, "both records of how far it is are damaged")
        return cls(area, head, repair, *newest, where)

    def note(self, progress: Progress) -> None:
        """Keep how far the repair is; durable on return. Raises OSError."""
        self._write(progress)

    def keep(self, progress: Progress, chunk: bytes) -> None:
        """Keep the next chunk, of which `progress` states length and digest; durable on return. Raises OSError."""
        assert len(chunk) <= self.head.slot_bytes, "the journal cannot keep so much"
        assert not self.progress.kept_bytes, "the chunk that is kept is still needed"
        self._area.write(self.head.kept_at_bytes, chunk)
        self._write(progress)

    def kept(self) -> bytes:
        """The chunk that the last record keeps. Raises OSError."""
        return _kept(self._area, self.head, self.progress)

    def erase(self) -> None:
        """Write zeros over all of it, the heads first. Raises OSError."""
        area, size = self._area, self.head.size_bytes
        for at in (0, size - BLOCK_BYTES):
            area.write(at, bytes(BLOCK_BYTES))
        area.flush()
        for at in range(BLOCK_BYTES, size - BLOCK_BYTES, 1 << 20):
            area.write(at, bytes(min(1 << 20, size - BLOCK_BYTES - at)))
        area.flush()

    def _write(self, progress: Progress) -> None:
        number = self._number + 1
        self._area.write(self.head.steps_at_bytes + number % 2 * RECORD_BYTES, progress.packed(self.head.run, number))
        self._area.flush()
        self._number, self.progress = number, progress


def find_head(medium: Disk, start_bytes: int, end_bytes: int) -> Head | None:
    """The first head of a journal between two places of a medium, by its mark; None when there is none.

    A head is looked for at every 4 KiB, and counts where it says that it stands, at either end of its journal.
    Raises OSError.
    """
    at_once = 1 << 20
    first = _whole_blocks(start_bytes)
    for at in range(first, end_bytes - BLOCK_BYTES + 1, at_once):
        content = medium.read(at, min(at_once, (end_bytes - at) // BLOCK_BYTES * BLOCK_BYTES))
        place = content.find(MARK)
        while place >= 0:
            head = None if place % BLOCK_BYTES else Head.unpacked(content[place : place + BLOCK_BYTES])
            ends = (head.start_bytes, head.start_bytes + head.size_bytes - BLOCK_BYTES) if head else ()
            if head is not None and at + place in ends:
                return head
            place = content.find(MARK, place + 1)
    return None


def _read_plan(area: Disk, head: Head) -> Repair | None:
    length = _whole_blocks(head.plan_bytes)
    for at in (BLOCK_BYTES, head.size_bytes - BLOCK_BYTES - length):
        plan = area.read(at, length)[: head.plan_bytes]
        if digest(plan) == head.plan_digest:
            return Repair.from_plain(json.loads(zlib.decompress(plan)))
    return None


def _record(area: Disk, head: Head, number: int) -> tuple[int, Progress] | None:
    """The record in one of the two places, when it counts."""
    found = unpacked(area.read(head.steps_at_bytes + number * RECORD_BYTES, RECORD_BYTES), head.run)
    if found is None:
        return None
    progress = found[1]
    is_whole = not progress.kept_bytes or digest(_kept(area, head, progress)) == progress.kept_digest
    return found if is_whole else None


def _kept(area: Disk, head: Head, progress: Progress) -> bytes:
    return area.read(head.kept_at_bytes, progress.kept_bytes) if progress.kept_bytes else b""


def _damaged(where: str, what: str) -> WrongUse:
    return WrongUse(
        f"the journal {where} is damaged: {what}",
        accepted="the journal as the repair left it",
        advice="put a copy of it back; without it nobody knows which part of the partition is at which place. "
        "Nothing was written",
    )


def _whole_blocks(length_bytes: int) -> int:
    return -(-length_bytes // BLOCK_BYTES) * BLOCK_BYTES
