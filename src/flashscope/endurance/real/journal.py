"""The journal: an append-only file of entries, each on stable storage when `append` returns.

    | file mark | entry | entry | entry ...
                  entry:  mark 4 | length 4 | number 8 | checks 8 | JSON length 4 | JSON | raw bytes

One append is one entry, and the next begins only when the last is durable. So only the last entry can be torn by a
kill, a power cut or a full disk, and it was never acknowledged: it is dropped. A broken entry with a whole one after
it is no tear but damage, and the journal is refused rather than shortened.
"""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flashscope.endurance.real.block_stamp import checks
from flashscope.errors import WrongUse
from flashscope.records.store import StoreFailed

_FILE_MARK = b"flashscope wear journal 1\n"
_MARK = b"\xf5FJ\n"
_HEAD = struct.Struct("<4sIQQ")
_JSON_LENGTH = struct.Struct("<I")


@dataclass(frozen=True)
class Entry:
    """values: plain data. raw: arrays packed by their owner."""

    values: dict[str, Any] = field(default_factory=dict)
    raw: bytes = b""


@dataclass(frozen=True)
class JournalRead:
    """What a journal file holds. whole_bytes: length without the torn tail. torn_bytes: length of that tail."""

    entries: tuple[Entry, ...]
    whole_bytes: int
    torn_bytes: int


class Journal:
    """A journal open for appending. Raises WrongUse when the file is none, or is damaged before its end."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = read_journal(path)
        self.entries, self.torn_bytes = found.entries, found.torn_bytes
        self._count, self.size_bytes = len(found.entries), found.whole_bytes
        self._handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        if found.torn_bytes:
            os.ftruncate(self._handle, found.whole_bytes)
            os.fsync(self._handle)

    def append(self, entry: Entry) -> None:
        """Keep an entry; it is on stable storage on return.

        Raises StoreFailed when the disk does not take it; the journal is then as it was.
        """
        packed = _pack(entry, self._count)
        try:
            written = 0
            while written < len(packed):
                written += os.pwrite(self._handle, packed[written:], self.size_bytes + written)
            os.fsync(self._handle)
        except OSError as error:
            os.ftruncate(self._handle, self.size_bytes)
            raise StoreFailed(
                f"the journal {self.path} cannot be written: {error.strerror}",
                advice="make room there, then go on with --resume; all that was acknowledged is safe",
            ) from error
        self._count += 1
        self.size_bytes += len(packed)

    def close(self) -> None:
        """Let go of the file. Closing twice does no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def write_journal(path: Path, entries: Sequence[Entry]) -> None:
    """Put a journal of these entries in place of the file at `path`, whole or not at all. Raises StoreFailed."""
    new = path.with_suffix(".new")
    try:
        with new.open("wb") as file:
            file.write(_FILE_MARK + b"".join(_pack(entry, number) for number, entry in enumerate(entries)))
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except OSError as error:
        raise StoreFailed(
            f"the journal {path} cannot be written: {error.strerror}", advice="make room there, or name another --store"
        ) from error


def read_journal(path: Path) -> JournalRead:
    """All whole entries of a journal file. Raises WrongUse when it is none, or is damaged before its last entry."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise WrongUse(f"the journal {path} cannot be read: {error.strerror}") from error
    if not data.startswith(_FILE_MARK):
        raise WrongUse(f"{path} is not a journal of an endurance run")
    entries: list[Entry] = []
    at = len(_FILE_MARK)
    while (found := _unpack(data, at, len(entries))) is not None:
        entry, at = found
        entries.append(entry)
    if _whole_entry_after(data, at, len(entries)):
        raise WrongUse(
            f"the journal {path} is damaged at byte {at}: whole entries follow a broken one",
            advice="the disk that holds it lost data; put a copy back, or begin a new run",
        )
    return JournalRead(tuple(entries), at, len(data) - at)


def _pack(entry: Entry, number: int) -> bytes:
    text = json.dumps(entry.values, separators=(",", ":"), allow_nan=False).encode()
    body = _JSON_LENGTH.pack(len(text)) + text + entry.raw
    return _HEAD.pack(_MARK, len(body), number, _sum(number, body)) + body


def _sum(number: int, body: bytes) -> int:
    return checks(_HEAD.pack(_MARK, len(body), number, 0) + body)


def _unpack(data: bytes, at: int, number: int | None) -> tuple[Entry, int] | None:
    """The entry at a place and where the next begins; None when there is none whole. number: which it must be."""
    if at + _HEAD.size > len(data):
        return None
    mark, length, told, sum_told = _HEAD.unpack_from(data, at)
    begin = at + _HEAD.size
    if mark != _MARK or begin + length > len(data) or (number is not None and told != number):
        return None
    body = data[begin : begin + length]
    if sum_told != _sum(told, body):
        return None
    (text_bytes,) = _JSON_LENGTH.unpack_from(body)
    text_end = _JSON_LENGTH.size + text_bytes
    return Entry(json.loads(body[_JSON_LENGTH.size : text_end]), body[text_end:]), begin + length


def _whole_entry_after(data: bytes, at: int, count: int) -> bool:
    """Whether a whole entry with a later number stands behind a broken one."""
    place = data.find(_MARK, at + 1)
    while place >= 0:
        if _unpack(data, place, None) is not None and _HEAD.unpack_from(data, place)[2] > count:
            return True
        place = data.find(_MARK, place + 1)
    return False
