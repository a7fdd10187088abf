"""SQLite's errors, in words that help a person."""

from __future__ import annotations

import contextlib
import shlex
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from flashscope.errors import FlashscopeError, WrongUse
from flashscope.store.file.disk_words import ask_place, words_of


class StoreFailed(FlashscopeError):
    """The store could not keep what a run measured. Earlier data that it confirmed is safe. Exit code 1."""

    exit_code = 1


_ABOUT_THE_PLACE = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
_ELSEWHERE = "name another file with --store"
_DAMAGED = "the store {path} is damaged ({error})"
_REPAIR = (
    "keep a copy; of a store of records, flashscope store repair {quoted} NEW saves what can be read; "
    f"or {_ELSEWHERE}"
)
_CAUSES: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_FULL: ("the disk under the store {path} is full", f"make room there, or {_ELSEWHERE}"),
    sqlite3.SQLITE_IOERR: (
        "the store {path} cannot be written or read ({error}); the disk may be full, over quota or failing",
        f"check the disk, or {_ELSEWHERE}",
    ),
    sqlite3.SQLITE_READONLY: ("the store {path} may not be written ({error})", f"make it writable, or {_ELSEWHERE}"),
    sqlite3.SQLITE_CANTOPEN: (
        "the store {path} cannot be opened; its directory may be read-only",
        f"make the directory writable, or {_ELSEWHERE}",
    ),
    sqlite3.SQLITE_NOTADB: ("{path} is not a store: it is no SQLite file", _ELSEWHERE),
    sqlite3.SQLITE_CORRUPT: (_DAMAGED, _REPAIR),
    sqlite3.SQLITE_ERROR: (_DAMAGED, _REPAIR),  # a table or a column is missing, or its definition is no SQL any more
    sqlite3.SQLITE_CONSTRAINT: (_DAMAGED, _REPAIR),
    sqlite3.SQLITE_MISMATCH: (_DAMAGED, _REPAIR),
    sqlite3.SQLITE_TOOBIG: (_DAMAGED, _REPAIR),
    sqlite3.SQLITE_BUSY: (
        "the store {path} has been locked by another program for too long",
        f"wait for that program to end, or {_ELSEWHERE}",
    ),
}


def _in_words(path: Path, error: sqlite3.Error | OSError | UnicodeDecodeError) -> tuple[str, str]:
    """What happened to the store, and what to do."""
    if isinstance(error, OSError):
        cause, advice = words_of(error)
        return f"the store {path} cannot be opened: {cause}", f"{advice}, or {_ELSEWHERE}"
    if isinstance(error, UnicodeDecodeError):  # SQLite's own words quote a damaged definition of a table
        error = sqlite3.DatabaseError("its list of tables is no text any more")
        error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    code = getattr(error, "sqlite_errorcode", -1) & 0xFF  # the upper bits tell variants of one cause apart
    found = ask_place(path, "-wal", "-shm", "-journal") if code in _ABOUT_THE_PLACE else None
    if found is not None:
        return f"the store {path} cannot be written: {found[0]}", f"{found[1]}, or {_ELSEWHERE}"
    what, advice = _CAUSES.get(code, ("the store {path} failed ({error})", _ELSEWHERE))
    return what.format(path=path, error=error), advice.format(quoted=shlex.quote(str(path)))


@contextlib.contextmanager
def explained(path: Path, *, started: bool) -> Iterator[None]:
    """Turn SQLite's and the system's errors about the store into flashscope's.

    started: False while no run has begun (WrongUse, exit 2), True when a run's results are at stake
    (StoreFailed, exit 1).
    """
    try:
        yield
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        what, advice = _in_words(path, error)
        if started:
            raise StoreFailed(
                what, advice=f"{advice}; every step acknowledged before this one is safe in the store"
            ) from error
        raise WrongUse(what, advice=advice) from error
