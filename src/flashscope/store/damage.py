"""What is damaged in a store, as one exception: the only place where errors of damaged data are told apart from faults.

    a row --rows/record_rows.py, rows/step_rows.py, ...--> ValueError, KeyError, zlib.error, SQLite's "malformed" ...
                                               |
                                    damage_of(store, record)          DamagedRecord: which one, what, what to do

Records that have a checksum (`checksums.py`) are checked before anything is made of them. Those of older stores have
none: an error in code that works on them can be damage that was not noticed (`suspected`).
"""

from __future__ import annotations

import contextlib
import re
import shlex
import sqlite3
import struct
import zlib
from collections.abc import Collection, Iterator
from pathlib import Path

from flashscope.errors import FlashscopeError

_SIGNS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, zlib.error, struct.error)
"""What damaged data leads to when they are read."""

_LONGEST = 160
_NOT_IN_A_LINE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class DamagedRecord(FlashscopeError):
    """One record of a store cannot be used. The others can. Exit code 1.

    record_id: printable, also when it is damaged itself. damage: what is damaged, as a clause.
    """

    exit_code = 1

    def __init__(self, path: Path, record_id: object, damage: str) -> None:
        self.record_id, self.damage = printable(record_id), damage
        store = shlex.quote(printable(path))
        super().__init__(
            f"the record {self.record_id} of the store {printable(path)} is damaged: {damage}",
            accepted="a record that is as it was written; the others of this store can be used",
            advice=f"flashscope store check {store} names all that is damaged; "
            f"flashscope store repair {store} NEW saves the rest into a new store",
        )

    def in_a_line(self) -> str:
        """For a list: which record, and what is damaged."""
        return f"{self.record_id} is damaged and left out: {self.damage}"


def printable(what: object) -> str:
    """A name or a value for a message: on one line, cut when long; bytes that are no text as \\udc80 and the like."""
    text = what if isinstance(what, str) else str(what) if isinstance(what, Path) else repr(what)
    text = in_one_line(text)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."


def in_one_line(text: str) -> str:
    """Text for a terminal: what moves its cursor or is no character becomes \\n, \\x1b, \\udc80 and the like."""
    return _NOT_IN_A_LINE.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


@contextlib.contextmanager
def damage_of(path: Path, record_id: object) -> Iterator[None]:
    """Turn what goes wrong while a record is read into DamagedRecord. Other errors of SQLite pass through."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if not is_malformed(error):
            raise
        raise DamagedRecord(path, record_id, f"SQLite cannot read it ({error})") from error
    except _SIGNS as error:
        raise DamagedRecord(path, record_id, _clause(error)) from error


@contextlib.contextmanager
def damage_of_series(what: str) -> Iterator[None]:
    """Turn what goes wrong while a part of a series store is read into an error in words. what: "its sample 7"."""
    try:
        yield
    except _SIGNS as error:
        raise FlashscopeError(
            f"the series store is damaged: {what} cannot be read ({_clause(error)})",
            accepted="samples as they were written",
            advice="keep a copy of the store, and begin another one: --store NEW",
        ) from error


@contextlib.contextmanager
def suspected(path: Path, without_checksum: Collection[str]) -> Iterator[None]:
    """Turn a failure of work on these records into DamagedRecord; with none of them, a failure is a fault of ours."""
    try:
        yield
    except _SIGNS as error:
        if not without_checksum:
            raise
        named = ", ".join(sorted(without_checksum))
        raise DamagedRecord(
            path, named, f"it has no checksum, and something in it does not fit together ({_clause(error)})"
        ) from error


def is_malformed(error: sqlite3.Error) -> bool:
    """Whether SQLite reports that the file itself is damaged."""
    return getattr(error, "sqlite_errorcode", -1) & 0xFF == sqlite3.SQLITE_CORRUPT


_ABOUT_DATA = frozenset(
    {
        sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH,
        sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_SCHEMA, sqlite3.SQLITE_FORMAT,
    }
)  # fmt: skip


UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What Python's SQLite raises for a file that it cannot read; its words may quote what is no text any more."""


def is_about_data(error: BaseException) -> bool:
    """Whether SQLite reports that something in the file is damaged or missing, rather than that it cannot reach it."""
    return isinstance(error, UnicodeDecodeError) or getattr(error, "sqlite_errorcode", -1) & 0xFF in _ABOUT_DATA


def _clause(error: BaseException) -> str:
    said = printable(str(error))
    return (
        said
        if isinstance(error, ValueError) and not isinstance(error, UnicodeError)
        else (f"{type(error).__name__}: {said}")
    )
