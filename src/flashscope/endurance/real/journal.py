"""The journal: an append-only file of entries, each on stable storage when `append` returns.

    | file mark | entry | entry | entry ...
                  entry:  mark 4 | length 4 | number 8 | checks 8 | JSON length 4 | JSON | raw bytes

One append is one entry, and the next begins only when the last is durable. So only the last entry can be torn by a
kill, a power cut or a full disk, and it was never acknowledged: it is dropped. A broken entry before a complete one is
damage, not a torn end; then the journal is refused and not shortened.
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
from flashscope.endurance.real.whole_file import write_whole
from flashscope.errors import WrongUse
from flashscope.store.file.disk_words import words_of
from flashscope.store.file.errors import StoreFailed

JOURNAL = "journal"
FILE_MARK = b"flashscope wear journal 1\n"
_MARK = b"\xf5FJ\n"
_HEAD = struct.Struct("<4sIQQ")
_JSON_LENGTH = struct.Struct("<I")
_FIRST_MOST_BYTES = 16 << 20  # a first entry describes a run, with its settings and a fio job file


@dataclass(frozen=True)
class Entry:
    """values: plain data. raw: arrays packed by their owner."""

    values: dict[str, Any] = field(default_factory=dict)
    raw: bytes = b""


@dataclass(frozen=True)
class JournalRead:
    """The contents of a journal file.

    whole_bytes: length of the complete entries. last_at: where the last complete entry begins. torn_bytes: length of
    the torn end behind it. damaged: complete entries follow a broken one, so it is not a torn end.
    """

    entries: tuple[Entry, ...]
    whole_bytes: int
    last_at: int
    torn_bytes: int
    damaged: bool = False


class Journal:
    """A journal to append to. Raises WrongUse when the file is no journal, is damaged before its end, or may not be
    written; StoreFailed when its disk does not take its last entry."""

    def __init__(self, path: Path) -> None:
        self.path = path
        found = read_journal(path)
        self.entries, self.torn_bytes = found.entries, found.torn_bytes
        self._count, self.size_bytes = len(found.entries), found.whole_bytes
        self._failure: OSError | None = None
        try:
            self._handle = os.open(path, os.O_RDWR | os.O_CLOEXEC)
        except OSError as error:
            cause, advice = words_of(error)
            raise WrongUse(f"the journal {path} cannot be written: {cause}", advice=advice) from error
        try:
            self._settle(found.last_at)
        except OSError as error:
            os.close(self._handle)
            raise self._failed(error) from error

    def _settle(self, last_at: int) -> None:
        """Write what was read to stable storage again: after a disk failure it may be only in memory."""
        last = os.pread(self._handle, self.size_bytes - last_at, last_at)
        _write_all(self._handle, last, last_at)
        os.ftruncate(self._handle, self.size_bytes)
        os.fsync(self._handle)

    def append(self, entry: Entry) -> None:
        """Keep an entry; it is on stable storage on return.

        Raises StoreFailed when the disk fails. The journal is then unchanged, or takes no more entries until it is
        opened again; the entry may be in it then.
        """
        if self._failure is not None:
            raise self._failed(self._failure)
        packed = _pack(entry, self._count)
        try:
            _write_all(self._handle, packed, self.size_bytes)
            os.fsync(self._handle)
        except OSError as error:
            try:
                os.ftruncate(self._handle, self.size_bytes)
            except OSError:
                self._failure = error
            raise self._failed(error) from error
        self._count += 1
        self.size_bytes += len(packed)

    def _failed(self, error: OSError) -> StoreFailed:
        cause, advice = words_of(error)
        return StoreFailed(
            f"the journal {self.path} cannot be written: {cause}",
            advice=f"{advice}, then go on with --resume; all that was acknowledged is safe",
        )

    def close(self) -> None:
        """Close the file. Closing twice does no harm."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def write_journal(path: Path, entries: Sequence[Entry]) -> None:
    """Replace the file at `path` by a journal of these entries, completely or not at all. Raises StoreFailed."""
    write_whole(path, FILE_MARK + b"".join(_pack(entry, number) for number, entry in enumerate(entries)))


def read_journal(path: Path) -> JournalRead:
    """All complete entries of a journal. Raises WrongUse when it is no journal, or is damaged before its last entry."""
    found = look_at_journal(path)
    if found.damaged:
        raise WrongUse(
            f"the journal {path} is damaged at byte {found.whole_bytes}: whole entries follow a broken one",
            accepted="the journal as the run left it",
            advice="the disk that holds it lost data: put a copy back, or set the run aside with "
            f"`flashscope endure --set-aside {path.parent.name}` and begin a new one",
        )
    return found


def look_at_journal(path: Path) -> JournalRead:
    """As `read_journal`, but for a damaged journal the entries before the damage. Raises WrongUse when it is none."""
    data = _read(path, None)
    entries: list[Entry] = []
    at = last_at = len(FILE_MARK)
    while (found := _unpack(data, at, len(entries))) is not None:
        last_at = at
        entry, at = found
        entries.append(entry)
    return JournalRead(tuple(entries), at, last_at, len(data) - at, _whole_entry_after(data, at, len(entries)))


def first_entry(path: Path) -> Entry | None:
    """The first entry, even when others are damaged; None when it is incomplete or the file is no journal."""
    try:
        data = _read(path, _FIRST_MOST_BYTES)
    except WrongUse:
        return None
    found = _unpack(data, len(FILE_MARK), 0)
    return found[0] if found is not None else None


def _read(path: Path, most_bytes: int | None) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(most_bytes)
    except OSError as error:
        raise WrongUse(f"the journal {path} cannot be read: {words_of(error)[0]}") from error
    if not data.startswith(FILE_MARK):
        raise WrongUse(f"{path} is not a journal of an endurance run")
    return data


def _write_all(handle: int, data: bytes, offset: int) -> None:
    done = 0
    while done < len(data):
        done += os.pwrite(handle, data[done:], offset + done)


def _pack(entry: Entry, number: int) -> bytes:
    text = json.dumps(entry.values, separators=(",", ":"), allow_nan=False).encode()
    body = _JSON_LENGTH.pack(len(text)) + text + entry.raw
    return _HEAD.pack(_MARK, len(body), number, _sum(number, body)) + body


def _sum(number: int, body: bytes) -> int:
    return checks(_HEAD.pack(_MARK, len(body), number, 0) + body)


def _unpack(data: bytes, at: int, number: int | None) -> tuple[Entry, int] | None:
    """The entry at a place and where the next begins; None when it is incomplete. number: its expected number."""
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
    """Whether a complete entry with a later number follows a broken one."""
    place = data.find(_MARK, at + 1)
    while place >= 0:
        if _unpack(data, place, None) is not None and _HEAD.unpack_from(data, place)[2] > count:
            return True
        place = data.find(_MARK, place + 1)
    return False
