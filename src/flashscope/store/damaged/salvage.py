"""What can still be read of a damaged store, row by row, in a new one. The damaged file is only read.

    every table   as a whole, while SQLite can
                  else in halves of halves of its row numbers, so that one bad page loses its own rows alone
                  else from both ends, and by the ids that other tables have named
    every record  is then read completely (`inspection.py`): what does not fit its checksums is left out and named

The new store has first the layout of the old one, then the newest. A record whose checksum alone is lost is kept with a
doubt that says so. Records that fit but are found under wrong questions keep their measurements and lose the questions.
Not done here: files whose list of tables (page 1) cannot be read; single steps of a record whose steps are damaged.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flashscope.store.damage import UNREADABLE, printable
from flashscope.store.layout.layouts import NEWEST, TableLayout, layout
from flashscope.store.layout.schema import MIGRATIONS, migrate

_FAILURES_MOST = 2_000
"""Ranges of row numbers that may turn out unreadable before the rest of a table is given up."""

_ROW_NUMBERS_WHEN_UNKNOWN = 1 << 22


@dataclass
class Salvaged:
    """What was copied. faults: what could not be read, in SQLite's words. rows_lost: ids of records that lost rows."""

    faults: list[str] = field(default_factory=list)
    rows_lost: set[object] = field(default_factory=set)


@contextlib.contextmanager
def open_salvaged(source: sqlite3.Connection, path: Path) -> Iterator[tuple[sqlite3.Connection, Salvaged]]:
    """A new store at `path` with all rows that can be read from `source`, in the newest layout, not checked yet."""
    told = Salvaged()
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as target:
        target.execute("PRAGMA foreign_keys = OFF")
        version = _version(source)
        migrate(target, path, MIGRATIONS[:version])
        target.execute("BEGIN")
        _copy(source, target, version, told)
        target.execute("COMMIT")
        migrate(target, path)
        target.text_factory = lambda stored: stored.decode("utf-8", "surrogateescape")
        yield target, told


def _version(source: sqlite3.Connection) -> int:
    """The layout of the store: as it says, else the newest one whose columns it has."""
    with contextlib.suppress(*UNREADABLE):
        (version,) = source.execute("PRAGMA user_version").fetchone()
        if 1 <= version <= NEWEST and _has_columns(source, version):
            return int(version)
    return next((version for version in range(NEWEST, 0, -1) if _has_columns(source, version)), NEWEST)


def _has_columns(source: sqlite3.Connection, version: int) -> bool:
    for table in layout(version).values():
        try:
            columns = {row[1] for row in source.execute(f"PRAGMA table_info({table.name})")}
        except UNREADABLE:
            return False
        if not columns.issuperset(table.names):
            return False
    return True


def _copy(source: sqlite3.Connection, target: sqlite3.Connection, version: int, told: Salvaged) -> None:
    with contextlib.suppress(*UNREADABLE):
        source.execute("PRAGMA writable_schema = ON")  # so that one bad definition does not hide the other tables
    source.text_factory = _text_or_bytes
    ids: dict[object, None] = {}
    tables = sorted(layout(version).values(), key=lambda table: not table.has_row_numbers)
    for table in tables:
        marks = ", ".join("?" * len(table.names))
        insert = f"INSERT OR IGNORE INTO {table.name} ({', '.join(table.names)}) VALUES ({marks})"
        place = table.names.index(table.record)
        for row in _readable(source, table, tuple(ids), told):
            ids[row[place]] = None
            if target.execute(insert, row).rowcount == 0 and not _is_there(target, table, row):
                told.rows_lost.add(row[place])


def _text_or_bytes(stored: bytes) -> str | bytes:
    """Text; bytes when it is none, so that it can be copied and is found to be damaged afterwards."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return stored


def _is_there(target: sqlite3.Connection, table: TableLayout, row: Sequence[Any]) -> bool:
    """Whether exactly this row has been copied before: rows may be read twice from a damaged file."""
    agrees = " AND ".join(f"{name} IS ?" for name in table.names)
    return target.execute(f"SELECT 1 FROM {table.name} WHERE {agrees}", row).fetchone() is not None


def _readable(
    source: sqlite3.Connection, table: TableLayout, ids: Sequence[object], told: Salvaged
) -> Iterator[tuple[Any, ...]]:
    """The rows of a table that can be read; some may come twice."""
    what = f"SELECT {', '.join(table.names)} FROM {table.name}"
    try:
        yield from _rows(source, f"{what} NOT INDEXED" if table.has_row_numbers else what)
        return
    except UNREADABLE as error:
        told.faults.append(printable(f"{table.name}: {error}"))
    if table.has_row_numbers:
        yield from _in_halves(source, table, what)
        return
    for order in ("", " DESC"):
        with contextlib.suppress(*UNREADABLE):
            yield from _rows(source, f"{what} ORDER BY {table.key[0]}{order}")
    for record_id in ids:
        with contextlib.suppress(*UNREADABLE):
            yield from _rows(source, f"{what} WHERE {table.record} = ?", record_id)


def _in_halves(source: sqlite3.Connection, table: TableLayout, what: str) -> Iterator[tuple[Any, ...]]:
    last = _ROW_NUMBERS_WHEN_UNKNOWN
    with contextlib.suppress(*UNREADABLE):
        last = source.execute(f"SELECT max(rowid) FROM {table.name} NOT INDEXED").fetchone()[0] or 0
    ranges, failures = [(1, last)], 0
    while ranges and failures < _FAILURES_MOST:
        low, high = ranges.pop()
        try:
            found = list(_rows(source, f"{what} NOT INDEXED WHERE rowid BETWEEN ? AND ?", low, high))
        except UNREADABLE:
            failures += 1
            middle = (low + high) // 2
            if low < high:
                ranges += [(middle + 1, high), (low, middle)]
            continue
        yield from found


def _rows(source: sqlite3.Connection, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
    for row in source.execute(query, values):
        yield tuple(row)
