"""The checksums of a record: kept when it is written, verified when it is read.

    head     the record itself, its findings and doubts          what `list` reads
    steps    all that its steps measured, and the inside         what reports read
    points   under which questions it is found again, and        what sweeps read
             what was said of its drive

Each is the sum, modulo 2^128, of the 128-bit BLAKE2b of every row. So a step can be replaced without reading the
others: its old rows are subtracted, its new ones added. A row that is missing, doubled or changed by a single bit
changes the sum. A sum is over the columns that the layout had when the record was begun (`layouts.py`), so a later
migration that adds columns does not change it. Records of stores from before checksums have none: layout 0, and the
word "none" for a sum.
Not done here: protection against someone who changes a record on purpose and writes the sum anew.
"""

from __future__ import annotations

import contextlib
import enum
import functools
import hashlib
import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from flashscope.store.layout.layouts import NEWEST, layout

Row = Mapping[str, Any]
"""A row by the names of its columns."""

_MODULUS = 1 << 128
_NONE = "none"


class Part(enum.Enum):
    """What one checksum is over: the tables. The value names its column."""

    HEAD = "head"
    STEPS = "steps"
    POINTS = "points"


TABLES: Mapping[Part, tuple[str, ...]] = {
    Part.HEAD: ("records", "findings", "doubts", "examinations"),
    Part.STEPS: (
        "steps", "series_columns", "latency_histograms", "smart_snapshots", "smart_attributes", "glass_columns",
        "smart_series_columns", "job_columns", "job_histograms",
    ),
    Part.POINTS: ("points", "dossiers"),
}  # fmt: skip
"""The tables of each part."""


@dataclass(frozen=True)
class Seal:
    """The checksums of one record, as kept. layout: of the store when it was begun; 0: it has no checksums."""

    layout: int
    sums: Mapping[Part, str]

    @property
    def is_there(self) -> bool:
        """False for a record from before checksums."""
        return self.layout > 0


def stored_rows(connection: sqlite3.Connection, table: str, record_id: str, **where: object) -> list[Row]:
    """The rows of a record in a table, in the order of the key, whatever is in them. where: more columns that agree."""
    names = layout()[table].names
    found = connection.execute(_selection(table, tuple(where)), (record_id, *where.values()))
    return [dict(zip(names, row, strict=True)) for row in found]


def filled_tables(connection: sqlite3.Connection, part: Part, record_id: str, **where: object) -> tuple[str, ...]:
    """The tables of a part that hold rows of a record, by one question to SQLite instead of one for each table.

    where: as for `stored_rows`; tables without these columns are not looked at.
    """
    tables, question = _question(part, tuple(where))
    (found,) = connection.execute(question, (record_id, *where.values()) * len(tables))
    return tuple(table for table, is_filled in zip(tables, found, strict=True) if is_filled)


@functools.cache
def _selection(table: str, columns: tuple[str, ...]) -> str:
    names, key = ", ".join(layout()[table].names), ", ".join(layout()[table].key)
    return f"SELECT {names} FROM {table} WHERE {_conditions(table, columns)} ORDER BY {key}"


@functools.cache
def _question(part: Part, columns: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    tables = tuple(table for table in TABLES[part] if set(columns) <= set(layout()[table].names))
    each = (f"EXISTS (SELECT 1 FROM {table} WHERE {_conditions(table, columns)})" for table in tables)
    return tables, f"SELECT {', '.join(each)}"


def _conditions(table: str, columns: tuple[str, ...]) -> str:
    return " AND ".join(f"{name} = ?" for name in (layout()[table].record, *columns))


def read_seal(connection: sqlite3.Connection, record_id: str) -> Seal:
    """The checksums of a record. Raises ValueError when they are missing or damaged themselves."""
    row = connection.execute(
        "SELECT layout, head, steps, points FROM checksums WHERE record_id = ?", (record_id,)
    ).fetchone()
    if row is None:
        raise ValueError("its checksum is missing")
    version, *sums = row
    if not isinstance(version, int) or not 0 <= version <= NEWEST or not all(isinstance(one, str) for one in sums):
        raise ValueError("its checksum is damaged")
    seal = Seal(version, dict(zip(Part, sums, strict=True)))
    if not seal.is_there and set(sums) != {_NONE}:
        raise ValueError("its checksum is damaged")
    return seal


def verify(seal: Seal, part: Part, rows: Iterable[tuple[str, Sequence[Row]]]) -> None:
    """Compare a checksum with the rows of its tables. Raises ValueError when it does not fit."""
    if seal.is_there and seal.sums[part] != _text(sum(_sum(seal.layout, table, of) for table, of in rows)):
        raise ValueError(f"the checksum of its {part.value} does not fit what is kept")


def seal_anew(connection: sqlite3.Connection, record_id: str) -> None:
    """Write the checksums of a record whose rows have all just been written."""
    sums = {part: _sum_of(connection, record_id, NEWEST, part, {}) for part in Part}
    connection.execute(
        "INSERT OR REPLACE INTO checksums (record_id, layout, head, steps, points) VALUES (?, ?, ?, ?, ?)",
        (record_id, NEWEST, *(_text(sums[part]) for part in Part)),
    )


@contextlib.contextmanager
def resealed(connection: sqlite3.Connection, record_id: str, part: Part, **where: object) -> Iterator[None]:
    """Change rows of a record inside the block; its checksum follows. where: only rows that agree are changed, in the
    tables that have these columns.

    A record without a checksum, or with a damaged one, keeps it: what was damaged before stays known as damaged.
    """
    try:
        seal = read_seal(connection, record_id)
        kept = int(seal.sums[part], 16) if seal.is_there else None
    except ValueError:
        kept = None
    if kept is None:
        yield
        return
    before = _sum_of(connection, record_id, seal.layout, part, where)
    yield
    after = _sum_of(connection, record_id, seal.layout, part, where)
    connection.execute(
        f"UPDATE checksums SET {part.value} = ? WHERE record_id = ?", (_text(kept - before + after), record_id)
    )


def _sum_of(
    connection: sqlite3.Connection, record_id: str, version: int, part: Part, where: Mapping[str, object]
) -> int:
    tables = filled_tables(connection, part, record_id, **where)
    return sum(_sum(version, table, stored_rows(connection, table, record_id, **where)) for table in tables)


def _text(total: int) -> str:
    return f"{total % _MODULUS:032x}"


def _sum(version: int, table: str, rows: Sequence[Row]) -> int:
    form = layout(version).get(table)
    return 0 if form is None else sum(_digest(table, form.names, row) for row in rows)


def _digest(table: str, names: Sequence[str], row: Row) -> int:
    cells = (b"%s%d:%s" % (kind, len(data), data) for kind, data in (_bytes_of(row[name]) for name in names))
    digest = hashlib.blake2b(table.encode() + b"".join(cells), digest_size=16)
    return int.from_bytes(digest.digest(), "big")


def _bytes_of(value: object) -> tuple[bytes, bytes]:
    match value:
        case None:
            return b"-", b""
        case bytes():
            return b"b", value
        case str():
            return b"t", value.encode("utf-8", "surrogateescape")
        case int():
            return b"i", b"%d" % value
        case float():
            return b"f", struct.pack(">d", value)
    raise TypeError(f"SQLite keeps no {type(value).__name__}")
