"""Which program made an SQLite file, read without SQLite, so that no byte of it or of its journals changes.

SQLite applies a journal to the file, checkpoints and deletes it as soon as it opens and closes the file, even when the
file belongs to another program.
    page 1, of the file or newer in its -wal:   "SQLite format 3" ... user_version at 60 ... application_id at 68

When a process opens and closes a file that it also has open through SQLite, SQLite loses its locks on that file
(POSIX). So our connections are counted, and a file that this process has open through SQLite is never read here. Code
that reads and then connects, or asks `is_connected` and then reads, holds the lock `looking` meanwhile. Not checked
here: the checksums of a -wal's frames. Only who made the file is decided here, not what is in it.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import sys
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

Identity = tuple[int, int]
"""Device and inode."""

RECORDS_ID = int.from_bytes(b"FSCP", "big")
"""application_id of a store of records."""
SERIES_ID = int.from_bytes(b"FSCS", "big")
"""application_id of a series store of `smart watch`."""
TABLES_ID = int.from_bytes(b"FSCF", "big")
"""application_id of a file of tables that was written as a result."""

SIDE_FILES = ("-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite makes beside a database."""

_MAGIC = b"SQLite format 3\0"
_WAL_MAGICS = (0x377F0682, 0x377F0683)
_SHARED_MEMORY_VERSION = 3007000
_JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")
_WAL_HEAD = struct.Struct(">IIIIIIII")
_FRAME_HEAD = struct.Struct(">IIIIII")
_LEAST_BYTES = 512
_LEAF = 0x0D


@dataclass(frozen=True)
class Header:
    """The first page of a database. is_empty: no table, index or view is in it."""

    application_id: int = 0
    user_version: int = 0
    is_empty: bool = True

    @property
    def is_store(self) -> bool:
        """Whether it is a store of flashscope, of records or of a series."""
        return self.application_id in (RECORDS_ID, SERIES_ID)


def read_header(path: Path) -> Header | None:
    """Who made the database at a path; None when there is no SQLite database. A file of no bytes is an empty one.

    Raises OSError. The caller has seen that it is a regular file, and that `is_connected` says no.
    """
    with path.open("rb") as file:
        page = file.read(_LEAST_BYTES)
    found = Header() if not page else header_of(page)
    if found is None or found.application_id:
        return found
    try:  # the first page may be newer in the journal
        with Path(f"{path}-wal").open("rb") as wal:
            return header_in_wal(wal) or found
    except OSError:
        return found


def header_of(page: bytes) -> Header | None:
    """The facts in a first page; None when it is no first page."""
    if len(page) < _LEAST_BYTES or not page.startswith(_MAGIC):
        return None
    (version,), (application,) = struct.unpack_from(">I", page, 60), struct.unpack_from(">I", page, 68)
    return Header(application, version, page[100] == _LEAF and page[103:105] == b"\0\0")


def header_in_wal(wal: BinaryIO) -> Header | None:
    """The facts in the newest first page in a write-ahead journal; None without one, or for another file."""
    head = wal.read(_WAL_HEAD.size)
    if len(head) < _WAL_HEAD.size:
        return None
    magic, _, page_bytes, _, *salts = _WAL_HEAD.unpack(head)[:6]
    if magic not in _WAL_MAGICS or page_bytes < _LEAST_BYTES:
        return None
    committed = seen = None
    while len(frame := wal.read(_FRAME_HEAD.size)) == _FRAME_HEAD.size:
        number, commit_pages, *frame_salts = _FRAME_HEAD.unpack(frame)[:4]
        page = wal.read(_LEAST_BYTES)
        if frame_salts != salts or len(page) < _LEAST_BYTES:
            break
        seen = header_of(page) if number == 1 else seen
        committed = seen if commit_pages else committed
        wal.seek(page_bytes - _LEAST_BYTES, os.SEEK_CUR)
    return committed


def is_side_file(path: Path) -> bool:
    """Whether a file begins as SQLite's journals and shared memory do, or is a finished one: empty, or zeros.

    Raises OSError.
    """
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except FileNotFoundError:  # just removed
        return True
    if path.name.endswith("-shm"):  # in the byte order of this machine, since it is used only here
        return not head.strip(b"\0") or int.from_bytes(head[:4], sys.byteorder) == _SHARED_MEMORY_VERSION
    return not head.strip(b"\0") or head == _JOURNAL_MAGIC or int.from_bytes(head[:4], "big") in _WAL_MAGICS


looking = threading.RLock()
_connected: Counter[Identity] = Counter()


class CountedConnection(sqlite3.Connection):
    """A connection whose file is known to be open in this process until it is closed."""

    _identity: Identity | None = None

    def __init__(self, path: Path, *args: Any, **kwargs: Any) -> None:
        super().__init__(path, *args, **kwargs)
        status = os.stat(path)  # SQLite made the file when there was none
        self._identity = (status.st_dev, status.st_ino)
        with looking:
            _connected[self._identity] += 1

    def close(self) -> None:
        """Close it. Closing twice does no harm."""
        super().close()
        if self._identity is not None:
            with looking:
                _connected[self._identity] -= 1
                if not _connected[self._identity]:
                    del _connected[self._identity]
            self._identity = None


def is_connected(identity: Identity) -> bool:
    """Whether this process has the file open through SQLite, as a store."""
    with looking:
        return _connected[identity] > 0
