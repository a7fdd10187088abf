"""A table as a result: in an SQLite file of its own, or among the tables of a database that somebody else made.

    nothing there, or an old file of another form     a new file, put in place when complete
    a database of flashscope                          its table is made anew; everything else in it stays
    somebody else's database, with --force            the same, and only a table that has our mark is replaced

The mark of a table is a comment in its CREATE statement, which SQLite keeps: /* made by flashscope */. Everything is
one transaction of SQLite: other programs that have the database open see the old table or the new one.
Indexes and triggers that somebody put on our table go with the old one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from flashscope.errors import WrongUse
from flashscope.outputs.forms import SQLITE
from flashscope.outputs.places import Place
from flashscope.outputs.replacing import OWN_FILES, Replacing, check_file
from flashscope.outputs.results import ResultFile, write_result
from flashscope.outputs.sqlite_files import RECORDS_ID, SERIES_ID, TABLES_ID, read_header

Columns = Mapping[str, Sequence[Any]]
_MARK = "/* made by flashscope */"
_WAIT_S = 30.0


def check_table(path: Path, name: str, replacing: Replacing) -> Place:
    """The place of a table. Changes nothing. Raises WrongUse when it may not be written there."""
    place = check_file(path, SQLITE, replacing)
    if _is_database(place):
        # From the file alone, so that its journals are not touched; a newer state is checked in the transaction.
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_open(place.path, "ro&immutable=1")) as connection:
            _check_clash(connection, name, path)
    return place


def write_table(path: Path, name: str, columns: Columns, replacing: Replacing = OWN_FILES) -> Path:
    """Write a table completely or not at all; returns the path as named. Raises WrongUse as `check_table` does."""
    place = check_table(path, name, replacing)
    if not _is_database(place):
        return write_result(ResultFile(path, SQLITE, _file_of(name, columns)), replacing)
    with _failing_in_words(path), contextlib.closing(_open(place.path, "rw")) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN IMMEDIATE")
        try:
            _check_clash(connection, name, path)
            connection.execute(f"DROP TABLE IF EXISTS {_quoted(name)}")
            _fill(connection, name, columns)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
    return path


def _is_database(place: Place) -> bool:
    if place.status is None or not place.status.st_size:
        return False
    return read_header(place.path) is not None


def _open(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.as_uri()}?mode={mode}", uri=True, timeout=_WAIT_S, isolation_level=None)


def _check_clash(connection: sqlite3.Connection, name: str, path: Path) -> None:
    """Raises WrongUse when the database is a store, or holds something of the table's name that is not ours."""
    if connection.execute("PRAGMA application_id").fetchone()[0] in (RECORDS_ID, SERIES_ID):
        raise WrongUse(f"{path} is a store of flashscope", accepted="a new file", advice="name another file")
    found = connection.execute(
        "SELECT type, sql FROM sqlite_master WHERE name = ? COLLATE NOCASE", (name,)
    ).fetchone()  # fmt: skip
    if found is not None and (found[0] != "table" or _MARK not in (found[1] or "")):
        raise WrongUse(
            f"{path} has a {found[0]} {name!r} that flashscope did not make; it is never dropped",
            accepted=f"a new file, or a database without a {name!r} of its own",
            advice="name another file, or rename what is there",
        )


def _file_of(name: str, columns: Columns) -> bytes:
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {TABLES_ID}")
        connection.execute("BEGIN")
        _fill(connection, name, columns)
        connection.execute("COMMIT")
        return connection.serialize()


def _fill(connection: sqlite3.Connection, name: str, columns: Columns) -> None:
    named = ", ".join(map(_quoted, columns))
    connection.execute(f"CREATE TABLE {_quoted(name)} ({_MARK} {named})")
    marks = ", ".join("?" * len(columns))
    rows = zip(*columns.values(), strict=True)
    connection.executemany(f"INSERT INTO {_quoted(name)} VALUES ({marks})", rows)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextlib.contextmanager
def _failing_in_words(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise WrongUse(
            f"no table can be written into {path}: {error}",
            accepted="a new file, or an undamaged database that no other program has locked",
            advice="name another file",
        ) from None
