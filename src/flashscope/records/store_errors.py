"""What SQLite says, in words a person can act on."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from flashscope.errors import FlashscopeError, WrongUse


class StoreFailed(FlashscopeError):
    """The store could not keep what a run measured. What it had acknowledged before is safe. Exit code 1."""

    exit_code = 1


_ELSEWHERE = "name another file with --store"
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
    sqlite3.SQLITE_CORRUPT: (
        "the store {path} is damaged ({error})",
        f"keep a copy, try `sqlite3 {{path}} .recover`, or {_ELSEWHERE}",
    ),
    sqlite3.SQLITE_BUSY: (
        "the store {path} has been locked by another program for too long",
        f"wait for that program to end, or {_ELSEWHERE}",
    ),
}


@contextlib.contextmanager
def explained(path: Path, *, started: bool) -> Iterator[None]:
    """Turn SQLite's and the system's errors about the store into ours.

    started: False while no run has begun (WrongUse, exit 2), True when a run's results are at stake
    (StoreFailed, exit 1). IntegrityError passes through: it is about the data, not the disk.
    """
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except (sqlite3.Error, OSError) as error:
        code = getattr(error, "sqlite_errorcode", -1) & 0xFF  # the upper bits tell variants of one cause apart
        what, advice = _CAUSES.get(code, ("the store {path} failed ({error})", _ELSEWHERE))
        what, advice = what.format(path=path, error=error), advice.format(path=path)
        if started:
            raise StoreFailed(
                what, advice=f"{advice}; every step acknowledged before this one is safe in the store"
            ) from error
        raise WrongUse(what, advice=advice) from error
