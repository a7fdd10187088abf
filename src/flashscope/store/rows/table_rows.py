"""Columns as rows of a table of columns, one row per column; and the function that inserts all rows."""

from __future__ import annotations

import sqlite3
from typing import Any

from flashscope.records.columns import Table
from flashscope.store.kept_rows import OF_THE_WHOLE, KeptRows
from flashscope.store.rows.blobs import pack_column, unpack_column

INSIDE = OF_THE_WHOLE
"""The step_index under which the columns of `Record.inside` are kept."""

SERIES, SMART_SERIES = "series_columns", "smart_series_columns"
"""The two tables of columns: measurements, and SMART meanwhile."""


def insert(connection: sqlite3.Connection, table: str, **values: Any) -> None:
    """Insert one row: column -> value."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def write_table(
    connection: sqlite3.Connection, record_id: str, step_index: int, table: Table, *, into: str = SERIES
) -> None:
    """Insert the columns of one step, or of the inside, of which nothing is kept yet. into: SERIES or SMART_SERIES."""
    for position, (name, column) in enumerate(table.columns.items()):
        place = {"record_id": record_id, "step_index": step_index, "position": position}
        insert(connection, into, **place, name=name, **pack_column(column))


def read_table(kept: KeptRows, step_index: int, *, of: str = SERIES) -> Table:
    """The columns of one step, or of the inside; an empty table when there are none. Raises ValueError when damaged."""
    return Table({row["name"]: unpack_column(row) for row in kept.of_step(of, step_index)})
