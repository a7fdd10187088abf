"""The columns of the store's tables in any version of its layout, as the migrations make them (`schema.py`).

table -> columns with their types and whether they may be empty; the primary key; the column that names the record
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from flashscope.store.layout.schema import MIGRATIONS, migrate

NEWEST = len(MIGRATIONS)
"""The version of the layout that this flashscope writes."""

_TYPES: Mapping[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (float,), "BLOB": (bytes,)}


@dataclass(frozen=True)
class ColumnLayout:
    """One column. types: of its values in Python. may_be_empty: NULL is one of them."""

    name: str
    types: tuple[type, ...]
    may_be_empty: bool


@dataclass(frozen=True)
class TableLayout:
    """One table. key: the columns of its primary key. record: the column that names the record."""

    name: str
    columns: tuple[ColumnLayout, ...]
    key: tuple[str, ...]
    has_row_numbers: bool

    @property
    def record(self) -> str:
        """The column that names the record."""
        return "id" if self.name == "records" else "record_id"

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


@cache
def layout(version: int = NEWEST) -> Mapping[str, TableLayout]:
    """All tables of that version of the layout, by name; `records` first."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, Path(":memory:"), MIGRATIONS[:version])
        tables = connection.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
        ).fetchall()
        return {name: _table(connection, name, sql) for name, sql in tables}


def _table(connection: sqlite3.Connection, name: str, sql: str) -> TableLayout:
    rows = connection.execute(f"PRAGMA table_info({name})").fetchall()
    key = sorted((place, column) for _, column, _, _, _, place in rows if place)
    columns = tuple(
        ColumnLayout(column, _TYPES[kind], not (needed or place)) for _, column, kind, needed, _, place in rows
    )
    return TableLayout(name, columns, tuple(column for _, column in key), "WITHOUT ROWID" not in sql.upper())
